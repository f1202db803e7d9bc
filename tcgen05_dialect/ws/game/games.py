"""
Games on the control flow of roles, for a few sizes: whether the roles of a kernel produce and
consume equally often and finish (T5-WS-011, T5-WS-012), and whether the CTAs that share tiles want
the same ones in the same order (T5-WS-022).

Rings are bounded queues, and the control of each role is the same for all of its threads, so the
result does not depend on the schedule: one run decides. The game is played for a few sizes; what
depends on data is not decided.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import islice, product
from math import prod

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from ...isa.instructions.barriers import DIMENSIONS
from ...isa.model.rule import Violation, plural
from ...isa.practice import BALANCE_RULE, DEADLOCK_RULE, MULTICAST_RULE
from ...ptx.contract import AssumeOp
from ...ptx.kernel import KernelOp
from ...reporting.diagnostics import text_place, value_name
from ..boxes import Sharing, position_of
from ..kernel import Kernel, RingUse
from ..regions import holding_of
from ..rings import HoldingOp, RingOp
from ..roles import RoleOp
from ..tma import TmaLoadOp
from . import (
    ControlFlow,
    ControlRun,
    Excluded,
    Sizes,
    Step,
    Undecided,
    deciding,
    run_of,
    unit_of,
)

_MOST_GAMES = 60


def game_findings(function: KernelOp, kernel: Kernel) -> Iterator[tuple[Operation, Violation]]:
    """The violations of a game at the first size that has any."""
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
    """The sizes as the start of a sentence."""
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
    parameters = zip(function.body.blocks[0].args, function.contracts(), strict=True)
    lengths = {
        parameter: [contract.smallest_from(n * unit_of(parameter, needed)) for n in counts]
        for parameter, contract in parameters
        if parameter in needed and isinstance(parameter.type, IntegerType)
    }
    choices = [(index, positions) for index in kernel.op.indices if index in needed]
    tiles: list[tuple[SSAValue, Sequence[int]]] = []
    if kernel.op.takes_tiles:
        first, *_ = kernel.op.sizes
        if first not in lengths:
            tiles.append((first, [kernel.op.tile[0] * count for count in (1, 2, 3)]))
    # All lengths grow together; tiles and positions vary beside them.
    growing = [{value: ns[at] for value, ns in lengths.items()} for at in range(len(counts))]
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
                yield region, BALANCE_RULE.says(sentence)
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
    return [(first, DEADLOCK_RULE.says(sentence))]


def _may_begin(
    step: Step, others: Sequence[RoleOp], ended: Mapping[tuple[RoleOp, RingOp], Set[int]]
) -> bool:
    """Whether a role need not wait for the stage that it takes. It waits for the roles on the other
    side or, if TMA stores the stages, for itself."""
    # A stage is free when the roles have ended the time for which they held it last.
    awaited = step.number - step.ring.stages if step.op.SIDE == "produce" else step.number
    return awaited < 0 or all(awaited in ended.get((role, step.ring), ()) for role in others)


def _clause(role: RoleOp, op: HoldingOp) -> str:
    place = text_place(op.location)
    line = "" if place is None else f" (line {place.line.data})"
    verb = "a free stage" if op.SIDE == "produce" else "the next stage"
    name = value_name(op.ring, "a ring")
    return f"@{role.sym_name.data} waits for {verb} of {name}{line}"


_MOST_CLUSTER_GAMES = 12
_BLOCKS = (1,)
"""The positions of the cluster along each dimension; tiles of another cluster come before it."""

Finding = tuple[Operation, Violation]
Runs = Sequence[Mapping[RoleOp, ControlRun]]
"""The runs of the roles of each CTA, by rank."""


def multicast_findings(function: KernelOp, kernel: Kernel) -> Iterator[Finding]:
    """The first difference between CTAs that share tiles of a ring."""
    shared = [use for use in kernel.rings.values() if use.sharings]
    if not shared:
        return
    regions = [region for use in shared for _, region in use.holdings]
    indices: list[SSAValue] = [
        index for region in regions for load in _loads(region) for index in load.indices
    ]
    flow = flow_of(function, kernel, indices)
    roles = dict.fromkeys(role for use in shared for role, _ in use.holdings)
    cluster = kernel.op.cluster
    for sizes in islice(sizes_of(function, kernel, flow.needed, _BLOCKS), _MOST_CLUSTER_GAMES):
        runs: list[Mapping[RoleOp, ControlRun]] = []
        try:
            for rank in range(prod(cluster)):
                own, registers = _place(kernel, sizes, rank)
                run = (run_of(function, kernel, own, flow, role, registers) for role in roles)
                runs.append(dict(zip(roles, run, strict=True)))
        except Undecided:
            return
        except Excluded:
            continue
        found = next(
            (each for use in shared for each in _differences(kernel, use, runs, sizes)), None
        )
        if found is not None:
            yield found
            return


def _loads(region: HoldingOp) -> Iterator[TmaLoadOp]:
    """The multicast loads of a stage."""
    for op in (use.operation for buffer in region.buffers for use in buffer.uses):
        if isinstance(op, TmaLoadOp) and op.sharing is not None:
            yield op


def _place(kernel: Kernel, sizes: Sizes, rank: int) -> tuple[Sizes, Mapping[str, int]]:
    """The sizes with the indices of the tile of a CTA, and the special registers of its place."""
    op = kernel.op
    position = position_of(rank, op.cluster)
    own = dict(sizes)
    registers = {"cluster_ctarank": rank}
    for at, (dimension, extent, tiles) in enumerate(
        zip(DIMENSIONS, op.cluster, op.cluster_tiles, strict=True)
    ):
        inside = position[at]
        registers[f"cluster_ctaid.{dimension}"] = inside
        registers[f"ctaid.{dimension}"] = _BLOCKS[0] * extent + inside
        if at < len(op.indices) and (index := op.indices[at]) in own:
            own[index] = own[index] * tiles + inside * tiles // extent
    return own, registers


def _differences(kernel: Kernel, use: RingUse, runs: Runs, sizes: Sizes) -> Iterator[Finding]:
    """The differences between each CTA and the first one with which it shares tiles of a ring."""
    cluster = kernel.op.cluster
    text = sizes_text({each: n for each, n in sizes.items() if each not in kernel.op.indices})
    found = [load.sharing for _, region in use.holdings for load in _loads(region)]
    for sharing in dict.fromkeys(each for each in found if each is not None):
        for rank, own in enumerate(runs):
            first, _ = sharing.place(rank, cluster)
            ctas = [_name(each, cluster) for each in (first, rank)]
            for op, sentence in _unequal(use, sharing, (runs[first], own), ctas):
                yield op, MULTICAST_RULE.says(text + sentence)


def _unequal(
    use: RingUse, sharing: Sharing, runs: Runs, ctas: Sequence[str]
) -> Iterator[tuple[Operation, str]]:
    """The differences between two CTAs, each with a sentence."""
    for role in runs[0]:
        regions = [[each for each in run[role].steps if each.begins] for run in runs]
        held = [[each.op for each in steps if each.ring is use.op] for steps in regions]
        if len(held[0]) != len(held[1]):
            did = " and ".join(f"{len(ops)} in {cta}" for ops, cta in zip(held, ctas, strict=True))
            side, name = max(held, key=len)[0].SIDE, f"@{role.sym_name.data}"
            number = f"the number of stages of %{use.name} that {name} {side}s"
            yield max(held, key=len)[0], f"{number} is {did}, which share tiles"
        loads = [[each for each in run[role].loads if _is_of(each[0], use)] for run in runs]
        loads = [[each for each in own if each[0].sharing == sharing] for own in loads]
        for (load, one), (other, two) in zip(*loads, strict=False):
            if other is load and any(
                a is not None and b is not None and a != b for a, b in zip(one, two, strict=True)
            ):
                places = " and ".join(
                    f"{cta} loads tile {_tile(each)}"
                    for cta, each in zip(ctas, (one, two), strict=True)
                )
                name = load.tensor_map.name_hint or "the tensor map"
                same = f"multicast({sharing.dimension}) gives both the same tile"
                yield load, f"{places} of %{name}, but {same}"


def _is_of(load: TmaLoadOp, use: RingUse) -> bool:
    holding = holding_of(load.tile)
    return holding is not None and holding.ring_op is use.op


def _name(rank: int, cluster: tuple[int, int, int]) -> str:
    return f"CTA {position_of(rank, cluster)}"


def _tile(indices: Sequence[int | None]) -> str:
    return f"[{', '.join('?' if each is None else str(each) for each in indices)}]"
