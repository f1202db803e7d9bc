"""
Candidates: barriers at which threads meet, initialisations of barrier objects, deallocations of
tensor memory, and the end of allocation.
"""

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Operation

from ...isa.instructions.mbarrier import BARRIER_OBJECT
from ...ptx.kernel import SharedMemoryOp
from ...ptx.structure import AddressOfOp
from ...ptx.text.syntax import word_of
from .listing import Place, enclosing
from .problem import Candidate, Problem, distinct, one
from .steps import is_empty, is_fence, kind, last_place

_MOST_PLACES = 6
_FENCES = "tcgen05.fence", "fence"
_GAP = 4
"""How much likelier a place between two fences is than others."""


def _cluster(problem: Problem) -> tuple[str, str]:
    """The barrier of the cluster, as the kernel spells it."""
    used = next(problem.ops("barrier.cluster.arrive", "barrier.cluster.wait"), None)
    aligned = "" if used is not None and "aligned" not in used.properties else " aligned"
    return f"ptx.barrier.cluster.arrive{aligned}", f"ptx.barrier.cluster.wait{aligned}"


def meetings(problem: Problem) -> Iterator[Candidate]:
    """Barriers between the two operations, from small to large."""
    is_cluster = any(problem.ops("barrier.cluster.arrive", "mapa")) or "cluster_dims" in str(
        problem.scope.kernel.attributes
    )
    places = [(at - _GAP, place) for at, place in enumerate(_gaps(problem))]
    places += enumerate(_places(problem)[:_MOST_PLACES])
    for rank, place in places:
        if any(each.name == "ws.role" for each in enclosing(place.op)):
            # Other barriers would also wait for threads of other roles, or not for all of this one.
            yield one(rank, place, "ws.role_barrier")
            continue
        all_lanes = problem.constant(place, 0xFFFFFFFF)
        if all_lanes is not None:
            yield one(rank, place, f"ptx.bar.warp.sync {all_lanes}")
        zero = problem.constant(place, 0)
        texts = dict.fromkeys(
            (*((f"ptx.bar.sync {zero}",) if zero else ()), *problem.alike(place, "bar.sync"))
        )
        for more, text in enumerate(texts):
            yield one(rank + 0.5 + 0.5 * more, place, text)
        if is_cluster:
            yield one(rank, place, *_cluster(problem))


def cluster_meetings(problem: Problem) -> Iterator[Candidate]:
    """Barriers of the cluster, outside loops first: the CTAs need to meet only once."""
    places = sorted(_places(problem), key=lambda place: problem.flow.is_in_loop(place.op))
    for rank, place in enumerate(places[:_MOST_PLACES]):
        yield one(rank, place, *_cluster(problem))


def last_meetings(problem: Problem) -> Iterator[Candidate]:
    """Barriers of the cluster before the threads end, or before they free tensor memory."""
    *_, outermost = enclosing(problem.op)
    ends = [Place(each) for each in problem.ops("ret", "exit")]
    frees = [Place([*enclosing(each)][-1]) for each in problem.ops("tcgen05.dealloc")]
    behind = [] if kind(outermost) == "ret" else [Place(outermost, behind=True)]
    for rank, place in enumerate(distinct((*behind, *frees, *ends))):
        yield one(rank, place, *_cluster(problem))


def halves(problem: Problem) -> Iterator[Candidate]:
    """The other half of a barrier whose arrival or wait is there."""
    for arrive in problem.ops("barrier.cluster.arrive"):
        following = arrive.next_op
        if following is None or kind(following) != "barrier.cluster.wait":
            qualifier = " aligned" if "aligned" in arrive.properties else ""
            ends = [Place(each) for each in problem.ops("ret")]
            places = (Place(arrive, behind=True), *_places(problem), *ends)
            for rank, place in enumerate(distinct(places)):
                yield one(rank, place, f"ptx.barrier.cluster.wait{qualifier}")
    for wait in problem.ops("barrier.cluster.wait"):
        previous = wait.prev_op
        if previous is None or kind(previous) != "barrier.cluster.arrive":
            qualifier = " aligned" if "aligned" in wait.properties else ""
            yield one(0, Place(wait), f"ptx.barrier.cluster.arrive{qualifier}")


