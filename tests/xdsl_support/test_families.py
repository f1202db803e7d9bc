"""Tests of families of operations that are imported by need."""

import subprocess
import sys

import pytest
from xdsl.context import Context

from tcgen05_dialect.compiler import make_context
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.xdsl_support.fast_parser import Family, first_word

from ..support.looped import looped

NAMES = {op.name for op in PTX.operations}


BY_NEED = [family for family in PTX.families if family.words]


@pytest.mark.parametrize("family", BY_NEED, ids=lambda family: family.words[0])
def test_a_family_has_the_words_of_its_operations(family: Family) -> None:
    found = {first_word(op.name.partition(".")[2]) for op in family.load(None)}
    assert sorted(found) == sorted(family.words)


@looped(sorted(NAMES))
def test_an_operation_is_found_by_its_name(name: str) -> None:
    assert make_context().get_op(name).name == name


def test_an_operation_is_found_in_a_region_of_its_dialect() -> None:
    found = make_context().get_op("popc", dialect_stack=("builtin", "ptx"))
    assert found.name == "ptx.popc"


def test_an_unknown_operation_is_not_found() -> None:
    context = make_context()
    for name in ("ptx.popc.b128", "ptx.popcc", "ptx.", "popc", "gpu.popc"):
        assert context.get_optional_op(name) is None


def test_all_operations_are_listed() -> None:
    context, plain = make_context(), Context()
    context.load_registered_dialect("ptx")
    plain.load_dialect(PTX)
    assert {op.name for op in context.loaded_ops} == {op.name for op in plain.loaded_ops} == NAMES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operation", "is_imported"), [("movmatrix m8n8 %x", True), ("not b32 %x", False)]
)
def test_compile_imports_the_families_of_the_kernel(operation: str, is_imported: bool) -> None:
    text = f"ptx.kernel @k(%x : i32) {{\n %y = ptx.{operation}\n ptx.ret\n}}"
    code = (
        "import sys\nfrom tcgen05_dialect import compile_to_ptx\n"
        f"compile_to_ptx({text!r})\n"
        "print('tcgen05_dialect.isa.instructions.matrices' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == f"{is_imported}\n"
