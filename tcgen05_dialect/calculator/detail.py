"""
Details of one MMA: shapes, types, operands, options, targets, layouts.

Formulas from elements to places and back: Python expressions on integers. Their variables are the
indices of the matrix, or the coordinates of the place. They agree with `isa/` and contain the
constants of one MMA.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ..isa.element import container_bits, element
from ..isa.mma import shapes
from ..isa.mma.instruction_descriptor import InstructionDescriptor, descriptor_layout
from ..isa.mma.products import product_of
from ..isa.mma.scale import ATOM_COLUMNS, CELL_BYTES, IDS, SCALE_TYPES, ScaleFactors
from ..isa.mma.shapes import DataPathLayout
from ..isa.mma.sparse import GRANULARITIES, INDEX_BITS, SHARING_ROWS, metadata_columns
from ..isa.model.bitfield import BOOLEANS
from ..isa.model.rule import describe
from ..isa.shared_memory.descriptor import ROW_BYTES, SWIZZLES, UNIT_BYTES
from ..isa.shared_memory.layout import MAJORS, SharedMemoryLayout, swizzle_modes
from ..isa.targets import TARGETS
from ..isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES
from ..isa.tensor_memory.copies import PAYLOAD_BITS
from .answer import Answer, Field, Fields, Records, warning_fields
from .multiplication import Multiplication, first_of


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
            Fields(
                "from elements to places",
                [Field(of.matrix, of.places, _lines(of.places, of.note)) for of in both],
            ),
            Fields(
                "from places to elements",
                [Field(of.matrix, of.elements, _lines(of.elements)) for of in both],
            ),
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
    mnemonic = instruction.mnemonic(
        cta_group=mma.cta_group,
        kind=mma.kind,
        block_scale=mma.is_block_scaled,
        scale_vectorsize=mma.scale_vectorsize,
    )
    yield Field("instruction", mnemonic, f"{mnemonic} (PTX ISA {instruction.section})")
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


def _operands(mma: Multiplication) -> Iterator[dict[str, object]]:
    """For each matrix of one instruction, the part that a CTA holds."""

    def operand(
        name: str, rows: int, columns: int, type_: str, memory: str, takes: str
    ) -> dict[str, object]:
        extents = f"{rows} x {columns}"
        return {"operand": name, "in each CTA": extents, "of": type_, "in": memory, "takes": takes}

    first = " or ".join(map(str, mma.layout.alignments))
    d = (
        f"{mma.layout.columns(mma.n)} columns of {len(mma.layout.lanes())} lanes, layout "
        f"{mma.layout.name}, from lane {first} on"
    )
    yield operand("D", mma.layout.rows, mma.n, mma.d, "tensor", d)
    k, rows = shapes.stored_elements(mma.instruction_k, mma.sparse), mma.m // mma.cta_group
    room = container_bits(element(mma.a).bits, mma.pads)
    yield operand("A", rows, k, mma.a, "shared", f"{rows * k * room // 8} bytes")
    a = f"{k * room // CELL_BITS} columns, in the lanes of D; not transposed"
    yield operand("or A", rows, k, mma.a, "tensor", a)
    k, columns = mma.instruction_k, mma.n // mma.cta_group
    room = container_bits(element(mma.b).bits, mma.pads)
    yield operand("B", k, columns, mma.b, "shared", f"{columns * k * room // 8} bytes")
    if mma.sparse:
        chunk = GRANULARITIES[mma.kind]
        what = f"{metadata_columns(mma.kind)} columns, {chunk.name}, in the lanes of D"
        yield operand("metadata", rows, mma.instruction_k // chunk.chunk, "index", "tensor", what)
    for name, scales in _scales(mma).items():
        what = f"{scales.columns} columns of all lanes, from a multiple of {ATOM_COLUMNS} on"
        rows, columns = scales.rows, scales.factors
        if name == "SFB":
            rows, columns = columns, rows
        yield operand(name, rows, columns, str(_scale_type(mma)), "tensor", what)


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


def _majors(mma: Multiplication) -> dict[str, list[str]]:
    """The legal majorness of each matrix in shared memory."""
    flipped = shapes.TRANSPOSE_NEGATE.values("transpose", kind=mma.kind)
    return {
        name: [
            major
            for major, transposes in zip(MAJORS, BOOLEANS, strict=True)
            if transposes in flipped and swizzle_modes(_bits(mma, name), major)
        ]
        for name in ("A", "B")
    }


def _targets(mma: Multiplication, descriptor: InstructionDescriptor) -> Iterator[dict[str, object]]:
    needed = descriptor.required_features()
    if mma.is_block_scaled:
        point = {"kind": mma.kind, "scale_vectorsize": mma.scale_vectorsize}
        needed += (shapes.SCALE_VECTOR_SIZES.value("feature", **point),)
    for target in TARGETS:
        yield {"target": target, "first PTX version": first_of([needed], target)}


def _formulas(mma: Multiplication) -> Iterator[Formulas]:
    yield accumulator(mma.layout, mma.m, mma.n)
    bits = element(mma.a).bits
    room = container_bits(bits, mma.pads)
    shift = PAYLOAD_BITS[bits] if room > bits else 0
    # For a sparse A, k counts stored elements.
    stored = ["k counts stored elements"] if mma.sparse else []

    def of_a(formulas: Formulas) -> Formulas:
        return formulas._replace(note="; ".join([*filter(None, [formulas.note]), *stored]))

    yield of_a(tensor_a(mma.layout, mma.m, room, shift))
    for name, majors in _majors(mma).items():
        bits = _bits(mma, name)
        for major in majors:
            widest = max(swizzle_modes(bits, major), key=lambda mode: SWIZZLES[mode].width)
            tile = SharedMemoryLayout(1, 1, bits, major, widest, pads=mma.pads)
            formula = shared(name, "m" if name == "A" else "n", tile, mma.cta_group)
            yield of_a(formula) if name == "A" else formula
    if mma.sparse:
        yield metadata(mma.kind, mma.layout, mma.m)
    for name, factors in _scales(mma).items():
        yield scales(name, "m" if name == "SFA" else "n", factors, mma.cta_group)


def _lines(expressions: Mapping[str, str], note: str = "") -> str:
    lines = [f"{name} = {expression}" for name, expression in expressions.items()]
    return "\n".join([*lines, *filter(None, [note])])


def _shapes(mma: Multiplication) -> Iterator[dict[str, object]]:
    """All legal shapes and types of the kind: the rows of Table 39."""
    for row in shapes.SHAPES.rows:
        if mma.kind in row["kind"]:
            (ws,), (sparse,) = row["ws"], row["sparse"]
            name = product_of(bool(ws), bool(sparse)).short_name
            columns = ("cta_group", "d", "a", "b", "scale", "m", "n", "k")
            yield {"MMA": name, **{column: row[column] for column in columns}}


_HALF = WARP_LANES // 2


class Formulas(NamedTuple):
    """The formulas of a matrix in both directions; `note` states their conditions."""

    matrix: str
    places: dict[str, str]
    elements: dict[str, str]
    note: str = ""


def _term(factor: str, times: int) -> str:
    return factor if times == 1 else f"{factor} * {times}"


def _rows(layout: DataPathLayout, m: int, index: str = "m") -> tuple[dict[str, str], str]:
    """CTA and lane of a row of D as formulas of the row index, and the row as a formula of the
    lane."""
    is_whole = layout.rows == m
    row = index if is_whole else f"{index} % {layout.rows}"
    lane, back = row, "lane" if layout.folds == 1 else f"lane % {layout.rows}"
    if layout.is_half:
        lane = f"{row} // {_HALF} * {WARP_LANES} + {row} % {_HALF}"
        back = f"lane // {WARP_LANES} * {_HALF} + lane % {_HALF}"
    places = {"cta": "0" if is_whole else f"{index} // {layout.rows}", "lane": lane}
    return places, back if is_whole else f"cta * {layout.rows} + {back}"


def _note(layout: DataPathLayout, copies: bool) -> str:
    notes: list[str] = []
    if layout.is_half:
        notes.append(f"lane + {_HALF} where that of the address is {_HALF}")
    if copies and layout.folds > 1:
        lanes = ", ".join(str(fold * layout.rows) for fold in range(1, layout.folds))
        notes.append(f"again in lane + {lanes}")
    return "; ".join(notes)


def accumulator(layout: DataPathLayout, m: int, n: int) -> Formulas:
    """The formulas of D (M x N); lane and column are relative to the address of D."""
    places, row = _rows(layout, m)
    width = layout.columns(n)
    places["column"] = "n"
    column = "column"
    if layout.folds > 1:
        places["lane"] += f" + n // {width} * {layout.rows}"
        places["column"] = f"n % {width}"
        column = f"lane // {layout.rows} * {width} + column"
    return Formulas("D[m][n]", places, {"m": row, "n": column}, _note(layout, copies=False))


def tensor_a(layout: DataPathLayout, m: int, room: int, shift: int) -> Formulas:
    """The formulas of A in tensor memory; lane and column are relative to the address of A. Each
    element occupies `room` bits and begins at bit `shift` of them."""
    places, row = _rows(layout, m)
    per_cell = CELL_BITS // room
    places["column"] = "k" if per_cell == 1 else f"k // {per_cell}"
    places["bit"] = "0" if per_cell == 1 else f"k % {per_cell} * {room}"
    if shift:
        places["bit"] += f" + {shift}"
    k = "column" if per_cell == 1 else f"column * {per_cell} + bit // {room}"
    return Formulas(
        "A[m][k] in tensor memory", places, {"m": row, "k": k}, _note(layout, copies=True)
    )


def shared(name: str, index: str, tile: SharedMemoryLayout, ctas: int) -> Formulas:
    """
    The formulas of a matrix in shared memory with the indices `index` and k; `index` counts within
    one of `ctas` CTAs.

    They hold if the tile is one swizzle atom wide along the major dimension, its atoms are
    contiguous, and it is aligned to the swizzle pattern.
    """
    mode = SWIZZLES[tile.swizzle]
    major, other = (index, "k") if tile.transposed else ("k", index)
    column, bits = f"linear % {mode.width}", tile.bits
    if tile.container_bits > bits:
        unit = UNIT_BYTES * 8 // tile.container_bits
        along = f"{major} // {unit} * {UNIT_BYTES} + {major} % {unit} * {bits} // 8"
        back = f"{column} // {UNIT_BYTES} * {unit} + linear % {UNIT_BYTES} * 8 // {bits}"
    elif bits < 8:
        along, back = f"{major} // {8 // bits}", f"{column} * {8 // bits}"
    else:
        along = _term(major, bits // 8)
        back = column if bits == 8 else f"{column} // {bits // 8}"
    mask, byte = mode.width // mode.chunk, "linear"
    swizzled = "linear"
    if mode.is_swizzled:
        swizzled = f"linear ^ linear // {ROW_BYTES} % {mask} * {mode.chunk}"
        byte = f"byte ^ byte // {ROW_BYTES} % {mask} * {mode.chunk}"
    places = {"linear": f"{_term(other, mode.width)} + {along}", "byte": swizzled}
    elements = {"linear": byte if mode.is_swizzled else "byte"}
    elements |= {other: f"linear // {mode.width}", major: back}
    extent = tile.atom[0] if tile.transposed else tile.atom[1]
    notes = [f"in a tile with {extent} elements along {major}", *_of_one(index, ctas)]
    indices = "[k][n]" if index == "n" else "[m][k]"
    matrix = f"{name}{indices}, {tile.major}, {tile.swizzle}"
    return Formulas(matrix, places, elements, "; ".join(notes))


def _of_one(index: str, ctas: int) -> list[str]:
    return [f"{index} counts those of one CTA"] if ctas > 1 else []


def scales(name: str, index: str, factors: ScaleFactors, ctas: int) -> Formulas:
    """The formulas of scale factors in tensor memory; the index counts in one of `ctas` CTAs."""
    extent, width = factors.rows // factors.folds, factors.group_columns
    row, back = index, f"column % {width} * {WARP_LANES} + lane % {WARP_LANES}"
    lane = f"{row} % {WARP_LANES}"
    copies = LANES // factors.folds
    if factors.folds > 1:
        row = f"{index} % {extent}"
        lane = f"{index} // {extent} * {copies} + {row} % {WARP_LANES}"
        back = f"lane // {copies} * {extent} + {back}"
    places = {
        "lane": lane,
        "column": f"{row} // {WARP_LANES} + factor // {CELL_BYTES} * {width}",
        "byte": f"factor % {CELL_BYTES}",
    }
    elements = {index: back, "factor": f"column // {width} * {CELL_BYTES} + byte"}
    more = ", ".join(map(str, range(WARP_LANES, copies, WARP_LANES)))
    notes = [f"again in lane + {more}", *(_of_one(index, ctas) if index == "m" else [])]
    indices = "[factor][n]" if index == "n" else "[m][factor]"
    return Formulas(f"{name}{indices}", places, elements, "; ".join(notes))


def metadata(kind: str, layout: DataPathLayout, m: int) -> Formulas:
    """The formulas of the sparsity metadata; the column is relative to the one that address and
    selector give."""
    places, row = _rows(layout, m, "row")
    per_cell = CELL_BITS // INDEX_BITS
    if metadata_columns(kind) == 1:
        part, rows = SHARING_ROWS, 2 * SHARING_ROWS
        half, bits = per_cell // 2, CELL_BITS // 2
        first = {"row": f"m // {rows} * {rows} + chunk // {half} * {part} + m % {part}"}
        bit = f"m % {rows} // {part} * {bits} + chunk % {half} * {INDEX_BITS}"
        second = {"column": "0", "bit": bit}
        elements = {
            "m": f"row // {rows} * {rows} + bit // {bits} * {part} + row % {part}",
            "chunk": f"row % {rows} // {part} * {half} + bit % {bits} // {INDEX_BITS}",
        }
    else:
        first = {"row": "m"}
        second = {"column": f"chunk // {per_cell}", "bit": f"chunk % {per_cell} * {INDEX_BITS}"}
        elements = {"m": "row", "chunk": f"column * {per_cell} + bit // {INDEX_BITS}"}
    note = _note(layout, copies=True)
    name = f"metadata[m][chunk of {GRANULARITIES[kind].chunk}]"
    return Formulas(name, first | places | second, {"row": row} | elements, note)
