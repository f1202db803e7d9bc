"""Tests of tables, bit fields, rules and qualifiers: small examples, then all of isa/."""

import importlib
import pkgutil
import subprocess
import sys
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect import isa
from tcgen05_dialect.isa.model.bitfield import BitField, BitLayout, coded, fixed, flag, number
from tcgen05_dialect.isa.model.rule import (
    Rule,
    RuleFile,
    Violation,
    describe,
    in_order,
    printable,
    raise_any,
)
from tcgen05_dialect.isa.model.table import Mnemonic, Qualifier, Table
from tcgen05_dialect.isa.targets import CTA_GROUP

from ..support.effort import part


def _rule(id: str, section: str, subject: str, fix: str) -> Rule:
    rule = Rule(id, {})
    rule.file = RuleFile("", {"section": section, "subject": subject, "fix": fix}, ())
    return rule


RULE = _rule("T5-TEST-001", "1.2.3", "colour of the bike shed", "paint it")
OTHER = _rule("T5-TEST-002", "1.2.4", "its size", "measure it")
COLUMNS = ("shape", "colour", "size")
ROWS = (
    ("round", ("red", "blue"), range(8, 65, 8)),
    ("round", "green", (1, 2)),
    ("square", None, 7),
)
TABLE = Table("Table 1", "1.2", COLUMNS, ROWS, RULE, {"size": OTHER})
MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(isa.__path__, f"{isa.__name__}.")
]
TABLES = {
    thing.name: thing
    for module in MODULES
    for thing in vars(module).values()
    if isinstance(thing, Table)
}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "true"),
        (8, "8"),
        ("f16", "f16"),
        ((1, 2), "1, 2"),
        (range(8, 257, 8), "8, 16, ... 256"),
        (frozenset({64, 8, 24, 16}), "8, 16, 24, 64"),
        (frozenset({32, 8, 24, 16}), "8, 16, ... 32"),
        (frozenset({"b", None, "a"}), "none, a, b"),
        (frozenset({"x16", "x2", "x128", "x"}), "x, x2, x16, x128"),
        (frozenset({"f16", "f8f6f4", "bf16x2", "bf16"}), "bf16, bf16x2, f8f6f4, f16"),
        (frozenset({True, False}), "false, true"),
        ({"x": 1, "y": 2}, "x, y"),
    ],
)
def test_describe(value: object, text: str) -> None:
    assert describe(value) == text


@pytest.mark.slow
@given(st.text(max_size=20))
def test_printable(text: str) -> None:
    assert printable(text).isprintable()
    if text.isascii() and "\\" not in text:
        assert printable(text).encode().decode("unicode_escape") == text
    kept = printable(text, "\t\n", "?")
    assert len(kept) == len(text)
    assert all(c.isprintable() or c in "\t\n" for c in kept)


@given(st.sets(st.text("x1٣9ab:"), max_size=6), st.randoms())
def test_names_have_one_order(names: set[str], random: Random) -> None:
    shuffled = sorted(names)
    random.shuffle(shuffled)
    assert in_order(shuffled) == in_order(names)


@given(st.sets(st.integers(0, 10**30)))
def test_numbers_in_names_have_the_order_of_numbers(numbers: set[int]) -> None:
    names = [f"x{number}b" for number in sorted(numbers)]
    assert in_order(frozenset(names)) == names


def test_violation_is_one_line_with_everything() -> None:
    violation = RULE.violation("yellow", ("red", "blue"))
    assert str(violation) == (
        "colour of the bike shed must be red or blue; found yellow [T5-TEST-001] (PTX ISA 1.2.3)"
    )
    assert (violation.rule, violation.found, violation.legal) == (RULE, "yellow", ("red", "blue"))
    assert str(RULE.violation(1, 2, "door")).startswith("door must be 2; found 1 ")


def test_raise_any_names_all() -> None:
    raise_any(())
    with pytest.raises(Violation) as caught:
        raise_any((RULE.violation(1, 2), OTHER.violation(3, 4)))
    assert [part.rule for part in caught.value.parts] == [RULE, OTHER]
    assert "found 1" in str(caught.value) and "found 3" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_table_answers() -> None:
    assert TABLE.row(shape="round", colour="red", size=16) is TABLE.rows[0]
    assert TABLE.row(shape="square", colour=None, size=7) is TABLE.rows[2]
    assert TABLE.row(shape="square", colour="red", size=7) is None
    assert TABLE.row(colour="green") is TABLE.rows[1]
    assert TABLE.values("size", shape="round", colour="green") == {1, 2}
    assert TABLE.values("colour", shape="round") == {"red", "blue", "green"}
    assert TABLE.values("size", shape="oval") == frozenset()
    assert TABLE.value("size", shape="square") == 7
    assert len(list(TABLE.points())) == 2 * 8 + 2 + 1
    TABLE.check(shape="round", size=2)
    with pytest.raises(KeyError):
        TABLE.row(shape="round", weight=3)
    with pytest.raises(LookupError):
        TABLE.value("size", shape="round", colour="green")
    assert TABLE.markdown().splitlines() == [
        "| shape | colour | size |",
        "|---|---|---|",
        "| round | blue, red | 8, 16, ... 64 |",
        "| round | green | 1, 2 |",
        "| square | none | 7 |",
    ]


