"""The base class of the matrix products (PTX ISA 9.7.16.10)."""

from abc import ABC
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, Self

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.element import PACKINGS, PADDED_CONTAINER_BITS
from ..isa.mma import shapes
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.operation import Form, described, scale_factors, violations
from ..isa.mma.products import (
    ACCUMULATOR,
    DATA_PATH,
    DESCRIPTOR_SOURCE,
    ELEMENT,
    EXTENT,
    MAJOR,
    MATRIX_A,
    METADATA,
    PACKING,
    PRODUCTS,
    ROLE,
    SCALE,
    MatrixMemory,
    Operand,
    Product,
)
from ..isa.mma.shapes import KINDS, DataPathLayout, stored_elements
from ..isa.mma.sparse import ZeroColumnMask
from ..isa.model.rule import Violation, blamed, raise_any
from ..isa.shared_memory.descriptor import DESCRIPTOR_TYPE, K_EXTENT
from ..isa.tensor_memory.alloc import LANES
from ..ptx.analysis.known_values import constant_bits
from ..ptx.register_types import B32, INTEGER_32, PRED
from ..reporting.diagnostics import OperationWithWarnings
from ..xdsl_support.attributes import one_of
from . import mma_syntax
from .alloc import SliceOp, known_cell
from .base import CtaGroupOperation, typed_operand, values_of, violations_reported
from .descriptor import advanced
from .types import (
    InstructionDescriptorAttr,
    SharedMemoryDescriptorType,
    TensorMemoryType,
    ZeroColumnMaskAttr,
)


@lru_cache(maxsize=256)
def _spellings(
    kind: str, extents_k: frozenset[int], scale_types: frozenset[str]
) -> tuple[str | None, ...]:
    # Imported here, because most kernels have no scale factors.
    from ..isa.mma.scale import spellings

    return spellings(kind, extents_k, scale_types)


