"""Places where a step may be missing, for each kind of step, the most likely first."""

from collections.abc import Iterator
from itertools import islice, takewhile

from xdsl.dialects import scf
from xdsl.ir import Block, Operation

from ...isa.effects.model import StateSpace
from ...isa.effects.table import Step, steps_to
from ...ptx.effects import global_places
from ...ptx.structure import GuardOp, unguarded
from ...ptx.text.syntax import word_of
from ...simulator.order.report import wait_behind
from .flow import (
    MBARRIER_WAITS,
    computations_behind,
    effects_of,
    following,
    has_effects,
    is_arrival,
    is_empty,
    is_fence,
    is_tensor_core,
    is_wait,
    kind,
    last_place,
)
from .listing import Place, enclosing
from .problem import Problem, named

_MOST = 3
"""Number of waits, arrivals or operations around an access beside which a step is tried."""


def completing(op: Operation) -> list[Step]:
    """The instructions by which a thread learns that an operation is complete."""
    areas = [area.completion for area in effects_of(op).areas if area.completion is not None]
    return [step for completion in areas for step in steps_to(completion)]


def _ends_with(op: Operation, name: str) -> list[Step]:
    return [step for step in completing(op) if step.instruction.endswith(name)]


def is_of_group(op: Operation) -> bool:
    """Whether a thread learns by the wait for a group that an operation is complete."""
    return bool(_ends_with(op, "commit_group"))


def after_waits(problem: Problem) -> list[Place]:
    """Before the later access, and after the waits before it."""
    waits = [problem.past(each) for each in problem.flow.before(problem.op) if is_wait(each)]
    return [*waits[:1], Place(problem.op), *waits[1:_MOST]]


def before_arrivals(problem: Problem) -> list[Place]:
    """After the earlier access, and before the arrivals after it."""
    op = problem.related
    if op is None:
        return []
    arrivals = [Place(each) for each in problem.flow.behind(op) if is_arrival(each)]
    return [*arrivals[:1], Place(op, behind=True), *arrivals[1:_MOST]]


def around_accesses(problem: Problem) -> list[Place]:
    """Before the arrivals after the earlier access, and before the later one."""
    return [*before_arrivals(problem), Place(problem.op)] if problem.related is not None else []


def after_initialisations(problem: Problem) -> list[Place]:
    """After the last initialisation of a barrier object, and before the arrivals after it."""
    inits = [*problem.ops("mbarrier.init")]
    if not inits or any(kind(each) == "fence.mbarrier_init" for each in following(inits[-1])):
        return []
    return [Place(inits[-1], behind=True), *before_arrivals(problem.between(problem.op, inits[-1]))]


def beside_relaxed(problem: Problem) -> list[Place]:
    """Beside the relaxed accesses that synchronise threads."""
    words = "relaxed", "volatile"
    relaxed = [op for op in problem.kernel.walk() if word_of(op, "semantics") in words]
    if not relaxed:
        return []
    waits = (Place(each, behind=True) for each in relaxed if is_wait(each))
    return [*waits, *(Place(each) for each in relaxed if is_arrival(each)), Place(problem.op)]


def after_access(problem: Problem) -> Iterator[Place]:
    """After an access to tensor memory and those beside it, if their wait does not follow."""
    last = problem.op
    waits = _ends_with(last, "tcgen05.wait")
    while waits and last.next_op is not None and _ends_with(last.next_op, "tcgen05.wait") == waits:
        last = last.next_op
    row = after = _last_of_row(last)
    while waits and (after := _next(after)) is not None and kind(after) == "tcgen05.wait":
        if word_of(after, "operation") == waits[0].qualifiers["operation"]:
            return
    if waits:
        yield from (Place(last, behind=True), Place(row, behind=True))


def after_copies(problem: Problem) -> Iterator[Place]:
    """After copies of a group that no commit follows."""
    if _ends_with(problem.op, "commit_group") and _commit_of(problem) is None:
        yield Place(_last_of_row(problem.op), behind=True)


def after_thread_copies(problem: Problem) -> Iterator[Place]:
    """After copies of threads that no group and no barrier object tracks."""
    for op in problem.ops("cp.async"):
        after = _next(op)
        if after is None or not kind(after).startswith("cp.async"):
            yield Place(op, behind=True)


def before_uses(problem: Problem) -> Iterator[Place]:
    """Where a thread may wait for the group of copies of the problem."""
    copy, other, flow = problem.op, problem.related, problem.flow
    if not is_of_group(copy) or _is_awaited(copy, other):
        return
    if other is not None:
        # The threads that have issued the copies wait, before they tell others. A fence between
        # two barriers comes after the wait, too.
        yield from map(Place, islice(filter(is_arrival, flow.before(other)), 2))
    yield Place(_commit_of(problem) or _last_of_row(copy), behind=True)
    if other is not None:
        yield Place(other)


