"""Tests of `tcgen05-to-nvvm`: through MLIR and LLVM, kernels stay what they are."""

import json
import random
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, cast

import pytest
from tcgen05_dialect.passes.support.nvvm_forms import form_of
from tcgen05_dialect.passes.tcgen05_to_nvvm import LOADS, Tcgen05ToNvvm
from xdsl.dialects.builtin import ModuleOp, StringAttr, i8
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from tcgen05_dialect import CompileError, assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import import_source, lower_to_nvvm, make_context, parse_module
from tcgen05_dialect.isa import targets
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.llvm_input import ptx_of
from tcgen05_dialect.ptx.instruction import Instruction, PureInstruction
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.types import (
    ATTRIBUTE,
    CarryType,
    ParamArrayType,
    TargetAttr,
    TensorMapType,
    choose_target,
)
from tcgen05_dialect.reporting.diagnostics import Source

from ..check.test_mlir import command
from ..support.effort import part, sampled
from ..support.machine_code import Code, disassemble, is_mma
from ..support.ptx_instances import INSTRUCTIONS, Point, Values, is_legal, module, points
from ..support.repository import EXAMPLE_KERNELS, EXAMPLES

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("mlir-opt-22", "mlir-translate-22", "llc-22"))),
    reason="mlir-opt-22 and llc-22 (Debian: mlir-22-tools, llvm-22) are not installed",
)
TARGET = TargetAttr(StringAttr("sm_100a"), StringAttr("8.8"))
KERNELS = [*EXAMPLE_KERNELS, *sorted((EXAMPLES / "ws").glob("*.mlir"))]


def generic(module_: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module_)
    return f"{stream.getvalue()}\n"


def nvvm(file: Path) -> str:
    source = Source(file.name, file.read_text())
    return generic(lower_to_nvvm(source, choose_target(parse_module(source), None, None)))


def kernel_of(file: Path) -> KernelOp:
    return next(op for op in parse_module(file.read_text()).ops if isinstance(op, KernelOp))


def loop(code: Code) -> float:
    """The number of instructions in the main loop for four matrix products."""
    found = code.main_loop()
    return 4 * len(found) / sum(map(is_mma, found))


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled(KERNELS, 1), ids=lambda file: file.stem)
def test_examples_stay_as_fast_and_verified(file: Path) -> None:
    source = ptx_of(file.name, nvvm(file).encode())
    target = re.search(r"\.target (\w+)", source.text)
    assert target is not None
    made = assemble(source.text, target[1], ["-v"])
    assert set(re.findall(r"(\d+) bytes spill", made.messages)) == {"0"}
    own = assemble(compile_to_ptx(file.read_text()), target[1])
    assert loop(disassemble(made.cubin)) <= 1.5 * loop(disassemble(own.cubin))
    (verdict,) = check_source(source, verify="quick")
    assert verdict.verdict in ("verified", "verified in part")
    assert verdict.file == file.name


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled(KERNELS, 1), ids=lambda file: file.stem)
def test_examples_compute_the_same(file: Path, tmp_path: Path) -> None:
    (tmp_path / file.name).write_text(nvvm(file))
    for helper in (EXAMPLES / "ws").glob("references.py"):
        shutil.copy(helper, tmp_path)
    launch = tomllib.loads(file.with_suffix(".toml").read_text())
    (tmp_path / f"{file.stem}.toml").write_text("\n".join(launch_lines(launch, kernel_of(file))))
    done = command(tmp_path, "sim", file.name)
    assert (done.returncode, done.stdout[:11]) == (0, "as expected"), done.stdout + done.stderr


def launch_lines(launch: dict[str, Any], kernel: KernelOp) -> Iterator[str]:
    """The launch of a kernel whose PTX has no boxes of tensor maps."""
    maps = launch.setdefault("maps", {})
    for index, (name, value) in enumerate(
        zip(launch["args"], kernel.body.blocks[0].args, strict=True)
    ):
        if isinstance(value.type, TensorMapType) and (box := value.type.box) is not None:
            if name in launch["arrays"]:
                maps[f"{name}_map"] = {"array": name}
                launch["args"][index] = name = f"{name}_map"
            maps[name] |= {
                "box": [*box.extents],
                "swizzle": box.swizzle,
                "element": box.element,
            }
    yield from (f"{key} = {inline(launch[key])}" for key in launch)


