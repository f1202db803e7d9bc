"""Tests of `check` on IR that does not parse: it reports every error, each once."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
TEXTS = {path.name: path.read_text() for path in EXAMPLES}


def _tokens(text: str) -> list[tuple[int, int]]:
    lexer = MLIRLexer(Input(text, "text"))
    tokens: list[tuple[int, int]] = []
    while (token := lexer.lex()).kind is not MLIRTokenKind.EOF:
        tokens.append((token.span.start, token.span.end))
    return tokens


TOKENS = {name: _tokens(text) for name, text in TEXTS.items()}


def _lines(text: str) -> list[int]:
    return [finding.line for finding in check_source(Source("k.mlir", text))]


SEVERAL = """\
ptx.kernel @k(%a : i32, %out : i64) {
  %b = arith.addi %a : i32
  %c = arith.muli %b, %a : i32
  scf.if %c : i32 {
    ptx.nonsense
  }
  %d = arith.constant 3 : i32
  ptx.bar.sync %d
  ptx.st global b32 %out, {%d}
  ptx.ret
}
ptx.shared_memory @x size 8 alignment 3
ptx.kernel @l(%a : i32) {
  ptx.st global b32 [%a], {%nope}
  ptx.ret
}
"""


def test_several_errors_are_all_found() -> None:
    """The second use of what a wrong operation defines is no error, nor is its missing type."""
    assert _lines(SEVERAL) == [2, 4, 9, 12, 14]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("%a = arith.constant 1 i32\n%b = arith.addi %a, %a : i32\nptx.ret", [2]),
        ("ptx.ret nonsense", [2]),
        ("%a, = arith.constant 1 : i32\nptx.ret %a", [2]),
        ("%a = ptx.nope\n%b = ptx.nope %a\nptx.nope\nptx.ret", [2, 4]),
        ("ptx.nope\n// }\nptx.nope // {\nptx.ret", [2, 4]),
        ('%a = ptx.nope "{"\n%b = "ptx.nope"() : () -> (i32)\nptx.ret', [2, 3]),
        ("= arith.constant 1 : i32\n%b = arith.addi %a, %a : i32\nptx.ret", [2]),
        ("ptx.bra ^x oops\n^x:\n  ptx.ret", [2]),
        ("ptx.nope {\n  ptx.nope\n", [2]),
        ("%v = ptx.nope\n%w = ptx.st %v, %v : i32\nptx.nope\nptx.ret", [2, 4]),
    ],
)
def test_no_error_follows_from_another(body: str, lines: list[int]) -> None:
    assert _lines(f"ptx.kernel @k() {{\n{body}\n}}\n") == lines


def test_what_a_wrong_alias_hides_is_no_error() -> None:
    text = (
        "!x = !tcgen05.tmem<nonsense>\nptx.kernel @k(%p : i32) {\n"
        "  %a = tcgen05.load_address %p : !x\n  tcgen05.wait nonsense\n  ptx.ret\n}\n"
    )
    assert _lines(text) == [1, 4]


@pytest.mark.parametrize("name", ["@x", ""])
def test_what_a_wrong_variable_hides_is_no_error(name: str) -> None:
    text = (
        f"ptx.shared_memory {name} size\nptx.kernel @k(%a : i64) {{\n  %x = ptx.address_of @x\n"
        "  ptx.st global b32 [%a], {%x}\n  ptx.ret\n}\n"
    )
    assert len(_lines(text)) == 1


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.data())
def test_at_most_one_error_for_each_token_deleted(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TEXTS)))
    deleted = data.draw(st.lists(st.sampled_from(TOKENS[name]), min_size=1, max_size=2))
    text = TEXTS[name]
    for start, end in sorted(set(deleted), reverse=True):
        text = text[:start] + text[end:]
    findings = check_source(Source(name, text))
    assert len(findings) <= len(set(deleted)), findings


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(st.data())
def test_an_error_of_reading_and_one_of_verification_are_both_found(data: st.DataObject) -> None:
    """One operation that is not there, anywhere, and a variable that is wrong."""
    name = data.draw(st.sampled_from(sorted(TEXTS)))
    lines = TEXTS[name].splitlines()
    places = [i for i, line in enumerate(lines) if line.startswith("  %") and " = arith." in line]
    place = data.draw(st.sampled_from(places))
    lines[place] = lines[place].replace("arith.", "arith.no_", 1)
    lines.append("ptx.shared_memory @wrong size 8 alignment 3")
    assert _lines("\n".join(lines)) == [place + 1, len(lines)]


def test_the_last_operation_is_wrong() -> None:
    assert _lines("ptx.kernel @k() {\n  ptx.nope\n}\nptx.kernel @l() {\n  ptx.nope\n}") == [2, 5]
    assert len(_lines("ptx.shared_memory @x size\n")) == 1
    assert _lines("ptx.shared_memory @x size 8 alignment 8\n}\n") == [2]


@pytest.mark.parametrize("first", ["\ufeff", "\0", "~", "\\", "`", '"'])
def test_a_first_character_that_no_token_begins_with_is_an_error(first: str) -> None:
    assert _lines(f"{first}\nptx.kernel @k() {{\n  ptx.ret\n}}\n")[0] == 1
