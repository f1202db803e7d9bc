"""
The functions of instructions that compute with integers (9.7.1, 9.7.6 to 9.7.9).

Flow of values through operations and branches, in time linear in the number of uses.

Control slice of a kernel: the values on which branches, addresses and synchronisation depend.

The rest of a kernel only computes data. A run that leaves it out takes the same branches and makes
the same accesses.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ...isa.effects.model import Actor, StateSpace
from ...isa.instructions.arithmetic import BITS, INTEGERS
from ...isa.ptx.ptx_text import TYPE_BITS
from .. import instructions
from ..contract import AssumeOp
from ..control_flow import Branch, BrxOp, CondBraOp
from ..effects import effects_of
from ..instructions import (
    CpAsyncBulkPrefetchTensorOp,
    CpAsyncBulkTensorGather4Op,
    CpAsyncBulkTensorLoadOp,
    LdOp,
    PrefetchTensormapOp,
    SetpOp,
    StOp,
)
from ..kernel import KernelOp
from ..structure import GuardOp, YieldOp
from ..text.syntax import values_of, word_of
from ..types import TensorMapType
from .control_flow import reverse_postorder

T = TypeVar("T")

WHOLE = frozenset((*BITS, *INTEGERS))
"""Types of whole numbers of at least 16 bits."""
NARROW = frozenset(("u8", "s8"))
"""Types of whole numbers that only conversions and accesses to memory have."""
_BYTE = 0xFF
Function = Callable[..., Any]


def integer_function(op: Operation, type_: str) -> Function | None:
    """
    The function of an instruction of a type on whole numbers, from its operands as `source_type`
    reads them to its result modulo two to the power of its width. None if it is not known, and for
    comparisons and predicates.
    """
    kind = type(op)
    if kind is instructions.CvtOp:
        is_whole = word_of(op, "source") in WHOLE | NARROW and word_of(op, "saturate") is None
        return _same if is_whole and type_ in WHOLE else None
    if kind is instructions.MulOp and word_of(op, "half") == "hi":
        return partial(_high_product, TYPE_BITS[type_])
    if kind is instructions.BfeOp and type_.startswith("s"):
        return None
    if isinstance(op, instructions.Lop3Op):
        return partial(_looked_up, op.table.value.data)
    if kind is instructions.ShfOp:
        return partial(_funnel, word_of(op, "mode") == "wrap", word_of(op, "direction") == "l")
    if kind is instructions.PrmtOp:
        return _permuted if word_of(op, "mode") is None else None
    return _FUNCTIONS.get(kind) if type_ in WHOLE else None


def source_type(op: Operation) -> str:
    """The type that an instruction gives its operands; empty if it has none."""
    return word_of(op, "source") or word_of(op, "type") or ""


def evaluator(op: Operation) -> Function | None:
    """The function of an instruction from the bits of its operands to those of its result; None if
    it is not known. It gives None if the result is not known."""
    kind, type_ = type(op), word_of(op, "type") or "b32"
    if type_ == "pred":
        logic = PREDICATES.get(kind)
        return None if logic is None else partial(_truth, logic)
    from_ = source_type(op)
    if kind is instructions.SetpOp:
        compare = COMPARISONS.get(word_of(op, "comparison") or "")
        if from_ not in WHOLE or compare is None:
            return None
        return partial(_comparison, compare, from_)
    function = integer_function(op, type_)
    if function is None:
        return None
    # The other operands have types of their own.
    typed = _TYPED.get(kind, len(op.operands))
    divides = kind in (instructions.DivOp, instructions.RemOp)
    result = op.results[0].type
    assert isinstance(result, FixedBitwidthType)
    mask = (1 << result.bitwidth) - 1
    read = _reader(from_)
    # A register that is wider than the type is filled with the sign.
    written = _reader(type_ if kind is instructions.CvtOp else "")

    def evaluate(*operands: int) -> int | None:
        if divides and not operands[1]:
            return None
        return written(function(*map(read, operands[:typed]), *operands[typed:])) & mask

    return evaluate


def _truth(logic: Function, *operands: int) -> int:
    return logic(*operands) & 1


def _comparison(compare: Function, type_: str, a: int, b: int) -> int:
    read = _reader(type_)
    return int(compare(read(a), read(b)))


@cache
def _reader(type_: str) -> Callable[[int], int]:
    """The function from the bits of a register to the number of a type in its low bits; cached,
    because it is called for each value of each instruction."""
    width = TYPE_BITS.get(type_)
    if width is None:
        return _same
    mask, half = (1 << width) - 1, 1 << width - 1
    if type_.startswith("s"):
        return lambda value: (value & mask ^ half) - half
    return lambda value: value & mask


def _high_product(width: int, a: int, b: int) -> int:
    return a * b >> width


def _looked_up(table: int, a: int, b: int, c: int) -> int:
    """lop3: the bits of a table that the bits of three numbers choose (9.7.8.6)."""
    mask, found = (1 << TYPE_BITS["b32"]) - 1, 0
    for index in range(8):
        if table >> index & 1:
            chosen = mask
            for value, place in ((a, 4), (b, 2), (c, 1)):
                chosen &= value if index & place else ~value
            found |= chosen
    return found & mask


def _funnel(wraps: bool, is_left: bool, low: int, high: int, amount: int) -> int:
    width = TYPE_BITS["b32"]
    amount = amount % width if wraps else min(amount, width)
    both = high << width | low
    return both << amount >> width if is_left else both >> amount


def _permuted(a: int, b: int, selector: int) -> int:
    both, found = b << TYPE_BITS["b32"] | a, 0
    for place in range(4):
        digit = selector >> 4 * place
        byte = both >> 8 * (digit & 7) & _BYTE
        if digit & 8:
            byte = _BYTE if byte >> 7 else 0
        found |= byte << 8 * place
    return found


def _quotient(a: int, b: int) -> int:
    """The quotient, rounded to zero; that by zero is unspecified."""
    if b == 0:
        return 0
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def _remainder(a: int, b: int) -> int:
    return a - b * _quotient(a, b)


def _product_and_sum(a: int, b: int, c: int) -> int:
    return a * b + c


def _same(a: int) -> int:
    return a


def _selected(a: int, b: int, condition: int) -> int:
    return a if condition else b


def _shifted_left(a: int, amount: int) -> int:
    return a << min(amount, 64)


def _shifted_right(a: int, amount: int) -> int:
    return a >> min(amount % (1 << 32), 64)


def _extracted(a: int, position: int, length: int) -> int:
    return a >> (position & _BYTE) & (1 << (length & _BYTE)) - 1


def _inserted(a: int, b: int, position: int, length: int) -> int:
    mask = (1 << (length & _BYTE)) - 1 << (position & _BYTE)
    return b & ~mask | a << (position & _BYTE) & mask


_FUNCTIONS: Mapping[type[Operation], Function] = {
    instructions.AddOp: int.__add__,
    instructions.SubOp: int.__sub__,
    instructions.MulOp: int.__mul__,
    instructions.MulWideOp: int.__mul__,
    instructions.MadOp: _product_and_sum,
    instructions.MadWideOp: _product_and_sum,
    instructions.MulWide16Op: int.__mul__,
    instructions.MadWide16Op: _product_and_sum,
    instructions.DivOp: _quotient,
    instructions.RemOp: _remainder,
    instructions.MinOp: min,
    instructions.MaxOp: max,
    instructions.AndOp: int.__and__,
    instructions.OrOp: int.__or__,
    instructions.XorOp: int.__xor__,
    instructions.NotOp: int.__invert__,
    instructions.NegOp: int.__neg__,
    instructions.MovOp: _same,
    instructions.CvtOp: _same,
    instructions.SelpOp: _selected,
    instructions.ShlOp: _shifted_left,
    instructions.ShrOp: _shifted_right,
    instructions.BfeOp: _extracted,
    instructions.BfiOp: _inserted,
}
_TYPED: Mapping[type[Operation], int] = {
    **dict.fromkeys((instructions.ShlOp, instructions.ShrOp), 1),
    **dict.fromkeys((instructions.SelpOp, instructions.MadWideOp, instructions.MadWide16Op), 2),
}
"""The number of operands that are read as the type of the instruction, where it is not all."""
COMPARISONS: Mapping[str, Function] = {
    "eq": int.__eq__,
    "ne": int.__ne__,
    **dict.fromkeys(("lt", "lo"), int.__lt__),
    **dict.fromkeys(("le", "ls"), int.__le__),
    **dict.fromkeys(("gt", "hi"), int.__gt__),
    **dict.fromkeys(("ge", "hs"), int.__ge__),
}
PREDICATES: Mapping[type[Operation], Function] = {
    instructions.AndOp: int.__and__,
    instructions.OrOp: int.__or__,
    instructions.XorOp: int.__xor__,
    instructions.NotOp: int.__invert__,
    instructions.MovOp: _same,
}


def passed_values(blocks: Iterable[Block]) -> dict[SSAValue, list[SSAValue]]:
    """Argument of a block -> the values that branches pass to it."""
    found: dict[SSAValue, list[SSAValue]] = {}
    for block in blocks:
        branch = block.last_op
        if isinstance(branch, Branch):
            for target, values in branch.targets():
                for argument, value in zip(target.args, values, strict=True):
                    found.setdefault(argument, []).append(value)
    return found


def closure(roots: Iterable[T], step: Callable[[T], Iterable[T]]) -> set[T]:
    """Things, such as values, and all things to which `step` leads from one of them."""
    found: set[T] = set()
    pending = list(roots)
    while pending:
        each = pending.pop()
        if each not in found:
            found.add(each)
            pending += step(each)
    return found


def forwards(
    roots: Iterable[SSAValue], results: Callable[[Operation, SSAValue], Iterable[SSAValue]]
) -> set[SSAValue]:
    """
    Values, and all values that are computed from them. `results` are those of an operation that
    depend on one of its operands; branches pass values on to the arguments of blocks.
    """

    def step(value: SSAValue) -> Iterator[SSAValue]:
        for use in value.uses:
            op = use.operation
            if not isinstance(op, Branch):
                yield from results(op, value)
                continue
            for target, passed in op.targets():
                for argument, each in zip(target.args, passed, strict=True):
                    if each is value:
                        yield argument

    return closure(roots, step)


def backwards(
    roots: Iterable[SSAValue],
    passed: Mapping[SSAValue, Iterable[SSAValue]],
    operands: Callable[[Operation], Iterable[SSAValue]],
) -> set[SSAValue]:
    """
    Values, and all values from which they are computed. `passed` is the result of `passed_values`;
    `operands` are those of an operation on which its results depend.
    """

    def step(value: SSAValue) -> Iterable[SSAValue]:
        owner = value.owner
        return passed.get(value, ()) if isinstance(owner, Block) else operands(owner)

    return closure(roots, step)


_MEMORY = (StateSpace.MEMORY, StateSpace.SHARED, StateSpace.GLOBAL)
LOADS = CpAsyncBulkTensorLoadOp, CpAsyncBulkTensorGather4Op
"""Copies that load boxes of tensor maps."""
_READERS = (*LOADS, CpAsyncBulkPrefetchTensorOp, PrefetchTensormapOp)
_UNKNOWN = (StateSpace.TENSOR, StateSpace.COUNTER, *_MEMORY)
"""State spaces whose contents no run without data knows."""


@dataclass(frozen=True)
class Slice:
    """
    `needed` are the values that a run without data computes. `tainted` are values that may depend
    on data; a load of global or shared memory is tainted unless its result is needed, because the
    run then checks the bytes that it reads. `undecided` are needed values that depend on data, and
    `loaded` are needed values that loads read.
    """

    needed: frozenset[SSAValue]
    tainted: frozenset[SSAValue]
    undecided: tuple[SSAValue, ...]
    loaded: tuple[SSAValue, ...]

    @property
    def is_of_memory(self) -> bool:
        """Whether needed values depend on what is in memory, other than parameters."""
        return bool(self.undecided) or any(
            isinstance(each.owner, LdOp) and word_of(each.owner, "space") != "param"
            for each in self.loaded
        )

    def compares_data(self, ops: Iterable[Operation]) -> bool:
        """Whether one of some operations compares data."""
        return any(
            isinstance(op, SetpOp) and not self.tainted.isdisjoint(op.operands) for op in ops
        )

    def stored_by_threads(self, op: Operation) -> list[SSAValue]:
        """The data among the registers that an operation of threads stores in memory."""
        effects = effects_of(type(op))
        writes = any(area.space in _MEMORY for area in effects.writes)
        if effects.actor is not Actor.THREAD or not writes:
            return []
        values = (each for name in effects.data for each in values_of(op, name))
        return [each for each in values if each in self.tainted]

    def keeps(self, op: Operation) -> bool:
        """Whether a run without data executes an operation."""
        if type(op) is AssumeOp:
            return op.condition in self.needed
        return not is_pure(type(op)) or any(result in self.needed for result in op.results)


def slice_of(kernel: KernelOp) -> Slice:
    """The slice of a kernel; it takes time linear in the number of operations."""
    blocks = reverse_postorder(kernel.body)
    ops = list(operations(blocks))
    passed = passed_values(blocks)
    control = [value for op in ops for value in control_operands(op)]
    needed = backwards(control, passed, read_operands)
    # A run uses assumptions and the coordinates of loads as far as they do not come from data,
    # other than data on which control depends: the run knows those, or decides nothing.
    of_data = computed_from_data(op for op in ops if needed.isdisjoint(op.results))
    usable = (value for op in ops for value in _usable(op) if value not in of_data)
    needed |= backwards(usable, passed, read_operands)
    sources = (
        result
        for op in ops
        if type(op) is LdOp or _is_unknown(type(op))
        for result in op.results
        if type(op) is not LdOp or result not in needed
    )
    tainted = computed_from(sources)
    stored = (
        value for op in ops if type(op) is StOp for value in op.values if value not in tainted
    )
    needed |= backwards(stored, passed, read_operands)
    undecided, loaded = (
        tuple(
            result
            for op in ops
            if (type(op) is LdOp if by_load else _is_unknown(type(op)))
            for result in op.results
            if result in needed
        )
        for by_load in (False, True)
    )
    return Slice(frozenset(needed), frozenset(tainted), undecided, loaded)


def computed_from_data(ops: Iterable[Operation]) -> set[SSAValue]:
    """The values that some operations load, but for parameters, and all computed from them."""
    return computed_from(
        result
        for op in ops
        if (type(op) is LdOp and word_of(op, "space") != "param") or _is_unknown(type(op))
        for result in op.results
    )


def deciding(value: SSAValue) -> list[tuple[Operation, SSAValue]]:
    """Pairs (operation, operand): the effect of the operation depends on the value through this
    operand."""
    return [
        (use.operation, each)
        for each in computed_from([value])
        for use in each.uses
        if each in control_operands(use.operation)
    ]


def operations(blocks: Iterable[Block]) -> Iterator[Operation]:
    for block in blocks:
        for op in block.ops:
            yield op
            if type(op) is GuardOp:
                yield from op.instructions


def control_operands(op: Operation) -> Iterator[SSAValue]:
    """The operands of an operation with effects on which its effects depend."""
    if is_pure(type(op)) or type(op) is YieldOp:
        return
    if isinstance(op, Branch):
        if isinstance(op, CondBraOp):
            yield op.predicate
        elif isinstance(op, BrxOp):
            yield op.index
        return
    data = {value for name in effects_of(type(op)).data for value in values_of(op, name)}
    data.update(_usable(op))
    for operand in op.operands:
        if operand not in data:
            yield operand


def _usable(op: Operation) -> Sequence[SSAValue]:
    """The operands of an operation that a run uses if it knows them, and that decide nothing."""
    if type(op) is AssumeOp:
        return [op.condition]
    if isinstance(op, LOADS) and _is_only_loaded(op.tensor_map):
        # Boxes have the same bytes everywhere, and no order with what nothing writes.
        return op.coordinates
    return ()


def _is_only_loaded(tensor_map: SSAValue) -> bool:
    """Whether a kernel certainly does not write the tensor of a map: it is a parameter for loads
    alone, and no other parameter is the same array."""
    block = tensor_map.owner
    if not isinstance(tensor_map, BlockArgument) or not isinstance(block, Block):
        return False
    kernel = block.parent_op()
    return (
        isinstance(kernel, KernelOp)
        and isinstance(tensor_map.type, TensorMapType)
        and kernel.contracts()[tensor_map.index].same_array is None
        and all(isinstance(use.operation, _READERS) for use in tensor_map.uses)
    )


def computed_from(roots: Iterable[SSAValue]) -> set[SSAValue]:
    """Values, and all that are computed from them."""
    return forwards(roots, _results)


def _results(op: Operation, value: SSAValue) -> Iterable[SSAValue]:
    """The results of an operation that depend on an operand."""
    if is_pure(type(op)) or type(op) is GuardOp:
        return op.results
    if type(op) is YieldOp and isinstance(guard := op.parent_op(), GuardOp):
        return guard.results
    read, written = _registers(type(op))
    if all(value not in values_of(op, name) for name in read):
        return ()
    return [result for name in written for result in values_of(op, name)]


def read_operands(op: Operation) -> Iterable[SSAValue]:
    """The operands on which the results of an operation depend."""
    if is_pure(type(op)):
        return op.operands
    if type(op) is GuardOp:
        inside = [
            value for each in op.body.block.ops if type(each) is YieldOp for value in each.operands
        ]
        return [*op.operands, *inside]
    read, written = _registers(type(op))
    return [value for name in read for value in values_of(op, name)] if written else ()


@cache
def is_pure(op_type: type[Operation]) -> bool:
    """Whether an operation only computes its results; cached, because xDSL searches its traits."""
    return op_type.has_trait(Pure)


@cache
def _registers(op_type: type[Operation]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The operands that an instruction passes on, and the results that get them."""
    effects = effects_of(op_type)
    read, written = (
        tuple(
            name
            for area in areas
            if area.space is StateSpace.REGISTERS and area.completion is None
            for name in area.operands
        )
        for areas in (effects.reads, effects.writes)
    )
    return read, written


@cache
def _is_unknown(op_type: type[Operation]) -> bool:
    """Whether no run without data knows the results of an instruction. A load is no such
    instruction: the run checks the bytes that it reads."""
    return op_type is not LdOp and any(area.space in _UNKNOWN for area in effects_of(op_type).reads)