def _places(problem: Problem) -> list[Place]:
    """Places between the two operations, in the blocks that contain both. Without an earlier one,
    before the later one and what leads control to it."""
    later, earlier = problem.op, problem.related
    levels = [*enclosing(later)]
    if earlier is None:
        # Threads that do not execute the operation must come to the barrier, too.
        return distinct(Place(each) for each in (*levels, *problem.flow.around(later)))
    found: list[Place] = []
    earlier_levels = [*enclosing(earlier)]
    for each in levels:
        mate = next((other for other in earlier_levels if other.parent is each.parent), None)
        if mate is None:
            continue
        if mate is not each:
            first, last = (mate, each) if mate.is_before_in_block(each) else (each, mate)
            found += [Place(last), Place(first, behind=True)]
            found += [Place(other) for other in _between(first, last)]
        elif not found:
            found += [Place(each, behind=True), Place(each)]
        else:
            found += [Place(each), Place(each, behind=True)]
    # In a loop or in unrolled code, the earlier one may come later in the text.
    found += [*_joins(problem, later, earlier), *_joins(problem, earlier, later)]
    return distinct((*found, Place(later), Place(earlier, behind=True)))


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


def _gaps(problem: Problem) -> Iterator[Place]:
    """Places between two tcgen05 fences, where threads should synchronise."""
    for op in problem.ops("tcgen05.fence"):
        last = op.next_op
        is_before = is_fence(op, "before_thread_sync")
        if is_before and last is not None and is_fence(last, "after_thread_sync"):
            yield Place(last)


def _between(first: Operation, last: Operation) -> Iterator[Operation]:
    following = first.next_op
    while following is not None and following is not last:
        if kind(following).startswith(_FENCES) or following.regions:
            yield following
        following = following.next_op


def initialisations(problem: Problem) -> Iterator[Candidate]:
    """The initialisation of a barrier object of the operation, beside others or before its fence.
    If its count is wrong, the next finding shows the right one."""
    scope = problem.scope
    uses = [op for op in scope.kernel.walk() if kind(op).startswith("mbarrier.")]
    of_barriers = {name for op in uses for name in scope.variables(op.operands[0])}
    variables = {name for value in problem.op.operands for name in scope.variables(value)}
    for variable in sorted(variables & of_barriers):
        missing = _missing(problem, variable)
        for at, place in enumerate(_after_initialisations(problem, variable)):
            addresses = _addresses(problem, place, variable, missing)
            for more, address in enumerate(addresses if missing else ()):
                for rank, count in enumerate(_counts(problem, place, variable)):
                    text = f"ptx.mbarrier.init [{address}], {count}"
                    for condition in _unused_conditions(problem, place):
                        yield one(at, place, f"scf.if {condition} {{", f"  {text}", "}")
                    yield one(at + more + rank, place, text)


def _missing(problem: Problem, variable: str) -> list[int]:
    """The places in a variable where no barrier object is initialised."""
    size = next(
        (
            op.size.value.data
            for op in problem.listing.module.walk()
            if isinstance(op, SharedMemoryOp) and op.sym_name.data == variable and op.size
        ),
        BARRIER_OBJECT.bytes,
    )
    name, first = problem.scope.part(variable)
    objects = problem.observation.plain.objects
    known = {each.offset - first for each in objects if each.variable == name}
    return [at for at in range(0, size, BARRIER_OBJECT.bytes) if at not in known]


def _after_initialisations(problem: Problem, variable: str) -> Iterator[Place]:
    """After other initialisations, and before the fence that makes them visible. Without any, after
    the computation of an address in a variable."""
    inits = [*problem.ops("mbarrier.init")]
    for op in reversed(inits):
        yield Place(op, behind=True)
    for op in problem.ops("fence.mbarrier_init"):
        yield Place(op)
    for value in () if inits else problem.scope.addresses(Place(problem.op), variable):
        if isinstance(value.owner, Operation):
            yield Place(value.owner, behind=True)


def _unused_conditions(problem: Problem, place: Place) -> Iterator[str]:
    """The names of conditions without a use: the lost step may have used one."""
    values = (each for each in problem.scope.visible(place) if each.type == i1 and not each.uses)
    return filter(None, map(problem.name, values))


