"""The rings of a partitioned kernel: which buffers share one, and how many stages it has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue

from ...isa.targets import SHARED_BYTES
from ...isa.tensor_memory.alloc import COLUMNS
from ..base import Buffer, RingType, enclosing
from ..kernel import Kernel, Wanted, arranged
from ..rings import TMA, RingOp
from .needs import overwrites
from .turns import Run, Turns, kind_of

MOST_STAGES = 4
"""The most stages of a ring that TMA fills, by default."""
_OTHER_STAGES = 2
"""The most stages of another ring: one is used while the next is written."""


@dataclass
class RingPlan:
    """Buffers that a ring hands over together, and the turns that their roles take."""

    turns: list[Turns]
    most_stages: int
    stages: int = 1
    ring: SSAValue | None = None

    @property
    def first(self) -> Turns:
        return self.turns[0]

    @property
    def types(self) -> list[Buffer]:
        """The types of the buffers."""
        return [type_ for each in self.turns if isinstance(type_ := each.buffer.type, Buffer)]

    def make(self) -> RingOp:
        """The operation that makes the ring."""
        properties = {"in_place": UnitAttr()} if self.first.in_place else {}
        type_ = RingType.get(self.stages, self.types)
        op = RingOp.create(properties=properties, result_types=[type_])
        names = [each.buffer.name_hint or "buffer" for each in self.turns]
        op.ring.name_hint = f"{'_'.join(names)}_ring"
        self.ring = op.ring
        return op


def rings_of(kernel: Kernel, turns: Sequence[Turns], most: int) -> list[RingPlan]:
    """The rings, without their stages."""
    plans: list[RingPlan] = []
    for each in turns:
        for plan in plans:
            if _share(plan, each):
                plan.turns.append(each)
                break
        else:
            plans.append(RingPlan([each], _most_stages(kernel, each, most)))
    return plans


def _most_stages(kernel: Kernel, turns: Turns, most: int) -> int:
    (role,) = kernel.roles
    runs = turns.of(turns.producer)
    is_repeated = (
        len(runs) > 1
        or kernel.op.takes_tiles
        or any(isinstance(each, scf.ForOp) for each in _around(runs[0]))
    )
    if (
        not is_repeated
        or turns.in_place
        or not all(overwrites(run, turns.buffer, role) for run in runs)
    ):
        return 1
    return most if turns.producer == TMA else min(most, _OTHER_STAGES)


def _around(run: Run) -> Iterator[Operation]:
    return enclosing(run.statements[0])


def _share(plan: RingPlan, turns: Turns) -> bool:
    """
    Whether a buffer is loaded and used where those of a ring are: each role holds them in the same
    places, and needs no other role in between.
    """
    first = plan.first
    if first.producer != TMA or turns.producer != TMA or first.in_place or turns.in_place:
        return False
    kinds = [[run.kind for run in each.runs] for each in (first, turns)]
    if kinds[0] != kinds[1]:
        return False
    for at, run in enumerate(turns.runs):
        together = [run, *(each.runs[at] for each in plan.turns)]
        if any(each.block is not run.block for each in together):
            return False
        own = [op for each in together for op in each.statements]
        if not _is_alone(run.kind, own):
            return False
    return True


def _is_alone(kind: str, own: Sequence[Operation]) -> bool:
    """
    Whether, from the first to the last of some operations of a block, no other role works, but one
    that loads; if they are loads, there are no others.
    """
    block = own[0].parent
    assert block is not None
    inside = False
    missing = {*own}
    for op in block.ops:
        inside = inside or op in missing
        if op in missing:
            missing.remove(op)
        elif inside:
            kinds = {kind_of(each) for each in op.walk()} - {None}
            if TMA in kinds if kind == TMA else kinds - {TMA, kind}:
                return False
        if not missing:
            return True
    return True


def choose_stages(
    kernel: Kernel, plans: Sequence[RingPlan], copied: dict[SSAValue, SSAValue]
) -> None:
    """
    Give each ring the stages that memory leaves, the rings with the fewest stages first. `copied`
    gives, for the buffer of a `ws.alloc`, the tile that is copied to it.
    """
    growing = [*plans]
    while growing:
        plan = min(growing, key=lambda each: each.stages)
        plan.stages += 1
        if plan.stages > plan.most_stages or not _fits(kernel, plans, copied):
            plan.stages -= 1
            growing.remove(plan)


def _fits(kernel: Kernel, plans: Sequence[RingPlan], copied: dict[SSAValue, SSAValue]) -> bool:
    held = {each.buffer: plan for plan in plans for each in plan.turns}
    wanted = [Wanted(plan.first.buffer, plan.stages, plan.types) for plan in plans]
    for alloc in kernel.allocs:
        type_ = alloc.buffer.type
        if alloc.buffer not in held and isinstance(type_, Buffer):
            source = held.get(copied[alloc.buffer]) if alloc.buffer in copied else None
            wanted.append(Wanted(alloc.buffer, 1 if source is None else source.stages, [type_]))
    memory = arranged(wanted, kernel.op)
    # The barrier objects come before the tiles, which are aligned.
    return (
        memory.shared_bytes + memory.alignment <= max(SHARED_BYTES.values())
        and memory.columns <= COLUMNS
    )
