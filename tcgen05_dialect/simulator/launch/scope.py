"""Names of a launch: the sizes and arrays that its expressions use."""

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from ...isa.model.rule import describe
from ..machine.errors import blaming, refused
from .arrays import Array
from .expression import Expression
from .tables import shown

Uses = dict[str, tuple[str, ...]]
"""Part of a launch -> the other parts that its value is computed from; see LaunchError."""


def origins(parts: Iterable[str], uses: Uses) -> tuple[str, ...]:
    """The parts, and all that their values are computed from."""
    found = dict.fromkeys(parts)
    waiting = list(found)
    for part in waiting:
        new = [each for each in uses.get(part, ()) if each not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


class Scope:
    """Sizes and arrays by name. `uses` records what the value of each part is computed from."""

    def __init__(self, sizes: Mapping[str, int | float]):
        self.sizes = sizes
        self.arrays: dict[str, Array] = {}
        self.uses: Uses = {}

    def integers(
        self, given: Sequence[Any], what: str, part: str, key: str = ""
    ) -> tuple[int, ...]:
        """Values of the integer expressions of a part, or of a key of it, over sizes. Raises
        LaunchError."""
        with blaming(*([f"{part}.{key}"] if key else []), part):
            expressions = [_expression(each, what) for each in given]
            for expression in expressions:
                expression.check_names(self.sizes)
            for expression in expressions:
                self._record_uses(part, expression)
            found = [expression.value(self.sizes) for expression in expressions]
            try:
                return tuple(map(index, found))
            except TypeError as error:
                raise refused(tuple(map(str, found)), "integers", what) from error

    def number(self, given: Any, what: str, part: str) -> int | float:
        """Value of an expression over sizes. Raises LaunchError."""
        with blaming(part):
            expression = _expression(given, what)
            expression.check_names(self.sizes)
            self._record_uses(part, expression)
            found = expression.value(self.sizes)
            if not isinstance(found, int | float):
                raise refused(describe(str(found)), "a number", what)
            return found

    def value(self, given: Any, what: str, part: str) -> Any:
        """Value of an expression over sizes and arrays. Raises LaunchError."""
        with blaming(part):
            expression = _expression(given, what)
            expression.check_names({**self.sizes, **self.arrays})
            self._record_uses(part, expression)
            wide = {
                name: array.astype(np.float64)
                for name, array in self.arrays.items()
                if name in expression.names
            }
            return expression.value({**self.sizes, **wide})

    def _record_uses(self, part: str, expression: Expression) -> None:
        uses = (
            f"arrays.{name}" if name in self.arrays else f"sizes.{name}"
            for name in expression.names
        )
        self.uses[part] = (*self.uses.get(part, ()), *uses)


def _expression(value: Any, what: str) -> Expression:
    """An expression, which may be given as a number. Raises LaunchError."""
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return Expression(str(value), what)
    raise refused(shown(value), "a number or an expression", what)
