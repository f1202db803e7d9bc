"""Accesses with tcgen05.ld or tcgen05.st: their names, and the elements in their registers."""

from __future__ import annotations

from collections.abc import Iterator

from tcgen05_dialect.calculator.matrix import Matrix, TensorMatrix
from tcgen05_dialect.calculator.places import Located, RegisterPlace, TensorPlace
from tcgen05_dialect.calculator.question import QuestionError, UsageError
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES, Cell
from tcgen05_dialect.isa.tensor_memory.ld_st import (
    PACKED_BITS,
    PACKED_BITS_RULE,
    SHAPES,
    Cover,
    Holder,
    check_address,
    check_split_offset,
    registers,
)

_PACK = "pack::16b"
_WARPS = LANES // WARP_LANES


def parse_access(text: str, split_offset: int | None = None) -> Cover:
    """
    Parse the name of an access, SHAPE.NUM or SHAPE.NUM.pack::16b in PTX spelling.

    By default, the split offset makes the columns of an access contiguous. Raises Violation and
    QuestionError.
    """
    shape, *rest = text.removeprefix(".").split(".")
    names = {each.ptx.removeprefix("."): name for name, each in SHAPES.items()}
    if shape not in names or len(rest) not in (1, 2) or rest[1:] not in ([], [_PACK]):
        legal = f"SHAPE.NUM or SHAPE.NUM.{_PACK} with SHAPE one of {', '.join(names)}"
        raise UsageError("access", text, f"{legal}, such as 32x32b.x8")
    name, (num, *pack) = names[shape], rest
    registers(name, num)
    if SHAPES[name].has_split_offset:
        width = Cover(name, num, bool(pack), 0).width
        split_offset = width if split_offset is None else split_offset
        if split_offset <= 0 or split_offset % width:
            raise QuestionError("split offset", split_offset, f"multiples of {width}, the columns")
    elif split_offset is not None:
        check_split_offset(name, split_offset)
    return Cover(name, num, bool(pack), split_offset)


def access_name(cover: Cover) -> str:
    """The name of an access in answers."""
    name = f"{SHAPES[cover.shape].ptx.removeprefix('.')}.{cover.num}{f'.{_PACK}' * cover.pack}"
    split = cover.split_offset
    return name if split is None else f"{name} with split offset {split}"


def check_access(matrix: Matrix, cover: Cover) -> TensorMatrix:
    """Check that tcgen05.ld can load a matrix so; return it. Raises Violation and QuestionError."""
    if not isinstance(matrix, TensorMatrix):
        raise QuestionError(f"memory of {matrix.name} with ld and st", "shared", "tensor")
    if cover.pack and (matrix.bits, matrix.room) != (PACKED_BITS, CELL_BITS):
        found = f"{matrix.bits} bits in {matrix.room}"
        raise PACKED_BITS_RULE.violation(found, f"{PACKED_BITS} bits in {CELL_BITS}")
    return matrix


def in_registers(matrix: TensorMatrix, located: Located, cover: Cover) -> Located:
    """The place of an element in registers, after accesses to the whole matrix."""
    place = located.place
    assert isinstance(place, TensorPlace)
    holder = cover.holder(Cell(place.lane, place.column), matrix.origin.column)
    return in_register(located, holder, holder.bit // PACKED_BITS)


def held_in_register(
    matrix: Matrix,
    cover: Cover,
    cta: int,
    warp: int,
    thread: int,
    register: int,
    lane: int | None = None,
    column: int | None = None,
) -> Iterator[Located]:
    """
    The elements in a register after an access at (lane, column), lowest bits first.

    By default, the access is the first one of the warp. Raises Violation and QuestionError.
    """
    found = check_access(matrix, cover)
    found.check_cta(cta)
    for name, index, extent in (
        ("warp", warp, _WARPS),
        ("thread", thread, WARP_LANES),
        ("register", register, cover.registers),
    ):
        if index not in range(extent):
            raise QuestionError(name, index, range(extent))
    lanes = range(warp * WARP_LANES, (warp + 1) * WARP_LANES)
    if lane is None:
        inside = found.origin.lane % SHAPES[cover.shape].lanes
        lane = lanes.start + found.origin.lane - inside
    if column is None:
        column = found.origin.column
    if lane not in lanes:
        raise QuestionError(f"lane of an access by warp {warp}", lane, lanes)
    check_address(cover.shape, cover.num, lane, column, cover.pack, cover.split_offset)
    holder = Holder(lane, column, thread, register)
    for half, cell in enumerate(cover.holds(holder)):
        for located in found.held(cta, *cell):
            yield in_register(located, holder, half)


def in_register(located: Located, holder: Holder, half: int = 0) -> Located:
    """
    The place in registers of an element in tensor memory. `holder` is the register of its cell, and
    `half` the half of the register if cells are packed.
    """
    element, place = located
    assert isinstance(place, TensorPlace)
    access_lane, access_column, thread, register, _ = holder
    return Located(
        element,
        RegisterPlace(
            place.cta,
            place.lane // WARP_LANES,
            thread,
            register,
            place.bit + half * PACKED_BITS,
            place.bits,
            access_lane,
            access_column,
            place.lane,
            place.column,
        ),
    )
