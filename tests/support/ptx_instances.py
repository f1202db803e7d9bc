"""
Instances of the instructions of `ptx`, made from their definitions alone.

An instruction that the dialect gains is covered without a change here.
"""

import itertools
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    FixedBitwidthType,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
    i128,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    OptOperandDef,
    OptPropertyDef,
    RangeConstraint,
    VariadicDef,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.sparse import ZeroColumnMask
from tcgen05_dialect.isa.shared_memory.descriptor import SharedMemoryDescriptor
from tcgen05_dialect.isa.tensor_memory.alloc import COLUMNS
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.instructions import CvtOp, PackOp, RetOp, SetpOp
from tcgen05_dialect.ptx.kernel import KernelOp, SharedMemoryOp
from tcgen05_dialect.ptx.structure import AddressOfOp, ConstantOp, UndefinedOp
from tcgen05_dialect.ptx.tcgen05 import AllocOp, CpOp, DeallocOp
from tcgen05_dialect.ptx.tcgen05_mma import Mma
from tcgen05_dialect.ptx.text.syntax import values_of
from tcgen05_dialect.ptx.types import CarryType, ParamArrayType, TensorMapType
from tcgen05_dialect.ptx_reader.operands import allows

from .effort import SWEEP, sampled

INSTRUCTIONS: tuple[type[Instruction], ...] = tuple(
    op for op in PTX.operations if issubclass(op, Instruction)
)
VARIABLE = "variable"
_PARAMETERS: tuple[Attribute, ...] = (
    *(i16, i32, i64, f16, bf16, f32, f64),
    TensorMapType(),
    ParamArrayType(IntAttr(64), IntAttr(16)),
)
_COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 16, 32, 64, 128)
_SAMPLE = 200
"""How many combinations of qualifiers of one instruction are tried, besides those of tables."""
_SHAPES = 2
"""With how many numbers of values each of them is tried at least; with more if they are few."""
_POINTS = 2000
"""Of how many points all are tried; of more, that many in a sweep, else half of it."""
_ROWS, _EACH = 100, 16
"""Of how many combinations this half is, besides so many with each value of a qualifier."""


class Values:
    """A value of each register type in the first block of a kernel."""

    def __init__(self) -> None:
        self.block = Block(arg_types=_PARAMETERS)
        self.by_type: dict[Attribute, SSAValue] = {a.type: a for a in self.block.args}
        self.constants: dict[tuple[Attribute, int], SSAValue] = {}
        word = self.by_type[i32]
        compare = SetpOp.assemble(
            {"a": [word], "b": [word]}, properties={"comparison": "eq", "type": "b32"}
        )
        self.block.add_op(compare)
        self.by_type[i1] = compare.d
        address = AddressOfOp.of(SymbolRefAttr(VARIABLE), 128)
        self.block.add_op(address)
        self.address = address.result
        wide = self.by_type[i64]
        pack = PackOp.assemble({"parts": [wide, wide]}, properties={"type": "b128"})
        self.block.add_op(pack)
        self.by_type[i128] = pack.d
        byte = CvtOp.assemble({"a": [word]}, [i8], {"type": "u8", "source": "u32"})
        self.block.add_op(byte)
        self.by_type[i8] = byte.d
        carry = UndefinedOp.create(result_types=[CarryType()])
        self.block.add_op(carry)
        self.by_type[CarryType()] = carry.result

    def constant(self, type_: Attribute, number: int) -> SSAValue:
        """A constant of a register type."""
        key = type_, number
        if key not in self.constants:
            if isinstance(type_, AnyFloat):
                value = FloatAttr(float(number), type_)
                op = ConstantOp.create(properties={"value": value}, result_types=[type_])
            else:
                op = ConstantOp.of(number, cast(IntegerType, type_))
            first = self.block.first_op
            assert first is not None
            self.block.insert_op_before(op, first)
            self.constants[key] = op.result
        return self.constants[key]


@dataclass(frozen=True)
class Point:
    """The qualifiers, and how many values of which types the operands and results have."""

    op_type: type[Instruction]
    properties: Mapping[str, str | int]
    counts: Mapping[str, int]
    types: Mapping[str, Attribute]

    def build(self, values: Values) -> Instruction:
        """An instance whose operands are registers."""
        syntax = syntax_of(self.op_type)
        operands = {
            name: [values.by_type[self.types[name]]] * self.counts[name]
            for name in syntax.operand_names
        }
        results = [self.types[r.name] for r in syntax.results for _ in range(self.counts[r.name])]
        return self.op_type.assemble(operands, results, self.properties)


