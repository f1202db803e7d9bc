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