def _addresses(problem: Problem, place: Place, variable: str, missing: list[int]) -> Iterator[str]:
    """The addresses of barrier objects in a variable, as computed at a place, or with an offset."""
    for value in problem.scope.addresses(place, variable):
        name = problem.name(value)
        if name is None:
            continue
        owner = value.owner
        if isinstance(owner, AddressOfOp):
            for each in missing:
                offset = each - owner.start
                yield f"{name} + {offset}" if offset > 0 else name
        elif not _is_initialised(problem, name):
            yield name


def _is_initialised(problem: Problem, name: str) -> bool:
    """Whether an initialisation uses a computed address."""
    return any(problem.name(init.operands[0]) == name for init in problem.ops("mbarrier.init"))


def _counts(problem: Problem, place: Place, variable: str) -> list[str]:
    """The counts of other barrier objects, first of objects in the same variable."""
    visible = {*problem.scope.visible(place)}
    inits: list[Operation] = [*problem.ops("mbarrier.init")]
    inits.sort(key=lambda init: variable not in problem.scope.variables(init.operands[0]))
    counts = [each.operands[1] for each in inits if each.operands[1] in visible]
    one_ = problem.constant(place, 1)
    names = [*map(problem.name, counts), one_]
    return [*dict.fromkeys(filter(None, names))]


def deallocations(problem: Problem) -> Iterator[Candidate]:
    """The deallocation of what a warp has allocated, by the same warp."""
    for alloc in problem.ops("tcgen05.alloc"):
        branch = alloc.parent_op()
        condition = branch.cond if isinstance(branch, scf.IfOp) else None
        again = [
            op
            for op in problem.ops("scf.if")
            if isinstance(op, scf.IfOp) and op.cond is condition and op is not branch
        ]
        for rank, op in enumerate(reversed(again)):
            place = last_place(op.true_region.block)
            if is_empty(op) or place is None:
                place = Place(op, inside=True)
            for text in _texts(problem, place, alloc):
                yield one(rank, place, text)
        for end in problem.ops("ret"):
            place = Place(end)
            for text in _texts(problem, place, alloc):
                if condition is None:
                    yield one(1, place, text)
                elif (name := problem.name(condition)) is not None:
                    yield one(1, place, f"scf.if {name} {{", f"  {text}", "}")


def relinquishments(problem: Problem) -> Iterator[Candidate]:
    """The end of allocation by the warps that have allocated, or by those that take the other side
    of a branch."""
    ops = [op for op in problem.ops(_RELINQUISH) if problem.listing.has_text(op)]
    texts = sorted({" ".join(problem.listing.text_of(op).split()) for op in ops})
    for alloc in problem.ops("tcgen05.alloc"):
        if not any(kind(each) == _RELINQUISH for each in problem.flow.behind(alloc)):
            for rank, text in enumerate(texts):
                yield one(rank, Place(alloc, behind=True), text)
    for op in ops:
        branch = op.parent_op()
        if isinstance(branch, scf.IfOp) and (name := problem.name(branch.cond)) is not None:
            yes, other = map(problem.fresh, ("%yes", "%is_other"))
            yield one(
                1,
                Place(branch, behind=True),
                f"{yes} = arith.constant true",
                f"{other} = arith.xori {name}, {yes} : i1",
                f"scf.if {other} {{",
                f"  {' '.join(problem.listing.text_of(op).split())}",
                "}",
            )


_RELINQUISH = "tcgen05.relinquish_alloc_permit"


def _texts(problem: Problem, place: Place, alloc: Operation) -> Iterator[str]:
    """The deallocations, possible at a place, of what `alloc` has allocated."""
    slot = problem.scope.variables(alloc.operands[0])
    columns = problem.name(alloc.operands[1])
    for value in problem.scope.visible(place):
        op, name = value.owner, problem.name(value)
        if not isinstance(op, Operation) or name is None or columns is None:
            continue
        if not op.operands or problem.scope.variables(op.operands[0]) != slot:
            continue
        if kind(op) == "tcgen05.load_address" and problem.listing.has_text(op):
            group = alloc.properties.get("cta_group")
            is_pair = isinstance(group, IntegerAttr) and group.value.data == 2
            pair = " cta_group_2" if is_pair else ""
            type_ = problem.listing.text_of(op).rpartition(" : ")[2]
            yield f"tcgen05.dealloc{pair} {name}, {columns} : {type_}"
        elif kind(op) == "ld":
            yield f"ptx.tcgen05.dealloc {word_of(alloc, 'cta_group')} {name}, {columns}"
