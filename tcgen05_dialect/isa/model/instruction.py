"""Qualifiers and mnemonics: the spellings of instructions in IR and in PTX."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tcgen05_dialect.isa.model.rule import Rule


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