def _is_awaited(copy: Operation, other: Operation | None) -> bool:
    """Whether operations of the same block wait for all accesses of a copy with which another
    operation may conflict."""
    is_shared = other is not None and not global_places(other, or_generic=True)
    return all(
        wait_behind(copy, area.completion)
        for area in effects_of(copy).areas
        if area.completion is not None and not (is_shared and area.space is StateSpace.GLOBAL)
    )


def _next(op: Operation) -> Operation | None:
    """The next operation that does more than compute."""
    *_, last = op, *computations_behind(op)
    return last.next_op


def _last_of_row(op: Operation) -> Operation:
    """The last of the operations of a kind that follow each other, with only computations between
    them."""
    last = op
    while (after := _next(last)) is not None and kind(after) == kind(op):
        last = after
    return last


def _commit_of(problem: Problem) -> Operation | None:
    """The commit after a copy or, in a loop, before it; None if a wait comes first."""
    commits, waits = (_ends_with(problem.op, name) for name in ("commit_group", "wait_group"))
    around = (op for each in enclosing(problem.op) for op in each.walk())
    for each in (*problem.flow.behind(_last_of_row(problem.op)), *around):
        if kind(each) == commits[0].instruction:
            return each
        if kind(each) == waits[0].instruction:
            return None
    return None


def lone_fences(problem: Problem) -> Iterator[Place]:
    """Before tcgen05 fences after threads synchronise that follow no wait, as if one was there."""
    for fence in problem.ops("tcgen05.fence"):
        if is_fence(fence, "after") and not _follows_a_wait(problem, fence):
            yield Place(fence)


def after_commits(problem: Problem) -> Iterator[Place]:
    """After commits whose barrier objects are those of the variable."""
    for commit in problem.ops("tcgen05.commit"):
        if problem.variable in problem.barriers(commit):
            yield Place(commit, behind=True)


def before_access(problem: Problem) -> Iterator[Place]:
    """Places before an access for a wait. A fence that follows no wait shows where one is
    missing."""
    op, flow = problem.op, problem.flow
    fences = [
        each
        for each in flow.before(op)
        if is_fence(each, "after") or kind(each) == "fence.proxy.async"
    ][: _MOST + 1]
    yield from (Place(each) for each in fences if not _follows_a_wait(problem, each))
    first, *beginnings = _beginnings(unguarded(op), _earlier(problem))
    yield from (first, *map(Place, fences[:1]), *beginnings)
    meetings = (each for each in flow.before(op) if kind(each) in _MEETINGS)
    yield from map(Place, islice(meetings, 1))


_MEETINGS = "bar.sync", "barrier.cluster.arrive"


def _earlier(problem: Problem) -> Operation | None:
    """The operation with the earlier access, or the last of the commits after it, in the block of
    the later one; None if it is elsewhere, or comes later in the text."""
    later = unguarded(problem.op)
    around = () if problem.related is None else enclosing(problem.related)
    mate = next((each for each in around if each.parent is later.parent), None)
    if mate is None or not mate.is_before_in_block(later):
        return None
    *_, last = mate, *takewhile(_is_commit, filter(has_effects, following(mate)))
    return last


def _is_commit(op: Operation) -> bool:
    return kind(op) == "tcgen05.commit"


def _beginnings(op: Operation, earlier: Operation | None) -> Iterator[Place]:
    """Places before an operation in its block: after the last wait, after the last operation by
    which other threads may go on, and immediately before it; none before an earlier operation."""
    for ends in is_wait, is_arrival:
        first = op
        while (last := first.prev_op) is not None and last is not earlier and not ends(last):
            first = last
        while first is not op and not has_effects(first):
            assert first.next_op is not None
            first = first.next_op
        yield Place(first)
    yield Place(op)


def _follows_a_wait(problem: Problem, op: Operation) -> bool:
    """Whether a fence follows a wait, other than that of the lanes of a warp for each other."""
    for each in problem.flow.before(op):
        if is_wait(each) and kind(each) != "bar.warp.sync":
            return True
        if has_effects(each):
            return False
    return False


_ENDS_A_RUN = "mbarrier.", "tcgen05.commit", "bar"
"""Beginnings of the names of operations that end a run of tensor core operations."""


def empty_branches(problem: Problem) -> Iterator[Place]:
    """In branches without text, as if a step had been there."""
    return (Place(op, inside=True) for op in problem.ops("scf.if") if is_empty(op))


