"""Tests of `check` on PTX of LLVM 22: no false error. They need llc-22."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

LLC = shutil.which("llc-22")
TENSOR, SHARED, GENERIC = "ptr addrspace(6)", "ptr addrspace(3)", "ptr"
SHAPES = {"16x64b": (1, 128), "16x128b": (2, 64), "16x256b": (4, 32), "32x32b": (1, 128)}
"""Shape -> registers of x1, and the largest repetition."""
COPIES = ("128x256b", "4x256b", "128x128b", "64x128b_warpx2_02_13", "64x128b_warpx2_01_23")
SCALINGS = (
    *("mxf8f6f4.block_scale", "mxf8f6f4.block_scale.block32"),
    *("mxf4.block_scale", "mxf4.block_scale.block32"),
    *("mxf4nvf4.block_scale.block16", "mxf4nvf4.block_scale.block32"),
)
Call = tuple[str, str, list[str]]
"""An intrinsic, its result type, and its arguments: types, or constants with their types."""


def management() -> Iterator[Call]:
    for cg in ("cg1", "cg2"):
        yield f"alloc.{cg}", "void", [GENERIC, "i32"]
        yield f"alloc.shared.{cg}", "void", [SHARED, "i32"]
        yield f"dealloc.{cg}", "void", [TENSOR, "i32"]
        yield f"relinq.alloc.permit.{cg}", "void", []
        for space, pointer in (("", GENERIC), (".shared", SHARED)):
            yield f"commit{space}.{cg}", "void", [pointer]
            yield f"commit.mc{space}.{cg}", "void", [pointer, "i16"]
        yield f"shift.down.{cg}", "void", [TENSOR]
        for shape, format_ in product(
            (*COPIES, "32x128b_warpx4"), ("", ".b6x16_p32", ".b4x16_p64")
        ):
            yield f"cp.{shape}{format_}.{cg}", "void", [TENSOR, "i64"]
    for name in ("wait.ld", "wait.st", "fence.before.thread.sync", "fence.after.thread.sync"):
        yield name, "void", []


def accesses() -> Iterator[Call]:
    for shape, (unit, largest) in {**SHAPES, "16x32bx2": (1, 128)}.items():
        for power, packed in product(range(largest.bit_length()), ("i1 0", "i1 1")):
            registers = unit << power
            value = "i32" if registers == 1 else f"<{registers} x i32>"
            offset = ["i64 256"] if shape == "16x32bx2" else []
            name = f"{shape}.x{1 << power}"
            yield f"ld.{name}", value, [TENSOR, *offset, packed]
            yield f"st.{name}", "void", [TENSOR, *offset, value, packed]


def products() -> Iterator[Call]:
    for sparse, (memory, a) in product(("", "sp."), (("shared", "i64"), ("tensor", TENSOR))):
        metadata = [TENSOR] if sparse else []
        operands = [TENSOR, a, "i64", "i32", "i1", *metadata]
        ashifts = ("", ".ashift") if memory == "tensor" else ("",)
        for scale, kind, ashift in product(("", ".scale_d"), range(4), ashifts):
            if scale and kind > 1:
                continue
            own = [*operands, *(["i64 3"] if scale else []), f"i32 {kind}"]
            name = f"mma.{sparse}{memory}{scale}"
            for ctas, collector in product((1, 2), (0,) if ashift else range(4)):
                yield f"{name}{ashift}", "void", [*own, f"i32 {ctas}", f"i32 {collector}"]
            for ctas, lanes in ((1, "<4 x i32>"), (2, "<8 x i32>")):
                disabled = [*own[:-1], lanes, f"i32 {kind}", "i32 0"]
                yield f"{name}.disable_output_lane.cg{ctas}{ashift}", "void", disabled
        for scaling, ctas, collector in product(SCALINGS, (1, 2), range(4)):
            scaled = [*operands, TENSOR, TENSOR, f"i32 {ctas}", f"i32 {collector}"]
            yield f"mma.{sparse}{memory}.{scaling}", "void", scaled
        for mask, kind, buffer, collector in product(("", ".zero_col_mask"), *(range(4),) * 3):
            own = [*operands, *(["i64"] if mask else [])]
            numbers = [f"i32 {n}" for n in (kind, buffer, collector)]
            yield f"mma.ws.{sparse}{memory}{mask}", "void", [*own, *numbers]


def module(calls: list[Call]) -> str:
    """LLVM IR with a function for each call."""
    lines = ['target triple = "nvptx64-nvidia-cuda"']
    declared: dict[str, str] = {}
    for index, (name, result, arguments) in enumerate(calls):
        types = [re.sub(r" \d+$", "", argument) for argument in arguments]
        declared[name] = f"declare {result} @llvm.nvvm.tcgen05.{name}({', '.join(types)})"
        given = [
            argument if argument != type_ else f"{type_} %a{place}"
            for place, (argument, type_) in enumerate(zip(arguments, types, strict=True))
        ]
        parameters = [each for each in given if "%a" in each]
        call = f"call {result} @llvm.nvvm.tcgen05.{name}({', '.join(given)})"
        if result != "void":
            parameters.append("ptr %out")
            call = f"%r = {call}\n  store {result} %r, ptr %out"
        lines.append(f"define void @f{index}({', '.join(parameters)}) {{\n  {call}\n  ret void\n}}")
    return "\n".join([*lines, *declared.values(), ""])


@pytest.mark.slow
@pytest.mark.skipif(LLC is None, reason="llc-22 (Debian: llvm-22) is not installed")
@pytest.mark.parametrize("calls", [management, accesses, products])
def test_llvm_prints_what_we_take(calls: Callable[[], Iterator[Call]]) -> None:
    found = list(calls())
    command = [LLC or "", "-mcpu=sm_100a", "-mattr=+ptx88", "-", "-o", "-"]
    result = subprocess.run(command, input=module(found).encode(), capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()[:2000]
    ptx = result.stdout.decode()
    assert ptx.count("tcgen05.") >= len(found)
    assert check_source(Source("llvm.ptx", ptx)) == []
