"""What the lowering of a role knows: where to append, the held buffers, and what is carried."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from xdsl.ir import Attribute, Block, SSAValue

from tcgen05_dialect.ptx.synchronization import BarWarpSyncOp, ElectSyncOp
from tcgen05_dialect.ws.rings import RingOp
from tcgen05_dialect.ws.roles import RoleOp
from tcgen05_dialect.ws.sizes import Place

from .emitter import Constants, Emitter
from .memory import KernelMemory

Key = tuple[str, SSAValue]
"""What is carried: the stage or the phase of a ring, or whether D has been written."""


class Held(NamedTuple):
    """A buffer in the stage that a region holds; without a ring, the buffer of a ws.alloc."""

    ring: RingOp | None
    place: Place
    stage: SSAValue


class RoleContext:
    """
    The state of the lowering of a role. `head` appends to its beginning. With `on_one_lane` only
    the elected lane executes the role.
    """

    def __init__(
        self, role: RoleOp, memory: KernelMemory, constants: Constants, on_one_lane: bool
    ) -> None:
        self.role, self.memory, self.on_one_lane = role, memory, on_one_lane
        self.head = Emitter(Block(), constants)
        self.emit = Emitter(Block(), constants)
        self.head.location = self.emit.location = role.location
        self.state: dict[Key, SSAValue] = {}
        self.held: dict[SSAValue, Held] = {}
        self.descriptors: dict[tuple[Place, Attribute], SSAValue] = {}
        self.zero = self.head.constant(0)
        self.all_lanes = self.head.constant(-1)
        self.elected = self.head.ptx(ElectSyncOp, {"mask": (self.all_lanes,)}).elected
        self.elected.name_hint = "elected"

    @contextmanager
    def one_thread(self) -> Generator[None]:
        """Append what one thread executes."""
        if self.on_one_lane:
            yield
        else:
            with self.emit.when(self.elected):
                yield

    def sync_warp(self) -> None:
        """Append the synchronisation of a warp."""
        if not self.on_one_lane:
            self.emit.ptx(BarWarpSyncOp, {"mask": (self.all_lanes,)})

    def place_of(self, buffer: SSAValue) -> Held:
        """The place of a buffer of a region or of a ws.alloc."""
        held = self.held.get(buffer)
        if held is None:
            (place,) = self.memory.sizes.places[buffer]
            held = Held(None, place, self.zero)
        return held
