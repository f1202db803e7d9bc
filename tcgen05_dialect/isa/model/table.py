"""Tables of the manual as objects, which check values, explain errors and print themselves; limits
of numbers, places in shared memory (5.1.7, 6.4.1), qualifiers and mnemonics."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from tcgen05_dialect.isa.model.rule import Rule, Violation, describe, raise_any, rule

Cell = frozenset[Hashable]


class Row(dict[str, Cell]):
    """A row: the set of legal values of each column. `row["n"]` is the set in column `n`."""

    def accepts(self, point: Mapping[str, Hashable]) -> bool:
        """Whether every value of `point` is in the cell of its column."""
        for column, value in point.items():  # noqa: SIM110, for `all` takes twice as long
            if value not in self[column]:
                return False
        return True


def _cell(spec: object) -> Cell:
    if isinstance(spec, (frozenset, range)) or type(spec) is tuple:
        return frozenset(cast("Collection[Hashable]", spec))
    return frozenset((cast("Hashable", spec),))


class Table:
    """A set of legal points, written as rows of finite sets.

    A cell of `rows` is a frozenset, range or tuple of legal values, or a single legal value. `None`
    means that the column does not apply to the row; its only legal value is then `None`. The order
    of `columns` determines which column an error names first. `column_rules` gives columns a rule
    other than `rule`. `titles` gives the words of messages for columns whose name is not a word of
    programs; `{}` in them is the place of the value.

    Raises ValueError at construction for a row of the wrong length, an empty cell or two rows
    that accept the same point.
    """

    def __init__(
        self,
        name: str,
        section: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        rule: Rule,
        column_rules: Mapping[str, Rule] | None = None,
        titles: Mapping[str, str] | None = None,
    ):
        self.name = name
        self.section = section
        self.columns = tuple(columns)
        self.rule = rule
        self.column_rules = dict(column_rules or {})
        # M, N and K are capital letters.
        letters = {column: column.upper() for column in columns if len(column) == 1}
        self.titles = letters | dict(titles or {})
        self.rows = tuple(self._row(spec) for spec in rows)
        self._by_first: dict[Hashable, list[Row]] = {}
        for row in self.rows:
            for value in row[self.columns[0]]:
                self._by_first.setdefault(value, []).append(row)
        self._refuse_overlaps()

    def _row(self, spec: Sequence[object]) -> Row:
        if len(spec) != len(self.columns):
            raise ValueError(f"{self.name}: row {spec} has not {len(self.columns)} cells")
        row = Row(zip(self.columns, map(_cell, spec), strict=True))
        if not all(row.values()):
            raise ValueError(f"{self.name}: row {spec} has an empty cell")
        return row

    def _refuse_overlaps(self) -> None:
        for rows in self._by_first.values():
            for one, other in combinations(rows, 2):
                if not any(one[column].isdisjoint(other[column]) for column in self.columns):
                    raise ValueError(f"{self.name}: rows {one} and {other} overlap")

    def _accepting(self, point: Mapping[str, Hashable]) -> Iterator[Row]:
        first = self.columns[0]
        rows = self._by_first.get(point[first], ()) if first in point else self.rows
        return (row for row in rows if row.accepts(point))

    def row(self, **point: Hashable) -> Row | None:
        """The first row that accepts `point`; None if there is none. Columns that are not in
        `point` are ignored. Raises KeyError for an unknown column."""
        return next(self._accepting(point), None)

    def check(self, **point: Hashable) -> None:
        """Raise Violation unless a row accepts `point` (columns may be left out)."""
        if self.row(**point) is None:
            raise self.violation(**point)

    def _refusal(self, point: Mapping[str, Hashable]) -> tuple[str, tuple[Row, ...]]:
        """The first column whose value no row accepts together with the columns before it, and the
        rows that accept the columns before it."""
        rows = self.rows
        for column in (column for column in self.columns if column in point):
            accepting = tuple(row for row in rows if point[column] in row[column])
            if not accepting:
                return column, rows
            rows = accepting
        raise ValueError(f"{self.name} accepts {point}")

    def wrong_column(self, **point: Hashable) -> str:
        """The column that `violation` names."""
        return self._refusal(point)[0]

    def violation(self, **point: Hashable) -> Violation:
        """The violation of a point that no row accepts.

        It names the first column whose value no row accepts together with the columns before it. It
        lists the values that are legal there together with all other columns of the point or, if
        there are none, with the columns before it.
        """
        column, rows = self._refusal(point)
        at = self.columns.index(column)
        given = {name: point[name] for name in self.columns[:at] if name in point}
        for name in self.columns[at + 1 :]:
            # A value that the program omits does not restrict the others, because it can be added.
            value = point.get(name)
            further = [row for row in rows if value is not None and value in row[name]]
            if further:
                given[name] = point[name]
                rows = further
        legal = self.values(column, **given)
        for name in reversed([*given]):
            fewer = {each: value for each, value in given.items() if each != name}
            if self.values(column, **fewer) == legal:
                given = fewer
        rule = self.column_rules.get(column, self.rule)
        return rule.violation(
            point[column], legal, column, given=given, culprit=column, titles=self.titles
        )

    def points(self) -> Iterator[dict[str, Any]]:
        """All legal points, each once."""
        for row in self.rows:
            for values in product(*(sorted(row[column], key=repr) for column in self.columns)):
                yield dict(zip(self.columns, values, strict=True))

    def values(self, column: str, **partial: Hashable) -> frozenset[Any]:
        """The legal values of `column` for the given columns in `partial`; empty if there are
        none."""
        return frozenset[Any]().union(*(row[column] for row in self._accepting(partial)))

    def value(self, column: str, **partial: Hashable) -> Any:
        """The only value of `column` for the given columns in `partial`.

        Raises Violation if `partial` is illegal, and LookupError if several values are legal.
        """
        values = self.values(column, **partial)
        if not values:
            raise self.violation(**partial)
        if len(values) != 1:
            raise LookupError(f"{self.name}: {partial} leaves {column} open: {describe(values)}")
        return next(iter(values))

    def markdown(self) -> str:
        """The table as Markdown text."""
        lines = [
            f"| {' | '.join(self.columns)} |",
            f"|{'---|' * len(self.columns)}",
        ]
        lines += [
            f"| {' | '.join(describe(row[column]) for column in self.columns)} |"
            for row in self.rows
        ]
        return "\n".join(lines) + "\n"


class Limit(NamedTuple):
    """The legal numbers of an operand or immediate, and the rule that restricts them."""

    rule: Rule
    values: range | frozenset[int]

    def violations(self, value: int) -> list[Violation]:
        """Violations of `value`; none if it is one of the numbers."""
        return [] if value in self.values else [self.rule.violation(value, self.values)]

    def check(self, value: int) -> None:
        """Raise Violation unless `value` is one of the numbers."""
        raise_any(self.violations(value))


ALIGNMENT_RULE = rule("T5-PTX-083")
INSIDE_RULE = rule("T5-PTX-084")


class Place(NamedTuple):
    """
    The memory that an instruction accesses at an address: its size in bytes, its alignment, and the
    rules for both. The size is 0 if operands decide it; `amount` is then a noun phrase for it.
    """

    bytes: int
    alignment: int
    aligned: Rule = ALIGNMENT_RULE
    inside: Rule = INSIDE_RULE
    amount: str = ""

    def address_violations(self, address: int) -> Iterator[Violation]:
        """Violations of a known address."""
        if address % self.alignment:
            yield self.aligned.violation(address, f"aligned to {self.alignment} bytes")

    def variable_violations(
        self, name: str, size: int | None, alignment: int | None, offset: int
    ) -> Iterator[Violation]:
        """Violations of an access at byte `offset` of a variable, whose `size` and `alignment` are
        None if unknown."""
        if alignment is not None and (alignment % self.alignment or offset % self.alignment):
            found = f"{offset} bytes into @{name}, which is aligned to {alignment}"
            yield self.aligned.violation(found, f"aligned to {self.alignment} bytes")
        end = offset + self.bytes
        if offset < 0 or (size is not None and end > size):
            amount = f"{self.bytes} bytes at " if self.bytes else ""
            found = f"{amount}offset {offset}"
            legal = f"inside @{name}" if size is None else f"inside the {size} bytes of @{name}"
            yield self.inside.violation(found, legal)


class Qualifier:
    """A qualifier of a mnemonic, and its legal spellings.

    `spellings` maps the identifier in IR to the PTX text, including the leading dot. An optional
    qualifier has an identifier with empty text, its `default`: None or False.
    """

    def __init__(self, name: str, spellings: Mapping[Any, str], rule: Rule):
        self.name = name
        self.spellings = dict(spellings)
        self.rule = rule
        self._identifiers = {text: identifier for identifier, text in self.spellings.items()}
        self.default = self._identifiers.get("")
        if len(self._identifiers) < len(self.spellings):
            raise ValueError(f"{name}: two identifiers have the same spelling")

    def check(self, identifier: Hashable) -> None:
        """Raise Violation unless the qualifier has this identifier."""
        if identifier not in self.spellings:
            raise self.rule.violation(
                identifier, frozenset(self.spellings), self.name, culprit=self.name
            )

    def ptx(self, identifier: Hashable) -> str:
        """The PTX text of an identifier. Raises Violation."""
        self.check(identifier)
        return self.spellings[identifier]

    def identifier(self, ptx: str) -> Any:
        """The identifier of a PTX text. Raises Violation."""
        if ptx not in self._identifiers:
            raise self.rule.violation(
                ptx, frozenset(self._identifiers), self.name, culprit=self.name
            )
        return self._identifiers[ptx]


class Mnemonic(NamedTuple):
    """The PTX name of an instruction.

    `template` is the mnemonic in the order of the grammar in `section`, with the name of each
    qualifier in braces. `feature` is the target feature that it needs (see `targets.FEATURES`).
    """

    template: str
    section: str
    qualifiers: Mapping[str, Qualifier] = MappingProxyType({})
    feature: str = "base"

    def mnemonic(self, **identifiers: Hashable) -> str:
        """The mnemonic with these qualifiers; the others have their defaults. Raises Violation for
        an identifier that its qualifier does not have, and TypeError for an unknown qualifier."""
        if not identifiers.keys() <= self.qualifiers.keys():
            raise TypeError(f"{self.template} has the qualifiers {', '.join(self.qualifiers)}")
        return self.template.format_map(
            {
                name: qualifier.ptx(identifiers.get(name, qualifier.default))
                for name, qualifier in self.qualifiers.items()
            }
        )
