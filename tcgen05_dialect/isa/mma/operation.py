"""The form of a matrix product, and the order of its checks (9.7.16.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tcgen05_dialect.isa.element import container_bits, element
from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import (
    REUSED_SHIFT_RULE,
    InstructionDescriptor,
    shape_of,
)
from tcgen05_dialect.isa.mma.products import (
    ACCUMULATOR,
    METADATA,
    SCALE,
    SCALE_A,
    SPARSITY,
    TITLES,
    A,
    D,
    MatrixMemory,
    Operand,
    Product,
)
from tcgen05_dialect.isa.mma.shapes import ALIGNMENT_RULE, DataPathLayout, data_path_layout
from tcgen05_dialect.isa.mma.sparse import ZeroColumnMask
from tcgen05_dialect.isa.model.rule import Violation, blamed, combined, raise_any, rule
from tcgen05_dialect.isa.shared_memory.descriptor import SharedMemoryDescriptor
from tcgen05_dialect.isa.shared_memory.layout import MAJORS, SWIZZLE_COMBINATIONS, atom_violations
from tcgen05_dialect.isa.tensor_memory.alloc import (
    CELL_BITS,
    Cell,
    column_violations,
    unpack,
    unpack_scale,
)

if TYPE_CHECKING:
    from tcgen05_dialect.isa.mma.scale import ScaleFactors

SAME_CELLS = rule("T5-TMEM-008")
SAME_LANE = rule("T5-TMEM-007")


class ProductOperation(Protocol):
    """A matrix product as an operation, typed or raw."""

    @property
    def product(self) -> Product: ...

    @property
    def kind_name(self) -> str: ...

    @property
    def ctas(self) -> int: ...

    @property
    def a_memory(self) -> MatrixMemory: ...

    def word(self, name: str) -> str | None:
        """The qualifier of this name, or None if it is omitted."""
        ...

    def count(self, name: str) -> int:
        """The number of operands or flags of this name."""
        ...


class Form(NamedTuple):
    """A product with its qualifiers and the set of its operands that are present.

    `disable_output_lane` is the number of registers in that vector, 0 if it is omitted.
    """

    product: Product
    kind: str
    cta_group: int
    a_memory: MatrixMemory = "shared"
    scale_vectorsize: str | None = None
    collector_buffer: str | None = None
    collector_op: str | None = None
    ashift: bool = False
    disable_output_lane: int = 0
    scale_input_d: bool = False
    zero_column_mask: bool = False

    @classmethod
    def of(cls, instruction: ProductOperation) -> Form:
        """The form of an operation."""
        return cls(
            instruction.product,
            instruction.kind_name,
            instruction.ctas,
            instruction.a_memory,
            scale_vectorsize=instruction.word("scale_vectorsize"),
            collector_buffer=instruction.word("collector_buffer"),
            collector_op=instruction.word("collector_op"),
            ashift=instruction.count("ashift") > 0,
            disable_output_lane=instruction.count("disable_output_lane"),
            scale_input_d=instruction.count("scale_input_d") > 0,
            zero_column_mask=instruction.count("zero_column_mask") > 0,
        )

    def matrices_in(self, memory: MatrixMemory) -> tuple[Operand, ...]:
        """The operands that are matrices in this memory."""
        return tuple(
            each
            for each in self.product.matrices
            if memory in each.memories and (len(each.memories) == 1 or memory == self.a_memory)
        )

    def layout(self, idesc: InstructionDescriptor) -> DataPathLayout:
        """The data path layout of D, A and the metadata. Raises Violation."""
        return data_path_layout(idesc.m, self.cta_group, idesc.sparse, self.product.ws)

    def check(self, m: int | None = None) -> None:
        """Raise Violation if qualifiers and operands conflict; `m` is the M of the instruction
        descriptor, if known."""
        kind, ws = self.kind, self.product.ws
        shapes.SHAPES.check(kind=kind, ws=ws, cta_group=self.cta_group, sparse=self.product.sparse)
        shapes.OPERANDS.check(
            kind=kind,
            ws=ws,
            disable_output_lane=self.disable_output_lane > 0,
            scale_input_d=self.scale_input_d,
            zero_column_mask=self.zero_column_mask,
            scale_factors=self.product.scaled,
        )
        elements = shapes.disable_output_lane_elements(self.cta_group)
        if self.disable_output_lane not in (0, elements):
            what = "number of registers of disable-output-lane"
            raise shapes.OPERANDS.rule.violation(
                self.disable_output_lane, elements, what, culprit="disable_output_lane"
            )
        if self.product.scaled:
            shapes.SCALE_VECTOR_SIZES.check(kind=kind, scale_vectorsize=self.scale_vectorsize)
        self._check_collector(m)

    def _check_collector(self, m: int | None) -> None:
        ws, buffer, op = self.product.ws, self.collector_buffer, self.collector_op
        if buffer is not None or op is not None:
            point = {"ws": ws, "collector_buffer": buffer, "collector_op": op}
            if shapes.COLLECTOR.row(**point) is None:
                violation = shapes.COLLECTOR.violation(**point)
                # The place of a missing one is that of the other.
                given = "collector_op" if buffer is None else "collector_buffer"
                raise violation if violation.found is not None else violation.blaming(given)
        if self.ashift:
            point = {
                "kind": self.kind,
                "ws": ws,
                "a_memory": self.a_memory,
                **({} if m is None else {"m": m}),
                "collector_op": op or shapes.DEFAULT_COLLECTOR[ws][1],
            }
            if shapes.ASHIFT.row(**point) is None:
                violation = shapes.ASHIFT.violation(**point)
                given = {".ashift": True, **violation.given}
                raise violation.replaced(given=given, culprit="ashift")

    def required_features(self, k96: bool) -> tuple[str, ...]:
        """The target features (see `targets.FEATURES`) that the form needs; none for an illegal
        scale_vectorsize, which `check` refuses."""
        sparse = self.product.sparse
        needed = shapes.required_features(self.kind, sparse, k96, self.scale_input_d)
        point = {"kind": self.kind, "scale_vectorsize": self.scale_vectorsize}
        if self.product.scaled and shapes.SCALE_VECTOR_SIZES.row(**point) is not None:
            needed += (shapes.SCALE_VECTOR_SIZES.value("feature", **point),)
        return needed


_NOTHING: Mapping[str, int] = MappingProxyType({})


def violations(
    form: Form,
    idesc: InstructionDescriptor | int | None,
    *,
    addresses: Mapping[str, int] = _NOTHING,
    lanes: Mapping[str, int] = _NOTHING,
    descriptors: Mapping[str, int] = _NOTHING,
    mask: ZeroColumnMask | int | None = None,
    exponent: int | None = None,
) -> Iterator[Violation]:
    """All violations of a product that follow from its known operands.

    The instruction descriptor and the zero-column mask may be given by their bits. Operand names
    are the keys of `addresses` (in tensor memory), `lanes` (of matrices whose column is unknown)
    and `descriptors` (bits of shared memory descriptors); `exponent` is scale-input-d. If the form
    or the instruction descriptor is illegal, violations that depend on it are not reported.
    """
    known = described(form, idesc)
    yield from known.violations
    if exponent is not None:
        yield from blamed(shapes.SCALE_INPUT_D.violations(exponent), "scale_input_d")
    yield from _shared_memory_violations(form, known.idesc, descriptors)
    if mask is not None:
        yield from blamed(_mask_violations(form, known.idesc, mask), "zero_column_mask")
    yield from _address_violations(form, known, addresses, lanes)


class Described(NamedTuple):
    """The violations of a form and its instruction descriptor; if there are none, the data path
    layout that they select, and warnings."""

    idesc: InstructionDescriptor | None
    layout: DataPathLayout | None
    violations: tuple[Violation, ...]
    warnings: tuple[Violation, ...] = ()


@lru_cache(maxsize=1024)
def described(form: Form, idesc: InstructionDescriptor | int | None) -> Described:
    """Check a form and its instruction descriptor, which may be given by its bits. Cached, because
    programs have many products of few forms."""
    known = idesc if isinstance(idesc, InstructionDescriptor) else None
    try:
        if isinstance(idesc, int):
            known = _decoded(form.kind, idesc)
        if known is not None:
            raise_any(_descriptor_violations(form, known))
        form.check(None if known is None else known.m)
    except Violation as violation:
        # The parts have no traceback, which would keep the callers' frames in the cache.
        return Described(known, None, tuple(part.replaced() for part in violation.parts))
    if known is None:
        return Described(None, None, ())
    return Described(
        known,
        form.layout(known),
        tuple(_scale_violations(form, known)),
        tuple(known.warnings(form.product.ws, form.cta_group, form.a_memory)),
    )


def _decoded(kind: str, idesc: int) -> InstructionDescriptor:
    """The descriptor with these bits. Raises Violation; it shows a wrong M or N as `128x250`."""
    try:
        return InstructionDescriptor.decode(kind, idesc)
    except Violation as violation:
        shape = shape_of(kind, idesc)
        parts = (
            part.replaced(found=f"{part.found} ({shape})") if part.culprit in ("m", "n") else part
            for part in violation.parts
        )
        raise combined(blamed(parts, "idesc")) or violation from None


def _descriptor_violations(form: Form, idesc: InstructionDescriptor) -> Iterator[Violation]:
    product = form.product
    if idesc.sparse != product.sparse:
        found, legal = ("sparse" if each else "dense" for each in (idesc.sparse, product.sparse))
        yield SPARSITY.violation(found, legal, culprit="idesc")
    else:
        yield from idesc.violations(product.ws, form.cta_group, form.a_memory)


def _scale_violations(form: Form, idesc: InstructionDescriptor) -> Iterator[Violation]:
    if idesc.scale_type is not None:
        # Imported here, because most kernels have no scale factors.
        from tcgen05_dialect.isa.mma.scale import violations

        ids = idesc.sfa_id, idesc.sfb_id
        yield from violations(idesc.kind, form.scale_vectorsize, idesc.k, idesc.scale_type, *ids)


def _shared_memory_violations(
    form: Form, idesc: InstructionDescriptor | None, descriptors: Mapping[str, int]
) -> Iterator[Violation]:
    for name, value in descriptors.items():
        matrix = None if idesc is None else SharedMatrix.of(form, idesc, name)
        for violation in _matrix_violations(value, matrix):
            yield violation.about(TITLES[name]).blaming(name)


class SharedMatrix(NamedTuple):
    """A matrix in the shared memory of one CTA, of which an MMA reads `mn` x `k` elements: each of
    `bits` bits, in `container` bits of memory. `any_transposed` tells whether this matrix or the
    other one is MN-major."""

    transposed: bool
    any_transposed: bool
    bits: int
    container: int
    mn: int
    k: int

    @classmethod
    def of(cls, form: Form, idesc: InstructionDescriptor, name: str) -> SharedMatrix:
        """The matrix A or B, by its name."""
        is_a = name == A.name
        bits = element(idesc.a if is_a else idesc.b).bits
        return cls(
            idesc.transpose_a if is_a else idesc.transpose_b,
            idesc.transpose_a or idesc.transpose_b,
            bits,
            container_bits(bits, shapes.KINDS[idesc.kind].pads),
            (idesc.m if is_a else idesc.n) // form.cta_group,
            shapes.stored_elements(idesc.k, idesc.sparse and is_a),
        )


@lru_cache(maxsize=1024)
def _matrix_violations(value: int, matrix: SharedMatrix | None) -> tuple[Violation, ...]:
    """Violations of the shared memory descriptor of a matrix, which is None if it is unknown."""
    try:
        descriptor = SharedMemoryDescriptor.decode(value)
    except Violation as violation:
        return tuple(part.replaced() for part in violation.parts)  # Without tracebacks.
    found = descriptor.violations(None if matrix is None else matrix.any_transposed)
    if matrix is not None:
        # Table 53 is not used here, because it has no K-major atoms for some modes of Table 52.
        major = MAJORS[matrix.transposed]
        point = {"bits": matrix.bits, "major": major, "swizzle": descriptor.swizzle}
        if SWIZZLE_COMBINATIONS.row(**point) is None:
            found.append(SWIZZLE_COMBINATIONS.violation(**point))
        else:
            found += _distance_violations(descriptor, matrix)
    return tuple(found)


def _distance_violations(
    descriptor: SharedMemoryDescriptor, matrix: SharedMatrix
) -> list[Violation]:
    """Violations by the distances of the atoms. If the distances fit the other major dimension, the
    transpose bit of the instruction descriptor may be wrong."""
    transposed, *extents = matrix.transposed, matrix.container, matrix.mn, matrix.k
    found = atom_violations(descriptor, transposed, *extents)
    major = MAJORS[not transposed]
    point = {"bits": matrix.bits, "major": major, "swizzle": descriptor.swizzle}
    if (
        not found
        or SWIZZLE_COMBINATIONS.row(**point) is None
        or atom_violations(descriptor, not transposed, *extents)
    ):
        return found
    bit = "clear" if transposed else "set"
    help_ = (
        f"{found[0].rule.fix}; or {bit} the transpose bit in the instruction descriptor: the "
        f"offsets fit a matrix that is {major}"
    )
    return [each.replaced(help=help_) for each in found]


def _mask_violations(
    form: Form, idesc: InstructionDescriptor | None, mask: ZeroColumnMask | int
) -> Iterator[Violation]:
    if isinstance(mask, int):
        try:
            mask = ZeroColumnMask.decode(mask)
        except Violation as violation:
            yield violation
            return
    yield from mask.violations(None if idesc is None else idesc.m)
    reuses = form.collector_op in shapes.REUSING
    if idesc is not None and reuses and mask.column_shift > idesc.max_shift:
        found = mask.column_shift
        legal = f"at most {idesc.max_shift}, the maximum shift of the instruction descriptor"
        yield REUSED_SHIFT_RULE.violation(found, legal)


def _address_violations(
    form: Form, known: Described, addresses: Mapping[str, int], lanes: Mapping[str, int]
) -> Iterator[Violation]:
    cells: dict[str, Cell] = {}
    roles = {each.name: each.role for each in form.matrices_in("tensor")}
    for name, address in addresses.items():
        try:
            cells[name] = unpack_scale(address) if roles[name] == SCALE else unpack(address)
        except Violation as violation:
            yield violation.blaming(name)
    idesc, layout = known.idesc, known.layout
    if idesc is None or layout is None:
        return
    all_lanes = {**lanes, **{name: cell.lane for name, cell in cells.items()}}
    yield from _lane_violations(
        layout, {name: lane for name, lane in all_lanes.items() if roles[name] != SCALE}
    )
    for name, cell in cells.items():
        if roles[name] == SCALE:
            factors, _, _ = scale_factors(form, idesc, name)
            for violation in factors.column_violations(cell.column):
                what = f"first column of {TITLES[name]}"
                yield violation.replaced(what=what, culprit=name)
        else:
            columns = _columns(idesc, layout, roles[name])
            found = column_violations(cell.column, columns, f"columns of {TITLES[name]}")
            yield from blamed(found, name)
    if (d := cells.get(D.name)) is not None:
        near = {
            name: cell.column - d.column
            for name, cell in cells.items()
            if name != D.name and (cell.lane == d.lane or roles[name] == SCALE)
        }
        yield from overlap_violations(form, idesc, near)


def overlap_violations(
    form: Form, idesc: InstructionDescriptor | int | None, distances: Mapping[str, int]
) -> Iterator[Violation]:
    """Violations by operands in columns of D. `distances` has, by the name of an operand in lanes
    of D, the number of columns from D to the operand."""
    columns = {} if idesc is None else tensor_columns(form, idesc)
    for name, distance in distances.items():
        if -columns.get(name, 1) < distance < columns.get(D.name, 1):
            first, last = distance, distance + columns.get(name, 1) - 1
            where = f"columns {first} to {last}" if last > first else f"column {first}"
            sentence = f"{TITLES[name]} is in {where} of D"
            yield SAME_CELLS.violation(where, None, sentence=sentence, culprit=name)


def _lane_violations(layout: DataPathLayout, lanes: Mapping[str, int]) -> Iterator[Violation]:
    for name, lane in lanes.items():
        if lane not in layout.alignments:
            what = f"lane of {TITLES[name]} in layout {layout.name}"
            yield ALIGNMENT_RULE.violation(lane, layout.alignments, what, culprit=name)
    expected = lanes.get(D.name)
    for name, lane in lanes.items():
        if layout.is_half and expected is not None and lane != expected:
            legal, what = f"{expected}, the lane of {D.title}", f"lane of {TITLES[name]}"
            yield SAME_LANE.violation(lane, legal, what, culprit=name)


def tensor_columns(form: Form, idesc: InstructionDescriptor | int) -> dict[str, int]:
    """The number of columns of each operand in tensor memory, by its name; empty if the form or
    the instruction descriptor is illegal."""
    known = described(form, idesc)
    if known.idesc is None or known.layout is None or known.violations:
        return {}
    found: dict[str, int] = {}
    for each in form.matrices_in("tensor"):
        if each.role == SCALE:
            found[each.name] = scale_factors(form, known.idesc, each.name)[0].used_columns
        else:
            found[each.name] = _columns(known.idesc, known.layout, each.role)
    return found


def _columns(idesc: InstructionDescriptor, layout: DataPathLayout, role: str) -> int:
    """The number of tensor memory columns of D, A or the metadata."""
    if role == ACCUMULATOR:
        return layout.columns(idesc.n)
    if role == METADATA:
        # Imported here, because most kernels have no metadata.
        from tcgen05_dialect.isa.mma.sparse import metadata_columns

        return metadata_columns(idesc.kind)
    bits = container_bits(element(idesc.a).bits, shapes.KINDS[idesc.kind].pads)
    return shapes.stored_elements(idesc.k, idesc.sparse) * bits // CELL_BITS


def scale_factors(
    form: Form, idesc: InstructionDescriptor, name: str
) -> tuple[ScaleFactors, int, int]:
    """The scale factors in one CTA for an operand, the first one that the product uses, and the
    number that it uses. Raises Violation."""
    from tcgen05_dialect.isa.mma.scale import SCALE_SHAPES, ScaleFactors

    count: int = SCALE_SHAPES.value(
        "factors", kind=idesc.kind, scale_vectorsize=form.scale_vectorsize, k=idesc.k
    )
    if name == SCALE_A.name:
        first, rows, folds = idesc.sfa_id, idesc.m // form.cta_group, 1
    else:
        # Each CTA holds the scale factors of all columns of B.
        first, rows, folds = idesc.sfb_id, idesc.n, form.layout(idesc).folds
    return ScaleFactors(rows, first + count, folds), first, count
