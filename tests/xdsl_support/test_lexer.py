"""Tests of the fast lexer: its tokens are those of xDSL's lexer."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from tcgen05_dialect.reporting.diagnostics import TextError
from tcgen05_dialect.xdsl_support.fast_parser import Lexer

from ..support.repository import EXAMPLE_KERNELS

_PIECES = (
    *'%!^#@:,()[]{}<>=+/*?|.-"\\ \n\t\f_$a1é\N{NO-BREAK SPACE}\x00',
    *("->", "{-#", "#-}", "...", "//", "// x\n", "%a.b", "^bb0", "!x.y<", '"a b"', "0x1F", "1.5e3"),
)
_PIECE = st.sampled_from(_PIECES) | st.text(max_size=2)


def _tokens(lexer: MLIRLexer) -> list[tuple[object, int, int]]:
    """Kind and place of each token; at the end the place of an error, if there is one."""
    tokens: list[tuple[object, int, int]] = []
    while not tokens or tokens[-1][0] is not MLIRTokenKind.EOF:
        try:
            token = lexer.lex()
        except ParseError as error:
            return [*tokens, ("error", error.span.start, error.span.end)]
        tokens.append((token.kind, token.span.start, token.span.end))
    return tokens


@given(st.lists(_PIECE, max_size=12).map("".join))
def test_any_text(text: str) -> None:
    source = Input(text, "text")
    assert _tokens(Lexer(source)) == _tokens(MLIRLexer(source))


@pytest.mark.parametrize("example", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples(example: Path) -> None:
    source = Input(example.read_text(), example.name)
    assert _tokens(Lexer(source)) == _tokens(MLIRLexer(source))


@pytest.mark.parametrize("prefix", ('"', '@"'))
def test_strings_that_are_not_closed(prefix: str) -> None:
    """They are refused at once, however long they are."""
    with pytest.raises(ParseError):
        Lexer(Input(prefix + "a" * 100_000 + "\n", "text")).lex()


@pytest.mark.parametrize(
    ("text", "message", "help_"),
    [
        ('"a', "this string is not closed", 'write " at its end, in the same line'),
        ('"a\n"', "this string is not closed", 'write " at its end, in the same line'),
        ('"a\\', "this string is not closed", 'write " at its end, in the same line'),
        (r'"a\q"', r"\q is no escape in a string", "the escapes are "),
        ("%+", "expected a name after %", ""),
        ("@ k", "expected a name after @", ""),
        (".", ". begins nothing that IR knows", ""),
        ("\ufeff", r"\ufeff begins nothing that IR knows", ""),
    ],
)
def test_what_is_no_token(text: str, message: str, help_: str) -> None:
    with pytest.raises(TextError) as caught:
        Lexer(Input(text, "text")).lex()
    assert caught.value.msg == message
    assert caught.value.help.startswith(help_)
    assert bool(caught.value.help) == bool(help_)
