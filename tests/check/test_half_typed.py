"""Tests of the findings in a text of which a line is half-typed: there is one, in that line."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import compile_to_ptx
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.repository import EXAMPLES

IR = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
ROLES = (EXAMPLES / "ws" / "gemm.mlir").read_text()
PTX = compile_to_ptx((EXAMPLES / "gemm_single_tile.mlir").read_text())


@pytest.mark.parametrize(
    ("name", "text", "typed", "message", "help"),
    [
        ("k.mlir", IR, "    scf.for %stage =", "expected an operand", ""),
        ("k.mlir", IR, "tcgen05.tile %a_first", "expected '['", ""),
        ("k.mlir", ROLES, "ws.role @epilogue warps(4)", "expected '{', which begins", ""),
        ("k.mlir", ROLES, "%first_column =", "expected an operation", ""),
        ("k.mlir", ROLES, "%v = ws.tmem_load", "expected an operand", ""),
        ("k.mlir", ROLES, "%row = arith.addi %first_row,", "expected an operand", ""),
        ("k.ptx", PTX, "\tshr.u32", "end of shr.u32 must be ';'", "write ; here"),
    ],
)
def test_error_is_in_the_line(name: str, text: str, typed: str, message: str, help: str) -> None:
    before, _, after = text.partition(typed)
    line = before.count("\n") + 1
    cut = f"{before}{typed}\n{after.partition(chr(10))[2]}"
    (found,) = check_source(Source(name, cut))
    end = len(cut.split("\n")[line - 1]) + 1
    assert (found.line, found.column) == (line, end)
    assert found.message.startswith(message)
    assert found.help == help


@pytest.mark.parametrize(
    ("after", "message", "help"),
    [
        ("\tmov.b32 %r1, 0;\n\tret;", "end of L must be ':'; found mov", "write : here"),
        (
            "\tret;",
            "name of an instruction must be in lower case; found L",
            "a label ends with a colon: write L:",
        ),
    ],
)
def test_label_without_colon(after: str, message: str, help: str) -> None:
    text = ".version 8.6\n.target sm_100a\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %r<2>;\nL\n"
    (error,) = check_source(Source("k.ptx", f"{text}{after}\n}}\n"))
    assert (error.line, error.message, error.help) == (7, message, help)
