"""Tests of whole kernels: PTX text is imported, printed, and imported again."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.assembler import assemble, find_tool
from tcgen05_dialect.compiler import compile_to_ptx, import_source, parse, print_ptx, verify
from tcgen05_dialect.ptx.types import target_of
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import sampled
from ..support.foreign_kernels import foreign_kernel, foreign_kernels
from ..support.repository import LIT_TESTS, ROOT

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.mlir"))
INPUTS = {path.stem: path.read_text() for path in (LIT_TESTS / "tools" / "Inputs").glob("*.ptx")}


def printed(module: ModuleOp) -> str:
    target = target_of(module)
    assert target is not None
    return print_ptx(module, target)


def round_trip(text: str) -> str:
    return printed(import_source(Source("kernel.ptx", text)).module)


def check_round_trip(text: str) -> None:
    """Check that printed text is a fixed point, and that its IR text means the same."""
    module = import_source(Source("kernel.ptx", text)).module
    first = printed(module)
    assert round_trip(first) == first
    ir = str(module)
    read, _ = parse(Source("kernel.mlir", ir))
    verify(read)
    assert str(read) == ir
    assert printed(read) == first


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(foreign_kernels(), 2))
def test_foreign_kernel(name: str) -> None:
    check_round_trip(foreign_kernel(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    check_round_trip(compile_to_ptx((ROOT / "examples" / f"{name}.mlir").read_text()))


@pytest.mark.parametrize("name", ["edge_cases", "calls"])
def test_constructs(name: str) -> None:
    check_round_trip(INPUTS[name])


def machine_code(text: str, folder: Path) -> tuple[list[str], list[str]]:
    """The opcodes of the machine code, and what ptxas says of registers and spills."""
    target = re.search(r"\.target\s+(\w+)", text)
    assert target is not None
    assembled = assemble(text, target[1], ["-v"])
    (folder / "kernel.cubin").write_bytes(assembled.cubin)
    command = [find_tool("nvdisasm"), "-c", "kernel.cubin"]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    opcodes = re.findall(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?\w+\s+)?([A-Z][\w.]*)", shown, re.MULTILINE)
    facts = [line for line in assembled.messages.splitlines() if re.search("Used|spill", line)]
    assert opcodes and facts
    return opcodes, facts


@pytest.mark.slow
@pytest.mark.parametrize("name", [*sampled(foreign_kernels(), 1), "edge_cases", "calls"])
def test_machine_code(name: str, tmp_path: Path) -> None:
    """The printed text has the opcodes, registers and spills of the original."""
    text = INPUTS.get(name) or foreign_kernel(name)
    opcodes, facts = machine_code(text, tmp_path)
    again, facts_again = machine_code(round_trip(text), tmp_path)
    assert facts_again == facts
    assert Counter(again) == Counter(opcodes)
