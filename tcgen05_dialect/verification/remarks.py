"""
Texts about the runs of a kernel: remarks that say how far the runs of a verified kernel go, and the
command that repeats the run of a finding with data.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import BlockArgument, Operation

from ..isa.instructions.barriers import GRID_WAIT
from ..isa.model.rule import Rule, Violation, alternatives, plural
from ..isa.shared_memory.tensor_map import Box
from ..ptx.instructions import GriddepcontrolOp
from ..ptx.kernel import KernelOp
from ..ptx.types import ParamArrayType, TensorMapType
from ..reporting.diagnostics import OperationError, located, rule_of
from ..simulator.machine.errors import lines_of, place_of
from ..simulator.machine.state import LaunchSizes
from . import Budget
from .launches import ARRAY_BYTES, clusters_meet, waiting_clusters
from .outcomes import key_of
from .runs import Runs
from .sizes import parameter_text, sizes_text
from .static.inventory import Inventory, cta_axes, pointers_of
from .static.loops import Scenario
from .static.members import shown_name

_MOST_LIMITS = 3
"""Number of sizes of a kind that a remark lists."""


def sentence_of(
    runs: Runs,
    excluded: Sequence[Scenario],
    limits: Mapping[str, Rule],
    overlapping: Sequence[Operation],
) -> str:
    """
    Text: what the runs of a verified kernel cover.

    `excluded` are scenarios for which the kernel is not made. `limits` contains the sizes of those
    and of others, each with the rule that it breaks there. `overlapping` are stores that meet those
    of other CTAs.
    """
    # Imported here, because only remarks need it.
    from .static.periodicity import extent, gaps

    chooser, unshown = runs.chooser, runs.unshown
    uncounted = {each: runs.skeleton.visits[each.loop].most for each in chooser.uncounted}
    covered = extent(
        runs.passed,
        excluded,
        runs.needs,
        uncounted,
        runs.unreached,
        {p for numbers in unshown.values() for p in numbers},
        runs.unsteady,
        chooser.linked,
    )
    word = "verified in part" if runs.is_stopped else "verified"
    parts = [f"{word}{gaps(runs.unreached)}{covered}", *_restrictions(runs)]
    if overlapping:
        parts.append(f"but CTAs store different values in one place at {lines_of(overlapping)}")
    if limits:
        parts.append(f"but not for {limits_text(limits)}")
    if runs.is_stopped:
        parts.append(stopped_text(runs))
    return "; ".join(parts)


def stopped_text(runs: Runs) -> str:
    """Text: what was not run because no time was left."""
    unrun = [*runs.cut, *runs.unrun]
    left = "further sizes"
    if sizes := [*dict.fromkeys(sizes_text(runs.skeleton, each) for each in unrun)]:
        such = f", such as {sizes[0]}," if sizes[0] else ""
        left = f"{len(sizes)} {plural('size', len(sizes))}{such} and further ones"
    during = ", within a run" if runs.cut else ""
    return f"stopped after {Budget.seconds:g} s{during}: {left} were not run to the end"


def _restrictions(runs: Runs) -> Iterator[str]:
    """Sentences: what else the runs cover, and what they assume."""
    from .static.periodicity import computed_at

    skeleton, kernel = runs.skeleton, runs.skeleton.kernel
    if unshown := runs.unshown:
        numbers = dict.fromkeys(p.index for all_ in unshown.values() for p in all_)
        names = " and ".join(parameter_text(kernel, index) for index in numbers)
        yield f"other values of {names} may have outcomes at {computed_at(unshown)} that no run had"
    if runs.is_thorough and cta_axes(skeleton.decisive):
        others = len({each.sizes for each, _ in runs.elsewhere})
        what = f"{others} other {plural('cluster', others)}" if others else "no other cluster"
        yield f"run in {what}"
    if unplaced := runs.unplaced:
        yield f"other clusters may have outcomes at {computed_at(unplaced)} that no run had"
    if error := runs.with_highest:
        op = error.operation
        found = f"{op.name}, {place_of(op)}, breaks {rule_of(error).id}"
        yield f"assumes that elect.sync elects the lowest lane: with the highest one {found}"
    yield from _warnings_of_sizes(runs)
    if any(op.action.data == GRID_WAIT for op in skeleton.ops.of(GriddepcontrolOp)):
        yield "the order of accesses relative to other grids is not checked"
    if clusters_meet(skeleton.ops):
        count = prod(runs.sizes.grid) // prod(runs.sizes.cluster)
        how = "each ran alone" if count == 1 else f"{count} ran together"
        yield f"clusters may pass flags to each other, and {how}"
    if most := max((each.waiting for each in runs.passed), default=0):
        yield f"up to {most} {plural('cluster', most)} taken over"
    yield from _assumptions(runs)


def _warnings_of_sizes(runs: Runs) -> Iterator[str]:
    """Sentences: the rules that only some sizes break, as a warning."""
    usual = {key_of(error) for _, outcome in runs.first for error in outcome.warnings}
    by_rule: dict[str, list[Operation]] = {}
    for key, error in runs.relied.items():
        if key not in usual:
            by_rule.setdefault(rule_of(error).id, []).append(error.operation)
    for id, ops in sorted(by_rule.items()):
        yield f"at some sizes the kernel breaks {id}, a warning, at {lines_of(ops)}"


def _assumptions(runs: Runs) -> Iterator[str]:
    """Sentences: numbers that the kernel does not contain, and the runs assume."""
    skeleton, kernel = runs.skeleton, runs.skeleton.kernel
    boxes: list[str] = []
    for p in skeleton.parameters:
        box = skeleton.boxes.get(p.index)
        if box is None or not (box.is_guess or box.unread):
            continue
        read = ""
        if box.unread:
            # With padding, a tile has more bytes than come.
            read = f", of which {(box.tile - box.unread) * box.bytes // box.tile} are read"
        boxes.append(f"{box.bytes} bytes of {shown_name(p)}{read}")
    if boxes:
        yield f"assumes boxes of {' and '.join(boxes)}"
    for p, guess in skeleton.descriptors.items():
        yield f"assumes the instruction descriptor {shown_name(p)} to be ({guess})"
    for p in runs.chooser.stage_numbers:
        ran = sorted({each.values[p.index] for each in runs.passed})
        yield f"run with {parameter_text(kernel, p.index)} = {alternatives(tuple(ran))}"


def limits_text(limits: Mapping[str, Rule]) -> str:
    """Text: sizes for which a kernel is not made, with the rule that shows it; of many sizes, the
    first and their number."""
    by_rule: dict[Rule, list[str]] = {}
    for sizes, rule in limits.items():
        by_rule.setdefault(rule, []).append(sizes)
    return " or ".join(f"{_some_of(sizes)} ({rule.id})" for rule, sizes in by_rule.items())


def _some_of(sizes: Sequence[str]) -> str:
    listed, rest = [*sizes[:_MOST_LIMITS]], len(sizes) - _MOST_LIMITS
    if rest > 0:
        listed.append(f"{rest} other {plural('size', rest)}")
    *others, last = listed
    return f"{', '.join(others)} or {last}" if others else last


def clusters_text(extents: Iterable[str]) -> str:
    """Text: launches with one of some clusters."""
    text = alternatives(tuple(extents))
    return f"clusters of {text} {'CTA' if text == '1' else 'CTAs'}"


def with_sizes(error: OperationError, sizes: str) -> OperationError:
    """The error with the sizes at which it was found."""
    violation = error.__cause__
    assert isinstance(violation, Violation)
    if not sizes:
        return error
    text = violation.sentence or violation.text
    between = "\n" if "\n" in text else "; "
    found = violation.replaced().ending(_clause(text, between, "found with", sizes))
    sized = located(error.operation, found, error.related)
    sized.conflict = error.conflict
    return sized


def assuming_text(text: str, assumed: str) -> str:
    """A sentence on a verdict with what it assumes."""
    return text + _clause(text, "; ", "assumes", assumed)


def _clause(text: str, between: str, words: str, added: str) -> str:
    """A clause for the end of a text, without its first words if the last clause has them."""
    *_, last = text.replace("\n", "; ").split("; ")
    return f", {added}" if last.startswith(words) else f"{between}{words} {added}"


def as_warning(error: OperationError) -> OperationError:
    """The finding as a warning."""
    violation = error.__cause__
    assert isinstance(violation, Violation)
    rule = violation.rule.of_severity("warning")
    return located(error.operation, violation.replaced(rule=rule))


class Setting(NamedTuple):
    """The run of a kernel that shows a finding: values of the numbers among the parameters, by
    index, and the sizes of the launch; `is_first` unless the run shows another error earlier."""

    values: Mapping[int, int]
    sizes: LaunchSizes
    is_first: bool


_BITS = (8, 16, 32, 64)
_MOST = 1 << 24
"""Largest number of elements of an array that a tensor map describes."""


class File(NamedTuple):
    """A file with kernels; `is_only` if it has one, and `is_given` if it may lack a block or
    cluster that its kernels have."""

    name: str
    is_only: bool
    is_given: bool = False


def replay_of(kernel: KernelOp, setting: Setting, file: File) -> str:
    """
    A command that runs the kernel of a file at the sizes of a run. Empty if `sim` does not show the
    finding, because it ends with an earlier error, or if a launch cannot be described without
    knowing more, such as the elements of a tensor map whose type does not give them.
    """
    ops, declared = Inventory(kernel), kernel.declarations
    if not setting.is_first or waiting_clusters(ops):
        # In `sim`, no cluster waits while there is room for it.
        return ""
    pointers = pointers_of(ops)
    words = ["tcgen05", "sim", file.name, "--launch", "/dev/null", "--schedule", "lazy"]
    if not file.is_only:
        words += ["--kernel", kernel.sym_name.data]
    words += _launch(kernel, setting, file)
    for parameter in kernel.body.blocks[0].args:
        name = parameter.name_hint
        if declared is not None:
            if not parameter.uses:
                continue
            # Further parameters are members of the declared ones; see `members`. Only a launch file
            # can describe these.
            is_member = parameter.index >= len(declared)
            name = "" if is_member else kernel.parameter_name(parameter.index)
        is_pointer = parameter in pointers
        value = f"zeros:u8:{ARRAY_BYTES}" if is_pointer else _value(parameter, setting)
        if not value or not name:
            return ""
        words += ["--arg", f"{name}={value}"]
    return shlex.join(words)


def _launch(kernel: KernelOp, setting: Setting, file: File) -> Iterator[str]:
    sizes = setting.sizes
    if sizes.grid != sizes.cluster:
        yield from ("--grid", ",".join(map(str, sizes.grid)))
    is_of_text = kernel.extents("cluster_dims") is not None and not file.is_given
    if not is_of_text and sizes.cluster != (1, 1, 1):
        yield from ("--cluster", ",".join(map(str, sizes.cluster)))
    if sizes.dynamic_shared_memory:
        yield from ("--dynamic-shared-memory", str(sizes.dynamic_shared_memory))
    has_limit = kernel.extents("maxntid") is not None
    if kernel.declarations is not None or file.is_given or has_limit:
        yield from ("--block", ",".join(map(str, kernel.extents("reqntid") or ())))


def _value(parameter: BlockArgument, setting: Setting) -> str:
    """The value of a parameter that is not a pointer; empty if it is not known."""
    type_ = parameter.type
    if isinstance(type_, TensorMapType):
        return "" if type_.box is None else _array(type_.box)
    if isinstance(type_, ParamArrayType):
        return ""
    # The verifier gives all floating-point numbers this value.
    return "1.0" if isinstance(type_, AnyFloat) else str(setting.values.get(parameter.index, 0))


def _array(box: Box) -> str:
    """An array with several boxes along each dimension; empty for packed elements."""
    shape = [extent * (4 if len(box.extents) < 3 else 2) for extent in reversed(box.extents)]
    if box.kind.bits not in _BITS or prod(shape) > _MOST:
        return ""
    return f"zeros:u{box.kind.bits}:{'x'.join(map(str, shape))}"
