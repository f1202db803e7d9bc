"""Tests of the fast parser: it builds what xDSL's parser builds, and locates each operation."""

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FileLineColLoc
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from tcgen05_dialect.compiler import make_context
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.xdsl_support.parser import LocatedParser

from ..support.repository import EXAMPLE_KERNELS

_BEGIN = """\
%a = arith.constant 1 : i32
%b = arith.constant 2 : i32
%p = arith.constant true
%pair:2 = arith.addui_extended %a, %b : i32, i1
"""
_OPERATIONS = (
    "= arith.addi {i32}, {i32} : i32",
    "= arith.addi {i32}, {i32}\n    : i32",
    ":2 = arith.addui_extended {i32}, {i32} : i32, i1",
    "= arith.cmpi slt, {i32}, {i32} : i32",
    "= arith.select {i1}, {i32}, {i32} : i32",
    "= arith.extui {i1} : i1 to i32",
    "= arith.andi {i1}, {i1} : i1",
    "= arith.constant true",
    '= arith.constant {{note = "{i32}"}} 3 : i32',
    '= "arith.addi"({i32}, {i32}) : (i32, i32) -> i32',
    "= ptx.selp b32 {i32}, {i32}, {i1}",
    "ptx.st global b32 [{i32}], {{{i32}, {i32}}}",
    "ptx.guard {i1} {{\n  ptx.st global b32 [{i32}], {{{i32}}}\n}}",
)
_VALUES = {
    "i32": st.sampled_from(("%a", "%b", "%pair", "%pair#0", "%pair #0")),
    "i1": st.sampled_from(("%p", "%pair#1", "%pair #1")),
}
_WRONG = st.sampled_from(("%a", "%p", "%pair#01", "%pair#2", "%0", "%1#0", "%00", "%undefined"))
_APART = ("%pair #1, %pair#1", "%pair #1, %p", "%pair #1, %p")
"""The number of a result need not follow its name at once."""
_ENDS = st.sampled_from((" // %a\n", ' // "\n', " loc(unknown)\n", "\n loc(unknown)\n", " "))


class _Operands(dict[str, str]):
    """Values by their type, drawn anew at each use; hardly ever wrong ones."""

    def __init__(self, draw: st.DrawFn):
        super().__init__()
        self._draw = draw

    def __missing__(self, type_: str) -> str:
        is_wrong = self._draw(st.integers(0, 19)) == 19
        return self._draw(_WRONG if is_wrong else _VALUES[type_])


@st.composite
def _statements(draw: st.DrawFn) -> list[str]:
    """The same operation several times."""
    operation, end = draw(st.sampled_from(_OPERATIONS)), draw(st.just("\n") | _ENDS)
    operands = _Operands(draw)
    return [operation.format_map(operands) + end for _ in range(draw(st.integers(2, 4)))]


def _text(statements: list[list[str]]) -> str:
    """A kernel; each operation gives its results a name of their own."""
    body = [
        f"%{number}{statement}" if statement[0] in ":=" else statement
        for number, statement in enumerate(chain.from_iterable(statements))
    ]
    return f"ptx.kernel @kernel() {{\n{_BEGIN}{''.join(body)}ptx.ret\n}}\n"


def _parsed(parser: Parser) -> str | None:
    """The module as text; None where there is an error."""
    try:
        return str(parser.parse_module())
    except (ParseError, VerifyException):
        return None


@settings(deadline=None)
@example(_text([[f"= arith.andi {values} : i1\n" for values in _APART]]))
@given(st.lists(_statements(), max_size=4).map(_text))
def test_any_text(text: str) -> None:
    expected = _parsed(Parser(make_context(), text))
    assert _parsed(LocatedParser(make_context(), Source("text", text))) == expected


@pytest.mark.parametrize("path", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    text = path.read_text()
    module = LocatedParser(make_context(), Source(path.name, text)).parse_module()
    assert Parser(make_context(), text).parse_module().is_structurally_equivalent(module)
    lines = text.splitlines()
    for op in module.walk():
        # An operation that the text leaves out, such as the module, has no place.
        if isinstance(location := op.location, FileLineColLoc):
            start = lines[location.line.data - 1][location.column.data - 1 :]
            assert start.startswith("%" if op.results else op.name)


def test_a_result_is_not_defined_by_number() -> None:
    """Not even where an operation with the same text came before."""
    statement = "= arith.addi %a, %b : i32\n"
    text = f"ptx.kernel @k() {{\n{_BEGIN}%c {statement}%d#1 {statement}%e {statement}ptx.ret\n}}\n"
    with pytest.raises(ParseError):
        LocatedParser(make_context(), Source("text", text)).parse_module()
