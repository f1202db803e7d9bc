"""Whether operands of a matrix product are what its descriptor says (PTX ISA 9.7.16.10)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..isa.element import PACKINGS, PADDED_CONTAINER_BITS
from ..isa.mma.addresses import NAMES, layout_of
from ..isa.mma.agreement import DATA_PATH, ELEMENT, EXTENT, MAJOR, PACKING, ROLE
from ..isa.mma.form import Form
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.kinds import KINDS, stored_elements
from ..isa.model.rule import Violation
from ..isa.shared_memory.tile import K_EXTENT
from ..isa.tensor_memory.cells import LANES
from .types import (
    ACCUMULATOR,
    MATRIX_A,
    METADATA,
    SCALE,
    SharedMemoryDescriptorType,
    TensorMemoryType,
)


class OperandTypes(NamedTuple):
    """The types of the operands of a matrix product."""

    d: TensorMemoryType
    a: TensorMemoryType | SharedMemoryDescriptorType
    b: SharedMemoryDescriptorType
    metadata: TensorMemoryType | None = None
    scale_a: TensorMemoryType | None = None
    scale_b: TensorMemoryType | None = None


_ROLES = {
    "d": ACCUMULATOR,
    "a": MATRIX_A,
    "metadata": METADATA,
    "scale_a": SCALE,
    "scale_b": SCALE,
}


@lru_cache(maxsize=1024)
def role_violations(types: OperandTypes) -> tuple[Violation, ...]:
    """Operands in tensor memory that are there for something else."""
    return tuple(
        ROLE.violation(matrix.role.data, role, f"role of {NAMES[name]}")
        for name, role in _ROLES.items()
        if isinstance(matrix := getattr(types, name), TensorMemoryType) and matrix.role.data != role
    )


@lru_cache(maxsize=1024)
def violations(
    form: Form, idesc: InstructionDescriptor, types: OperandTypes
) -> tuple[Violation, ...]:
    """
    Where the operands are not what the descriptor, which is legal in this form, says they are.

    Kept, since a kernel has many operations of few types.
    """
    return tuple(_Agreement(form, idesc).violations(types))


class _Agreement:
    """What an instruction descriptor asks of the operands of an instruction."""

    def __init__(self, form: Form, idesc: InstructionDescriptor) -> None:
        self.form = form
        self.idesc = idesc
        self.rows = idesc.m // form.cta_group
        """Rows of A and D in each CTA."""
        self.layout = layout_of(form, idesc)

    def violations(self, types: OperandTypes) -> Iterator[Violation]:
        """What does not agree."""
        idesc = self.idesc
        a_k = stored_elements(idesc.k, idesc.sparse)
        yield from self._multiplicand("A", types.a, idesc.a)
        yield from self._multiplicand("B", types.b, idesc.b)
        yield from _element("D", types.d, idesc.d)
        if isinstance(types.a, SharedMemoryDescriptorType):
            yield from _tile("A", types.a, self.rows, a_k, idesc.transpose_a)
        else:
            yield from self._matrix("A", types.a, a_k)
        columns = idesc.n // self.form.cta_group
        yield from _tile("B", types.b, columns, idesc.k, idesc.transpose_b)
        yield from self._matrix("D", types.d, idesc.n)
        if types.metadata is not None:
            yield from self._metadata(types.metadata)
        if types.scale_a is not None and types.scale_b is not None:
            yield from self._scales(types.scale_a, types.scale_b)

    def _multiplicand(
        self, name: str, matrix: TensorMemoryType | SharedMemoryDescriptorType, expected: str
    ) -> Iterator[Violation]:
        yield from _element(name, matrix, expected)
        element, (padded, packed) = matrix.element_type, PACKINGS
        is_small = element.bits < PADDED_CONTAINER_BITS
        legal = packed if is_small and not KINDS[self.idesc.kind].pads else padded
        found = matrix.packing.data
        if element.name == expected and found != legal:
            yield PACKING.violation(found, legal, f"packing of {name}")

    def _matrix(self, name: str, matrix: TensorMemoryType, columns: int) -> Iterator[Violation]:
        found = f"{matrix.rows.data}x{matrix.columns.data}"
        if (matrix.rows.data, matrix.columns.data) != (self.rows, columns):
            legal = f"{self.rows}x{columns}"
            yield EXTENT.violation(found, legal, f"extents of {name}")
        yield from self._data_path(name, matrix)

    def _data_path(self, name: str, matrix: TensorMemoryType) -> Iterator[Violation]:
        plain = (None,) if self.layout.rows == LANES else ()
        yield from _layout(name, matrix, (self.layout.name, *plain))

    def _metadata(self, metadata: TensorMemoryType) -> Iterator[Violation]:
        from ..isa.mma.sparse import metadata_indices

        # Those before what the selector names lie there as well.
        indices = metadata_indices(self.idesc.kind) * (self.idesc.sparsity_selector + 1)
        yield from _at_least("the metadata", metadata, self.rows, indices)
        yield from self._data_path("the metadata", metadata)

    def _scales(self, scale_a: TensorMemoryType, scale_b: TensorMemoryType) -> Iterator[Violation]:
        from ..isa.mma.scale import SCALE_SHAPES, violations

        idesc, spelling = self.idesc, self.form.scale_vectorsize
        scale_type, ids = idesc.scale_type, (idesc.sfa_id, idesc.sfb_id)
        # The descriptor is legal, and these have a type.
        assert scale_type is not None
        found = violations(idesc.kind, spelling, idesc.k, scale_type, *ids)
        yield from found
        if found:
            return
        point = {"kind": idesc.kind, "scale_vectorsize": spelling, "k": idesc.k}
        factors: int = SCALE_SHAPES.value("factors", **point)
        # Each CTA has the scale factors of its rows of A, and those of all columns of B.
        folded = self.layout.name if self.layout.folds > 1 else None
        for name, matrix, rows, id_, layout in (
            ("scale_a", scale_a, self.rows, ids[0], None),
            ("scale_b", scale_b, idesc.n, ids[1], folded),
        ):
            yield from _element(name, matrix, scale_type)
            yield from _at_least(name, matrix, rows, id_ + factors)
            yield from _layout(name, matrix, (layout,))


def _element(
    name: str, matrix: TensorMemoryType | SharedMemoryDescriptorType, expected: str
) -> Iterator[Violation]:
    if (found := matrix.element_type.name) != expected:
        yield ELEMENT.violation(found, expected, f"element type of {name}")


def _at_least(name: str, matrix: TensorMemoryType, rows: int, columns: int) -> Iterator[Violation]:
    if matrix.rows.data != rows or matrix.columns.data < columns:
        found = f"{matrix.rows.data}x{matrix.columns.data}"
        legal = f"{rows}x{columns}, or more columns"
        yield EXTENT.violation(found, legal, f"extents of {name}")


def _layout(
    name: str, matrix: TensorMemoryType, names: tuple[str | None, ...]
) -> Iterator[Violation]:
    if matrix.layout_name not in names:
        found, *legal = (
            "none" if each is None else f"layout_{each}" for each in (matrix.layout_name, *names)
        )
        what = f"data path layout of {name}"
        yield DATA_PATH.violation(found, " or ".join(legal), what)


def _tile(
    name: str, tile: SharedMemoryDescriptorType, mn: int, k: int, transposed: bool
) -> Iterator[Violation]:
    if tile.mn.data != mn:
        yield EXTENT.violation(tile.mn.data, mn, f"rows of {name} in this CTA")
    left = tile.k.data - tile.k_origin.data
    if left < k:
        yield K_EXTENT.violation(left, f"at least {k}", f"elements along K of {name}")
    if tile.layout.transposed != transposed:
        found = f"{tile.major.data} with transpose bit {int(transposed)}"
        legal = f"transpose bit {int(tile.layout.transposed)}"
        yield MAJOR.violation(found, legal, f"majorness of {name}")