class MatrixProduct(CtaGroupOperation, OperationWithWarnings, ABC):
    """
    `d = a * b + d`, or `d = a * b` if `accumulate` is false.

    One thread executes the operation for its CTA or CTA pair. The instruction descriptor is the
    attribute `idesc`, or the operand `descriptor` together with the attribute `kind`; the operand
    is verified only if it is a constant. K follows from the kind, the sparsity and the option
    `k96`. With `cta_group_2` each CTA of the pair has half of the rows of A and D, and half of
    the columns of B; the descriptor states the M and N of the pair.

    - `d`: M x N, of role `accumulator`
    - `a`: a tile of M x K elements or more along K, or a matrix of M x K elements in tensor memory
      of role `a`; half of K if A is sparse
    - `b`: a tile of N x K elements or more along K
    - `enable_input_d`: whether the product is added to `d` or overwrites it
    - `idesc`: the instruction descriptor
    - `descriptor`: a computed instruction descriptor, instead of `idesc`
    - `kind`: the kind of the instruction; only with `descriptor`
    - `a_k`: the first element of A along K, if A is in shared memory
    - `b_k`: the first element of B along K
    - `collector`: the use of the collector buffer, which holds A or, with `.ws`, B
    """

    idesc = opt_prop_def(InstructionDescriptorAttr)
    kind = opt_prop_def(one_of(shapes.KINDS))
    collector = opt_prop_def(one_of(shapes.COLLECTOR.values("collector_op")))
    a_k = opt_prop_def(INTEGER_32)
    b_k = opt_prop_def(INTEGER_32)
    d = typed_operand(
        TensorMemoryType, what="type of D", role=ACCUMULATOR, refused=SharedMemoryDescriptorType
    )
    a = typed_operand(TensorMemoryType, SharedMemoryDescriptorType, what="type of A", role=MATRIX_A)
    b = typed_operand(SharedMemoryDescriptorType, what="type of B", refused=TensorMemoryType)
    enable_input_d = operand_def(PRED)
    descriptor = opt_operand_def(B32)

    OFFSETS: ClassVar[Mapping[str, str]] = mma_syntax.OFFSETS

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return mma_syntax.parse(parser, cls)

    def print(self, printer: Printer) -> None:
        mma_syntax.write(printer, self)

    @property
    def product(self) -> Product:
        """The description of this matrix product."""
        return PRODUCTS[self.name]

    @property
    def kind_name(self) -> str:
        """The kind of the instruction."""
        if self.idesc is not None:
            return self.idesc.data.kind
        return "" if self.kind is None else self.kind.data

    @property
    def a_memory(self) -> MatrixMemory:
        """The memory that holds A."""
        return "tensor" if isinstance(self.a.type, TensorMemoryType) else "shared"

    def known_descriptor(self) -> InstructionDescriptor | int | None:
        """The instruction descriptor: the attribute, or the bits of a constant; None if unknown."""
        if self.idesc is not None:
            return self.idesc.data
        return None if self.descriptor is None else constant_bits(self.descriptor)

    def values(self, name: str) -> Sequence[SSAValue]:
        """The values of the operand `name`; empty if the operation does not have it."""
        return values_of(self, name)

    def word(self, name: str) -> str | None:
        """The value of the qualifier `name`; None if it is absent."""
        if name == "collector_op":
            name = "collector"
        elif name == "collector_buffer" and not self.product.ws and self.collector is not None:
            # Products without .ws have only one buffer.
            return shapes.DEFAULT_COLLECTOR[False][0]
        value = self.properties.get(name)
        return value.data if isinstance(value, StringAttr) else None

    def count(self, name: str) -> int:
        """The number of values of the operand `name`, or 1 if the attribute `name` is present."""
        if name in self.properties:
            return 1
        # The mask is either an attribute or an operand.
        return len(self.values("mask" if name == "zero_column_mask" else name))

    def scale_vectorsizes(self) -> tuple[str | None, ...]:
        """
        The spellings of scale_vectorsize for the lowering to choose from, the preferred one first.

        Raises Violation.
        """
        given = self.word("scale_vectorsize")
        if given is not None or not self.product.scaled:
            return (given,)
        kind = self.kind_name
        idesc = described(Form.of(self), self.known_descriptor()).idesc
        if idesc is None or idesc.scale_type is None:
            extents_k = shapes.SHAPES.values("k", kind=kind, sparse=self.product.sparse)
            return _spellings(kind, extents_k, shapes.SHAPES.values("scale", kind=kind))
        return _spellings(kind, frozenset((idesc.k,)), frozenset((idesc.scale_type,)))

    def required_features(self) -> tuple[str, ...]:
        form = Form.of(self)
        idesc = described(form, self.known_descriptor()).idesc
        return form.required_features(k96=idesc is not None and idesc.k96)

    def form(self) -> Form:
        """The qualifiers of the product and the operands that are present. An omitted
        scale_vectorsize is replaced by the preferred spelling, if any."""
        form = Form.of(self)
        if not self.product.scaled:
            return form
        try:
            return form._replace(scale_vectorsize=self.scale_vectorsizes()[0])
        except Violation:
            return form

    def verify_(self) -> None:
        super().verify_()
        with violations_reported():
            self._check_sources()
            self._check_kind()
            matrices = {each.name: self.values(each.name)[0] for each in self.product.matrices}
            types = tuple(self._type(name, matrix) for name, matrix in matrices.items())
            raise_any(role_violations(self.product, types))
            form, idesc = self.form(), self.known_descriptor()
            lanes = {
                each.name: lane
                for each in form.matrices_in("tensor")
                if each.role != SCALE and (lane := known_cell(matrices[each.name])[0]) is not None
            }
            found = violations(
                form, idesc, lanes=lanes, mask=self._known_mask(), exponent=self._exponent()
            )
            raise_any(each.named_as(self._names()) for each in found)
            raise_any(agreement_violations(form, idesc, types))

    def warnings(self) -> Iterator[Violation]:
        found = described(self.form(), self.known_descriptor()).warnings
        return (each.named_as(self._names()) for each in found)

    def _type(self, name: str, matrix: SSAValue) -> Attribute:
        """The type of a matrix that begins at the offset given along K. Raises Violation."""
        k = self.properties.get(f"{name}_k")
        if k is None:
            return matrix.type
        if isinstance(matrix.type, SharedMemoryDescriptorType):
            return advanced(matrix.type, k, name)
        legal = f"!{SharedMemoryDescriptorType.name} (use {SliceOp.name} in tensor memory)"
        what = f"type of {name.upper()} with an offset along K"
        raise DESCRIPTOR_TYPE.violation(matrix.type, legal, what, culprit=name)

    def _names(self) -> dict[str, str]:
        """The names of this operation for operands and qualifiers of the instruction."""
        names = {"collector_op": "collector"}
        if self.idesc is None:
            names["idesc"] = "descriptor"
        if self.values("mask"):
            names["zero_column_mask"] = "mask"
        return names

    def _known_mask(self) -> ZeroColumnMask | int | None:
        """The zero-column mask: the attribute, or the bits of a constant; None if unknown."""
        mask = self.properties.get("zero_column_mask")
        if isinstance(mask, ZeroColumnMaskAttr):
            return mask.data
        values = self.values("mask")
        return constant_bits(values[0]) if values else None

    def _exponent(self) -> int | None:
        exponent = self.properties.get("scale_input_d")
        return exponent.value.data if isinstance(exponent, IntegerAttr) else None

    def _check_sources(self) -> None:
        """Check that each descriptor is either an attribute or an operand. Raises Violation."""
        is_computed = self.descriptor is not None
        if (self.idesc is None) != is_computed or (self.kind is not None) != is_computed:
            given = [n for n in ("idesc", "kind", "descriptor") if getattr(self, n) is not None]
            legal = "idesc alone, or kind and descriptor"
            raise DESCRIPTOR_SOURCE.violation(", ".join(given) or "neither", legal)
        if "zero_column_mask" in self.properties and self.values("mask"):
            legal = "an attribute or an operand"
            raise shapes.OPERANDS.rule.violation("both", legal, "zero-column mask")

    def _check_kind(self) -> None:
        shapes.KIND.check(self.kind_name)
        self.check_target()
        scaled = self.product.scaled
        if self.kind_name not in (legal := shapes.kind_names(scaled)):
            what = f"kind {'with' if scaled else 'without'} scale factors"
            raise shapes.KIND_RULE.violation(self.kind_name, legal, what)


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
