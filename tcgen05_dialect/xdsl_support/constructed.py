"""The base class of operations whose constructor follows from their definition."""

from abc import ABC
from typing import Any

from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator

from .constructible import Constructible


class ConstructedOperation(Constructible, ABC):
    """
    An operation that is constructed from values and plain Python objects.

    The parameters follow from the definition; see `construction.signature_of`, and `operations` for
    their types. xDSL's own way, with a list for each group, remains as the class method `build`.
    """

    def __init__(self, *positional: Any, **named: Any) -> None:
        # Imported here, because the parser and the passes create operations without it.
        from .construction import arguments_of

        super().__init__(**arguments_of(type(self), positional, named))
        if any(block.ops for region in self.regions for block in region.blocks):
            for trait in self.get_traits_of_type(SingleBlockImplicitTerminator):
                ensure_terminator(self, trait)
