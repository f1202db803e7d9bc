"""Tests of the rows of instructions: all can be read, and an error names the place of its row."""

from pathlib import Path
from types import ModuleType

import pytest

from tcgen05_dialect.isa.effects.model import Effects
from tcgen05_dialect.isa.instructions.table import (
    FAMILIES,
    RowError,
    family_of,
    first_word,
    names_in,
    read,
    row,
    texts,
)

from ..support.looped import looped

RIGHT = "popc | popc.$type %d, %a | 9.7.1.14 | type b32 b64; d B32 | pure | The number of ones."
WRONG = {
    "cells": (" | pure", "", "5 cells; a row has name"),
    "section": ("9.7.1.14", "9.7.x", "9.7.x is not a section"),
    "word": ("type b32 b64; ", "", "the qualifier type has no words"),
    "operand": ("d B32", "e B32", "no operand or qualifier e"),
    "type": ("popc.$type %d, %a", "popc %d, %a", "no operand or qualifier type"),
    "constraint": ("d B32", "d B32 B64", "d B32 B64: not understood"),
    "flag": ("d B32", "d B32; as bits e", "no operands e"),
    "effects": ("pure", "LOAD", "'LOAD'"),
    "kind": ("pure", "WORDS", "WORDS is no Effects"),
    "meaning": ("ones.", "ones", "the meaning is not a sentence"),
}


def module(path: Path, rows: str) -> ModuleType:
    """A family with these rows."""
    path.write_text(f'WORDS = ("b32", "b64")\n\nINSTRUCTIONS = r"""\n{rows}\n"""\n')
    made = ModuleType("family")
    exec(compile(path.read_text(), str(path), "exec"), vars(made))
    made.__file__ = str(path)
    return made


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_known_by_first_words(name: str) -> None:
    """A row would not be found without its word; another word would import the family in vain."""
    assert sorted({first_word(each) for each in names_in(name)}) == sorted(FAMILIES[name])
    assert all(family_of(each) == name for each in names_in(name))


@looped(each for name in FAMILIES for each in names_in(name))
def test_each_row_can_be_read(name: str) -> None:
    found = row(name)
    assert found.name == name
    assert found.effects is None or isinstance(found.effects, Effects)


def test_a_row_is_read(tmp_path: Path) -> None:
    found = read(module(tmp_path / "family.py", RIGHT), "popc", f"{RIGHT}\n")
    assert found.qualifiers["type"].words == {"b32", "b64"}
    assert (found.registers["d"].constraint, found.registers["a"].of) == ("B32", "type")
    assert found.effects is None


@pytest.mark.parametrize("case", WRONG)
def test_an_error_has_a_place(case: str, tmp_path: Path) -> None:
    before, after, message = WRONG[case]
    wrong = RIGHT.replace(before, after, 1)
    path = tmp_path / "family.py"
    family = module(path, f"{RIGHT.replace('popc', 'clz')}\n{wrong}")
    text = texts(vars(family)["INSTRUCTIONS"])["popc"]
    with pytest.raises(RowError) as error:
        read(family, "popc", text)
    assert str(error.value).startswith(f"{path}:5: popc: ")
    assert message in str(error.value)
