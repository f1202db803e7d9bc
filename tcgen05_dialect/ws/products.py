"""Matrix products of whole tiles, and their instructions: kind, descriptors and steps along K."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, NamedTuple

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, opt_operand_def

from ..isa.element import PACKINGS
from ..isa.mma.instruction_descriptor import SPARSITY_SELECTORS, InstructionDescriptor
from ..isa.mma.operation import Form, violations
from ..isa.mma.products import METADATA, SCALE, TITLES, Product, product_of
from ..isa.mma.scale import CELL_BYTES, SCALE_SHAPES, SCALE_TYPES, spellings
from ..isa.mma.shapes import KINDS, SHAPES, VECTOR_SIZES, instruction_k, stored_elements
from ..isa.model.rule import Violation, raise_any
from ..isa.practice import OPERAND_RULE
from ..ptx.register_types import PRED
from ..tcgen05.base import optional_typed_operand, typed_operand, violations_reported
from ..tcgen05.mma_base import agreement_violations, role_violations
from ..tcgen05.types import SharedMemoryDescriptorType, TensorMemoryType
from .base import Parts, SharedTileType, SpelledOperation, enclosing
from .regions import holding_of
from .rings import AllocOp
from .roles import WarpSpecializeOp

Matrix = SharedTileType | TensorMemoryType


class Operands(NamedTuple):
    """The types of the matrices of a product."""

    d: TensorMemoryType
    a: Matrix
    b: SharedTileType
    metadata: TensorMemoryType | None = None
    scale_a: TensorMemoryType | None = None
    scale_b: TensorMemoryType | None = None

    @property
    def product(self) -> Product:
        """The product that has these matrices."""
        scaled = self.scale_a is not None
        return product_of(ws=False, sparse=self.metadata is not None, scaled=scaled)


class Step(NamedTuple):
    """
    One instruction of a product. `tiles` has the first element along K of each tile, and the type
    of its descriptor. A matrix in tensor memory is a slice of its operand: `slices` has the first
    column and the type of each.
    """

    idesc: InstructionDescriptor
    tiles: dict[str, tuple[int, SharedMemoryDescriptorType]]
    slices: dict[str, tuple[int, TensorMemoryType]]


class Instructions(NamedTuple):
    """The instructions of a product of whole tiles."""

    product: Product
    scale_vectorsize: str | None
    steps: tuple[Step, ...]


class _Kind(NamedTuple):
    """A kind, with its scale_vectorsize and the number of scale factors of a row in one
    instruction. `is_implied`: the scale_vectorsize follows from the kind and the types."""

    name: str
    scale_vectorsize: str | None = None
    is_implied: bool = True
    factors: int = 0


def _names(operands: Operands) -> dict[str, str | None]:
    """The names of the element types."""
    a = operands.a.descriptor if isinstance(operands.a, SharedTileType) else operands.a
    scale = operands.scale_a
    return {
        "a": a.element_type.name,
        "b": operands.b.descriptor.element_type.name,
        "d": operands.d.element_type.name,
        "scale": None if scale is None else scale.element_type.name,
    }


def _kind(operands: Operands, k: int) -> _Kind:
    """The kind of a product of `k` elements along K. Raises Violation."""
    names = _names(operands)
    sparse = operands.metadata is not None
    kinds = SHAPES.values("kind", ws=False, sparse=sparse, **names)
    pads = operands.b.descriptor.packing.data == PACKINGS[0]
    found = sorted(kind for kind in kinds if KINDS[kind].pads == pads or len(kinds) == 1)
    if not found:
        scale = "" if names["scale"] is None else f" with {names['scale']}"
        shown = f"{names['a']} x {names['b']}{scale} -> {names['d']}"
        legal, help_ = "types that one kind has", "see the kinds of #tcgen05.idesc"
        raise OPERAND_RULE.violation(shown, legal, "the element types", help=help_)
    if operands.scale_a is None:
        return _Kind(found[0])
    scaled = {total: kind for kind, total in reversed([*_scaled_kinds(found, names, k, sparse)])}
    factors = operands.scale_a.columns.data
    if factors not in scaled:
        what = f"the number of scale factors of a row of A, for {k} elements along K,"
        raise OPERAND_RULE.violation(factors, tuple(sorted(scaled)), what, culprit="scale_a")
    return scaled[factors]


def _scaled_kinds(
    kinds: list[str], names: dict[str, str | None], k: int, sparse: bool
) -> Iterator[tuple[_Kind, int]]:
    """The kinds with scale factors, each with the number of factors for `k` elements."""
    for kind in kinds:
        step = instruction_k(kind, sparse)
        types = {"kind": kind, "element": names["a"], "scale": names["scale"]}
        sizes: frozenset[str | None] = SCALE_TYPES.values("scale_vectorsize", **types)
        try:
            implied = spellings(kind, {step}, {str(names["scale"])})
        except Violation:
            implied = ()
        # The last spellings are those that every target supports.
        for size in reversed([name for name in VECTOR_SIZES if name in sizes]):
            factors: int = SCALE_SHAPES.value("factors", kind=kind, scale_vectorsize=size, k=step)
            yield _Kind(kind, size, size in implied, factors), k // step * factors


@lru_cache(maxsize=256)
def instructions_of(operands: Operands, ctas: int) -> Instructions:
    """The instructions of a product of whole tiles of these types. Raises Violation."""
    d, a, b, metadata, *scales = operands
    product = operands.product
    types: list[Attribute] = [
        each.contents if isinstance(each, SharedTileType) else each
        for each in (d, a, b, metadata, *scales)
        if each is not None
    ]
    raise_any(role_violations(product, tuple(types)))
    rows, a_k = (a.layout.mn, a.layout.k) if isinstance(a, SharedTileType) else _extents(a)
    k = b.layout.k
    kind = _kind(operands, k)
    step_k = instruction_k(kind.name, product.sparse)
    if a_k != stored_elements(k, product.sparse) or k % step_k:
        shown, legal = f"{a_k} of A and {k} of B", f"one multiple of {step_k}"
        if product.sparse:
            legal = f"one multiple of {step_k}, of which A has half"
        raise OPERAND_RULE.violation(shown, legal, "the number of elements along K")
    names = _names(operands)
    idesc = InstructionDescriptor(
        kind.name,
        rows * ctas,
        b.layout.mn * ctas,
        str(names["a"]),
        str(names["b"]),
        str(names["d"]),
        transpose_a=isinstance(a, SharedTileType) and a.layout.transposed,
        transpose_b=b.layout.transposed,
        sparse=product.sparse,
        scale_type=names["scale"],
    )
    a_memory = "shared" if isinstance(a, SharedTileType) else "tensor"
    form = Form(product, kind.name, ctas, a_memory, scale_vectorsize=kind.scale_vectorsize)
    steps = tuple(_step(operands, idesc, at, kind.factors) for at in range(k // step_k))
    for step in steps:
        raise_any(violations(form, step.idesc, lanes={}, mask=None, exponent=None))
    first = steps[0].slices
    sliced = [
        first[each.name][1] if each.name in first else matrix
        for each, matrix in zip(product.matrices, types, strict=True)
    ]
    raise_any(agreement_violations(form, idesc, tuple(sliced)))
    return Instructions(product, None if kind.is_implied else kind.scale_vectorsize, steps)


def _step(operands: Operands, idesc: InstructionDescriptor, at: int, factors: int) -> Step:
    """An instruction by its number along K."""
    k = at * idesc.k
    tiles = {
        name: (first, type_.descriptor.at(first))
        for name, first, type_ in (
            ("a", stored_elements(k, idesc.sparse), operands.a),
            ("b", k, operands.b),
        )
        if isinstance(type_, SharedTileType)
    }
    slices: dict[str, tuple[int, TensorMemoryType]] = {}
    options: dict[str, int] = {}
    if isinstance(a := operands.a, TensorMemoryType):
        part = _part(a, stored_elements(idesc.k, idesc.sparse))
        slices["a"] = at * part.footprint[1], part
    if operands.metadata is not None:
        column, options["sparsity_selector"], part = _metadata(operands.metadata, idesc, at)
        slices["metadata"] = column, part
    for name, id_, scales in (
        ("scale_a", "sfa_id", operands.scale_a),
        ("scale_b", "sfb_id", operands.scale_b),
    ):
        if scales is not None:
            place = scales.scale_factors.position(0, at * factors)
            part = _part(scales, min(CELL_BYTES, scales.columns.data))
            slices[name], options[id_] = (place.column, part), place.byte
    return Step(replace(idesc, **options), tiles, slices)


def _part(matrix: TensorMemoryType, columns: int) -> TensorMemoryType:
    """The type of some columns of a matrix."""
    role, packing = matrix.role.data, matrix.packing.data
    return TensorMemoryType.get(
        matrix.rows.data, columns, matrix.element, role, matrix.layout_name, packing
    )


def _metadata(
    metadata: TensorMemoryType, idesc: InstructionDescriptor, at: int
) -> tuple[int, int, TensorMemoryType]:
    """The first column of the metadata of an instruction, its selector, and the slice."""
    # Imported here, because most kernels have no metadata.
    from ..isa.mma.sparse import metadata_columns, metadata_indices

    selectors = SPARSITY_SELECTORS.values("sparsity_selector", kind=idesc.kind, sparse=True)
    group, selector = divmod(at, len(selectors))
    columns = metadata_columns(idesc.kind)
    indices = min(metadata_indices(idesc.kind) * len(selectors), metadata.columns.data)
    return group * len(selectors) * columns, selector, _part(metadata, indices)


def _extents(matrix: TensorMemoryType) -> tuple[int, int]:
    return matrix.rows.data, matrix.columns.data


@irdl_op_definition
class MmaOp(SpelledOperation):
    """
    The product of two tiles, along all of their K.

        ws.mma %d, %a, %b (metadata %e)? (scales(%scale_a, %scale_b))? (accumulate %p)?

    The types determine the kind, the instruction descriptors and the number of instructions.
    Without `accumulate`, the first product in a production overwrites `d`, and the later ones are
    added; in the sequential form each product overwrites `d`.

    - `d`: the accumulator, a buffer of a production by mma or of a ws.alloc
    - `a`: M x K, a tile in shared memory, or a matrix in tensor memory of role `a`; half of K if it
      is sparse
    - `b`: N x K, a tile in shared memory
    - `metadata`: which elements of a sparse `a` are stored, a matrix of role `metadata`
    - `scale_a`, `scale_b`: the scale factors of `a` and of `b` (in a pair, of the `b` of both
      CTAs): matrices of role `scale`, with as many factors in a row as there are blocks along K
    - `accumulate`: whether the product is added to `d` or overwrites it
    """

    name = "ws.mma"
    FORM: ClassVar[Parts] = (
        *("%d", ",", "%a", ",", "%b"),
        ("metadata", "%metadata"),
        ("scales", "(", "%scale_a", ",", "%scale_b", ")"),
        ("accumulate", "%accumulate"),
    )
    d = typed_operand(TensorMemoryType, what="type of D")
    a = typed_operand(SharedTileType, TensorMemoryType, what="type of A")
    b = typed_operand(SharedTileType, what="type of B")
    metadata = optional_typed_operand(TensorMemoryType, what="type of the metadata", role=METADATA)
    scale_a = optional_typed_operand(TensorMemoryType, what="type of scale_a", role=SCALE)
    scale_b = optional_typed_operand(TensorMemoryType, what="type of scale_b", role=SCALE)
    accumulate = opt_operand_def(PRED)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def read(self) -> dict[str, SSAValue]:
        """The matrices that the product reads, by name."""
        names = ("a", "b", "metadata", "scale_a", "scale_b")
        values = self.a, self.b, self.metadata, self.scale_a, self.scale_b
        return {name: each for name, each in zip(names, values, strict=True) if each is not None}

    @property
    def ctas(self) -> int:
        """The number of CTAs of the product, 1 or 2."""
        kernels = (each for each in enclosing(self) if isinstance(each, WarpSpecializeOp))
        return next((each.ctas for each in kernels), 1)

    def instructions(self, ctas: int) -> Instructions:
        """The instructions of the product. Raises Violation."""
        optional = (
            None if each is None else each.type
            for each in (self.metadata, self.scale_a, self.scale_b)
        )
        return instructions_of(Operands(self.d.type, self.a.type, self.b.type, *optional), ctas)

    def verify_(self) -> None:
        with violations_reported():
            if (self.scale_a is None) != (self.scale_b is None):
                legal = "scale factors of A and of B, or neither"
                raise OPERAND_RULE.violation("one of both", legal, "scales")
            self.instructions(self.ctas)
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        for name, buffer in self.read.items():
            if not is_held(buffer):
                legal = "a buffer of a stage that the role holds, or of ws.alloc"
                yield OPERAND_RULE.violation("another value", legal, TITLES[name], culprit=name)
        if not is_held(self.d):
            legal = "a buffer of a stage that the role holds, or of ws.alloc"
            yield OPERAND_RULE.violation("another value", legal, "D", culprit="d")
            return
        if self.accumulate is None and not self._overwrites():
            help_ = "add accumulate and a condition that is false for the first product"
            sentence = "ws.mma needs accumulate, unless a production of a ring gives D"
            yield OPERAND_RULE.says(sentence, culprit="d", help=help_)

    def _overwrites(self) -> bool:
        """Whether it is known, without `accumulate`, which products overwrite D."""
        holding = holding_of(self.d)
        if holding is not None:
            return holding.SIDE == "produce" and holding.ring_op.in_place is None
        return any(isinstance(op, WarpSpecializeOp) and op.is_sequential for op in enclosing(self))


def is_held(buffer: SSAValue) -> bool:
    """Whether a value is a buffer of a region or of a ws.alloc."""
    return isinstance(buffer.owner, AllocOp) or holding_of(buffer) is not None
