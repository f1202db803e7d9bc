"""The edges of the stages that a role holds: waits, fences and arrivals, where it takes a stage and
gives it back."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.isa.instructions.barriers import RESPONSE
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.tcgen05.alloc import CommitOp, FenceOp, WaitOp
from tcgen05_dialect.tcgen05.ld_st import LdOp, LdRedOp
from tcgen05_dialect.tcgen05.ld_st import StOp as TensorStoreOp
from tcgen05_dialect.ws.base import SharedTileType
from tcgen05_dialect.ws.boxes import TryCancelOp, receivers
from tcgen05_dialect.ws.kernel import Place, RingUse
from tcgen05_dialect.ws.regions import AcquireOp, HoldOp
from tcgen05_dialect.ws.rings import MMA, THREADS, TMA, HoldingOp, RingOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.xdsl_support.attributes import integer, text

from .context import Held, RoleContext
from .emitter import Emitter

_LOADS = (LdOp, LdRedOp)


class Work(NamedTuple):
    """What threads do while they hold a stage: stores to tensor memory, other accesses to it, and
    stores to shared memory."""

    stores_to_matrices: bool
    accesses_matrices: bool
    stores_to_tiles: bool

    @classmethod
    def of(cls, op: Operation) -> Self:
        """The work inside a region or, if a role holds stages by tokens, inside the role. It is
        known before the operations are lowered."""
        stores = loads = writes = False
        for each in operations_of(op):
            if type(each) is TensorStoreOp:
                stores = True
            elif type(each) in _LOADS:
                loads = True
            elif type(each) is ptx.StOp and not writes:
                writes = each.space is not None and "shared" in each.space.data
        return cls(stores, stores or loads, writes)


NO_WORK = Work(False, False, False)


def fence(emit: Emitter, order: str) -> None:
    """Append a fence of tcgen05."""
    emit.make(FenceOp, properties={"order": text(order)})


def acquire(role: RoleContext, op: HoldingOp, work: Work, stage: SSAValue, phase: SSAValue) -> None:
    """Append the wait for a stage; for tma, also the announcement of its bytes."""
    produces = op.SIDE == "produce"
    emit, memory = role.emit, role.memory
    if role.kernel.rings[op.ring_op].is_stored:
        _acquire_stored(role, op)
        return
    wait(role, op.ring_op, "empty" if produces else "full", stage, phase)
    if op.kind == MMA or work.accesses_matrices:
        fence(emit, "after_thread_sync")
    if op.kind == TMA:
        with role.one_thread():
            _announce(role, op, memory.barrier(emit, op.ring_op, "full", stage))


def wait(role: RoleContext, ring: RingOp, side: str, stage: SSAValue, phase: SSAValue) -> None:
    """Append the wait for a phase of a barrier object of this CTA."""
    emit = role.emit
    awaited = role.memory.barrier(emit, ring, side, stage)
    use = role.kernel.rings[ring]
    arriving = use.producers if side == "full" else use.consumers
    is_shared = role.pair is not None and use.is_in_leader(side)
    is_shared = is_shared or (side == "empty" and bool(use.sharings))
    is_shared = is_shared and THREADS in arriving.values()
    # The threads of other CTAs arrive, too.
    scope = {"semantics": "acquire", "scope": "cluster"} if is_shared else {}
    operands = {"address": (awaited,), "parity": (phase,)}
    if is_shared and use.is_requested:
        with emit.when(role.cluster.is_first):
            emit.ptx(ptx.MbarrierWaitOp, operands, scope)
    else:
        emit.ptx(ptx.MbarrierWaitOp, operands, scope)


def _announce(role: RoleContext, op: HoldingOp, full: SSAValue) -> None:
    """Append the announcement of the bytes of a stage; in a pair, the leader announces all."""
    emit, bytes_ = role.emit, transaction_bytes(op)
    if role.pair is None or not role.kernel.rings[op.ring_op].is_in_leader("full"):
        operands = {"address": (full,), "bytes": (emit.constant(bytes_),)}
        emit.ptx(ptx.MbarrierArriveExpectTxOp, operands)
        return
    with emit.when(role.pair.is_leader):
        operands = {"address": (full,), "bytes": (emit.constant(role.ctas * bytes_),)}
        emit.ptx(ptx.MbarrierArriveExpectTxOp, operands)


def transaction_bytes(op: HoldingOp) -> int:
    """The bytes of whole buffers, which the copies of a stage by tma complete in this CTA."""
    if any(isinstance(use.operation, TryCancelOp) for each in op.buffers for use in each.uses):
        return RESPONSE.bytes
    tiles = (each.type for each in op.buffers)
    return sum(each.copied_bytes for each in tiles if isinstance(each, SharedTileType))


class Release(NamedTuple):
    """The end of the time for which a role holds a stage."""

    op: HoldingOp
    work: Work

    def emit(self, role: RoleContext, stage: SSAValue) -> None:
        """Append the commit or the release of a stage."""
        op, emit = self.op, role.emit
        if role.kernel.rings[op.ring_op].is_stored:
            return
        side = "full" if op.SIDE == "produce" else "empty"
        if op.kind == MMA:
            with role.one_thread():
                barrier = role.memory.barrier(emit, op.ring_op, side, stage)
                properties = {"cta_group": integer(role.ctas)}
                operands = [barrier, *self._mask(role)]
                emit.make(CommitOp, operands, (), properties)
            role.sync_warp()
        elif op.kind == THREADS:
            if self.work.stores_to_matrices:
                emit.make(WaitOp, properties={"operation": text("st")})
            if self.work.stores_to_tiles:
                emit.ptx(ptx.FenceProxyAsyncOp, properties={"space": "shared::cta"})
            if self.work.accesses_matrices:
                fence(emit, "before_thread_sync")
            role.sync_warp()
            arrive(role, op.ring_op, side, stage)
        else:
            role.sync_warp()

    def _mask(self, role: RoleContext) -> list[SSAValue]:
        """The mask of a commit; none if only this CTA waits for it."""
        use = role.kernel.rings[self.op.ring_op]
        produces = self.op.SIDE == "produce"
        if use.sharings and not produces:
            return [role.cluster.mask(use.sharings, of_pair=role.pair is not None)]
        others = {*(use.consumers if produces else use.producers).values()}
        return [] if role.pair is None or others == {MMA} else [role.pair.mask]


def arrive(role: RoleContext, ring: RingOp, side: str, stage: SSAValue) -> None:
    """Append the arrival of one thread of each warp, also at the barrier objects of other CTAs."""
    emit = role.emit
    barrier, is_remote = role.shared_barrier(ring, side, stage)
    others = role.others_barriers(ring, side, stage)
    # A branch would let the lanes of the warp diverge.
    with emit.guard(role.elected):
        if not is_remote:
            emit.ptx(ptx.MbarrierArriveOp, {"address": (barrier,)})
        for remote in [barrier, *others] if is_remote else others:
            properties = {"semantics": "release", "scope": "cluster"}
            emit.ptx(ptx.MbarrierArriveRemoteOp, {"address": (remote,)}, properties)


def _acquire_stored(role: RoleContext, op: HoldingOp) -> None:
    """Append the wait until TMA has read the stage that is written next."""
    # Stages that are held by tokens may be stored in another order.
    holdings = role.kernel.rings[op.ring_op].holdings
    in_order = all(isinstance(each, HoldOp) for _, each in holdings)
    pending = op.ring_op.stages - 1 if in_order else 0
    with role.one_thread():
        properties = {"pending": pending, "read": "read"}
        role.emit.ptx(ptx.CpAsyncBulkWaitGroupOp, properties=properties)
    role.sync_role()


def wait_for_stores(role: RoleContext) -> None:
    """Append the wait for all stores by TMA, before the role ends."""
    with role.one_thread():
        role.emit.ptx(ptx.CpAsyncBulkWaitGroupOp, properties={"pending": 0})


class Barriers(NamedTuple):
    """The numbers of arrivals in a phase of the two barrier objects of a stage."""

    full: int
    empty: int


def barriers_of(use: RingUse, op: WarpSpecializeOp) -> Barriers:
    """The arrivals at the barrier objects of a ring; in a pair, those of both CTAs. A stage that
    other CTAs of the cluster fill, too, is free when all of these have released it."""
    full, empty = (
        op.ctas if use.is_in_leader(side) and THREADS in roles.values() else 1
        for side, roles in (("full", use.producers), ("empty", use.consumers))
    )
    filling = sum(_arrivals(role, kind) for role, kind in use.producers.items())
    releasing = sum(
        _arrivals(role, kind) * _ctas(use, op, role, kind) for role, kind in use.consumers.items()
    )
    if use.is_requested:
        releasing += sum(_ctas(use, op, role, THREADS) for role in use.producers)
    return Barriers(full * filling, empty * releasing)


def _arrivals(role: RoleOp, kind: str) -> int:
    """Arrivals of a role for one stage: one thread of each warp arrives, or the one that issues."""
    return role.warps_count if kind == THREADS else 1


def _ctas(use: RingUse, op: WarpSpecializeOp, role: RoleOp, kind: str) -> int:
    """The CTAs in which a role releases a stage, or the pairs whose leader does for both."""
    unit = op.ctas if kind == MMA else 1
    ranks = {rank for own in range(unit) for rank in receivers(use.sharings, op.cluster, own)}
    executing = op.ctas if role.leader is not None else 1
    return len({rank // executing for rank in ranks})


class _Token(NamedTuple):
    """The stage of a token, and how the role gives it back."""

    release: Release
    stage: SSAValue


class HeldStages:
    """
    The buffers of stages, and the tokens by which a role holds them.

    Where control flow passes on a token, its lowering passes on the number of the stage; in place
    of a buffer, it passes on whether an MMA has written it, if it is an accumulator.
    """

    def __init__(self, role: RoleContext) -> None:
        self._role = role
        self._tokens: dict[SSAValue, _Token] = {}
        self._owners: dict[SSAValue, SSAValue] = {}
        """The token of the stage of each buffer that may be passed on."""

    def hold(self, op: HoldingOp, stage: SSAValue) -> list[SSAValue]:
        """Place the buffers of a stage; return the values that stand for them."""
        places = self._role.memory.sizes.places[op.ring]
        return [
            self._place(op, buffer, place, stage)
            for buffer, place in zip(op.buffers, places, strict=True)
        ]

    def _place(self, op: HoldingOp, buffer: SSAValue, place: Place, stage: SSAValue) -> SSAValue:
        role = self._role
        found = buffer
        if not place.is_shared:
            if not buffer.uses:
                return buffer
            found = role.memory.buffer(role.emit, place, stage)
            found.name_hint = buffer.name_hint
            buffer.replace_all_uses_with(found)
            if _is_accumulator(op, place):
                role.state["written", found] = role.head.constant(0, i1)
        role.held[found] = Held(op.ring_op, place, stage)
        return found

    def take(self, op: AcquireOp, work: Work, stage: SSAValue) -> None:
        """Hold a stage by a token."""
        self._owners.update(dict.fromkeys(self.hold(op, stage), op.token))
        self._tokens[op.token] = _Token(Release(op, work), stage)

    def stage(self, token: SSAValue) -> tuple[HoldingOp, SSAValue]:
        """The operation that has taken a stage, and the number of the stage."""
        found = self._tokens[token]
        return found.release.op, found.stage

    def end(self, token: SSAValue) -> None:
        """Append the commit or the release of a stage."""
        release, stage = self._tokens[token]
        release.emit(self._role, stage)

    def passed(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """What the lowering of control flow passes on in place of values."""
        found: list[SSAValue] = []
        for value in values:
            if value in self._tokens:
                found.extend([self._tokens[value].stage] if self._count(value) else [])
            elif value in self._owners:
                found.extend([self._role.state["written", value]] if self._count(value) else [])
            else:
                found.append(value)
        return found

    def _count(self, value: SSAValue) -> int:
        """How many values the lowering passes on in place of one."""
        if value in self._tokens:
            return int(self._tokens[value].release.op.ring_op.stages > 1)
        if value in self._owners:
            op = self._tokens[self._owners[value]].release.op
            return int(_is_accumulator(op, self._role.held[value].place))
        return 1

    def rename(
        self, given: Sequence[SSAValue], names: Sequence[SSAValue], values: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Go on with the values that control flow passes on by other names. `values` is what its
        lowering has for them, as in `passed`; return what it has besides."""
        parts: list[Sequence[SSAValue]] = []
        for source in given:
            count = self._count(source)
            parts.append(values[:count])
            values = values[count:]
        renamed: dict[SSAValue, SSAValue] = {}
        for source, name, part in zip(given, names, parts, strict=True):
            if (token := self._tokens.get(source)) is not None:
                renamed[source] = name
                stage = part[0] if part else self._role.zero
                if part:
                    stage.name_hint = f"{name.name_hint or 'token'}_stage"
                self._tokens[name] = _Token(token.release, stage)
        for source, name, part in zip(given, names, parts, strict=True):
            if source in self._owners:
                self._rename_buffer(source, name, renamed[self._owners[source]], part)
            elif source not in self._tokens:
                name.replace_all_uses_with(part[0])
                part[0].name_hint = part[0].name_hint or name.name_hint
        return values

    def _rename_buffer(
        self, source: SSAValue, name: SSAValue, token: SSAValue, part: Sequence[SSAValue]
    ) -> None:
        release, stage = self._tokens[token]
        found = self._place(release.op, name, self._role.held[source].place, stage)
        self._owners[found] = token
        if part:
            part[0].name_hint = f"{name.name_hint or 'buffer'}_written"
            self._role.state["written", found] = part[0]


def _is_accumulator(op: HoldingOp, place: Place) -> bool:
    """Whether the first MMA in a production overwrites a buffer."""
    return not place.is_shared and op.SIDE == "produce" and op.ring_op.in_place is None
