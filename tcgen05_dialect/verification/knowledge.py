"""
Memory in a run without data: the bytes whose contents are known.

Doubtful errors of runs: errors that the invented launch may have caused.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from functools import cache
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.effects.model import Actor, StateSpace
from ..isa.instructions.barriers import RESPONSE
from ..isa.model.rule import Rule, Violation
from ..isa.practice import ALIGNMENT, BOUNDS, DEADLOCK, STEPS, TENSOR_MAP, TRAP, UNWRITTEN
from ..isa.ptx.kernel import CTA_MASK
from ..isa.ptx.ptx_text import TYPE_BITS
from ..ptx import tcgen05
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.places import pointees
from ..ptx.analysis.values import Slice, computed_from, deciding, loads_parameter
from ..ptx.control_flow import CondBraOp
from ..ptx.effects import bytes_at, effects_of, global_places, reads
from ..ptx.instructions import ClusterlaunchcontrolTryCancelOp, LdOp, StAsyncOp, StOp
from ..ptx.kernel import KernelOp
from ..ptx.structure import GuardOp
from ..ptx.tcgen05 import AllocOp
from ..ptx.text.syntax import offset_of, values_of
from ..ptx.types import TensorMapType
from ..reporting.diagnostics import OperationError, value_name
from ..simulator.instructions import HANDLERS, handlers_of
from ..simulator.instructions.bulk_copy import shared_address
from ..simulator.instructions.memory import needed_bytes, spaces
from ..simulator.instructions.memory import store as store_values
from ..simulator.machine.errors import line_number, place_of
from ..simulator.machine.machine import Group, Step
from ..simulator.machine.program import Handler, Program
from ..simulator.machine.tensor_memory import Memory
from ..simulator.order.events import distinct
from ..simulator.order.race_detector import Judge
from ..simulator.order.shadow import Where
from . import Budget
from .static.control import is_flag
from .static.inventory import Inventory, is_fixed, is_global
from .static.loops import Loop, parameters_of
from .static.members import shown_name


class Undecided(Exception):
    """A kernel that a run without data cannot judge; `message` says why, `by_data` if it is
    because of data, `is_long` if it is because the run does not end soon, and `is_cut` if no time
    was left for it."""

    def __init__(
        self, message: str, by_data: bool = False, is_long: bool = False, is_cut: bool = False
    ):
        super().__init__(message)
        self.message, self.by_data, self.is_long = message, by_data, is_long
        self.is_cut = is_cut


def cut(when: str) -> Undecided:
    """The error to raise if no time is left for a run."""
    return Undecided(f"stopped after {Budget.seconds:g} s, {when}", is_cut=True)


def by_data(value: SSAValue, op: Operation) -> Undecided:
    """The error to raise if control or addresses depend on a value that an operation loads."""
    effects = [
        # A branch comes first: it may keep other operations from being executed.
        (not isinstance(each, CondBraOp | GuardOp), line_number(each), _effect(each, operand))
        for each, operand in deciding([value])
    ]
    what = min(effects)[-1] if effects else "control"
    # The other registers change with the time, or from launch to launch.
    is_register = reads(type(op), StateSpace.COUNTER)
    how = "read" if is_register else "loaded"
    text = f"{what} depends on {value_name(value, 'a value')} {how} at {place_of(op)}"
    return Undecided(text, by_data=not is_register and not loads_parameter(op))


def _effect(op: Operation, operand: SSAValue) -> str:
    """Text: what an operand of an operation decides."""
    if isinstance(op, CondBraOp | GuardOp):
        return "control"
    is_address = hasattr(op, "address") and operand in values_of(op, "address")
    what = "the address" if is_address else "an operand"
    return f"{what} of {op.name}, {place_of(op)},"


def may_choose(values: Collection[SSAValue]) -> bool:
    """Whether loaded values decide only control and places in global memory, so that a run may
    choose them."""
    owners = [value.owner for value in values]
    if any(isinstance(op, Operation) and reads(type(op), StateSpace.COUNTER) for op in owners):
        return False
    return all(_is_choice(op, operand) for op, operand in deciding(values))


def _is_choice(op: Operation, operand: SSAValue) -> bool:
    if isinstance(op, CondBraOp | GuardOp):
        return True
    if effects_of(type(op)).actor in (Actor.COPY, Actor.TMA):
        return any(operand in values_of(op, name) for name in global_places(op))
    return isinstance(op, LdOp | StOp) and is_global(op)


def _constant_bytes(op: Operation) -> bytes:
    """The bytes that an operation stores; empty if they are not constant."""
    if not isinstance(op, StOp):
        return b""
    size, stored = TYPE_BITS[op.type.data] // 8, b""
    for value in op.values:
        number = constant_bits(value)
        if number is None:
            return b""
        stored += (number % (1 << 8 * size)).to_bytes(size, "little")
    return stored


class Knowledge:
    """The bytes of each memory that a run without data knows."""

    def __init__(self, slice_: Slice, stores_data: bool = False):
        self._slice, self._stores_data = slice_, stores_data
        self._known: dict[Memory, npt.NDArray[np.bool_]] = {}
        self.chosen: int | None = None
        """The number that loads of unknown bytes read; None if such a load ends the run."""
        self.chosen_for: dict[Operation, SSAValue] = {}
        """Loads that have read the chosen number, each with a result that is needed."""
        self.contents: dict[SSAValue, set[int] | None] = {}
        """Needed value that a load reads -> the constants that stores have left there; None if they
        store more than constants."""
        self.asked: set[Operation] = set()
        """Loads that must know what they read."""
        self.assumed: list[Operation] = []
        """Loads with semantics that read the initial zeros of global memory: flags."""
        self._unknown = set[SSAValue]()
        """The relayed values of the slice that loads have read from unknown bytes."""

    def handlers(self, ops: Inventory) -> Mapping[type[Operation], Handler]:
        """The handlers of the emulator; stores record what is known, and loads ask for it."""
        needed, relayed = self._slice.needed, self._slice.relayed
        followed = needed | relayed
        loads = [op for op in ops.of(LdOp) if not followed.isdisjoint(op.results)]
        of_address = cache(pointees)

        def aliases(op: StOp) -> bool:
            for load in loads:
                spaces = {each.space.data.partition("::")[0] for each in (op, load) if each.space}
                if len(spaces) > 1:
                    continue
                mine, its = of_address(op.address), of_address(load.address)
                if not (mine.complete and its.complete) or mine.names & its.names:
                    return True
            return False

        def store(op: StOp, program: Program) -> Step:
            if not aliases(op):
                return HANDLERS[StOp](op, program)
            tainted = self._slice.tainted.intersection(op.values)
            known = self._stores_data or tainted <= self._slice.relaying
            sources = frozenset(each for each in relayed if not tainted.isdisjoint(uses(each)))
            return store_values(op, program, op.values, seeing(known, sources))

        @cache
        def seeing(known: bool, sources: Set[SSAValue]) -> Callable[[Memory, Where], None]:
            def see(memory: Memory, where: Where) -> None:
                self._of(memory)[where.index] = known and sources.isdisjoint(self._unknown)

            return see

        @cache
        def uses(value: SSAValue) -> set[SSAValue]:
            return computed_from([value])

        stored = (value for op in ops.of(StOp) if aliases(op) for value in op.values)
        # Later loads that decide something may read data that the run stores.
        passed = {each for each in stored if self._stores_data and each in self._slice.tainted}
        self.asked = {op for op in loads if not needed.isdisjoint(op.results)}
        if passed:
            self.asked |= {
                op for op in ops.of(LdOp) if not passed.isdisjoint(computed_from(op.results))
            }
        return {**handlers_of(ops.types), StOp: store}

    def before(self, op: Operation, program: Program) -> Step | None:
        """Before a load, put the chosen number into the bytes that are not known."""
        if not isinstance(op, LdOp) or op not in self.asked or is_flag(op):
            return None
        count, value, places = len(op.values), self._value_of(op), self._places(op, program)
        size, needed = bytes_at(op, "address") // count, needed_bytes(op)

        @cache
        def is_choice() -> bool:
            # Found once: an instruction is executed often.
            return may_choose([value])

        def choose(group: Group) -> None:
            if self.chosen is None:
                return
            number = self.chosen % (1 << 8 * size)
            bytes_ = np.frombuffer(number.to_bytes(size, "little"), np.uint8)
            for memory, offsets in places(group):
                known = self._of(memory)[offsets]
                if not known.all():
                    if not is_choice():
                        raise by_data(value, op)
                    chosen = np.tile(bytes_, count)[needed]
                    memory.bytes[offsets] = np.where(known, memory.bytes[offsets], chosen)
                    self.chosen_for[op] = value

        return choose

    def after(self, op: Operation, program: Program) -> Step | None:
        """After an operation, record what it makes known, or check that it has read known bytes."""
        match op:
            case AllocOp():
                return self._marking(op, program, True)
            case ClusterlaunchcontrolTryCancelOp():
                return self._answering(op, program)
            case StAsyncOp():
                # Its readers wait for it, or there is a race.
                is_known = self._stores_data or self._slice.tainted.isdisjoint(op.values)
                return self._marking(op, program, is_known)
            case LdOp():
                if op in self.asked:
                    return self._asking(op, program)
                relayed = self._slice.relayed.intersection(op.results)
                return self._relaying(op, program, relayed) if relayed else None
            case _:
                row = effects_of(type(op))
                is_atomic = row.is_atomic and row.actor is Actor.THREAD
                return self._marking(op, program, False) if is_atomic else None

    def note(self, value: SSAValue, numbers: set[int] | None) -> None:
        """Add what loads of a value have read in another process; see `contents`."""
        found = self.contents.get(value, set[int]())
        self.contents[value] = None if found is None or numbers is None else found | numbers

    def forget(self) -> None:
        self._known.clear()
        self.assumed.clear()
        self._unknown.clear()
        self.chosen_for.clear()

    def _value_of(self, op: LdOp) -> SSAValue:
        """The result of a load that messages name."""
        return next((each for each in op.results if each in self._slice.needed), op.results[0])

    def _of(self, memory: Memory) -> npt.NDArray[np.bool_]:
        known = self._known.get(memory)
        if known is None:
            known = self._known[memory] = np.zeros(memory.bytes.size, np.bool_)
        return known

    def _places(self, op: Any, program: Program) -> Callable[[Group], list[tuple[Memory, Any]]]:
        address, offset = program.index(op.address), offset_of(op, "address")
        size = bytes_at(op, "address")
        needed: Any = needed_bytes(op) if isinstance(op, LdOp) else slice(None)
        if isinstance(op, StAsyncOp):
            space = "shared::cluster"
        elif op.space is None:
            space = None
        else:
            space = "shared::cta" if isinstance(op, AllocOp) else op.space.data

        def places(group: Group) -> list[tuple[Memory, Any]]:
            state, addresses = spaces(op, group, space, group.read(address))
            parts = state.parts(op, addresses + offset, group.mask, size)
            return [
                (memory, cast("npt.NDArray[np.intp]", where.index)[:, needed])
                for memory, _, where in parts
            ]

        return places

    def _marking(self, op: Operation, program: Program, known: bool) -> Step:
        places = self._places(op, program)

        def mark(group: Group) -> None:
            for memory, offsets in places(group):
                self._of(memory)[offsets] = known

        return mark

    def _answering(self, op: ClusterlaunchcontrolTryCancelOp, program: Program) -> Step:
        """Mark the response to a request as known; a reader that does not wait for it races."""
        address = shared_address(op, program, "address")

        def mark(group: Group) -> None:
            cta = group.warp.cta
            for lane in group.lanes:
                start = address(group, lane) - cta.shared.base
                for each in cta.cluster.ctas if op.multicast is not None else (cta,):
                    self._of(each.shared)[start : start + RESPONSE.bytes] = True

        return mark

    def _asking(self, op: LdOp, program: Program) -> Step:
        """Check that a load has read known bytes. The load itself reports bytes never written."""
        strong, value, places = is_flag(op), self._value_of(op), self._places(op, program)
        size = bytes_at(op, "address")

        def ask(group: Group) -> None:
            if self.chosen is not None and not strong:
                return
            for memory, offsets in places(group):
                if not self._of(memory)[offsets].all():
                    if not strong:
                        raise by_data(value, op)
                    self.assumed.append(op)
            if len(op.values) == 1:
                self._note_contents(value, size, places(group), group)

        return ask

    def _relaying(self, op: LdOp, program: Program, values: Set[SSAValue]) -> Step:
        """Record that stores pass on what is not known, if a load has read unknown bytes."""
        places = self._places(op, program)

        def relay(group: Group) -> None:
            if not all(self._of(memory)[offsets].all() for memory, offsets in places(group)):
                self._unknown |= values

        return relay

    def _note_contents(
        self, value: SSAValue, size: int, places: Iterable[tuple[Memory, Any]], group: Group
    ) -> None:
        """Record the constants among which a load has read one."""
        judge = group.machine.judge
        if type(judge) is not Judge or self.contents.get(value, ()) is None:
            return
        found = self.contents.setdefault(value, set())
        for memory, offsets in places:
            writes = memory.shadow.last_writes
            ids = (0,) if writes is None else distinct(writes[offsets].ravel())[0].tolist()
            for id_ in ids:
                stored = _constant_bytes(judge.events.source(id_).op) if id_ else b""
                if found is None or len(stored) < size:
                    self.contents[value] = None
                    return
                found |= {
                    int.from_bytes(stored[at : at + size], "little")
                    for at in range(0, len(stored) - size + 1, size)
                }


class Invented(Protocol):
    """A kernel in a run whose launch is invented."""

    kernel: KernelOp
    ops: Inventory
    knowledge: Knowledge

    @property
    def loops(self) -> Sequence[Loop]: ...

    @property
    def is_read(self) -> bool: ...

    @property
    def has_boxes(self) -> bool: ...

    shortage: str

    @property
    def guessed(self) -> list[BlockArgument]: ...

    @property
    def numbers(self) -> list[BlockArgument]: ...


def doubt_of(skeleton: Invented, error: OperationError, rule: Rule) -> Undecided | None:
    """The reason why an error may come from the invented launch; None if it comes from the
    kernel."""
    op = error.operation
    if rule is STEPS:
        limit = error.__cause__
        text = limit.text if isinstance(limit, Violation) else error.message
        # Smaller sizes do not set a flag that the kernel polls.
        return Undecided(text, is_long=not skeleton.knowledge.assumed)
    if rule is DEADLOCK and skeleton.knowledge.assumed:
        flag = skeleton.knowledge.assumed[0]
        return Undecided(f"control depends on a flag that {flag.name} reads, {place_of(flag)}")
    if rule is BOUNDS and isinstance(op, LdOp | StOp) and is_global(op):
        return Undecided(
            f"{op.name}, {place_of(op)}, accesses an array whose size is known only at launch"
        )
    if rule is BOUNDS and loads_parameter(op):
        found = f"{op.name}, {place_of(op)}, loads a parameter that no run knows"
        return Undecided(f"{found}: {error.__cause__}")
    if rule is CTA_MASK.rule and skeleton.kernel.extents("cluster_dims") is None:
        text = f"the kernel has no cluster_dims, but {op.name}, {place_of(op)}, needs a cluster"
        return Undecided(f"{text}: {error.__cause__}; give a larger cluster with --cluster")
    if guessed := skeleton.guessed:
        name = shown_name(guessed[0])
        what = "the box of " if isinstance(guessed[0].type, TensorMapType) else ""
        found = f"an error of {op.name}, {place_of(op)}, may come from a guess for {what}{name}"
        return Undecided(f"{found}: {error.__cause__}")
    if skeleton.is_read and (doubt := _doubt_of_read(skeleton, error, rule)):
        return Undecided(doubt)
    if rule in (TRAP, TENSOR_MAP):
        return Undecided(f"{op.name}, {place_of(op)}: {error.__cause__}")
    return None


def _doubt_of_read(skeleton: Invented, error: OperationError, rule: Rule) -> str:
    """
    The doubt about an error of a kernel that was read, which has no contracts, boxes and variables
    that limit what may be invented; empty if there is none.
    """
    op = error.operation
    if rule in (BOUNDS, ALIGNMENT) and not is_fixed(op, skeleton.ops):
        found = f"{op.name}, {place_of(op)}, may depend on sizes that are known only at launch"
        return f"{found}: {error.__cause__}"
    if rule is UNWRITTEN and skeleton.has_boxes and not _is_of_sums(error):
        found = f"{op.name}, {place_of(op)}, reads a box whose size is inferred"
        return ": ".join(filter(None, (found, skeleton.shortage)))
    if rule is DEADLOCK and len(members := _deciding_members(skeleton)) > 1:
        one, other, *_ = (f"%{each.name_hint}" for each in members)
        return f"control depends on {one} and {other}, whose relation is unknown"
    return ""


def _is_of_sums(error: OperationError) -> bool:
    """Whether an operation reads tensor memory that boxes do not fill: an accumulator, or what
    threads load."""
    assert isinstance(error.__cause__, Violation)
    return error.__cause__.culprit == "d" or isinstance(
        error.operation, tcgen05.LdOp | tcgen05.LdRedOp
    )


def _deciding_members(skeleton: Invented) -> list[SSAValue]:
    """The members of parameters that decide how often loops run."""
    declared = len(skeleton.kernel.declarations or ())
    members = [each for each in skeleton.numbers if each.index >= declared]
    return list(dict.fromkeys(p for loop in skeleton.loops for p in parameters_of(loop, members)))
