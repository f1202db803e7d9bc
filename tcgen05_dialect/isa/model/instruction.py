"""Qualifiers and mnemonics: the spelling of an instruction in IR and in PTX, each once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tcgen05_dialect.isa.model.rule import Rule


class Qualifier:
    """A place in a mnemonic and what may stand there.

    `spellings` maps the identifier used in IR to the PTX text, leading dot included. A qualifier
    that may be left out has an identifier with the empty text, None or False: its `default`.
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
        """Raise Violation when `identifier` is not one of this qualifier's."""
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
    """An instruction's PTX name.

    `template` is the mnemonic in the order of the grammar of `section`, with the name of a
    qualifier in braces where it stands; `feature` is what a target must have (see
    `targets.FEATURES`).
    """

    template: str
    section: str
    qualifiers: Mapping[str, Qualifier] = MappingProxyType({})
    feature: str = "base"

    def mnemonic(self, **identifiers: Hashable) -> str:
        """The mnemonic with these qualifiers; one that is not given has its default. Raises
        Violation for an identifier that its qualifier does not have, TypeError for an unknown
        qualifier."""
        if not identifiers.keys() <= self.qualifiers.keys():
            raise TypeError(f"{self.template} has the qualifiers {', '.join(self.qualifiers)}")
        return self.template.format_map(
            {
                name: qualifier.ptx(identifiers.get(name, qualifier.default))
                for name, qualifier in self.qualifiers.items()
            }
        )
