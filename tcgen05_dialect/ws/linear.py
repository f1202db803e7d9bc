"""Tokens are linear (T5-WS-007): each stage is given back exactly once on every path, on which the
threads of a role agree (T5-WS-006)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.vector import ReductionOp
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Violation
from ..isa.practice import TOKEN_RULE, UNIFORM_RULE
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx.analysis.known_values import constant_value
from ..ptx.instruction import Instruction
from ..ptx.instructions import LdOp, ShflSyncOp, SpecialRegisterOp
from ..ptx.structure import GuardOp
from ..reporting.diagnostics import value_name
from ..tcgen05.base import Tcgen05Operation
from .base import AddressOp, TokenType, buffer_of, enclosing, only_computes
from .copies import TmemCopyOp
from .products import MmaOp
from .regions import AcquireOp, EndOp, HoldOp, MbarrierOp, YieldOp, holding_of, sources_of
from .rings import AllocOp
from .roles import ElectedOp, RoleBarrierOp, RoleOp
from .tma import TmaLoadOp, TmaStoreOp
from .vectors import GlobalLoadOp, LocalLoadOp

Finding = tuple[Operation, Violation]
Values = Sequence[SSAValue]


def token_findings(role: RoleOp) -> Iterator[Finding]:
    """The first violation by the tokens of a role, and by the buffers of their stages."""
    walk = _Walk()
    walk.block(role.body.block, set(), set())
    yield from walk.found[:1]


class _Part(NamedTuple):
    """A buffer of a stage: the token of the stage, and the number of the buffer."""

    token: SSAValue
    number: int


class _Walk:
    """
    A walk of the paths of a role, which knows the tokens that are held at each operation.

    `held` are those that an operation may take, and `outside` those of stages that the role holds
    while it executes a loop or a region any number of times.
    """

    def __init__(self) -> None:
        self.found: list[Finding] = []
        self._parts: dict[SSAValue, _Part] = {}
        """By buffer, and by value that is computed from one, such as an address."""
        self._passed: set[SSAValue] = set()
        """The tokens that control flow has passed on by other names."""

    def block(self, block: Block, held: set[SSAValue], outside: set[SSAValue]) -> None:
        """Walk a block; `held` becomes what is held at its end."""
        before = set(held)
        for op in block.ops:
            self._operation(op, held, outside)
        for token in [each for each in held if each not in before]:
            self._refuse_lost(token, block.parent_op())
            held.remove(token)

    def _refuse_lost(self, token: SSAValue, around: Operation | None) -> None:
        end = "region" if around is None else _ENDS.get(type(around), "region")
        owner = token.owner
        place = owner if isinstance(owner, Operation) else owner.parent_op()
        if place is not None:
            sentence = f"{_name(token)} is not {_given_back(token)} before the end of the {end}"
            self._refuse(place, sentence)

    def _operation(self, op: Operation, held: set[SSAValue], outside: set[SSAValue]) -> None:
        self._use(op, held | outside)
        match op:
            case AcquireOp():
                held.add(op.token)
                for number, buffer in enumerate(op.buffers):
                    self._parts[buffer] = _Part(op.token, number)
            case EndOp():
                self._take(op, op.token, held, outside)
            case MbarrierOp():
                if op.token not in held | outside:
                    self._refuse(op, f"{op.name} uses {_name(op.token)}, {_NO_LONGER}")
            case TmemCopyOp():
                # Until the next copy, the matrix has data of this stage.
                if (part := self._parts.get(op.tile)) is not None:
                    self._parts[op.matrix] = part
            case scf.ForOp():
                self._loop(op, held, outside)
            case scf.IfOp():
                self._conditional(op, held, outside)
            case HoldOp():
                self.block(op.body.block, held, outside)
                self._pass(op.end.values, op.results, held)
            case scf.YieldOp() | YieldOp():
                self._take_all(op, op.operands, held, outside)
            case _:
                for token in _tokens_of(op.operands):
                    sentence = f"{op.name} takes {_name(token)}, but a token is only passed on"
                    self._refuse(op, sentence)
                for region in op.regions:
                    for block in region.blocks:
                        self.block(block, set(), held | outside)

    def _use(self, op: Operation, held: set[SSAValue]) -> None:
        """Check that an operation uses only buffers of stages that are held."""
        for value in op.operands:
            part = self._parts.get(value)
            if part is None or (isinstance(op, TmemCopyOp) and value is op.matrix):
                continue
            if part.token not in held:
                self._refuse_use(op, value, part.token)
            elif isinstance(op, AddressOp) or (not op.regions and only_computes(op)):
                self._parts.update(dict.fromkeys(op.results, part))

    def _refuse_use(self, op: Operation, value: SSAValue, token: SSAValue) -> None:
        if token in self._passed:
            sentence = f"{op.name} uses {_name(value)} after {_name(token)} has been passed on"
            self._refuse(op, sentence, "pass the buffer on with the token, and use its new name")
        else:
            verb = _given_back(token)
            self._refuse(op, f"{op.name} uses {_name(value)} after its stage has been {verb}")

    def _take_all(
        self, op: Operation, values: Values, held: set[SSAValue], outside: set[SSAValue]
    ) -> None:
        """Take the tokens that an operation passes on, and the buffers of their stages."""
        for value in values:
            part = self._parts.get(value)
            if part is not None and buffer_of(value) is not None and part.token not in values:
                sentence = f"{op.name} passes on {_name(value)} without the token of its stage"
                self._refuse(op, sentence)
        for token in _tokens_of(values):
            self._take(op, token, held, outside)
            self._passed.add(token)

    def _take(
        self, op: Operation, token: SSAValue, held: set[SSAValue], outside: set[SSAValue]
    ) -> None:
        """Take a token, which is held no longer."""
        if token in held:
            held.remove(token)
        elif token in outside:
            sentence = (
                f"{op.name} takes {_name(token)} in each iteration, but the role takes this stage "
                "once, before the loop"
            )
            self._refuse(op, sentence, "carry the token through the loop by iter_args")
        else:
            self._refuse(op, f"{op.name} takes {_name(token)}, {_NO_LONGER}")

    def _pass(self, given: Values, taken: Values, held: set[SSAValue]) -> None:
        """Go on with the tokens and buffers by their new names."""
        tokens = {a: b for a, b in zip(given, taken, strict=False) if isinstance(b.type, TokenType)}
        held.update(tokens.values())
        for value, name in zip(given, taken, strict=False):
            part = self._parts.get(value)
            if part is not None and part.token in tokens:
                self._parts[name] = _Part(tokens[part.token], part.number)

    def _loop(self, op: scf.ForOp, held: set[SSAValue], outside: set[SSAValue]) -> None:
        body = op.body.block
        self._take_all(op, op.iter_args, held, outside)
        inner: set[SSAValue] = set()
        self._pass(op.iter_args, body.args[1:], inner)
        carried = set(inner)
        self.block(body, inner, held | outside)
        for token in inner & carried:
            self._refuse_lost(token, op)
        if (end := body.last_op) is not None:
            self._compare(end, op.iter_args, end.operands)
        self._pass(op.iter_args, op.results, held)

    def _conditional(self, op: scf.IfOp, held: set[SSAValue], outside: set[SSAValue]) -> None:
        sides = [set(held), set(held)]
        ends: list[Operation] = []
        for region, side in zip(op.regions, sides, strict=True):
            if region.blocks:
                self.block(region.block, side, outside)
                ends.extend([] if region.block.last_op is None else [region.block.last_op])
        for token in sides[0] ^ sides[1]:
            sentence = f"{_name(token)} is {_given_back(token)} on one side of scf.if only"
            self._refuse(op, sentence, "give the stage back on both sides, or behind scf.if")
        held.intersection_update(*sides)
        if op.results and ends:
            self._compare(ends[-1], ends[0].operands, ends[-1].operands)
            self._pass(ends[0].operands, op.results, held)

    def _compare(self, op: Operation, first: Values, second: Values) -> None:
        """Check that two paths pass on stages of one ring, each with its own buffers."""
        for one, other in zip(first, second, strict=False):
            if isinstance(one.type, TokenType):
                found, legal = (holding_of(each) for each in (other, one))
                if found is not None and legal is not None and found.ring is not legal.ring:
                    one_ring, other = (value_name(each.ring, "a ring") for each in (found, legal))
                    sentence = f"{op.name} passes on a stage of {one_ring} where another path "
                    sentence += f"passes on one of {other}"
                    self._refuse(op, sentence, "use a token for each ring")
            elif self._place(other, second) != self._place(one, first):
                sentence = (
                    f"{op.name} passes on {_name(other)} where another path passes on "
                    f"{_name(one)}, which is not the same buffer of the stage of the same token"
                )
                self._refuse(op, sentence, "pass on each buffer in a place of its own")

    def _place(self, buffer: SSAValue, values: Values) -> object:
        """Which buffer of its stage it is, and which of the values is the token of the stage."""
        part = self._parts.get(buffer)
        if part is None or buffer_of(buffer) is None or part.token not in values:
            return None
        return [*values].index(part.token), part.number

    def _refuse(self, op: Operation, sentence: str, help_: str = "") -> None:
        self.found.append((op, TOKEN_RULE.says(sentence, help_)))


_NO_LONGER = "a stage that the role no longer holds"
_ENDS: Mapping[type[Operation], str] = {RoleOp: "role", scf.ForOp: "iteration", scf.IfOp: "branch"}
"""What ends with the block of an operation."""


def _tokens_of(values: Values) -> list[SSAValue]:
    return [each for each in values if isinstance(each.type, TokenType)]


def _name(value: SSAValue) -> str:
    return value_name(value, "a token" if isinstance(value.type, TokenType) else "a buffer")


def _given_back(token: SSAValue) -> str:
    type_ = token.type
    assert isinstance(type_, TokenType)
    return "committed" if type_.side.data == "produce" else "released"


_ISSUED = (ElectedOp, MmaOp, TmaLoadOp, TmaStoreOp, TmemCopyOp)
_SAME = "the same for all threads of the role"
_OF_THREADS = ("tid", "laneid", "lanemask", "warpid")
"""How the names of special registers begin that differ among the threads of a CTA."""


def thread_source(
    value: SSAValue, role: RoleOp, is_trusted: Callable[[SSAValue], bool] = lambda _: False
) -> SSAValue | None:
    """A value that differs among the threads of a role, and on which `value` depends; None if none
    does. Threads agree on a trusted value."""
    seen = {value}
    pending = [value]
    while pending:
        each = pending.pop()
        if is_trusted(each):
            continue
        needed = _needed(each, role)
        if needed is None:
            return each
        new = [other for other in needed if other not in seen]
        seen.update(new)
        pending.extend(new)
    return None


def _needed(value: SSAValue, role: RoleOp) -> Iterable[SSAValue] | None:
    """The values that determine a value; None if it may differ among threads by itself."""
    owner = value.owner
    if isinstance(owner, Block):
        return None if owner.parent_op() is role else sources_of(value)
    match owner:
        case AcquireOp() | AllocOp():
            return ()
        case SpecialRegisterOp():
            return None if owner.register.data.startswith(_OF_THREADS) else ()
        case ShflSyncOp():
            # The lanes of one warp read the same lane.
            is_shared = role.warps_count == 1 and owner.mode.data == "idx"
            return (owner.lane,) if is_shared else owner.operands
        case LdOp() | LocalLoadOp() | GlobalLoadOp() | ReductionOp():
            return owner.operands
        case scf.IfOp() | scf.ForOp() | scf.WhileOp() | HoldOp():
            return sources_of(value)
        case _:
            return owner.operands if only_computes(owner) else None


def issue_findings(op: Operation, role: RoleOp) -> Iterator[Finding]:
    """The violations by the control around an operation that one thread issues for the role, or
    that all threads execute together, and by its operands."""
    if isinstance(op, RoleBarrierOp):
        yield from uniformity_findings(op, role, op.name, _is_raw)
    elif isinstance(op, _ISSUED):
        yield from uniformity_findings(op, role, op.name, _is_of_warp)
        for operand in op.operands:
            source = thread_source(operand, role, _is_of_warp)
            if source is not None:
                what = f"{value_name(operand, 'an operand')} of {op.name}, which one thread issues,"
                yield op, UNIFORM_RULE.violation(_found(source), _SAME, what)
                return


def _is_raw(value: SSAValue) -> bool:
    """Whether it is unknown if threads agree, because a raw operation gives the value."""
    owner = value.owner
    if isinstance(owner, Block | SpecialRegisterOp | ShflSyncOp):
        return False
    return isinstance(owner, Instruction | GuardOp | Tcgen05Operation)


def _is_of_warp(value: SSAValue) -> bool:
    """Whether the threads of a warp may agree: the one that issues is in the first warp."""
    match value.owner:
        case arith.DivUIOp() as op:
            divisor = constant_value(op.rhs)
            return divisor is not None and divisor % WARP_LANES == 0
        case arith.ShRUIOp() as op:
            shift = constant_value(op.rhs)
            return shift is not None and 1 << shift >= WARP_LANES
        case ShflSyncOp():
            return True
        case _:
            return _is_raw(value)


def uniformity_findings(
    op: Operation,
    role: RoleOp,
    name: str,
    is_trusted: Callable[[SSAValue], bool] = lambda _: False,
) -> Iterator[Finding]:
    """The violations by the conditions and loops around an operation; `name` is its name."""
    for around in enclosing(op):
        if isinstance(around, RoleOp):
            return
        if isinstance(around, scf.IfOp):
            decides: tuple[SSAValue, ...] = (around.cond,)
        elif isinstance(around, scf.ForOp):
            decides = (around.lb, around.ub, around.step)
        else:
            continue
        for value in decides:
            source = thread_source(value, role, is_trusted)
            if source is not None:
                what = f"what decides whether {name} runs"
                yield around, UNIFORM_RULE.violation(_found(source), _SAME, what)
                return


def _found(source: SSAValue) -> str:
    name = source.name_hint
    return f"it depends on {'a value of the thread' if name is None else f'%{name}'}"
