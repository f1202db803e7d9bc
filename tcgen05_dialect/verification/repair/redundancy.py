"""Redundant synchronisation: fences, waits and barriers whose removal changes no run."""

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import FileLineColLoc, LocationAttr, ModuleOp
from xdsl.ir import Operation

from ...isa.effects.model import CTA_SCOPE, Ordering
from ...ptx import instructions as ptx
from ...ptx.effects import effects_of, orders_of, scope_of
from ...ptx.kernel import KernelOp
from ...reporting.diagnostics import OperationError, rule_of
from ...simulator.launch.launch import Coverage
from ...simulator.machine.errors import LaunchError, line_key
from ...simulator.machine.state import LaunchSizes
from ..determinism import Answer
from ..execution import Outcome, Skeleton
from ..knowledge import Undecided
from ..launches import Cluster
from ..outcomes import breaks_assumption
from ..sizes import Chooser


class _Run(NamedTuple):
    """A run of the whole kernel, which one with fewer operations must repeat."""

    values: Mapping[int, int]
    sizes: LaunchSizes
    answer: Answer
    """The result of polls; see `Skeleton.run`."""
    found: object


def redundant_in(kernel: KernelOp, cluster: Cluster = None) -> list[Operation]:
    """
    Operations of a lowered kernel that may be removed together: fences, waits and barriers without
    which the runs find the same, at all sizes and for every schedule. The kernel is unchanged
    afterwards. Of several copies of one operation of the text, only the first is returned.
    `cluster` is that of the kernel's verdict.

    Empty if the kernel has errors or is not decided.
    """
    try:
        skeleton = Skeleton(kernel)
        skeleton.check()
        runs, reached = _runs(skeleton, cluster)
    except (Undecided, LaunchError):
        return []
    found: list[Operation] = []
    removed: list[tuple[Operation, Operation]] = []
    for step in _steps(kernel):
        if not all(line_key(op) in reached for op in step):
            continue
        removal = [_remove(op) for op in step]
        if _are_repeated(kernel, runs):
            first: dict[LocationAttr, Operation] = {}
            for op in step:
                first.setdefault(op.location, op)
            found += first.values()
            removed += removal
        else:
            _restore(removal)
    _restore(removed)
    return found


def _runs(skeleton: Skeleton, cluster: Cluster) -> tuple[list[_Run], set[Hashable]]:
    """The runs of a kernel, and the lines that they reach. Raises Undecided."""
    runs: list[_Run] = []
    coverage: list[Coverage] = []
    for sizes in skeleton.launches(cluster):
        chooser = Chooser(skeleton, sizes)
        scenarios = chooser.scenarios(True)
        skeleton.infer_boxes(scenarios[0].values, scenarios[0].sizes)
        # What a step orders may depend on partial tiles.
        tails = chooser.tails()
        for scenario in (*scenarios, *tails):
            for answer in skeleton.answers:
                outcome = skeleton.run(scenario.values, scenario.sizes, answer)
                if scenario in tails and (outcome.undecided or breaks_assumption(outcome)):
                    continue
                if outcome.undecided is not None:
                    raise outcome.undecided
                runs.append(_Run(scenario.values, scenario.sizes, answer, _found(outcome)))
                if outcome.passes:
                    coverage.append(outcome.coverage)
    whole = Coverage.of_all(coverage)
    open_ = {(point.file, point.line) for group in whole.unreached for point in group}
    lines: set[Hashable] = {(point.file, point.line) for point in whole.points}
    return runs, lines - open_


def _found(outcome: Outcome) -> object:
    """What a run shows: its findings, and whether it speaks for every schedule."""
    undecided = None if outcome.undecided is None else outcome.undecided.message
    return undecided, sorted(map(_key, outcome.findings)), outcome.doubt is None


def _key(error: OperationError) -> tuple[str, str]:
    return rule_of(error).id, str(line_key(error.operation))


def _are_repeated(kernel: KernelOp, runs: list[_Run]) -> bool:
    """Whether a kernel without some operations runs as the whole one."""
    try:
        skeleton = Skeleton(kernel)
        skeleton.check()
        launch: LaunchSizes | None = None
        for run in runs:
            if run.sizes != launch:
                launch = run.sizes
                skeleton.infer_boxes(run.values, launch)
            outcome = skeleton.run(run.values, run.sizes, run.answer)
            if _found(outcome) != run.found:
                return False
    except (Undecided, LaunchError):
        return False
    return True


def _steps(kernel: KernelOp) -> Iterable[list[Operation]]:
    """
    The operations that may be redundant, those of a barrier of the cluster together, and the copies
    of operations of a function together. Functions that other kernels use, too, are left out.
    """
    steps: dict[object, list[Operation]] = {}
    shared = _shared_locations(kernel)
    arrived: ptx.BarrierClusterArriveOp | None = None
    for op in [*kernel.walk()]:
        if not isinstance(op.location, FileLineColLoc) or op.location in shared:
            continue
        if isinstance(op, ptx.BarrierClusterArriveOp):
            arrived = op
        elif isinstance(op, ptx.BarrierClusterWaitOp):
            if arrived is not None and arrived.parent is op.parent:
                steps.setdefault((arrived.location, op.location), []).extend((arrived, op))
        elif _is_step(op):
            steps.setdefault(op.location, []).append(op)
    return steps.values()


def _shared_locations(kernel: KernelOp) -> set[LocationAttr]:
    """The locations of operations of a module's other kernels."""
    module = kernel.parent_op()
    if not isinstance(module, ModuleOp):
        return set()
    others = (op for op in module.ops if isinstance(op, KernelOp) and op is not kernel)
    return {op.location for other in others for op in other.walk()}


def _is_step(op: Operation) -> bool:
    """Whether an operation only waits or orders, and a run can tell whether it is needed."""
    effects = effects_of(type(op))
    if op.results or effects.writes or not (effects.orders or effects.completes):
        return False
    # A run knows neither other grids nor what threads of other clusters do, nor whether a pointer
    # and a tensor map are those of one array.
    if isinstance(op, ptx.GriddepcontrolOp) or Ordering.PROXY_GLOBAL in orders_of(op):
        return False
    return not isinstance(op, ptx.FenceOp) or scope_of(op) in (CTA_SCOPE, "cluster")


def _remove(op: Operation) -> tuple[Operation, Operation]:
    """Take an operation out of its block; returns it with the next operation."""
    following = op.next_op
    assert following is not None
    op.detach()
    return op, following


def _restore(removal: list[tuple[Operation, Operation]]) -> None:
    """Put back operations, the last removed first."""
    for op, following in reversed(removal):
        assert following.parent is not None
        following.parent.insert_op_before(op, following)