@pytest.mark.parametrize(
    ("point", "text"),
    [
        (
            {"shape": "oval", "colour": "red", "size": 8},
            "colour red needs shape round; found oval [T5-TEST-001]",
        ),
        (
            {"shape": "round", "colour": "pink", "size": 8},
            "size 8 needs colour blue or red; found pink [T5-TEST-001]",
        ),
        (
            {"shape": "round", "colour": "green", "size": 8},
            "colour green needs size 1 or 2; found 8 [T5-TEST-002]",
        ),
        (
            {"shape": "square", "colour": None, "size": 8},
            "shape square needs size 7; found 8 [T5-TEST-002]",
        ),
    ],
)
def test_table_names_the_first_wrong_column(point: dict[str, Any], text: str) -> None:
    with pytest.raises(Violation) as caught:
        TABLE.check(**point)
    assert str(caught.value).startswith(text)
    assert str(TABLE.violation(**point)) == str(caught.value)


def test_table_has_no_violation_for_a_legal_point() -> None:
    with pytest.raises(ValueError, match="accepts"):
        TABLE.violation(shape="round", colour="green", size=1)


@pytest.mark.parametrize(
    "rows",
    [
        (("round", "red"),),
        (("round", (), 1),),
        (("round", "red", 1), ("round", ("red", "blue"), (1, 2))),
        (("round", "red", 1), ("round", "red", 1)),
    ],
    ids=["arity", "empty", "overlap", "duplicate"],
)
def test_table_checks_itself(rows: Any) -> None:
    with pytest.raises(ValueError, match="Table 2"):
        Table("Table 2", "1.2", COLUMNS, rows, RULE)


def domain(table: Table, column: str) -> list[Any]:
    """The values that occur in a column, and some that never do."""
    values = sorted(table.values(column), key=repr)
    numbers = [value for value in values if type(value) is int]
    strange = [None, "no such value", *(number + 1 for number in numbers[-1:])]
    return values + [value for value in strange if value not in table.values(column)]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
@settings(deadline=None, max_examples=part(50))
@given(data=st.data())
def test_every_table_accepts_its_points_and_no_neighbour(name: str, data: st.DataObject) -> None:
    """A point drawn from a row is accepted; with one column changed it is accepted exactly when
    some row, read as a plain product of sets, has it."""
    table = TABLES[name]
    row = data.draw(st.sampled_from(table.rows))
    point = {
        column: data.draw(st.sampled_from(sorted(row[column], key=repr)))
        for column in table.columns
    }
    assert table.row(**point) is row
    column = data.draw(st.sampled_from(table.columns))
    neighbour = point | {column: data.draw(st.sampled_from(domain(table, column)))}
    legal = any(all(neighbour[c] in other[c] for c in table.columns) for other in table.rows)
    assert (table.row(**neighbour) is not None) == legal
    if not legal:
        violation = table.violation(**neighbour)
        assert violation.found in neighbour.values()
        # What the message calls legal is legal together with all that the message names.
        assert violation.given.items() <= neighbour.items()
        for value in cast("frozenset[Any]", violation.legal):
            assert table.row(**violation.given, **{violation.culprit: value}) is not None


def test_all_tables_print() -> None:
    assert len(TABLES) > 15
    for table in TABLES.values():
        lines = table.markdown().splitlines()
        assert len(lines) == len(table.rows) + 2
        assert all(line.count("|") == len(table.columns) + 1 for line in lines)


FIELDS = (
    number("count", 0, 3, range(0, 61, 4), shift=2),
    flag("fast", 4),
    fixed(5, 6, 0b10),
    coded("mode", 7, 8, {"a": 0, "b": 3}, OTHER),
)
LAYOUT = BitLayout("word", "1.2", 9, FIELDS, RULE)


def test_bit_layout_encodes() -> None:
    word = LAYOUT.encode(count=12, fast=True, mode="b")
    assert word == 3 | 1 << 4 | 0b10 << 5 | 3 << 7
    assert LAYOUT.decode(word) == {"count": 12, "fast": True, "mode": "b"}
    with pytest.raises(TypeError):
        LAYOUT.encode(count=12, fast=True)
    with pytest.raises(Violation) as caught:
        LAYOUT.encode(count=13, fast=True, mode="c")
    assert [part.found for part in caught.value.parts] == [13, "c"]
    assert [part.rule for part in caught.value.parts] == [RULE, OTHER]