def inline(value: Any) -> str:
    """A value of TOML in one line."""
    if not isinstance(value, dict):
        return json.dumps(value)
    table = cast("dict[str, Any]", value)
    return f"{{ {', '.join(f'{key} = {inline(each)}' for key, each in table.items())} }}"


def is_taken(op: Operation) -> bool:
    """Whether an instruction has a form in NVVM, or operands that inline assembly takes."""
    types = [value.type for value in (*op.operands, *op.results)]
    return not any(each == i8 or isinstance(each, CarryType | ParamArrayType) for each in types)


def is_supported(op: Any) -> bool:
    try:
        for feature in op.features():
            targets.check_feature(feature, TARGET.target.data, (8, 8))
    except Violation:
        return False
    return True


def some(count: int) -> Iterator[Point]:
    """Random forms of each instruction."""
    for op_type in INSTRUCTIONS:
        if op_type.name in LOADS or op_type.has_trait(IsTerminator):
            continue
        found = [*points(op_type)]
        random.Random(op_type.name).shuffle(found)
        taken = 0
        for point in found:
            if taken < count:
                op = point.build(Values())
                if is_legal(op) and is_supported(op) and is_taken(op):
                    taken += 1
                    yield point


def in_kernel(forms: Sequence[Point]) -> tuple[ModuleOp, list[Instruction]]:
    values = Values()
    instructions = [point.build(values) for point in forms]
    made = module(values, instructions)
    made.attributes[ATTRIBUTE] = TARGET
    block = values.block
    for op in reversed([*block.ops]):
        if op not in instructions and op.results and not any(each.uses for each in op.results):
            op.detach()
            op.erase()
    for argument in [*block.args]:
        if isinstance(argument.type, ParamArrayType):
            block.erase_arg(argument)
    return made, instructions


@pytest.mark.slow
@pytest.mark.parametrize("pair", [False, True])
def test_forms_of_instructions(pair: bool) -> None:
    """Each instruction that does more than to compute comes out of LLVM."""
    forms = [
        each for each in some(part(32)) if pair == ("2" in str(each.properties.get("cta_group")))
    ]
    made, instructions = in_kernel(forms)
    acting = [op for op in instructions if not isinstance(op, PureInstruction)]
    expected = Counter(op.name.removesuffix(".state") for op in acting)
    # The wait is read as a loop, and LLVM keeps the state that an arrival returns.
    expected.pop("ptx.mbarrier.wait", 0)
    assert len(expected) > 3 and any(form_of(op) for op in instructions)
    Tcgen05ToNvvm().apply(make_context(), made)
    text = ptx_of("forms.mlir", generic(made).encode()).text
    read = import_source(Source("forms.ptx", text)).module
    found = Counter(op.name.removesuffix(".state") for op in read.walk())
    assert not expected - found


def test_a_load_needs_its_wait_in_its_block() -> None:
    text = """ptx.kernel @k(%address: i32) {
      %holds = arith.cmpi eq, %address, %address : i32
      %v = ptx.tcgen05.ld shape_32x32b x1 [%address] -> i32
      scf.if %holds { ptx.tcgen05.wait ld }
      ptx.ret
    }"""
    source = Source("k.mlir", text)
    with pytest.raises(CompileError, match="a load with a wait for it in its block") as error:
        lower_to_nvvm(source, TARGET)
    assert error.value.findings[0].line == 3


def test_registers_go_through_their_wait() -> None:
    """Also those that a branch between the load and the wait does not use."""
    text = """ptx.kernel @k(%address: i32, %out: i64) {
      %holds = arith.cmpi eq, %address, %address : i32
      %v:2 = ptx.tcgen05.ld shape_32x32b x2 [%address] -> i32, i32
      scf.if %holds { ptx.bar.warp.sync %address }
      ptx.tcgen05.wait ld
      ptx.st global b32 [%out], {%v#1}
      ptx.ret
    }"""
    made = generic(lower_to_nvvm(Source("k.mlir", text), TARGET))
    wait = re.search(r'%(\w+) = "llvm.inline_asm"\(%(\w+)\) .*tcgen05.wait::ld.*"=r,0', made)
    assert wait is not None
    assert re.search(rf'"llvm.inline_asm"\(%out, %{wait[1]}\) .*st.global', made)