def _qualifier_points(
    op_type: type[Instruction],
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """
    Combinations of qualifiers: some of all there are, and each that a table allows, with the
    numbers of values that it gives.
    """
    syntax = syntax_of(op_type)
    chance = random.Random(op_type.name)
    choices = {
        qualifier.name: [*sorted(qualifier.spellings), *([None] if qualifier.optional else [])]
        for qualifier in syntax.qualifiers
    }
    if syntax.also:
        choices["spelling"] = [*sorted(syntax.also), None]
    every = list(itertools.product(*choices.values()))
    rows = [
        dict(zip(choices, point, strict=True))
        for point in chance.sample(every, min(len(every), _SAMPLE))
    ]
    tables = [list(table.points()) for table in syntax.tables]
    for table in tables:
        alike = [_by_columns(other, table[0].keys() & other[0].keys()) for other in tables]
        for row in table:
            joined = {name: chance.choice(values) for name, values in choices.items()} | row
            for shared, found in alike:
                joined |= chance.choice(found[tuple(row[column] for column in shared)])
            rows.append(joined)
    for row in rows:
        chosen = {name: row[name] for name in choices if row[name] is not None}
        yield chosen, {name: row[name] for name in row.keys() & syntax.values}


def _by_columns(
    table: Sequence[Mapping[str, Any]], columns: Collection[str]
) -> tuple[Sequence[str], Mapping[tuple[Any, ...], list[Mapping[str, Any]]]]:
    """The rows of a table by their values of some columns."""
    names = [*columns]
    found: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in table:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return names, found


def _number_points(op_type: type[Instruction]) -> list[dict[str, int]]:
    """Immediates, with a legal number if there is a limit, and without the optional ones."""
    syntax = syntax_of(op_type)
    spelled = {qualifier.name for qualifier in syntax.qualifiers}
    choices: list[list[tuple[str, int] | None]] = []
    for name, definition in op_type.get_irdl_definition().properties.items():
        base = name.removesuffix("_offset")
        if (
            name in spelled
            or name in ("operandSegmentSizes", "spelling", "sinks")
            or base in {*syntax.addresses, *syntax.matrices}
        ):
            continue
        optional: list[tuple[str, int] | None] = (
            [None] if isinstance(definition, OptPropertyDef) else []
        )
        choices.append([*optional, (name, legal_number(op_type, name))])
    return [dict(filter(None, point)) for point in itertools.product(*choices)]


def legal_number(op_type: type[Instruction], name: str) -> int:
    """A number that the limit of an immediate or an operand allows."""
    limit = syntax_of(op_type).limits.get(name)
    if limit is None:
        return 1
    return limit.values[-1] if isinstance(limit.values, range) else max(limit.values)


def legal_constant(op: Instruction, name: str) -> int:
    """A number that an operand may be, also where it is a descriptor."""
    if isinstance(op, CpOp) and name == "descriptor":
        return SharedMemoryDescriptor(0, 16, 16).encode()
    if isinstance(op, AllocOp | DeallocOp) and name == "columns":
        return COLUMNS
    if not isinstance(op, Mma):
        return legal_number(type(op), name)
    match name:
        case "a" | "b" if op.a.type == i64 or name == "b":
            return SharedMemoryDescriptor(0, 16, 16).encode()
        case "zero_column_mask":
            return ZeroColumnMask().encode()
        case "idesc":
            return _instruction_descriptor(op).encode()
        case _:
            return legal_number(type(op), name)


@cache
def _products() -> tuple[Sequence[str], Mapping[tuple[Any, ...], list[Mapping[str, Any]]]]:
    """The rows of Table 39, by what an instruction says of its product."""
    return _by_columns([*shapes.SHAPES.points()], ("kind", "ws", "cta_group", "sparse"))


def _instruction_descriptor(op: Mma) -> InstructionDescriptor:
    """The first one of Table 39 that fits the instruction."""
    fixed = op.kind_name, op.product.ws, op.ctas, op.product.sparse
    for point in _products()[1][fixed]:
        named = {name: point[name] for name in ("kind", "m", "n", "a", "b", "d", "sparse")}
        made = InstructionDescriptor(
            **named, scale_type=point["scale"], k96=point["k"] == shapes.K96
        )
        known = op.clone()
        idesc = ConstantOp.of(made.encode(), i32)
        known.operands[syntax_of(type(op)).operand_names.index("idesc")] = idesc.result
        if is_legal(known):
            return made
    raise LookupError(fixed)


def _count_points(op_type: type[Instruction]) -> list[dict[str, int]]:
    definition = op_type.get_irdl_definition()
    choices: list[list[tuple[str, int]]] = []
    for name, value in (*definition.operands, *definition.results):
        if isinstance(value, OptOperandDef):
            counts: Sequence[int] = (0, 1)
        elif isinstance(value, VariadicDef):
            counts = _COUNTS
        else:
            counts = (1,)
        choices.append([(name, count) for count in counts])
    return [dict(point) for point in itertools.product(*choices)]


def _type_points(
    op_type: type[Instruction], qualifiers: Mapping[str, str]
) -> list[dict[str, Attribute]]:
    """The usual types; and where no qualifier gives the type, each of those that are allowed."""
    properties = {name: StringAttr(value) for name, value in qualifiers.items()}
    values = syntax_of(op_type).values
    usual = {name: value.usual_type(properties) for name, value in values.items()}
    return [usual | dict(point) for point in itertools.product(*_free_types(op_type))]


@cache
def _free_types(op_type: type[Instruction]) -> list[list[tuple[str, Attribute]]]:
    """The types that are allowed for each operand and result that no qualifier gives the type."""
    definition = op_type.get_irdl_definition()
    values = (*definition.operands, *definition.results)
    types = (
        (name, _word_types(value.constr)) for name, value in values if name not in op_type.TYPED
    )
    return [[(name, type_) for type_ in every] for name, every in types if every]


def _word_types(constraint: AttrConstraint | RangeConstraint) -> list[Attribute]:
    """Which of some types of different registers a constraint allows."""
    types = (i1, i8, i16, i32, i64, i128, TensorMapType())
    return [type_ for type_ in types if allows(constraint, type_)]


@cache
def points(op_type: type[Instruction]) -> Sequence[Point]:
    """Candidates: legal and illegal combinations of what an instruction declares."""
    return [*_points(op_type)]


def _points(op_type: type[Instruction]) -> Iterator[Point]:
    chance = random.Random(op_type.name)
    shapes = list(itertools.product(_number_points(op_type), _count_points(op_type)))
    rows = [
        (qualifiers, given, types)
        for qualifiers, given in _qualifier_points(op_type)
        for types in _type_points(op_type, qualifiers)
    ]
    are_all = SWEEP or len(rows) * len(shapes) <= _POINTS
    chosen = {*sampled(range(len(rows)), len(rows) if are_all else _ROWS)}
    for qualifier in syntax_of(op_type).qualifiers:
        words = [qualifiers.get(qualifier.name) for qualifiers, *_ in rows]
        chosen.update(sampled(range(len(rows)), _EACH, of=words.__getitem__))
    most = _POINTS if are_all else _POINTS // 2
    count = min(len(shapes), max(_SHAPES, most // len(chosen)))
    for qualifiers, given, types in (rows[at] for at in sorted(chosen)):
        for numbers, counts in chance.sample(shapes, count):
            yield Point(op_type, {**qualifiers, **numbers}, {**counts, **given}, types)


def is_legal(op: Operation) -> bool:
    """Whether the verifier takes an operation."""
    try:
        op.verify_()
    except VerifyException:
        return False
    return True


def variants(op: Instruction, values: Values) -> Iterator[Instruction]:
    """The same instruction with constants, address offsets and variables for its operands."""
    syntax = syntax_of(type(op))
    index = 0
    for name in syntax.operand_names:
        count = len(values_of(op, name))
        places = range(index, index + count)
        index += count
        if count == 0:
            continue
        type_ = op.operands[places[0]].type
        is_matrix = name in syntax.matrices and type_ == i32
        if f"{name}_offset" in syntax.properties and (name in syntax.addresses or is_matrix):
            for offset in (16, -16):
                moved = op.clone()
                moved.properties[f"{name}_offset"] = IntegerAttr(offset, i32)
                yield moved
        if name in syntax.addresses and type_ == i32:
            variable = op.clone()
            variable.operands[places[0]] = values.address
            yield variable
        # PTX has no constants of 128 bits.
        if isinstance(type_, FixedBitwidthType) and type_ in values.by_type and type_ != i128:
            number = 0 if name in syntax.addresses else legal_constant(op, name)
            for some in {places[:1], places}:
                known = _with_constant(op, some, values.constant(type_, number))
                if type_ == i32 and not is_legal(known):
                    # The bits of a float may be in a register, but are no constant.
                    known_float = _with_constant(op, some, values.constant(f32, number))
                    known = known_float if is_legal(known_float) else known
                yield known


def _with_constant(op: Instruction, places: range, constant: SSAValue) -> Instruction:
    """The same instruction with a constant for some operands."""
    known = op.clone()
    for place in places:
        known.operands[place] = constant
    return known


def module(values: Values, instructions: Sequence[Instruction], name: str = "kernel") -> ModuleOp:
    """A module with one kernel that has these instructions."""
    for op in instructions:
        values.block.add_op(op)
    last = values.block.last_op
    if last is None or not last.has_trait(IsTerminator):
        values.block.add_op(RetOp.assemble({}))
    kernel = KernelOp.create(
        properties={
            "sym_name": StringAttr(name),
            "maxnreg": IntegerAttr(255, i32),
            "reqntid": DenseArrayBase.from_list(i32, [128]),
        },
        regions=[Region(values.block)],
    )
    variable = SharedMemoryOp.create(
        properties={
            "sym_name": StringAttr(VARIABLE),
            "size": IntegerAttr(1024, i64),
            "alignment": IntegerAttr(1024, i64),
        }
    )
    return ModuleOp([variable, kernel])