def test_bit_layout_names_every_wrong_field() -> None:
    with pytest.raises(Violation) as caught:
        LAYOUT.decode(1 << 7)
    wrong = [part.what for part in caught.value.parts]
    assert wrong == ["fixed bits of the word", "mode"]
    for word in (-1, 1 << 9):
        with pytest.raises(Violation, match="word must be 0 to 0x1ff"):
            LAYOUT.decode(word)


def test_bit_layout_explains() -> None:
    readings = LAYOUT.explain(5 | 1 << 7)
    assert [(r.bits, r.field, r.raw, r.meaning, r.is_legal) for r in readings] == [
        ("0-3", "count", 5, "20", True),
        ("4", "fast", 0, "false", True),
        ("5-6", "fixed bits", 0, "illegal", False),
        ("7-8", "mode", 1, "illegal", False),
    ]
    assert [str(reading) for reading in readings] == [
        "  0-3  count = 0x5: 20",
        "    4  fast = 0x0: false",
        "  5-6  fixed bits = 0x0: fixed bits of the word must be 0b10; found 0b00 [T5-TEST-001] "
        "(PTX ISA 1.2.3)",
        "  7-8  mode = 0x1: mode must be a or b; found 0b01 [T5-TEST-002] (PTX ISA 1.2.4)",
    ]
    with pytest.raises(Violation, match="word must be 0 to 0x1ff"):
        LAYOUT.explain(1 << 9)


@pytest.mark.parametrize(
    "fields",
    [
        (number("a", 0, 3), number("b", 3, 7)),
        (number("a", 0, 3), number("b", 5, 7)),
        (number("a", 0, 3), number("b", 4, 6)),
        (number("a", 0, 3), number("a", 4, 7)),
        (number("a", 0, 3, (16,)), number("b", 4, 7)),
        (number("a", 0, 3, range(0, 8, 2), shift=2), number("b", 4, 7)),
        (number("a", 0, 3, (1,), shift=2), number("b", 4, 7)),
        (number("a", 0, 3, range(1, 2, 4), shift=2), number("b", 4, 7)),
        (number("a", 0, 3, ()), number("b", 4, 7)),
        (coded("a", 0, 3, {"x": 1, "y": 1}), number("b", 4, 7)),
        (coded("a", 0, 3, {"x": 16}), number("b", 4, 7)),
    ],
    ids=[
        "overlap",
        "gap",
        "short",
        "name twice",
        "too wide",
        "lost step",
        "lost bits",
        "lost start",
        "no number",
        "code twice",
        "wide code",
    ],
)
def test_bit_layout_checks_itself(fields: tuple[BitField, ...]) -> None:
    with pytest.raises(ValueError):
        BitLayout("bad", "1.2", 8, fields, RULE)


def test_qualifiers() -> None:
    assert CTA_GROUP.ptx(2) == ".cta_group::2"
    assert CTA_GROUP.identifier(".cta_group::1") == 1
    with pytest.raises(Violation, match=r"1 or 2; found 3 \[T5-CTA_GROUP-001\]"):
        CTA_GROUP.ptx(3)
    with pytest.raises(Violation, match=r"found .cta_group::3"):
        CTA_GROUP.identifier(".cta_group::3")
    with pytest.raises(ValueError, match="same spelling"):
        Qualifier("q", {"a": ".x", "b": ".x"}, RULE)
    optional = Qualifier("q", {None: "", "a": ".a"}, RULE)
    instruction = Mnemonic("op{cta_group}{q}.end", "1.2", {"cta_group": CTA_GROUP, "q": optional})
    assert instruction.mnemonic(cta_group=1) == "op.cta_group::1.end"
    assert instruction.mnemonic(cta_group=1, q="a") == "op.cta_group::1.a.end"
    with pytest.raises(Violation, match="found none"):
        instruction.mnemonic(q="a")
    with pytest.raises(TypeError):
        instruction.mnemonic(cta_group=1, r="a")


def rules() -> dict[int, Rule]:
    """All rules that the modules of isa hold, by identity."""
    found: dict[int, Rule] = {}
    for module in MODULES:
        for thing in vars(module).values():
            held: list[object] = [thing, getattr(thing, "rule", None)]
            if isinstance(thing, Table):
                held += thing.column_rules.values()
            if isinstance(thing, BitLayout):
                held += [field.rule for field in thing.fields]
            if isinstance(thing, dict):
                values = cast("dict[str, object]", thing).values()
                held += [getattr(value, "rule", None) for value in values]
            found |= {id(rule): rule for rule in held if isinstance(rule, Rule)}
    return found


def test_rule_ids_are_unique() -> None:
    ids = [rule.id for rule in rules().values()]
    assert len(ids) > 40
    assert sorted(ids) == sorted(set(ids))


def test_isa_stands_on_the_standard_library() -> None:
    names = ", ".join(module.__name__ for module in MODULES)
    code = (
        f"import sys; before = set(sys.modules); import {names}; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(new - set(sys.stdlib_module_names) - {'tcgen05_dialect'}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