def after_products(problem: Problem) -> list[Place]:
    """After runs of tensor core operations: first runs before an address that nothing uses, then
    other runs without a commit. Next, after the loops around runs, in empty branches, and after the
    commits of other runs."""
    lost: list[Place] = []
    alone: list[Place] = []
    loops: list[Place] = []
    committed: list[Place] = []
    for op in filter(is_tensor_core, reversed([*problem.kernel.walk()])):
        after = [*following(op)]
        ends = (
            each for each in after if is_tensor_core(each) or kind(each).startswith(_ENDS_A_RUN)
        )
        if is_tensor_core(next(ends, problem.kernel)):
            continue
        steps = filter(has_effects, after)
        commits = [*takewhile(_is_commit, steps)]
        if not any(problem.variable in problem.barriers(each) for each in commits):
            *_, last = op, *commits
            # An address that nothing uses may belong to the lost commit.
            unused = [
                each
                for each in computations_behind(last)
                if each.results and not any(value.uses for value in each.results)
            ]
            is_lost = any(
                problem.variable in problem.variables(value)
                for each in unused
                for value in each.results
            )
            *_, last = last, *unused
            kept = lost if is_lost else committed if commits else alone
            kept.append(Place(last, behind=True))
        around = (each for each in enclosing(op) if isinstance(each, scf.ForOp | scf.WhileOp))
        loops += (Place(each, behind=True) for each in around)
        loops += map(problem.beyond, problem.flow.exits(op))
    has_runs = lost or alone or loops or committed
    return [*lost, *alone, *loops, *empty_branches(problem), *committed] if has_runs else []


def after_announcements(problem: Problem) -> Iterator[Place]:
    """After operations that announce bytes at the barrier objects of the variable, but do not
    arrive."""
    for op in problem.ops("mbarrier.expect_tx", "mbarrier.expect_tx.remote"):
        if problem.variable in problem.barriers(op):
            yield Place(op, behind=True)


def before_inits(problem: Problem) -> Iterator[Place]:
    """Before the operation, if it initialises a barrier object again."""
    if kind(problem.op) == "mbarrier.init":
        yield Place(problem.op)


_USES = frozenset(("ld", "st", "fence.proxy.async", "tcgen05.ld", "tcgen05.st", "tcgen05.wait"))
"""Operations after which a thread may hand on what it used."""


def after_uses(problem: Problem) -> Iterator[Place]:
    """Places where threads may have used what they waited for."""
    for op in problem.kernel.walk():
        # An address that nothing uses may belong to the lost arrival.
        unused = (value for value in op.results if not value.uses)
        if any(problem.variables(value) == frozenset((problem.variable,)) for value in unused):
            yield Place(op, behind=True)
    for fence in problem.ops("tcgen05.fence"):
        if is_fence(fence, "before"):
            meetings = takewhile(lambda each: kind(each) == "bar.warp.sync", following(fence))
            *_, last = fence, *meetings
            yield Place(last, behind=True)
    yield from empty_branches(problem)
    for wait in problem.ops(*MBARRIER_WAITS):
        if problem.variable not in problem.barriers(wait):
            behind = takewhile(lambda op: kind(op) not in MBARRIER_WAITS, problem.flow.behind(wait))
            uses = [each for each in behind if kind(each) in _USES]
            yield _behind(problem, uses[-1], wait) if uses else problem.past(wait)
    for op in problem.kernel.walk():
        # Threads that provide the first data wait for nothing.
        if op.parent is not None and op is _last_use(op.parent):
            yield Place(unguarded(op), behind=True)


def _last_use(block: Block) -> Operation | None:
    """The last operation of a block, before its first wait, that uses what others may wait for."""
    ops = takewhile(lambda op: kind(op) not in MBARRIER_WAITS, block.walk())
    uses = [op for op in ops if kind(op) in _USES]
    return uses[-1] if uses else None


def _behind(problem: Problem, op: Operation, wait: Operation) -> Place:
    """The place after an operation, and after the loops around it that do not contain a wait."""
    around = {*problem.flow.loops(wait)}
    place = Place(op, behind=True)
    for loop in takewhile(lambda loop: loop not in around, problem.flow.loops(op)):
        if isinstance(loop, Operation):
            place = Place(loop, behind=True)
        elif loop.first_op is not None:
            exits = problem.flow.exits(loop.first_op)
            place = next((problem.beyond(way) for way in exits), place)
    return place


