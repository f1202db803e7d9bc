"""
Parsing of operations whose text repeats that of an earlier one.

What an operation consists of follows from its text and the types of its operands. Programs are
long because they repeat themselves with other values, so that here the first operation of a text
answers for all those that differ from it in the names of values only.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, Operation, SSAValue

_STATEMENT = re.compile(
    r"""
    (?: %[^"\n=]*+ = [ \t]*+ )?+                            # its results
    ([a-zA-Z_]\w*+ \. [\w$.]*+)                             # its name, with the dialect
    (?: [^"\n]++ | "[^"\n%\\]*+"                            # strings without values
      | \n [ \t\r\n]*+ (?! [%}^] | [a-zA-Z_]\w*+ \. ))*+    # on lines that begin no statement
    \n [ \t\r\n]*+ (?= ([%}^]) | [a-zA-Z_]\w*+ \. )         # before one that does
    """,
    re.ASCII | re.VERBOSE,
)
"""
An operation, if it ends with a line.

What comes after it cannot belong to it: keywords of a format have no dot, and where a value or a
bracket did not go on with it once, none does.
"""
_VALUE = re.compile(r"%([\w$.-]++(?:\#[0-9]{1,9}+)?)", re.ASCII)
"""A use or a definition of a value: its name, and the number of the result behind the name."""
_APART = re.compile(r"(?<![\w$.-])\#[0-9]", re.ASCII)
"""The number of a result that does not follow its name at once."""

Values = Mapping[str, tuple[SSAValue, ...]]
"""The values in scope, by name."""


class Statement(NamedTuple):
    """The text of an operation that may be like an earlier one."""

    name: str
    key: tuple[object, ...]
    """What statements that differ in the names of values only have in common."""
    values: Sequence[str]
    """The values as they are written, those that it defines first."""
    end: int
    """Where the next statement begins."""


class Known(NamedTuple):
    """What an operation consists of that has been read."""

    op_type: type[Operation]
    sizes: Sequence[int]
    """For each of the names that the statement defines, the number of its results."""
    operands: Sequence[tuple[int, Attribute]]
    """Which of the values of the statement the operands are, and their types."""
    result_types: Sequence[Attribute]
    properties: Mapping[str, Attribute]
    attributes: Mapping[str, Attribute]

    def build(self, written: Sequence[str], values: Values) -> Operation | None:
        """The operation with the values that are written; None if they have other types."""
        operands: list[SSAValue] = []
        for place, type_ in self.operands:
            operand = _find(values, written[place])
            if operand is None or (operand.type is not type_ and operand.type != type_):
                return None
            operands.append(operand)
        return self.op_type.create(
            operands=operands,
            result_types=self.result_types,
            properties=self.properties,
            attributes=self.attributes,
            location=UNKNOWN_LOC,
        )


def _same(written: Sequence[str]) -> Sequence[int]:
    """Which of the values are the same one; nothing if all differ."""
    if len(set(written)) == len(written):
        return ()
    places = {value: place for place, value in enumerate(written)}
    return tuple(places[value] for value in written)


def _find(values: Values, written: str) -> SSAValue | None:
    """The value in scope that is written so."""
    name, _, number = written.partition("#")
    found = values.get(name)
    index = int(number) if number else 0
    return None if found is None or index >= len(found) else found[index]


class Repetitions:
    """The statements of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._known: dict[tuple[object, ...], Known] = {}

    def read(self, start: int) -> Statement | None:
        """
        The statement that begins here.

        None if the text alone does not tell where it ends, or what in it are values. No part of
        the text is read twice.
        """
        if start < self._end:
            return None
        match = _STATEMENT.match(self._text, start)
        if match is None or _APART.search(match[0]):
            return None
        self._end = match.end()
        texts = _VALUE.split(match[0])
        values = texts[1::2]
        return Statement(match[1], (match[2], _same(values), *texts[::2]), values, self._end)

    def known(self, statement: Statement) -> Known | None:
        """What a statement like this one has been found to mean."""
        return self._known.get(statement.key)

    def remember(self, statement: Statement, op: Operation, values: Values) -> None:
        """Remember what a statement means, if it is the whole text of this operation."""
        if op.regions or op.successors or op.location is not UNKNOWN_LOC:
            return
        if op.name != statement.name:
            return
        sizes: list[int] = []
        for name in statement.values:
            results = values.get(name)
            if not results or results[0].owner is not op:
                break
            sizes.append(len(results))
        written = [_find(values, value) for value in statement.values]
        places = {value: place for place, value in enumerate(written)}
        if len(places) == len(set(statement.values)) and places.keys() >= set(op.operands):
            self._known[statement.key] = Known(
                type(op),
                sizes,
                [(places[operand], operand.type) for operand in op.operands],
                op.result_types,
                op.properties.copy(),
                op.attributes.copy(),
            )
