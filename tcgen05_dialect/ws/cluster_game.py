"""
The game of a cluster: whether the CTAs that share tiles want the same ones, in the same order
(T5-WS-022).

The control flow of each CTA is executed for a few sizes, as in the token game.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import prod

from xdsl.ir import Operation, SSAValue

from ..isa.model.rule import Violation
from ..isa.ptx.clusterlaunchcontrol import DIMENSIONS
from ..isa.warp_specialization import MULTICAST_RULE
from ..ptx.kernel import KernelOp
from .control_flow import ControlRun, Excluded, Sizes, Undecided, run_of
from .game import flow_of, sizes_of, sizes_text
from .holdings import HoldingOp
from .kernel import Kernel, RingUse
from .multicast import Sharing, position_of
from .roles import RoleOp
from .sources import holding_of
from .tma import TmaLoadOp

_MOST_GAMES = 12
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
    for sizes in islice(sizes_of(function, kernel, flow.needed, _BLOCKS), _MOST_GAMES):
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
                yield op, MULTICAST_RULE.violation(None, None, sentence=text + sentence)


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