def before_copies(problem: Problem) -> Iterator[Place]:
    """Before the first copies of blocks on a barrier object whose bytes nothing announces."""
    for copy in problem.kernel.walk():
        if not effects_of(copy).completes_at or problem.variable not in problem.barriers(copy):
            continue
        previous = copy.prev_op
        announced = any(kind(each).endswith("expect_tx") for each in _phase_of(problem, copy))
        follows = (
            previous is not None
            and effects_of(previous).completes_at
            and problem.variable in problem.barriers(previous)
        )
        if not announced and not follows:
            yield Place(copy)
            if named(copy, "multicast_mask") is not None:
                # Each CTA announces what it receives, in its own threads.
                around = (each for each in enclosing(copy) if isinstance(each, scf.IfOp))
                yield from (*map(Place, around), *_after_inits(problem))
    yield from empty_branches(problem)


def _phase_of(problem: Problem, copy: Operation) -> Iterator[Operation]:
    """The uses of the barrier objects of the variable in the block of a copy, between the waits
    before and after the copy."""
    assert copy.parent is not None
    uses = [op for op in copy.parent.walk() if problem.variable in problem.barriers(op)]
    at = uses.index(copy)
    for part in (reversed(uses[:at]), uses[at:]):
        yield from takewhile(lambda op: kind(op) not in MBARRIER_WAITS, part)


def _after_inits(problem: Problem) -> Iterator[Place]:
    """After the initialisations of the barrier objects of the variable, and their fences."""
    for init in problem.ops("mbarrier.init"):
        if problem.variable in problem.barriers(init):
            fences = takewhile(lambda each: kind(each).startswith("fence"), following(init))
            *_, last = init, *fences
            yield Place(last, behind=True)


_FENCES = "tcgen05.fence", "fence"
_MOST_PLACES = 6


def gaps(problem: Problem) -> Iterator[Place]:
    """Between two tcgen05 fences, where threads should synchronise."""
    for op in problem.ops("tcgen05.fence"):
        last = op.next_op
        if is_fence(op, "before") and last is not None and is_fence(last, "after"):
            yield Place(last)


def between(problem: Problem) -> Iterator[Place]:
    """Places between the two operations, in the blocks that contain both. Without an earlier one,
    before the later one and what leads control to it."""
    return islice(dict.fromkeys(_between(problem)), _MOST_PLACES)


def between_for_all(problem: Problem) -> Iterator[Place]:
    """The places of `between` to which all threads come."""
    return _passed(problem, True)


def between_for_some(problem: Problem) -> Iterator[Place]:
    """The places of `between` to which only some threads may come."""
    return _passed(problem, False)


def _passed(problem: Problem, by_all: bool) -> Iterator[Place]:
    places = dict.fromkeys(_between(problem))
    passed = (each for each in places if problem.flow.is_passed_by_all(each) == by_all)
    return islice(passed, _MOST_PLACES)


def _between(problem: Problem) -> Iterator[Place]:
    later = unguarded(problem.op)
    earlier = None if problem.related is None else unguarded(problem.related)
    levels = [*enclosing(later)]
    if earlier is None:
        # Threads that do not execute the operation must come to the barrier, too.
        yield from map(Place, levels)
        above = (block.last_op for each in levels for block in problem.flow.dominators(each))
        yield from (Place(branch) for branch in above if branch is not None)
        if kind(later) == "mbarrier.inval":
            # What follows may use the bytes, or another barrier object in them, too early.
            yield from (Place(each, behind=True) for each in levels)
        return
    for each in levels:
        mate = next((other for other in enclosing(earlier) if other.parent is each.parent), None)
        if mate is each:
            yield from (Place(each, behind=True), Place(each))
        elif mate is not None:
            is_ahead = each.is_before_in_block(mate)
            first, last = (each, mate) if is_ahead else (mate, each)
            around = [Place(first), Place(last, behind=True)] if problem.flow.loop(first) else []
            # If the text has the later operation first, it belongs to the next iteration.
            yield from around if is_ahead else ()
            yield from (Place(last), Place(first, behind=True))
            inner = takewhile(last.__ne__, following(first))
            yield from (Place(op) for op in inner if kind(op).startswith(_FENCES) or op.regions)
            yield from around
    # In a loop or in unrolled code, the earlier one may come later in the text.
    first, *others = (
        *(*_joins(problem, later, earlier), *_joins(problem, earlier, later)),
        Place(later),
    )
    yield from (first, Place(later), Place(earlier, behind=True), *others, Place(earlier))


