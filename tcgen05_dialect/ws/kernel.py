"""Uses of the rings of a kernel by its roles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..isa.ptx.synchronization import BARRIER
from ..ptx.analysis.control_flow import operations_of
from ..ptx.kernel import KernelOp
from ..ptx.known_values import constant_value
from ..ptx.synchronization import CtaBarrier
from .base import enclosing
from .multicast import Sharing, widest
from .rings import MMA, AllocOp, HoldingOp, RingOp
from .roles import RoleBarrierOp, RoleOp, WarpSpecializeOp, role_of
from .sources import holding_of
from .tiles import TryCancelOp, sharing_of
from .tma import TmaLoadOp, TmaStoreOp
from .tokens import AcquireOp, MbarrierOp
from .types import TokenType

_OF_THE_ROLE = (RoleBarrierOp, TmaStoreOp)
"""Operations for which the warps of a role wait for each other."""


@dataclass
class RingUse:
    """
    A ring, and the operations that take its stages and, by tokens, pass them on and end them, in
    the order of the program.
    """

    op: RingOp
    holdings: list[tuple[RoleOp, HoldingOp]] = field(default_factory=list)
    token_ops: list[tuple[RoleOp, Operation]] = field(default_factory=list)

    @property
    def producers(self) -> dict[RoleOp, str]:
        """The roles that produce, each with its kind."""
        return {role: op.kind for role, op in self.holdings if op.SIDE == "produce"}

    @property
    def consumers(self) -> dict[RoleOp, str]:
        """The roles that consume, each with its kind."""
        return {role: op.kind for role, op in self.holdings if op.SIDE == "consume"}

    @cached_property
    def is_stored(self) -> bool:
        """Whether TMA stores each stage, so that the ring needs no consumer. Kept, because the
        lowering of a role removes its operations."""
        productions = [op for _, op in self.holdings if op.SIDE == "produce"]
        return bool(productions) and all(
            any(isinstance(use.operation, TmaStoreOp) for use in buffer.uses)
            for op in productions
            for buffer in op.buffers
        )

    @cached_property
    def sharings(self) -> tuple[Sharing, ...]:
        """
        The CTAs of a cluster that load tiles of this ring together. Kept, because the lowering of a
        role removes its operations.
        """
        found = (each.sharing for each in self._users if isinstance(each, TmaLoadOp))
        cluster = self.holdings[0][0].specialized.cluster if self.is_requested else None
        every = None if cluster is None else sharing_of(cluster)
        return widest(each for each in (*found, every) if each is not None)

    @cached_property
    def is_requested(self) -> bool:
        """Whether the stages are responses to requests for tiles."""
        return any(isinstance(each, TryCancelOp) for each in self._users)

    @property
    def _users(self) -> Iterator[Operation]:
        """The operations that use the buffers of the ring."""
        for _, op in self.holdings:
            for buffer in op.buffers:
                yield from (use.operation for use in buffer.uses)

    def is_in_leader(self, side: str) -> bool:
        """
        Whether, in a pair, both CTAs use the barrier object of the leader: the one that the MMAs of
        the pair wait for.
        """
        consumed, produced = ({*kinds.values()} for kinds in (self.consumers, self.producers))
        if side == "full":
            return consumed == {MMA} and produced != {MMA}
        return produced == {MMA} and consumed != {MMA}

    @property
    def name(self) -> str:
        """The name of the ring, without `%`."""
        return self.op.ring.name_hint or "ring"


class NamedBarriers(NamedTuple):
    """
    The roles whose warps wait for each other, and the barriers of the CTA that no raw operation
    uses. Barrier 0 is that of all roles.
    """

    roles: Sequence[RoleOp]
    free: Sequence[int]


class Kernel:
    """The roles, rings, buffers and loads of a kernel."""

    def __init__(self, op: WarpSpecializeOp) -> None:
        self.op = op
        self.roles = op.roles
        kernel = op.parent_op()
        inside = [] if kernel is None else operations_of(kernel)
        # Most operations belong to other dialects; a comparison of names is the fastest test.
        own = [each for each in inside if each.name.startswith("ws.")]
        self.rings = {each: RingUse(each) for each in own if isinstance(each, RingOp)}
        self.allocs = [each for each in own if isinstance(each, AllocOp)]
        self.loads = [each for each in own if isinstance(each, TmaLoadOp)]
        self.inside: dict[RoleOp, list[Operation]] = {role: [] for role in self.roles}
        """The operations of `ws` in each role, in the order of the program."""
        for each in own:
            if (role := role_of(each)) is not None:
                self.inside[role].append(each)
                if isinstance(each, HoldingOp):
                    self.rings[each.ring_op].holdings.append((role, each))
        if any(isinstance(each, AcquireOp) for each in own):
            self._add_token_ops(inside)
        used = {constant_value(each.number) for each in inside if isinstance(each, CtaBarrier)}
        self.barriers = NamedBarriers(
            [role for role in self.roles if self._has_barrier(role)],
            [each for each in BARRIER.values if each and each not in used],
        )

    def _has_barrier(self, role: RoleOp) -> bool:
        inside = self.inside[role]
        return role.warps_count > 1 and any(isinstance(op, _OF_THE_ROLE) for op in inside)

    def _add_token_ops(self, inside: Sequence[Operation]) -> None:
        for each in inside:
            if isinstance(each, MbarrierOp) or (role := role_of(each)) is None:
                continue
            for token in (value for value in each.operands if isinstance(value.type, TokenType)):
                if (holding := holding_of(token)) is not None:
                    self.rings[holding.ring_op].token_ops.append((role, each))


def warp_specialized(module: ModuleOp) -> list[WarpSpecializeOp]:
    """The `ws.warp_specialize` of each kernel that has one."""
    return [
        op
        for kernel in module.ops
        if isinstance(kernel, KernelOp)
        for block in kernel.body.blocks
        for op in block.ops
        if isinstance(op, WarpSpecializeOp)
    ]


def inside_of(op: Operation, outer: Operation) -> bool:
    """Whether an operation is in a region of another."""
    return any(each is outer for each in enclosing(op))
