"""Tests of the messages of syntax errors: whatever the text, they have one shape."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from tcgen05_dialect.compiler import make_context
from tcgen05_dialect.reporting.diagnostics import Source, TextError
from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.xdsl_support.parser import LocatedParser
from tcgen05_dialect.xdsl_support.syntax_errors import expectation, sentence

from ..support.effort import part

TEXTS = {
    name: rule.file.programs[1]
    for name, rule in rules().items()
    if rule.file.programs and rule.file.name.endswith(".mlir")
}
_WORDS = st.sampled_from(
    (*"(){}<>[],:=?|-.%@#!^&", "->", "%x", "#a", "!t", "@s", '"s"', "1", "1.5", "x", "^b", "a.b")
)
_SHAPE = re.compile(r"(?:[^A-Z]|[A-Z]{2}|[A-Z] )(?s:.*)(?:[^.! ]| .)|.")
"""A message begins with no capital of a sentence, and ends with no mark."""


def _error(text: str) -> ParseError | None:
    try:
        LocatedParser(make_context(), Source("k.mlir", text)).parse_module()
    except ParseError as error:
        return error
    return None


def _tokens(text: str) -> list[tuple[int, int]]:
    lexer, tokens = MLIRLexer(Input(text, "text")), list[tuple[int, int]]()
    while (token := lexer.lex()).kind is not MLIRTokenKind.EOF:
        tokens.append((token.span.start, token.span.end))
    return tokens


@settings(deadline=None, max_examples=part(200))
@given(st.data())
def test_any_text(data: st.DataObject) -> None:
    text = TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))]
    start, end = data.draw(st.sampled_from(_tokens(text)))
    word = data.draw(_WORDS | st.just(""))
    error = _error(f"{text[:start]} {word} {text[data.draw(st.sampled_from((start, end))) :]}")
    if error is None:
        return
    assert isinstance(error, TextError), error
    assert _SHAPE.fullmatch(error.msg.partition("; found ")[0]), error.msg
    if error.msg.startswith("expected") and " but had " not in error.msg:
        assert error.msg.count("expected") == 1
        assert "; found " in error.msg or "expected a name after" in error.msg, error.msg


@pytest.mark.parametrize(
    ("said", "phrase", "words"),
    [
        ("type expected", "a type", ""),
        ("attribute expected", "an attribute", ""),
        ("'<' expected in dense array", "'<' in dense array", ""),
        ("Expected block argument!", "an argument such as %x : i32", ""),
        ("expect symbol name", "a name such as @kernel", ""),
        ("expected M x N", "M x N", ""),
        ("Expected 'x' in shape delimiter, got GREATER", "'x' in shape delimiter", ""),
        ("Expected one of 'x2', 'x16'", "x2 or x16", "x2 x16"),
        ("Expected one of 'f16', 'tf32' as kind", "f16 or tf32 as kind", "f16 tf32"),
    ],
)
def test_what_was_expected(said: str, phrase: str, words: str) -> None:
    assert expectation(said) == (phrase, frozenset(words.split()))


@pytest.mark.parametrize(
    "said",
    ["expected 2 operand types but had 1", "expected a matrix; found i32", "a name is taken"],
)
def test_what_says_enough(said: str) -> None:
    assert expectation(said) is None


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Invalid type given.", "invalid type given"),
        ("SSA value %x is already defined", "SSA value %x is already defined"),
        ("M must be 64", "M must be 64"),
    ],
)
def test_sentences(said: str, shown: str) -> None:
    assert sentence(said) == shown
