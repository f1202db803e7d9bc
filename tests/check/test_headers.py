"""Tests of the header of PTX text: `check` demands what ptxas demands."""

from itertools import chain, permutations

import pytest

from tcgen05_dialect import CompileError, assemble
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support.effort import sampled

VERSION, TARGET = ".version 8.6", ".target sm_100a"
LINES = (VERSION, TARGET, ".address_size 64", ".visible .entry k() { ret; }")
ORDERS = list(chain.from_iterable(permutations(LINES, count) for count in range(len(LINES) + 1)))


def _check(text: str) -> list[Finding]:
    return check_source(Source("text.ptx", text))


def _missing(text: str) -> str | None:
    """The directive that ptxas misses at the beginning of a text."""
    try:
        assemble(text, "sm_100a")
    except CompileError as error:
        named = [name for name in (".version", ".target") if f"Missing {name} dir" in str(error)]
        return named[0] if named else None
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines", sampled(ORDERS, 6, of=len), ids=lambda lines: " ".join(each[:5] for each in lines)
)
def test_every_order_of_directives(lines: tuple[str, ...]) -> None:
    text = "\n".join(("// a comment", *lines))
    missing = _missing(text)
    found = [each.message for each in _check(text) if each.rule == "T5-PTX-096"]
    assert [each.split(";")[0].rpartition(" ")[2] for each in found] == (
        [missing] if missing else []
    )


def test_the_first_statement_is_shown() -> None:
    (finding,) = _check(f"// none\n{TARGET}\n.entry k() {{ ret; }}\n")
    assert (finding.line, finding.column) == (2, 1)
    assert finding.message == "first directive must be .version; found .target"
    assert finding.excerpt == f"{TARGET}\n{'^' * len('.target')}"


def test_an_empty_file_is_refused() -> None:
    (finding,) = _check("")
    assert (finding.line, finding.column) == (1, 1)
    assert finding.message == "first directive must be .version; found the end of the text"


@pytest.mark.parametrize("text", ["ret;", "@%p ret;", f"{TARGET}\nret;", ".reg .b32 %r; ret;"])
def test_instructions_without_a_function_need_no_header(text: str) -> None:
    assert _check(text) == []


@pytest.mark.parametrize("text", [".version\n.target sm_100a\n", f"version 8.6\n{TARGET}\n"])
def test_a_directive_that_cannot_be_read_is_not_missing(text: str) -> None:
    found = _check(f"{text}.entry k() {{ ret; }}\n")
    assert [each.rule for each in found] == ["T5-PTX-090"]
