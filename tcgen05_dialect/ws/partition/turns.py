"""The turns of the roles at a buffer: the kind of each operation, their order for several sizes,
and whether the roles alternate (T5-WS-030)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from ...isa.model.rule import Violation
from ...isa.practice import FORM_RULE, TURN_RULE
from ...ptx.kernel import KernelOp
from ...reporting.diagnostics import text_place, value_name
from ...tcgen05.alloc import SliceOp
from ...tcgen05.ld_st import LdOp, LdRedOp, StOp
from ..base import enclosing, only_computes
from ..copies import TmemCopyOp
from ..game import ControlFlow, Excluded, Undecided, deciding, run_of
from ..game.games import assumptions, sizes_of, sizes_text
from ..kernel import Kernel
from ..products import MmaOp
from ..rings import MMA, THREADS, TMA, AllocOp
from ..roles import ElectedOp, RoleOp
from ..tma import TmaLoadOp, TmaStoreOp
from ..uses import Use, uses_of
from ..vectors import LocalLoadOp, LocalStoreOp, TmemLoadOp, TmemStoreOp


class Order(NamedTuple):
    """The sizes of a run as the start of a sentence, what the role executes, in order, and which
    way conditionals go."""

    sizes: str
    operations: Sequence[Operation]
    ways: Set[tuple[Operation, bool]]


def orders(function: KernelOp, kernel: Kernel, operations: Sequence[Operation]) -> Iterator[Order]:
    """For each size, some operations of the only role in the order in which it executes them.
    Raises Undecided."""
    needed = {*deciding(operations, assumptions(function)), *kernel.op.sizes}
    flow = ControlFlow(needed, operations)
    (role,) = kernel.roles
    for sizes in sizes_of(function, kernel, needed):
        try:
            run = run_of(function, kernel, sizes, flow, role)
        except Excluded:
            continue
        yield Order(sizes_text(sizes), run.passed, run.ways)


ROLES: Mapping[str, str] = {TMA: "load", MMA: "mma", THREADS: "epilogue"}
"""By kind of operations, the name of their role."""
_ON_BUFFERS = (
    *(TmaLoadOp, TmaStoreOp, MmaOp, TmemCopyOp),
    *(TmemLoadOp, TmemStoreOp, LocalLoadOp, LocalStoreOp, LdOp, LdRedOp, StOp),
)


class Refusal(Exception):
    """The partition is impossible; `op` hinders it."""

    def __init__(self, op: Operation, violation: Violation) -> None:
        super().__init__(str(violation))
        self.op, self.violation = op, violation


def kind_of(op: Operation) -> str | None:
    """The kind of an operation; None for control, and for what each role computes for itself."""
    if isinstance(op, TmaLoadOp):
        return TMA
    if isinstance(op, MmaOp | TmemCopyOp):
        return MMA
    if isinstance(op, scf.ForOp | scf.IfOp | AllocOp) or op.has_trait(IsTerminator):
        return None
    return None if only_computes(op) else THREADS


def name_of(buffer: SSAValue) -> str:
    """The name of a buffer in messages."""
    return value_name(buffer, "a buffer")


def with_line(op: Operation) -> str:
    """The name of an operation, with its line if it is known."""
    place = text_place(op.location)
    return op.name if place is None else f"{op.name} in line {place.line.data}"


def accesses(buffer: SSAValue) -> Iterator[Use]:
    """The accesses to a buffer. Raises Refusal for one that the partition does not know."""
    for use in uses_of(buffer):
        _check_place(use.op)
        if not isinstance(use.op, _ON_BUFFERS):
            found = f"{use.op.name} uses {name_of(buffer)}"
            sentence = f"{found}, and the partition does not know what it reads and writes"
            raise Refusal(use.op, FORM_RULE.says(sentence))
        if isinstance(use.op, MmaOp) and use.writes:
            yield use._replace(reads=use.op.accumulate is not None)
        else:
            yield use


def _check_place(op: Operation) -> None:
    for around in enclosing(op):
        if isinstance(around, RoleOp):
            return
        if not isinstance(around, scf.ForOp | scf.IfOp):
            what = f"the operation around {op.name}"
            legal = "scf.for, scf.if or ws.role"
            raise Refusal(op, FORM_RULE.violation(around.name, legal, what))


def check_forms(role: RoleOp) -> None:
    """Refuse operations of the role that have no kind. Raises Refusal."""
    for op in role.walk():
        if isinstance(op, ElectedOp):
            sentence = "the partition does not know the role of what ws.elected contains"
            raise Refusal(op, FORM_RULE.says(sentence))


def move_slices(role: RoleOp) -> None:
    """Give each user of a part of a buffer a part of its own, directly before it."""
    for op in [*role.walk()]:
        if isinstance(op, SliceOp):
            users = [*op.result.uses]
            for use in users[1:]:
                copy = op.clone()
                _insert_before(copy, use.operation)
                use.operation.operands[use.index] = copy.result
            if users:
                op.detach()
                _insert_before(op, users[0].operation)


def _insert_before(op: Operation, user: Operation) -> None:
    assert user.parent is not None
    user.parent.insert_op_before(op, user)


@dataclass
class Run:
    """Operations of one block, from the first to the last of which a role holds a buffer. Each of
    them is one of the `uses`, or a loop or a conditional around some."""

    kind: str
    block: Block
    statements: list[Operation] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)

    @property
    def reads(self) -> bool:
        return any(use.reads for use in self.uses)

    @property
    def writes(self) -> bool:
        return any(use.writes for use in self.uses)


@dataclass
class Turns:
    """The runs at a buffer, in the order of the program, and the kind of the producing runs."""

    buffer: SSAValue
    producer: str
    runs: list[Run]

    @property
    def consumers(self) -> list[str]:
        """The kinds of the runs that consume."""
        kinds = dict.fromkeys(run.kind for run in self.runs)
        return [kind for kind in kinds if kind != self.producer]

    def of(self, kind: str) -> list[Run]:
        """The runs of a kind."""
        return [run for run in self.runs if run.kind == kind]

    @property
    def in_place(self) -> bool:
        """Whether a consumer writes the buffer."""
        return any(run.writes for run in self.runs if run.kind != self.producer)


def turns_of(
    function: KernelOp, kernel: Kernel, buffer: SSAValue, uses: Sequence[Use]
) -> Turns | None:
    """The turns of the roles at a buffer; None if only one role uses it, and TMA does not store it.
    Raises Refusal if the roles do not alternate."""
    (role,) = kernel.roles
    if len({use.by for use in uses}) == 1:
        return _alone(role, buffer, uses)
    first: Violation | None = None
    place: Operation | None = None
    for opens in (False, True):
        runs = _runs(role, uses, opens)
        try:
            found = Turns(buffer, _check_order(function, kernel, buffer, runs), runs)
        except Refusal as refusal:
            first, place = first or refusal.violation, place or refusal.op
            continue
        _check_writers(found)
        return found
    assert first is not None and place is not None
    raise Refusal(place, first)


def _alone(role: RoleOp, buffer: SSAValue, uses: Sequence[Use]) -> Turns | None:
    """The turns at a buffer of one role, from which TMA stores."""
    stores = [use.op for use in uses if isinstance(use.op, TmaStoreOp)]
    if stores:
        runs = _runs(role, uses, False, stores)
        for run in runs:
            stored = isinstance(run.statements[-1], TmaStoreOp)
            if not stored or not run.writes:
                op = run.uses[0].op
                name = name_of(buffer)
                sentence = f"{name} is written, but no ws.tma_store follows in the same block"
                if not run.writes:
                    sentence = f"{name} is used, but nothing writes it before in the same block"
                help_ = "write the whole tile, and then store it, in one block"
                raise Refusal(op, TURN_RULE.says(sentence, help_))
        return Turns(buffer, runs[0].kind, runs)
    if not any(use.writes for use in uses):
        sentence = f"{name_of(buffer)} is read, but no operation writes it"
        help_ = "write the buffer before"
        raise Refusal(uses[0].op, TURN_RULE.says(sentence, help_))
    # A product that adds to its accumulator hands nothing on.
    if not any(use.reads and not use.writes for use in uses):
        sentence = f"{name_of(buffer)} is written, but no operation reads it"
        help_ = "read the buffer, or leave it out"
        raise Refusal(uses[0].op, TURN_RULE.says(sentence, help_))
    return None


def _by_statement(uses: Sequence[Use]) -> dict[Operation, list[Use]]:
    """Operation of the roles, or one that encloses it -> the uses in it."""
    own: dict[Operation, list[Use]] = {}
    for use in uses:
        for op in takewhile(lambda op: not isinstance(op, RoleOp), (use.op, *enclosing(use.op))):
            own.setdefault(op, []).append(use)
    return own


def _runs(
    role: RoleOp, uses: Sequence[Use], opens: bool, stores: Iterable[Operation] = ()
) -> list[Run]:
    """The runs of each role. A loop or a conditional of one role belongs to its run as a whole,
    unless it contains a load, or one of `stores`; with `opens`, no conditional does."""
    own = _by_statement(uses)
    around = {each for store in stores for each in enclosing(store)}
    runs: list[Run] = []

    def place(block: Block) -> None:
        current: Run | None = None
        for op in block.ops:
            if op not in own:
                continue
            kinds = {use.by for use in own[op]}
            is_opened = len(kinds) > 1 or kinds == {TMA} or (opens and isinstance(op, scf.IfOp))
            if op.regions and (is_opened or op in around):
                current = None
                for region in op.regions:
                    for inner in region.blocks:
                        place(inner)
                continue
            (kind,) = kinds
            if current is None or current.kind != kind or kind == TMA:
                current = Run(kind, block)
                runs.append(current)
            current.statements.append(op)
            current.uses.extend(own[op])
            if isinstance(op, TmaStoreOp):
                current = None

    place(role.body.block)
    return runs


def _check_order(function: KernelOp, kernel: Kernel, buffer: SSAValue, runs: Sequence[Run]) -> str:
    """The kind of the runs that produce, which alternate with those of each other kind. Raises
    Refusal."""
    if all(run.block is runs[0].block for run in runs):
        # All of them run, in this order, if any of them does.
        return _alternating(buffer, runs, "")
    first = {run.statements[0]: run for run in runs}
    producers: set[str] = set()
    ways: set[tuple[Operation, bool]] = set()
    undecided = f"no size that was tried decides in which order roles use {name_of(buffer)}"
    try:
        for sizes, operations, own in orders(function, kernel, [*first]):
            ways |= own
            executed = [first[op] for op in operations]
            if executed:
                producers.add(_alternating(buffer, executed, sizes))
    except Undecided:
        sentence = f"it depends on data in which order roles use {name_of(buffer)}"
        help_ = "write and read the buffer in one block"
        violation = TURN_RULE.says(sentence, help_)
        raise Refusal((_conditions(runs) or [runs[0].statements[0]])[0], violation) from None
    for condition in _conditions(runs):
        if not {(condition, True), (condition, False)} <= ways:
            help_ = "write and read the buffer in one block"
            violation = TURN_RULE.says(undecided, help_)
            raise Refusal(condition, violation)
    if len(producers) != 1:
        sentence = f"it depends on the sizes which role uses {name_of(buffer)} first"
        raise Refusal(runs[0].uses[0].op, TURN_RULE.says(sentence))
    return producers.pop()


def _conditions(runs: Sequence[Run]) -> list[Operation]:
    """The conditionals around some of the runs, but not around all of them."""
    around = [[*enclosing(run.statements[0])] for run in runs]
    found = dict.fromkeys(
        op
        for each in around
        for op in each
        if isinstance(op, scf.IfOp) and not all(op in other for other in around)
    )
    return [*found]


def _alternating(buffer: SSAValue, runs: Sequence[Run], sizes: str) -> str:
    """The kind of the first run, if it alternates with each other kind. Raises Refusal."""
    producer, name = runs[0].kind, name_of(buffer)
    producing = [run for run in runs if run.kind == producer]
    if not any(run.writes for run in producing):
        raise _refused(runs[0], f"{sizes}{name} is read before an operation writes it")
    for run in producing:
        if not run.writes:
            writer, op = (each.uses[0].op for each in (_first(runs, _others(runs)), run))
            sentence = (
                f"{name} is read after {with_line(writer)} has used it, but the role of {op.name} "
                f"writes {name} first, and does not get it back"
            )
            help_ = f"let {writer.name} write another buffer, or write {name} first"
            raise _refused(run, sentence, help_)
    unread: set[str] = set()
    last = runs[0]
    for run in runs:
        if run.kind == producer:
            if unread:
                reader = with_line(_first(runs, unread).uses[0].op)
                raise _refused(run, f"{sizes}{name} is written again before {reader} has read it")
            unread, last = _others(runs), run
        elif run.kind not in unread:
            writer = with_line(runs[0].uses[0].op)
            sentence = f"{sizes}{name} is read again, but {writer} has not written it in between"
            raise _refused(run, sentence)
        unread.discard(run.kind)
    if unread or not _others(runs):
        sentence = f"{sizes}{name} is written, but no operation of another role reads it"
        raise _refused(last, sentence)
    return producer


def _others(runs: Sequence[Run]) -> set[str]:
    """The kinds other than the kind of the first run."""
    return {run.kind for run in runs} - {runs[0].kind}


def _first(runs: Sequence[Run], kinds: Set[str]) -> Run:
    """The first run of one of some kinds."""
    return next(run for run in runs if run.kind in kinds)


def _refused(run: Run, sentence: str, help: str = "") -> Refusal:
    return Refusal(run.uses[0].op, TURN_RULE.says(sentence, help))


def _check_writers(turns: Turns) -> None:
    """Refuse a buffer that a consumer writes for another one, or that TMA stores for a consumer.
    Raises Refusal."""
    if turns.in_place and len(turns.consumers) > 1:
        op = next(
            use.op
            for run in turns.runs
            for use in run.uses
            if use.writes and run.kind != turns.producer
        )
        first = with_line(turns.of(turns.producer)[0].uses[0].op)
        name = name_of(turns.buffer)
        sentence = f"three roles use {name}, so that only the role of {first} may write it"
        help_ = "write the result to another buffer"
        raise Refusal(op, TURN_RULE.says(sentence, help_))
    for run in turns.runs:
        op = run.uses[0].op
        if run.kind != turns.producer and any(isinstance(u.op, TmaStoreOp) for u in run.uses):
            first = with_line(turns.of(turns.producer)[0].uses[0].op)
            sentence = f"{name_of(turns.buffer)} is stored, but {first} writes it, not the threads"
            help_ = "load the tile to vectors, and store them to a tile of their own"
            raise Refusal(op, TURN_RULE.says(sentence, help_))
