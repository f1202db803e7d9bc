"""Tests of the section numbers that isa/ names."""

import importlib
import pkgutil

from tcgen05_dialect import isa
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.model.table import Mnemonic, Table

from ..support.golden_tables import DATA


def test_sections_exist() -> None:
    """Each section of 9.7.16 that a rule, a table or an instruction names is in the manual."""
    sections = {
        section
        for module in pkgutil.walk_packages(isa.__path__, f"{isa.__name__}.")
        for thing in vars(importlib.import_module(module.name)).values()
        if isinstance(thing, Rule | Mnemonic | Table)
        for section in thing.section.split(", ")
        if section.startswith("9.7.16")
    }
    assert len(sections) > 30
    assert sections <= set((DATA / "sections.txt").read_text().split())
