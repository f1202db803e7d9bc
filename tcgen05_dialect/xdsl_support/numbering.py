"""Attributes as small numbers, which are cheap to compare and to hash."""

from xdsl.ir import Attribute


class Numbering:
    """
    Numbers attributes, equal ones alike.

    One that was met before is known by its identity: comparing attributes takes as long as most
    of what the numbers are used to save.
    """

    def __init__(self) -> None:
        self._numbers: dict[Attribute, int] = {}
        # With the attributes themselves, since the identity of one that is gone is another's.
        self._met: dict[int, tuple[int, Attribute]] = {}

    def number(self, attribute: Attribute) -> int:
        """The number of an attribute."""
        met = self._met.get(id(attribute))
        if met is None:
            met = (self._numbers.setdefault(attribute, len(self._numbers)), attribute)
            self._met[id(attribute)] = met
        return met[0]
