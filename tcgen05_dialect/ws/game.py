"""
The token game: whether the roles of a kernel produce and consume equally often, and finish
(T5-WS-011, T5-WS-012).

Rings are bounded queues, and the control of each role is the same for all of its threads, so the
result does not depend on the schedule: one run decides. The game is played for a few sizes; what
depends on data is not decided.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import islice, product

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from ..isa.model.rule import Violation, plural
from ..isa.warp_specialization import BALANCE_RULE, DEADLOCK_RULE
from ..ptx.contract import AssumeOp
from ..ptx.kernel import KernelOp
from ..reporting.locations import text_place
from .control_flow import ControlFlow, Excluded, Sizes, Step, Undecided, run_of
from .evaluation import deciding, unit_of
from .holdings import HoldingOp
from .kernel import Kernel
from .rings import RingOp
from .roles import RoleOp

_MOST_GAMES = 60


def game_findings(function: KernelOp, kernel: Kernel) -> Iterator[tuple[Operation, Violation]]:
    """The violations that a game finds: those of the first size with any."""
    flow = flow_of(function, kernel)
    for sizes in sizes_of(function, kernel, flow.needed):
        run = partial(run_of, function, kernel, sizes, flow)
        try:
            steps = {role: run(role).steps for role in kernel.roles}
        except Undecided:
            return
        except Excluded:
            continue
        found = [*_imbalances(kernel, steps, sizes_text(sizes))] or [
            *_deadlock(kernel, steps, sizes)
        ]
        if found:
            yield from found
            return


def sizes_text(sizes: Sizes) -> str:
    """The sizes as the begin of a sentence."""
    named = [f"%{value.name_hint} = {number}" for value, number in sizes.items() if value.name_hint]
    return f"for {' and '.join(named)}, " if named else ""


def flow_of(function: KernelOp, kernel: Kernel, others: Iterable[SSAValue] = ()) -> ControlFlow:
    """The control flow of the roles, which decides how often and in which order they take and end
    stages, and which numbers other values have."""
    acts = [op for use in kernel.rings.values() for _, op in (*use.holdings, *use.token_ops)]
    return ControlFlow({*deciding(acts, assumptions(function), others), *kernel.op.sizes})


def assumptions(function: KernelOp) -> list[AssumeOp]:
    """The assumptions of a kernel."""
    return [op for block in function.body.blocks for op in block.ops if isinstance(op, AssumeOp)]


_POSITIONS = (0, 1, 3)


def sizes_of(
    function: KernelOp,
    kernel: Kernel,
    needed: Set[SSAValue],
    positions: Sequence[int] = _POSITIONS,
) -> Iterator[Sizes]:
    """Values of the parameters, tiles and positions on which the regions depend."""
    depths = {ring.stages for ring in kernel.rings}
    counts = sorted({1, 2, 3, *(n for s in depths for n in (s, s + 1, 2 * s + 1))})
    contracts = function.contracts()
    lengths: list[tuple[SSAValue, Sequence[int]]] = []
    for parameter, contract in zip(function.body.blocks[0].args, contracts, strict=True):
        if parameter in needed and isinstance(parameter.type, IntegerType):
            unit = unit_of(parameter, needed)
            lengths.append((parameter, [contract.smallest_from(count * unit) for count in counts]))
    choices = [(index, positions) for index in kernel.op.indices if index in needed]
    tiles: list[tuple[SSAValue, Sequence[int]]] = []
    if kernel.op.takes_tiles:
        first, *_ = kernel.op.sizes
        if all(value is not first for value, _ in lengths):
            tiles.append((first, [kernel.op.tile[0] * count for count in (1, 2, 3)]))
    # All lengths grow together; tiles and positions vary beside them.
    growing = [{value: ns[at] for value, ns in lengths} for at in range(len(counts))]
    others = [[{value: n} for n in ns] for value, ns in (*tiles, *choices)]
    for parts in islice(product(growing if lengths else growing[:1], *others), _MOST_GAMES):
        yield {value: number for part in parts for value, number in part.items()}


Steps = Mapping[RoleOp, Sequence[Step]]


def _imbalances(kernel: Kernel, steps: Steps, text: str) -> Iterator[tuple[Operation, Violation]]:
    for ring, use in kernel.rings.items():
        if use.is_stored:
            continue
        counts = {
            role: sum(step.begins and step.ring is ring for step in steps[role])
            for role in (*use.producers, *use.consumers)
        }
        producer, *others = use.producers
        made = counts[producer]
        for role in (*others, *use.consumers):
            if counts[role] != made:
                region = next(each for owner, each in use.holdings if owner is role)
                verb = f"{region.SIDE}s"
                times = [f"{n} {plural('stage', n)}" for n in (made, counts[role])]
                sentence = (
                    f"{text}@{producer.sym_name.data} produces {times[0]} of %{use.name}, but "
                    f"@{role.sym_name.data} {verb} {times[1]}"
                )
                yield region, BALANCE_RULE.violation(None, None, sentence=sentence)
                return


def _deadlock(kernel: Kernel, steps: Steps, sizes: Sizes) -> list[tuple[Operation, Violation]]:
    at = dict.fromkeys(steps, 0)
    ended: dict[tuple[RoleOp, RingOp], set[int]] = {}
    opposite: dict[tuple[RingOp, str], Sequence[RoleOp]] = {}
    for ring, use in kernel.rings.items():
        opposite[ring, "produce"], opposite[ring, "consume"] = [*use.consumers], [*use.producers]
    is_moving = True
    while is_moving:
        is_moving = False
        for role, own in steps.items():
            while at[role] < len(own):
                step = own[at[role]]
                if not step.begins:
                    ended.setdefault((role, step.ring), set()).add(step.number)
                elif not _may_begin(step, opposite[step.ring, step.op.SIDE] or [role], ended):
                    break
                at[role] += 1
                is_moving = True
    waiting = {role: own[at[role]].op for role, own in steps.items() if at[role] < len(own)}
    if not waiting:
        return []
    clauses = [_clause(role, op) for role, op in waiting.items()]
    sentence = f"{sizes_text(sizes)}the roles never finish: {'; '.join(clauses)}"
    first = next(iter(waiting.values()))
    return [(first, DEADLOCK_RULE.violation(None, None, sentence=sentence))]


def _may_begin(
    step: Step, others: Sequence[RoleOp], ended: Mapping[tuple[RoleOp, RingOp], Set[int]]
) -> bool:
    """
    Whether a role need not wait for the stage that it takes. It waits for the roles on the other
    side or, if TMA stores the stages, for itself.
    """
    # A stage is free when the roles have ended the time for which they held it last.
    awaited = step.number - step.ring.stages if step.op.SIDE == "produce" else step.number
    return awaited < 0 or all(awaited in ended.get((role, step.ring), ()) for role in others)


def _clause(role: RoleOp, op: HoldingOp) -> str:
    place = text_place(op.location)
    line = "" if place is None else f" (line {place.line.data})"
    verb = "a free stage" if op.SIDE == "produce" else "the next stage"
    name = op.ring.name_hint or "a ring"
    return f"@{role.sym_name.data} waits for {verb} of %{name}{line}"
