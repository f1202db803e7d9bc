"""Checks of the operands of a matrix product against its instruction descriptor (PTX ISA
9.7.16.10)."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from xdsl.ir import Attribute

from ..isa.element import PACKINGS, PADDED_CONTAINER_BITS
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.operation import Form, described, scale_factors
from ..isa.mma.products import (
    ACCUMULATOR,
    DATA_PATH,
    ELEMENT,
    EXTENT,
    MAJOR,
    MATRIX_A,
    METADATA,
    PACKING,
    ROLE,
    SCALE,
    Operand,
    Product,
)
from ..isa.mma.shapes import KINDS, DataPathLayout, stored_elements
from ..isa.model.rule import Violation, blamed
from ..isa.shared_memory.descriptor import K_EXTENT
from ..isa.tensor_memory.alloc import LANES
from .types import SharedMemoryDescriptorType, TensorMemoryType


@lru_cache(maxsize=1024)
def role_violations(product: Product, types: tuple[Attribute, ...]) -> tuple[Violation, ...]:
    """Violations by matrices in the wrong memory, and by matrices in tensor memory that do not
    have the role of the operand."""
    found = tuple(_role_violations(product, types))
    return _unless_swapped(found, product, types, lambda others: ())


def _role_violations(product: Product, types: tuple[Attribute, ...]) -> Iterator[Violation]:
    for each, matrix in zip(product.matrices, types, strict=True):
        in_tensor_memory = isinstance(matrix, TensorMemoryType)
        if ("tensor" if in_tensor_memory else "shared") not in each.memories:
            legal = TensorMemoryType if each.role else SharedMemoryDescriptorType
            text = f"!{legal.name} of role {each.role}" if each.role else f"!{legal.name}"
            yield ROLE.violation(matrix, text, f"type of {each.title}", culprit=each.name)
        elif in_tensor_memory and matrix.role.data != each.role:
            what = f"role of {each.title}"
            yield ROLE.violation(matrix.role.data, each.role, what, culprit=each.name)


def _unless_swapped(
    found: tuple[Violation, ...],
    product: Product,
    types: tuple[Attribute, ...],
    others: Callable[[tuple[Attribute, ...]], Sequence[Violation]],
) -> tuple[Violation, ...]:
    """The violations, or a single one that names two operands that would be right in each other's
    place. `others` gives the violations by types whose roles are right."""
    for one, other in combinations(range(len(types)), 2) if found else ():
        swapped = [*types]
        swapped[one], swapped[other] = types[other], types[one]
        exchanged = tuple(swapped)
        if not any(_role_violations(product, exchanged)) and not others(exchanged):
            names = f"{product.matrices[one].title} and {product.matrices[other].title}"
            return (found[0].swapped(names),)
    return found


@lru_cache(maxsize=1024)
def agreement_violations(
    form: Form, idesc: InstructionDescriptor | int | None, types: tuple[Attribute, ...]
) -> tuple[Violation, ...]:
    """
    Violations by matrices whose types do not agree with the instruction descriptor.

    None if the descriptor is unknown or illegal. Cached, because a kernel has many operations of
    few types.
    """

    def violations_of(types: tuple[Attribute, ...]) -> tuple[Violation, ...]:
        a_memory = "tensor" if isinstance(types[1], TensorMemoryType) else "shared"
        known = described(form._replace(a_memory=a_memory), idesc)
        if known.idesc is None or known.layout is None:
            return known.violations
        return tuple(_Agreement(form, known.idesc, known.layout).violations(types))

    if described(form, idesc).layout is None:
        return ()
    return _unless_swapped(violations_of(types), form.product, types, violations_of)


class _Agreement:
    """What an instruction descriptor requires of the operands of a product."""

    def __init__(self, form: Form, idesc: InstructionDescriptor, layout: DataPathLayout) -> None:
        self.form = form
        self.idesc = idesc
        self.layout = layout
        self.rows = idesc.m // form.cta_group
        """Number of rows of A and D in each CTA."""

    def violations(self, types: tuple[Attribute, ...]) -> Iterator[Violation]:
        """The violations, operand by operand."""
        for each, matrix in zip(self.form.product.matrices, types, strict=True):
            if isinstance(matrix, SharedMemoryDescriptorType):
                yield from blamed(self._tile(each, matrix), each.name)
            elif isinstance(matrix, TensorMemoryType):
                yield from blamed(self._matrix(each, matrix), each.name)

    def _tile(self, operand: Operand, tile: SharedMemoryDescriptorType) -> Iterator[Violation]:
        idesc, title = self.idesc, operand.title
        if operand.role == MATRIX_A:
            mn, k, element, transposed = self.rows, self._a_k, idesc.a, idesc.transpose_a
        else:
            mn, k = idesc.n // self.form.cta_group, idesc.k
            element, transposed = idesc.b, idesc.transpose_b
        yield from self._multiplicand(title, tile, element)
        if tile.mn.data != mn:
            yield EXTENT.violation(tile.mn.data, mn, f"rows of {title} in this CTA")
        left = tile.k.data - tile.k_origin.data
        if left < k:
            yield K_EXTENT.violation(left, f"at least {k}", f"elements along K of {title}")
        if tile.layout.transposed != transposed:
            legal = f"{int(tile.layout.transposed)} for a {tile.major.data} tile"
            yield MAJOR.violation(int(transposed), legal, f"transpose bit of {title}")

    @property
    def _a_k(self) -> int:
        """The number of stored elements in a row of A."""
        return stored_elements(self.idesc.k, self.idesc.sparse)

    def _matrix(self, operand: Operand, matrix: TensorMemoryType) -> Iterator[Violation]:
        idesc, title = self.idesc, operand.title
        if operand.role == SCALE:
            yield from self._scale(operand, matrix)
            return
        if operand.role == METADATA:
            yield from self._metadata(title, matrix)
        elif operand.role == ACCUMULATOR:
            yield from _element(title, matrix, idesc.d)
            yield from self._extents(title, matrix, idesc.n)
        else:
            yield from self._multiplicand(title, matrix, idesc.a)
            yield from self._extents(title, matrix, self._a_k)
        plain = (None,) if self.layout.rows == LANES else ()
        yield from _layout(title, matrix, (self.layout.name, *plain))

    def _multiplicand(
        self, title: str, matrix: TensorMemoryType | SharedMemoryDescriptorType, expected: str
    ) -> Iterator[Violation]:
        yield from _element(title, matrix, expected)
        element, (padded, packed) = matrix.element_type, PACKINGS
        is_small = element.bits < PADDED_CONTAINER_BITS
        legal = packed if is_small and not KINDS[self.idesc.kind].pads else padded
        found = matrix.packing.data
        if element.name == expected and found != legal:
            yield PACKING.violation(found, legal, f"packing of {title}")

    def _extents(self, title: str, matrix: TensorMemoryType, columns: int) -> Iterator[Violation]:
        found = f"{matrix.rows.data}x{matrix.columns.data}"
        if (matrix.rows.data, matrix.columns.data) != (self.rows, columns):
            yield EXTENT.violation(found, f"{self.rows}x{columns}", f"extents of {title}")

    def _metadata(self, title: str, metadata: TensorMemoryType) -> Iterator[Violation]:
        # Imported here, because most kernels have no metadata.
        from ..isa.mma.sparse import metadata_indices

        # The metadata also contains the indices before those that the selector selects.
        indices = metadata_indices(self.idesc.kind) * (self.idesc.sparsity_selector + 1)
        yield from _at_least(title, metadata, self.rows, indices)

    def _scale(self, operand: Operand, matrix: TensorMemoryType) -> Iterator[Violation]:
        factors, _, _ = scale_factors(self.form, self.idesc, operand.name)
        # The descriptor is legal, so it has a scale type.
        assert self.idesc.scale_type is not None
        yield from _element(operand.title, matrix, self.idesc.scale_type)
        yield from _at_least(operand.title, matrix, factors.rows, factors.factors)
        layout = self.layout.name if factors.folds > 1 else None
        yield from _layout(operand.title, matrix, (layout,))


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
        layout = None if None in names else names[0]
        help_ = f"the type {matrix.with_layout(layout)} has it"
        yield DATA_PATH.violation(found, " or ".join(legal), what, help=help_)
