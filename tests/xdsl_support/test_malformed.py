"""Tests of malformed IR: whatever a text in generic format says, there is a sentence about it."""

import random
import re
from contextlib import suppress

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import compile_to_ptx, parse_module
from tcgen05_dialect.reporting.diagnostics import CompileError, Source

from ..support.effort import part
from ..support.ir_mutants import mutants
from ..support.repository import EXAMPLES, LIT_TESTS

_PYTHON = re.compile(r"<class|[A-Z]\w+Error\b|NoneType|has no attribute|internal error|object at")
_TEXTS = [*sorted(EXAMPLES.glob("*.mlir")), *sorted(LIT_TESTS.glob("*/*.mlir"))]
_FILES = [file for file in _TEXTS if "invalid" not in file.name]


@pytest.mark.parametrize("seed", range(part(80)))
def test_each_mutant_has_sentences(seed: int) -> None:
    rng = random.Random(seed)
    text = rng.choice(_FILES).read_text().partition("// -----")[0]
    try:
        module = parse_module(text)
    except CompileError:
        return
    for change, mutant in mutants(module, rng, 2):
        found = check_source(Source("mutant.mlir", mutant))
        with suppress(CompileError):
            compile_to_ptx(mutant)
        for finding in found:
            assert not _PYTHON.search(str(finding)), f"{change}\n{finding}"
            assert finding.line, f"{change}\n{finding}"


@pytest.mark.parametrize("blocks", ["", "^a:\n  func.func private @f()\n^b:"])
def test_a_module_is_one_block(blocks: str) -> None:
    text = f'"builtin.module"() ({{\n{blocks}\n}}) : () -> ()'
    (finding,) = check_source(Source("k.mlir", text))
    assert finding.message == f"builtin.module must have one block; found {2 * bool(blocks)}"
    assert (finding.line, finding.column) == (1, 2)


def test_warnings_do_not_read_malformed_operations() -> None:
    """The warning that no relinquish_alloc_permit follows looks for registers of the grid."""
    text = """
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k() {
  %slot = ptx.address_of @slot
  %columns = ptx.constant 128 : i32
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %cta = "ptx.special_register"() <{register = KIND}> : () -> i32
  %tensor = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.tcgen05.dealloc cta_group_1 %tensor, %columns
  ptx.ret
}
"""
    right, wrong = (
        {each.rule for each in check_source(text.replace("KIND", kind), verify="off")}
        for kind in ('"ctaid.x"', "true")
    )
    assert right and wrong == {"T5-PTX-092"}
