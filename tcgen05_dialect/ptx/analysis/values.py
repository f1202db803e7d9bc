"""
Flow of values through operations and branches, in time linear in the number of uses.

Control slice of a kernel: the values on which branches, addresses and synchronisation depend.

The rest of a kernel only computes data. A run that leaves it out takes the same branches and makes
the same accesses.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ...isa.effects.model import Actor, StateSpace
from ...isa.instructions.meaning import Domain, Integers, Unknown, converted, function_of
from ...isa.instructions.memory import PARAMETER_SPACES
from .. import instructions
from ..contract import AssumeOp
from ..control_flow import Branch, BrxOp, CondBraOp
from ..effects import effects_of
from ..instructions import (
    CpAsyncBulkPrefetchTensorOp,
    CpAsyncBulkTensorGather4Op,
    CpAsyncBulkTensorIm2colOp,
    CpAsyncBulkTensorLoadOp,
    LdOp,
    PrefetchTensormapOp,
    SetpOp,
    StAsyncOp,
    StOp,
)
from ..kernel import KernelOp
from ..structure import GuardOp, YieldOp
from ..text.syntax import values_of, word_of
from ..types import TensorMapType
from .control_flow import closure, passed_to, reverse_postorder

N = TypeVar("N")

_KNOWN = Integers()


def source_type(op: Operation) -> str:
    """The type that an instruction gives its operands; empty if it has none."""
    return word_of(op, "source") or word_of(op, "type") or ""


def loads_parameter(op: Operation) -> bool:
    """Whether an operation loads a parameter of the kernel."""
    return isinstance(op, LdOp) and word_of(op, "space") in PARAMETER_SPACES


def meaning_of(op: Operation, domain: Domain[N], name: str = "") -> Callable[..., N] | None:
    """
    The function of an instruction that computes with whole numbers, in a domain; None for others.
    With a `name`, that of another instruction with the same qualifiers.

    The function raises Unknown if the domain knows nothing of a result.
    """

    def word(name: str) -> str | int | None:
        value = op.properties.get(name)
        return value.value.data if isinstance(value, IntegerAttr) else word_of(op, name)

    if isinstance(op, instructions.CvtOp):
        type_ = op.d.type
        bits = type_.bitwidth if isinstance(type_, FixedBitwidthType) else 0
        return converted(word, domain, bits)
    return function_of(name or op.name.removeprefix("ptx."), word, domain)


def evaluator(op: Operation) -> Callable[..., int | None] | None:
    """The function of an instruction from the bits of its operands to those of its result; None if
    there is none. It gives None if the result is not known."""
    function = meaning_of(op, _KNOWN)
    if function is None:
        return None

    def evaluate(*operands: int) -> int | None:
        try:
            return function(*operands)
        except Unknown:
            return None

    return evaluate


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


def alternatives(value: SSAValue) -> Sequence[SSAValue]:
    """The values of which a value is one: those that branches pass to an argument of a block, those
    of a guard or of a selection, and the one that mov copies; none for other values."""
    owner = value.owner
    if isinstance(owner, Block):
        return passed_to(value)
    if isinstance(owner, GuardOp):
        return guarded(value, owner)
    if isinstance(owner, instructions.SelpOp):
        return owner.a, owner.b
    return (owner.a,) if isinstance(owner, instructions.MovOp) else ()


def guarded(value: SSAValue, op: GuardOp) -> tuple[SSAValue, SSAValue]:
    """A result of a guard if its predicate holds, and if it does not."""
    index, last = op.outputs.index(value), op.body.block.last_op
    assert last is not None
    return last.operands[index], op.kept[index]


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
LOADS = CpAsyncBulkTensorLoadOp, CpAsyncBulkTensorGather4Op, CpAsyncBulkTensorIm2colOp
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
    `loaded` are needed values that loads read. `relaying` are tainted values that stores may leave
    in local memory for loads of needed values, and that come from registers, parameters and the
    loads of `relayed`.
    """

    needed: frozenset[SSAValue]
    tainted: frozenset[SSAValue]
    undecided: tuple[SSAValue, ...]
    loaded: tuple[SSAValue, ...]
    relaying: frozenset[SSAValue]
    relayed: frozenset[SSAValue]

    @property
    def is_of_memory(self) -> bool:
        """Whether needed values depend on what is in memory, other than parameters."""
        return bool(self.undecided) or any(
            isinstance(op := each.owner, LdOp) and not loads_parameter(op) for each in self.loaded
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


STORING = StOp | StAsyncOp
"""Stores of registers, from which later loads may get numbers that decide something."""


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
    sources = [
        result
        for op in ops
        if type(op) is LdOp or _is_unknown(type(op))
        for result in op.results
        if type(op) is not LdOp or result not in needed
    ]
    tainted = computed_from(sources)
    data = computed_from(each for each in sources if not _may_relay(each.owner))
    # What a thread leaves in its local memory, such as an array of addresses, may be needed again.
    relaying = {
        value
        for op in ops
        if type(op) is StOp and is_in(op, "local")
        for value in op.values
        if value in tainted and value not in data
    }
    if not any(type(op) is LdOp and is_in(op, "local") and needed & {*op.results} for op in ops):
        relaying.clear()
    computed = backwards(relaying, passed, read_operands) - needed
    relayed = {
        each for each in computed if type(each.owner) is LdOp and not loads_parameter(each.owner)
    }
    needed |= computed - relayed
    stored = (
        value
        for op in ops
        if isinstance(op, STORING)
        for value in op.values
        if value not in tainted
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
    return Slice(
        frozenset(needed),
        frozenset(tainted),
        undecided,
        loaded,
        frozenset(relaying),
        frozenset(relayed),
    )


def _may_relay(op: Operation | Block) -> bool:
    """Whether a run without data may know what an operation reads, because threads stored it."""
    return isinstance(op, LdOp) and (loads_parameter(op) or is_in(op, "shared", "local"))


def is_in(op: LdOp | StOp, *spaces: str) -> bool:
    """Whether a load or store names one of some state spaces."""
    return (word_of(op, "space") or "").partition("::")[0] in spaces


def computed_from_data(ops: Iterable[Operation]) -> set[SSAValue]:
    """The values that some operations load, but for parameters, and all computed from them."""
    return computed_from(
        result
        for op in ops
        if (isinstance(op, LdOp) and not loads_parameter(op)) or _is_unknown(type(op))
        for result in op.results
    )


def deciding(values: Iterable[SSAValue]) -> list[tuple[Operation, SSAValue]]:
    """Pairs (operation, operand): the effect of the operation depends on one of the values through
    this operand."""
    return [
        (use.operation, each)
        for each in computed_from(values)
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
        offsets = op.offsets if isinstance(op, CpAsyncBulkTensorIm2colOp) else ()
        return (*op.coordinates, *offsets)
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
