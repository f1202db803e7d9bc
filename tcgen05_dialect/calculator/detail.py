"""Details of one MMA: shapes, types, operands, options, targets, layouts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from tcgen05_dialect.calculator import places
from tcgen05_dialect.calculator.answer import Answer, Field, Fields, Records, warning_fields
from tcgen05_dialect.calculator.multiplication import Multiplication, first_of
from tcgen05_dialect.calculator.places import Formulas
from tcgen05_dialect.isa.element import container_bits, element
from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor, descriptor_layout
from tcgen05_dialect.isa.mma.products import product_of
from tcgen05_dialect.isa.mma.scale import ATOM_COLUMNS, IDS, SCALE_TYPES, ScaleFactors
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES, metadata_columns
from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.model.rule import describe
from tcgen05_dialect.isa.shared_memory.descriptor import SWIZZLES
from tcgen05_dialect.isa.shared_memory.layout import MAJORS, SharedMemoryLayout, swizzle_modes
from tcgen05_dialect.isa.targets import TARGETS
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS
from tcgen05_dialect.isa.tensor_memory.copies import PAYLOAD_BITS


def detail(mma: Multiplication) -> Answer:
    """The details of an MMA. Raises Violation or QuestionError for contradictory parameters."""
    mma.extent_k()
    descriptor = _descriptor(mma)
    descriptor.verify(mma.ws, mma.cta_group)
    both = list(_formulas(mma))
    return Answer(
        str(mma),
        [
            Fields("", list(_summary(mma, descriptor))),
            Records("operands", list(_operands(mma))),
            Records("fields of the instruction descriptor", list(_fields(mma, descriptor))),
            Fields("qualifiers and optional operands", list(_options(mma))),
            Records("swizzle modes in shared memory", list(_swizzles(mma))),
            Records("targets", list(_targets(mma, descriptor))),
            Fields("from elements to places", [_forward(one) for one in both]),
            Fields("from places to elements", [_backward(one) for one in both]),
            Records(f"shapes of kind {mma.kind} ({shapes.SHAPES.name})", list(_shapes(mma))),
        ],
    )


def _descriptor(mma: Multiplication) -> InstructionDescriptor:
    """The instruction descriptor with shapes and types only."""
    return InstructionDescriptor(
        mma.kind,
        mma.m,
        mma.n,
        mma.a,
        mma.b,
        mma.d,
        sparse=mma.sparse,
        scale_type=_scale_type(mma),
        k96=mma.instruction_k == shapes.K96,
    )


def _scale_type(mma: Multiplication) -> str | None:
    """The type of the scale factors: the one with the lowest code for this scale vector size."""
    if not mma.is_block_scaled:
        return None
    point = {"kind": mma.kind, "scale_vectorsize": mma.scale_vectorsize}
    legal: frozenset[str] = SCALE_TYPES.values("scale", **point)
    field = descriptor_layout(mma.kind).field("scale_type")
    return min(legal, key=lambda name: field.encode(name) or 0)


def _scales(mma: Multiplication) -> dict[str, ScaleFactors]:
    """The scale factors of one instruction that each CTA holds."""
    if not mma.is_block_scaled:
        return {}
    factors = mma.instruction_factors
    return {
        "SFA": ScaleFactors(mma.m // mma.cta_group, factors),
        "SFB": ScaleFactors(mma.n, factors, mma.layout.folds),
    }


def _summary(mma: Multiplication, descriptor: InstructionDescriptor) -> Iterator[Field]:
    m, n, k, format_ = mma.m, mma.n, mma.instruction_k, descriptor_layout(mma.kind)
    instruction = product_of(mma.ws, mma.sparse).mnemonic
    yield Field("instruction", _mnemonic(mma), f"{_mnemonic(mma)} (PTX ISA {instruction.section})")
    yield Field(
        "computes",
        f"D[{m}][{n}] {mma.d} = A[{m}][{k}] {mma.a} * B[{k}][{n}] {mma.b}, + D where enabled",
    )
    yield Field("K", k, f"{k} elements of each row of A and column of B")
    made = m * n * shapes.stored_elements(k, mma.sparse)
    how = f"{m} * {n} * {k} = {m * n * k}"
    if mma.sparse:
        how += f", of which {made} are made: half of A is zero"
    yield Field("multiply-adds", made, how)
    value = descriptor.encode()
    how = f"{format_.width} bits, {format_.name} (PTX ISA {format_.section}): {value:#010x}"
    yield Field("instruction descriptor", value, f"{how} without options")
    yield from warning_fields(descriptor, [(mma.ws, mma.cta_group)])


def _mnemonic(mma: Multiplication) -> str:
    return product_of(mma.ws, mma.sparse).mnemonic.mnemonic(
        cta_group=mma.cta_group,
        kind=mma.kind,
        block_scale=mma.is_block_scaled,
        scale_vectorsize=mma.scale_vectorsize,
    )


def _operands(mma: Multiplication) -> Iterator[dict[str, object]]:
    """For each matrix of one instruction, the part that a CTA holds."""
    lanes = mma.layout.lanes()
    first = " or ".join(map(str, mma.layout.alignments))
    d = (
        f"{mma.layout.columns(mma.n)} columns of {len(lanes)} lanes, layout {mma.layout.name}, "
        f"from lane {first} on"
    )
    yield _operand("D", mma.layout.rows, mma.n, mma.d, "tensor", d)
    k, rows = shapes.stored_elements(mma.instruction_k, mma.sparse), mma.m // mma.cta_group
    room = container_bits(element(mma.a).bits, mma.pads)
    yield _operand("A", rows, k, mma.a, "shared", f"{rows * k * room // 8} bytes")
    a = f"{k * room // CELL_BITS} columns, in the lanes of D; not transposed"
    yield _operand("or A", rows, k, mma.a, "tensor", a)
    k, columns = mma.instruction_k, mma.n // mma.cta_group
    room = container_bits(element(mma.b).bits, mma.pads)
    yield _operand("B", k, columns, mma.b, "shared", f"{columns * k * room // 8} bytes")
    if mma.sparse:
        chunk = GRANULARITIES[mma.kind]
        what = f"{metadata_columns(mma.kind)} columns, {chunk.name}, in the lanes of D"
        chunks = mma.instruction_k // chunk.chunk
        yield _operand("metadata", mma.m // mma.cta_group, chunks, "index", "tensor", what)
    for name, scales in _scales(mma).items():
        what = f"{scales.columns} columns of all lanes, from a multiple of {ATOM_COLUMNS} on"
        rows, columns = scales.rows, scales.factors
        if name == "SFB":
            rows, columns = columns, rows
        yield _operand(name, rows, columns, str(_scale_type(mma)), "tensor", what)


def _operand(
    name: str, rows: int, columns: int, type_: str, memory: str, takes: str
) -> dict[str, object]:
    extents = f"{rows} x {columns}"
    return {"operand": name, "in each CTA": extents, "of": type_, "in": memory, "takes": takes}


def _fields(mma: Multiplication, descriptor: InstructionDescriptor) -> Iterator[dict[str, object]]:
    """The legal values of each descriptor field, given the values of the others."""
    for field in descriptor_layout(mma.kind).parameters:
        yield {
            "field": field.name,
            "bits": field.bits,
            "legal": frozenset(
                value for value in field.legal if _is_legal(mma, descriptor, field.name, value)
            ),
        }


def _is_legal(
    mma: Multiplication, descriptor: InstructionDescriptor, name: str, value: Hashable
) -> bool:
    if name == "sparse":
        return value == mma.sparse
    if name in ("sfa_id", "sfb_id"):
        return IDS.row(factors=mma.instruction_factors, id=value) is not None
    if name == "scale_type":
        point = {"kind": mma.kind, "scale_vectorsize": mma.scale_vectorsize}
        return SCALE_TYPES.row(**point, scale=value) is not None
    return not replace(descriptor, **{name: value}).violations(mma.ws, mma.cta_group)


def _options(mma: Multiplication) -> Iterator[Field]:
    """The optional qualifiers and operands of the instruction."""
    point = {"kind": mma.kind, "ws": mma.ws}
    for name in ("disable_output_lane", "scale_input_d", "zero_column_mask"):
        legal = True in shapes.OPERANDS.values(name, **point)
        text = describe(legal)
        if legal and name == "disable_output_lane":
            registers = shapes.disable_output_lane_elements(mma.cta_group)
            text += f", {registers} registers, one bit per lane"
        if legal and name == "scale_input_d":
            text += f", 2^-n with n of {describe(shapes.SCALE_INPUT_D.values)}"
        yield Field(name.replace("_", " "), legal, text)
    buffers, operations = (
        shapes.COLLECTOR.values(column, ws=mma.ws)
        for column in ("collector_buffer", "collector_op")
    )
    default = "::".join(shapes.DEFAULT_COLLECTOR[mma.ws])
    yield Field("collector buffers", buffers, f"{describe(buffers)} (default: {default})")
    yield Field("collector operations", operations)
    shifting = shapes.ASHIFT.values("collector_op", kind=mma.kind, ws=mma.ws, m=mma.m)
    text = "no"
    if shifting:
        text = f"with A in tensor memory and collector operation {describe(shifting)}"
    yield Field("ashift", bool(shifting), text)
    if mma.is_block_scaled:
        sizes = shapes.SCALE_VECTOR_SIZES.values("scale_vectorsize", kind=mma.kind)
        yield Field("scale_vectorsize", sizes)


def _swizzles(mma: Multiplication) -> Iterator[dict[str, object]]:
    """The swizzle modes of A and B, with the majorness that each allows."""
    majors = _majors(mma)
    for name, mode in SWIZZLES.items():
        legal = {
            matrix: [
                each for each in majors[matrix] if name in swizzle_modes(_bits(mma, matrix), each)
            ]
            for matrix in majors
        }
        if any(legal.values()):
            yield {
                "mode": name,
                **{matrix: ", ".join(found) or None for matrix, found in legal.items()},
                "bytes of a row": mode.width,
                "tile aligned to": mode.pattern_bytes,
            }


def _bits(mma: Multiplication, matrix: str) -> int:
    """The number of bits of an element of A or B."""
    return element(mma.a if matrix == "A" else mma.b).bits


def _majors(mma: Multiplication) -> dict[str, tuple[str, ...]]:
    """The legal majorness of each matrix in shared memory."""
    found: dict[str, tuple[str, ...]] = {}
    flipped = shapes.TRANSPOSE_NEGATE.values("transpose", kind=mma.kind)
    for name in ("A", "B"):
        bits = _bits(mma, name)
        found[name] = tuple(
            major
            for major, transposes in zip(MAJORS, BOOLEANS, strict=True)
            if transposes in flipped and swizzle_modes(bits, major)
        )
    return found


def _targets(mma: Multiplication, descriptor: InstructionDescriptor) -> Iterator[dict[str, object]]:
    needed = descriptor.required_features()
    if mma.is_block_scaled:
        point = {"kind": mma.kind, "scale_vectorsize": mma.scale_vectorsize}
        needed += (shapes.SCALE_VECTOR_SIZES.value("feature", **point),)
    for target in TARGETS:
        yield {"target": target, "first PTX version": first_of([needed], target)}


def _formulas(mma: Multiplication) -> Iterator[Formulas]:
    yield places.accumulator(mma.layout, mma.m, mma.n)
    bits = element(mma.a).bits
    room = container_bits(bits, mma.pads)
    shift = PAYLOAD_BITS[bits] if room > bits else 0
    in_tensor_memory = places.tensor_a(mma.layout, mma.m, room, shift)
    yield _of_stored(mma, in_tensor_memory)
    for name, majors in _majors(mma).items():
        bits = _bits(mma, name)
        for major in majors:
            widest = max(swizzle_modes(bits, major), key=lambda mode: SWIZZLES[mode].width)
            tile = SharedMemoryLayout(1, 1, bits, major, widest, pads=mma.pads)
            formula = places.shared(name, "m" if name == "A" else "n", tile, mma.cta_group)
            yield _of_stored(mma, formula) if name == "A" else formula
    if mma.sparse:
        yield places.metadata(mma.kind, mma.layout, mma.m)
    for name, scales in _scales(mma).items():
        yield places.scales(name, "m" if name == "SFA" else "n", scales, mma.cta_group)


def _of_stored(mma: Multiplication, of: Formulas) -> Formulas:
    """The formulas of A; for a sparse A with the note that k counts stored elements."""
    notes = [*filter(None, [of.note]), *(["k counts stored elements"] if mma.sparse else [])]
    return of._replace(note="; ".join(notes))


def _forward(of: Formulas) -> Field:
    return Field(of.matrix, of.places, "\n".join([*_lines(of.places), *filter(None, [of.note])]))


def _backward(of: Formulas) -> Field:
    return Field(of.matrix, of.elements, "\n".join(_lines(of.elements)))


def _lines(expressions: Mapping[str, str]) -> Iterator[str]:
    return (f"{name} = {expression}" for name, expression in expressions.items())


def _shapes(mma: Multiplication) -> Iterator[dict[str, object]]:
    """All legal shapes and types of the kind: the rows of Table 39."""
    for row in shapes.SHAPES.rows:
        if mma.kind in row["kind"]:
            (ws,), (sparse,) = row["ws"], row["sparse"]
            name = product_of(bool(ws), bool(sparse)).short_name
            columns = ("cta_group", "d", "a", "b", "scale", "m", "n", "k")
            yield {"MMA": name, **{column: row[column] for column in columns}}
