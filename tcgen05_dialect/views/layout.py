"""Layouts of matrices, as pictures of a notebook and as tables."""

from base64 import b64encode
from html import escape
from typing import Any, NamedTuple

from ..calculator.access import parse_access
from ..calculator.answer import as_table
from ..calculator.grid import Grid, Placement
from ..calculator.locate import elements_table, places_table
from ..calculator.multiplication import multiplication
from ..calculator.operands import operand_matrix
from ..calculator.picture import as_svg


class Layout(NamedTuple):
    """A layout, shown as a picture in a notebook; `str` is its table."""

    grid: Grid

    @classmethod
    def of(
        cls,
        matrix: str,
        kind: str = "f16",
        *,
        by_place: bool = False,
        through: str | None = None,
        placement: Placement | None = None,
        **mma: Any,
    ) -> "Layout":
        """
        The layout of a matrix (`A`, `B`, `D`, `SFA`, `SFB`, `metadata`) of an MMA, as `calc layout`
        prints it: the place of each element. With `by_place`, as `calc placement`: the element at
        each place. `through` is an access such as `32x32b.x8`; other arguments, such as `m` and
        `cta_group`, are those of `multiplication`. Raises Violation and QuestionError.
        """
        found = operand_matrix(multiplication(kind, **mma), matrix, placement or Placement())
        access = None if through is None else parse_access(through)
        grid = elements_table(found, 0, access) if by_place else places_table(found, access)
        return cls(grid)

    def part(self, rows: range, columns: range) -> "Layout":
        """Some rows and columns. Raises QuestionError."""
        return Layout(self.grid.part(rows, columns))

    def __str__(self) -> str:
        return as_table(self.grid)

    def _repr_html_(self) -> str:
        # Inside one document, the names in several pictures would collide.
        data = b64encode(as_svg(self.grid).encode()).decode()
        return f'<img alt="{escape(self.grid.title)}" src="data:image/svg+xml;base64,{data}">'
