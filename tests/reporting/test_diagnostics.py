"""Tests of the shape of messages: place, rule, sentence, line, caret, fix and section."""

import pytest
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Operation

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Finding, Source, with_own_names

_KERNEL = """\
!tile = !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
ptx.kernel @k(%slot : i32, %address : i32) {{
  %d = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>
  %tile = tcgen05.descriptor %address : !tile
  %0 = ptx.constant 1.0 : f32
  %p = ptx.constant true
  {}
  ptx.ret
}}
"""
_TYPES = ": !tcgen05.tmem<128x32xf32>, !tile"
_IDESC = "idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x{}>"
_COLLECTOR = 'collector = "no"'
_BUFFER = 'collector_buffer = "b1"'
_MMA = f"%d, %tile, %tile accumulate %p\n{{{{{{}}}}}}\n{_TYPES}, !tile"


def _finding(statement: str) -> Finding:
    (found,) = check_source(Source("k.mlir", _KERNEL.format(statement)))
    return found


@pytest.mark.parametrize(
    ("statement", "marked"),
    [
        (
            f'tcgen05.cp %d, %tile {{shape = "shape_256x256b"}} {_TYPES}',
            'shape = "shape_256x256b"',
        ),
        (
            f'tcgen05.cp %d, %tile {{ // shape = 1\n shape = "shape_9x9b"}} {_TYPES}',
            'shape = "shape_9x9b"',
        ),
        (f'tcgen05.cp %d, %tile {{shape = "shape_32x128b"}} {_TYPES}', "tcgen05.cp"),
        ("%2 = ptx.shl b32 %slot, %0", "%0"),
        (f"tcgen05.mma {_MMA.format(_IDESC.format(260))}", _IDESC.format(260)),
        (f"tcgen05.mma {_MMA.format(f'{_COLLECTOR}, {_IDESC.format(32)}')}", _COLLECTOR),
        (f"tcgen05.mma.ws {_MMA.format(f'{_BUFFER}, {_IDESC.format(64)}')}", _BUFFER),
    ],
    ids=[
        "property",
        "second line",
        "missing property",
        "operand",
        "arrow",
        "renamed",
        "missing word",
    ],
)
def test_the_caret_is_below_the_culprit(statement: str, marked: str) -> None:
    found = _finding(statement)
    line, carets = found.excerpt.split("\n")
    start = carets.index("^")
    assert line[start : start + carets.count("^")] == marked
    assert found.column == start + 1
    assert _KERNEL.format(statement).split("\n")[found.line - 1] == line


def test_a_missing_property_is_added() -> None:
    found = _finding(f'tcgen05.cp %d, %tile {{shape = "shape_32x128b"}} {_TYPES}')
    assert found.help == 'add multicast = "warpx4"'
    assert str(found).endswith(
        '\n  help: add multicast = "warpx4"\n  (PTX ISA 9.7.16.9.2; tcgen05 explain T5-CP-002)'
    )


def test_text_of_the_input_forges_no_line() -> None:
    error = CompileError("quoted \x1b[31m\nb.mlir:1:1: error: forged", "a\n.mlir\x1b")
    first, *others = str(error).split("\n")
    assert first == "a\\n.mlir\\x1b: error: quoted \\x1b[31m"
    assert others == ["  b.mlir:1:1: error: forged"]


@pytest.mark.parametrize("field", ["message", "help", "excerpt", "fix", "replay"])
def test_no_field_controls_the_terminal(field: str) -> None:
    finding = Finding("a.mlir", 1, 1, "remark", "", "text")._replace(**{field: "a\x1b[31m\x9b\tb"})
    shown = str(finding)
    assert "a\\x1b[31m\\x9b\tb" in shown
    assert "\x1b" not in shown


def test_a_long_message_is_cut_at_a_line() -> None:
    lines = ["a sentence:", *(f"  line {number} of a list" for number in range(200))]
    kept = CompileError("\n".join(lines)).message.split("\n")
    assert kept[:-1] == lines[: len(kept) - 1]
    assert kept[-1] == f"... ({len(lines) - len(kept) + 1} more lines)"
    assert len("\n".join(lines[: len(kept)])) > 2000
    assert CompileError("x" * 3000).message == "x" * 2000 + "..."


_LOWERED = """\
// not written: ptx.ld
scf.if %p {
  ptx.st "global" [%a], %b
}
ws.store %x to %y
"""


@pytest.mark.parametrize(
    ("message", "about", "said"),
    [
        ("ptx.st: ", ("st", 3), "ptx.st: "),
        # Another operation has the name, and a comment.
        ("ptx.st: ", ("st", 5), "st: "),
        ("ptx.ld: ", ("ld", 1), "ld: "),
        (
            "ptx.ld reads what ptx.st, line 3, wrote",
            ("ld", 5),
            "ld reads what ptx.st, line 3, wrote",
        ),
        ("ptx.st, line 5, and ptx.st, line 3", ("st", 1), "st, line 5, and ptx.st, line 3"),
        # Nothing is known of its line.
        ("no ptx.st is in the kernel", ("ret", 5), "no ptx.st is in the kernel"),
        ("no ptx.red is in the kernel", ("ret", 5), "no red is in the kernel"),
    ],
)
def test_each_operation_has_its_own_name(message: str, about: tuple[str, int], said: str) -> None:
    name, line = about
    op = type("Named", (Operation,), {"name": f"ptx.{name}"}).create()
    op.location = FileLineColLoc(StringAttr("k.mlir"), IntAttr(line), IntAttr(1))
    assert with_own_names(message, Source("k.mlir", _LOWERED), op) == said


_LONG = "I" + "NS_4cute5tupleIJiiiEEE" * 4 + "EvT_"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"_ZN9deep_gemm4gemm{_LONG}", "deep_gemm::gemm<...>"),
        (f"_Z4gemm{_LONG}", "gemm<...>"),
        ("_ZN3one5twiceE" + "i" * 60, "one::twice"),
        # Short names, and names that C++ does not make.
        ("_ZN9deep_gemm11smem_bufferE", "_ZN9deep_gemm11smem_bufferE"),
        ("_Z" + "x" * 80, "_Z" + "x" * 80),
    ],
)
def test_long_names_of_cpp_are_cut(name: str, said: str) -> None:
    assert with_own_names(f"{name}+16 is written", None) == f"{said}+16 is written"