def elsewhere(problem: Problem) -> Iterator[Place]:
    """The ends of the branches taken by threads that do not come to the operation."""
    for each in enclosing(problem.op):
        branch = each.parent_op()
        if isinstance(branch, scf.IfOp):
            others = (region for region in branch.regions if region is not each.parent_region())
            blocks = (block for region in others for block in region.blocks)
            yield from filter(None, map(last_place, blocks))
        if each.parent is not None:
            yield from (
                Place(block.last_op)
                for block in problem.flow.blocks_beside(each)
                if block.last_op is not None
            )


def _joins(problem: Problem, later: Operation, earlier: Operation) -> Iterator[Place]:
    """Places in the blocks before the later operation where the ways of threads that execute the
    earlier one, and others, have met."""
    flow = problem.flow
    before_branch = {earlier.parent, *flow.dominators(earlier)}
    for block in (later.parent, *flow.dominators(later)):
        if block is None or block in before_branch or block.first_op is None:
            return
        yield problem.before(block.first_op)
        yield from (Place(op) for op in block.ops if kind(op).startswith(_FENCES))


def ends(problem: Problem) -> Iterator[Place]:
    """Before the threads end, or before they free tensor memory."""
    *_, outermost = enclosing(problem.op)
    if kind(outermost) != "ret":
        yield Place(outermost, behind=True)
    yield from (Place([*enclosing(each)][-1]) for each in problem.ops("tcgen05.dealloc"))
    yield from map(Place, problem.ops("ret", "exit"))


def beside_leaders(problem: Problem) -> Iterator[Place]:
    """Where the lanes of a warp should meet: between an access and a branch after it in which one
    lane arrives, or a branch before it in which one lane waits."""
    op = unguarded(problem.op)
    for behind, synchronises in ((False, is_arrival), (True, is_wait)):
        each = op.prev_op if behind else op.next_op
        while each is not None and kind(each) not in _MEETINGS_OF_LANES:
            if isinstance(each, scf.IfOp | GuardOp) and any(map(synchronises, each.walk())):
                yield Place(each, behind=behind)
                break
            each = each.prev_op if behind else each.next_op


_MEETINGS_OF_LANES = "bar.warp.sync", "bar.sync"


def loop_ends(problem: Problem) -> Iterator[Place]:
    """The ends of the loops with waits for the barrier objects of the operation, where the lanes of
    a warp should meet."""
    mine = problem.barriers(problem.op)
    for wait in problem.ops(*MBARRIER_WAITS):
        loop = problem.flow.loop(wait)
        if isinstance(loop, scf.ForOp) and mine & problem.barriers(wait):
            yield from filter(None, (last_place(loop.body.block),))


def lone_arrivals(problem: Problem) -> list[Place]:
    """Places for the wait of a barrier of the cluster whose arrival no wait follows."""
    lone = [
        Place(arrive, behind=True)
        for arrive in problem.ops("barrier.cluster.arrive")
        if arrive.next_op is None or kind(arrive.next_op) != "barrier.cluster.wait"
    ]
    return [*lone, *_between(problem), *map(Place, problem.ops("ret"))] if lone else []


def lone_waits(problem: Problem) -> Iterator[Place]:
    """Places for the arrival of a barrier of the cluster that only waits."""
    for wait in problem.ops("barrier.cluster.wait"):
        if wait.prev_op is None or kind(wait.prev_op) != "barrier.cluster.arrive":
            yield Place(wait)


def beside_initialisations(problem: Problem) -> Iterator[Place]:
    """In empty branches, after the invalidation of the barrier object, after other initialisations,
    and before the fence that makes them visible. Without any, after the computation of an address
    in the variable."""
    inits = [*problem.ops("mbarrier.init")]
    yield from empty_branches(problem)
    for op in problem.ops("mbarrier.inval"):
        if problem.variable in problem.variables(op.operands[0]):
            yield Place(op, behind=True)
    yield from (Place(op, behind=True) for op in reversed(inits))
    yield from map(Place, problem.ops("fence.mbarrier_init"))
    for value in () if inits else problem.addresses_in(Place(problem.op), problem.variable):
        if isinstance(value.owner, Operation):
            yield Place(value.owner, behind=True)


def of_allocating_warp(problem: Problem) -> Iterator[Place]:
    """Places where the warp of an allocation runs at the end."""
    branch = problem.op.parent_op()
    condition = named(branch, "cond") if isinstance(branch, scf.IfOp) else None
    for op in reversed([*problem.ops("scf.if")]):
        if condition is not None and op.operands[0] is condition.value and op is not branch:
            assert isinstance(op, scf.IfOp)
            place = last_place(op.true_region.block)
            yield Place(op, inside=True) if is_empty(op) or place is None else place
    yield from map(Place, problem.ops("ret"))
