"""The operations of a step at a place, in the words of IR: variants, the most likely first."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1, i16
from xdsl.ir import Operation, SSAValue

from ...isa.instructions.mbarrier import BARRIER_OBJECT
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.known_values import constant_bits
from ...ptx.bases import CtaBarrier
from ...ptx.instructions import CpAsyncBulkWaitGroupOp, CpAsyncWaitGroupOp
from ...ptx.kernel import SharedMemoryOp
from ...ptx.structure import AddressOfOp, GuardOp
from ...ptx.text.syntax import offset_of, values_of, word_of
from .flow import MBARRIER_WAITS, is_arrival, kind
from .listing import Place, enclosing
from .places import completing
from .problem import Problem, named, words

Lines: TypeAlias = tuple[str, ...]
Spelling: TypeAlias = Callable[[Problem, Place], Iterable[Lines]]


def fence(order: str) -> Spelling:
    """The tcgen05 fence before or after threads synchronise."""
    return lambda problem, place: ((problem.tcgen05(f"fence {order}_thread_sync"),),)


def _guarded(name: str, *lines: str, by: str = "scf.if") -> Lines:
    """Operations under a condition."""
    return (f"{by} {name} {{", *(f"  {line}" for line in lines), "}")


def proxy_fence(problem: Problem, place: Place) -> Iterator[Lines]:
    """The proxy fence after a write by threads."""
    op = problem.related
    space = word_of(op, "space") if op is not None and "space" in op.properties else None
    quoted = f'"{space}"' if space and "::" in space else space
    for each in dict.fromkeys((f" {quoted}" if quoted else "", "")):
        yield (f"ptx.fence.proxy.async{each}",)


def init_fence(problem: Problem, place: Place) -> Iterable[Lines]:
    """The fence after the initialisation of barrier objects."""
    return (("ptx.fence.mbarrier_init",), ('ptx.fence.proxy.async "shared::cta"',))


def memory_fence(problem: Problem, place: Place) -> Iterator[Lines]:
    texts = [*problem.alike(place, "fence")] or ["ptx.fence acq_rel gpu"]
    return ((text,) for text in texts)


def tensor_wait(problem: Problem, place: Place) -> Iterator[Lines]:
    """The tcgen05 wait for an access to tensor memory."""
    for step in completing(problem.op):
        if step.instruction == "tcgen05.wait":
            yield (problem.tcgen05(f"wait {step.qualifiers['operation']}"),)


def group_commit(problem: Problem, place: Place) -> Iterator[Lines]:
    """The commit of a group of copies."""
    commits = (each for each in completing(problem.op) if each.instruction.endswith("commit_group"))
    return ((f"ptx.{each.instruction}",) for each in commits)


def group_wait(problem: Problem, place: Place) -> Iterator[Lines]:
    """The wait for a group of copies, the weakest first: for reads, or for all but some groups."""
    steps = [each for each in completing(problem.op) if each.instruction.endswith("wait_group")]
    texts = [
        f"ptx.{each.instruction}{' read' * bool(each.qualifiers.get('read'))} 0" for each in steps
    ]
    alike = problem.alike(place, steps[0].instruction)
    pending = {
        problem.text(op): op.pending.value.data
        for op in problem.ops(steps[0].instruction)
        if isinstance(op, CpAsyncWaitGroupOp | CpAsyncBulkWaitGroupOp)
    }

    def strength(text: str) -> tuple[bool, int]:
        return "read" not in text, -pending.get(text, 0)

    return ((text,) for text in dict.fromkeys(sorted((*texts, *alike), key=strength)))


def commit(problem: Problem, place: Place) -> Iterator[Lines]:
    """The commit of tensor core operations; those like existing commits first."""
    step = problem.tcgen05("commit")
    is_raw = step.startswith("ptx.")
    masks = [*problem.names(problem.visible(place, i16))]
    others = [*problem.ops("tcgen05.commit")]
    same = [op for op in others if problem.variable in problem.barriers(op)]
    is_multicast = bool(masks) and all(len(op.operands) > 1 for op in same or others)
    # An operation of `tcgen05` takes no offset.
    addresses = (each for each in problem.addresses(place) if is_raw or " + " not in each)
    for address in islice(addresses, 2):
        for mask in (*masks, "") if is_multicast else ("", *masks):
            if is_raw:
                group = f" cta_group_{1 + problem.is_of_pair} shared_cluster"
                multicast = f" multicast_mask({mask})" if mask else ""
                yield (f"{step}{group}{multicast} [{address}]",)
            else:
                group = " cta_group_2" if problem.is_of_pair else ""
                yield (f"{step}{group} {address}{f' multicast {mask}' if mask else ''}",)


def arrival(problem: Problem, place: Place) -> Iterator[Lines]:
    """The arrival at a barrier object, the usual one first: of each thread, or of one."""
    inits = (named(each.init, "count") for each in problem.objects(problem.variable))
    counts = (constant_bits(each.value) for each in inits if each is not None)
    is_of_all = not (next(counts, None) or 1) % WARP_LANES
    leaders = [*filter(_is_leader, problem.visible(place, i1))]
    leaders.sort(key=lambda value: bool(value.uses))
    names = [*islice(problem.names(leaders), 2)]
    for text in _arrivals(problem, place):
        by_one = [_guarded(each, text, by="ptx.guard") for each in names]
        yield from ((text,), *by_one) if is_of_all else (*by_one, (text,))


def _is_leader(value: SSAValue) -> bool:
    """Whether a condition holds in one thread of a warp, or lets one thread arrive."""
    owner = value.owner
    return (isinstance(owner, Operation) and kind(owner) == "elect.sync") or any(
        isinstance(use.operation, GuardOp) and any(map(is_arrival, use.operation.body.block.ops))
        for use in value.uses
    )


def _arrivals(problem: Problem, place: Place) -> Iterator[str]:
    """The operations that arrive at a barrier object, in this CTA or another one."""
    here = [
        value
        for value in problem.visible(place)
        if problem.variables(value) == frozenset((problem.variable,))
    ]
    lost = [value for value in here if not value.uses and problem.is_mapped(value)]
    others = [value for value in here if value not in lost]
    yield from _remote_arrivals(problem.names(lost))
    address = next(problem.addresses(place), None)
    if address is not None:
        for each in dict.fromkeys(("", *_qualifiers(problem, "mbarrier.arrive", "mbarrier.wait"))):
            if "acquire" not in each:
                yield f"ptx.mbarrier.arrive{each} [{address}]"
    yield from _remote_arrivals(name for name in problem.names(others) if name != address)


def _remote_arrivals(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield f"ptx.mbarrier.arrive.remote [{name}]"
        yield f"ptx.mbarrier.arrive.remote release cluster [{name}]"


def arrival_after_announcement(problem: Problem, place: Place) -> Iterator[Lines]:
    """The arrival of a thread that announces bytes: alone, or with as many bytes again."""
    op, offset = place.op, offset_of(place.op, "address")
    names = [*problem.names(each for name in ("address", "bytes") for each in values_of(op, name))]
    if len(names) == 2:
        address, bytes_ = names[0] + f" + {offset}" * bool(offset), names[1]
        target = kind(op).removeprefix("mbarrier.expect_tx")
        yield (f"ptx.mbarrier.arrive{target} [{address}]",)
        yield (f"ptx.mbarrier.arrive.expect_tx{target} [{address}], {bytes_}",)


def arrival_of_copies(problem: Problem, place: Place) -> Iterator[Lines]:
    """The arrival at a barrier object that takes place when earlier copies of the thread end."""
    for address in problem.addresses(place, 1):
        for mode in (" noinc", ""):
            yield (f"ptx.cp.async.mbarrier.arrive{mode} [{address}]",)


def _qualifiers(problem: Problem, *kinds: str) -> dict[str, None]:
    """The semantics and scopes with which operations use the barrier objects of the variable."""
    ops = (op for op in problem.ops(*kinds) if problem.variable in problem.barriers(op))
    return dict.fromkeys(words(op, "semantics", "scope") for op in ops)


def expected_bytes(problem: Problem, place: Place) -> Iterator[Lines]:
    """The announcement of the bytes that copies bring, as the run shows them."""
    address = next(problem.addresses(place), None)
    if address is None:
        return
    objects = problem.objects(problem.variable)
    uses: list[SSAValue] = []
    brought_to = {each.cta for each in objects if each.missing_bytes < 0}
    if brought_to < {each.cta for each in objects} or isinstance(place.op, scf.IfOp):
        # Not all CTAs bring bytes, or only one CTA copies.
        uses += (
            value
            for value in problem.visible(place, i1)
            if any(isinstance(use.operation, scf.IfOp) for use in value.uses)
        )
    conditions = [*islice(problem.names(uses), 4)]
    brought = Counter(-each.missing_bytes for each in objects)
    for size in (size for size, _ in brought.most_common() if size > 0):
        name, before = problem.made(place, size, "%bytes_of_phase")
        text = f"ptx.mbarrier.arrive.expect_tx [{address}], {name}"
        alone = [] if conditions and not place.inside else [(text,)]
        for step in [*alone, *(_guarded(each, text) for each in conditions)]:
            yield (*before, *step)


def barrier_wait(problem: Problem, place: Place) -> list[Lines]:
    """The waits for a barrier object."""
    qualifiers = _qualifiers(problem, *MBARRIER_WAITS)
    if not qualifiers:
        arrivals = problem.arrivals_at(problem.variable)
        if any(word_of(op, "scope") == "cluster" for op in arrivals):
            qualifiers = dict.fromkeys((" acquire cluster", ""))
        elif any(problem.ops("barrier.cluster.arrive", "mapa")):
            qualifiers = dict.fromkeys(("", " acquire cluster"))
        else:
            qualifiers = {"": None}
    addresses = [*islice(problem.addresses(place), 2)]
    parities = _parities(problem, place) if addresses else []
    return [
        (*before, f"ptx.mbarrier.wait{qualifier} [{address}], {parity}")
        for qualifier in qualifiers
        for address in addresses
        for before, parity in parities
    ]


def _parities(problem: Problem, place: Place) -> list[tuple[Lines, str]]:
    """The names of values that may be the parity of a wait, the most likely first, each with the
    operations that compute it."""
    flow = problem.flow
    loop = flow.loop(place.op)
    waits = [op for op in problem.ops(*MBARRIER_WAITS) if problem.variable in problem.barriers(op)]
    changing = [
        value
        for value in problem.parities(place)
        if not value.uses or (loop is not None and _changes(problem, value))
    ]
    last = next((each for each in flow.before(place.op) if each in waits), None)
    # The next phase has the other parity.
    bits = (1, 0) if last is not None and constant_bits(last.operands[1]) == 0 else (0, 1)
    fixed = (problem.made(place, bit, "%parity_of_wait") for bit in bits)
    found: list[tuple[Lines, str]] = [((), name) for name in problem.names(changing[:3])]
    found += [(before, name) for name, before in fixed]
    return found if loop is None else [*found, *_computed(problem, place, changing)]


def _changes(problem: Problem, value: SSAValue) -> bool:
    """Whether a loop computes a value."""
    is_result = isinstance(value.owner, scf.ForOp | scf.WhileOp)
    return is_result or problem.flow.loop(value) is not None


def _computed(problem: Problem, place: Place, known: list[SSAValue]) -> Iterator[tuple[Lines, str]]:
    """Parities that the kernel does not compute yet: the inverse of another one, or one from the
    counter of the loop."""
    one = problem.constant(place, 1)
    if one is None:
        return
    parity, before_parity = map(problem.fresh, ("%parity_of_wait", "%parity_before_wait"))
    for name in problem.names(known[:1]):
        yield (f"{parity} = arith.xori {name}, {one} : i32",), parity
    loop = next((each for each in enclosing(place.op) if isinstance(each, scf.ForOp)), None)
    if known or loop is None or (counter := problem.name(loop.body.block.args[0])) is None:
        return
    lines: Lines = ()
    for op in loop.body.block.ops:
        if op.name == "arith.remui" and op.operands[0] is loop.body.block.args[0]:
            # The round of a ring has the parity.
            stages = problem.name(op.operands[1])
            round_ = problem.fresh("%round_of_wait")
            lines = (f"{round_} = arith.divui {counter}, {stages} : i32",)
            counter = round_
            break
    lines = *lines, f"{parity} = arith.andi {counter}, {one} : i32"
    yield lines, parity
    yield (*lines, f"{before_parity} = arith.xori {parity}, {one} : i32"), before_parity


def _cluster(problem: Problem, *halves: str) -> Lines:
    """Halves of the barrier of the cluster, as the kernel spells it."""
    used = next(problem.ops("barrier.cluster.arrive", "barrier.cluster.wait"), None)
    aligned = "" if used is not None and "aligned" not in used.properties else " aligned"
    return tuple(f"ptx.barrier.cluster.{half}{aligned}" for half in halves)


def cluster_step(*halves: str) -> Spelling:
    return lambda problem, place: (_cluster(problem, *halves),)


whole = cluster_step("arrive", "wait")


def meeting_of_some(problem: Problem, place: Place) -> Iterator[Lines]:
    """Barriers of a role or of a warp."""
    if any(each.name == "ws.role" for each in enclosing(place.op)):
        # Other barriers would also wait for threads of other roles, or not for all of this one.
        yield ("ws.role_barrier",)
        return
    if (all_lanes := problem.constant(place, 0xFFFFFFFF)) is not None:
        yield (f"ptx.bar.warp.sync {all_lanes}",)


def counted_meeting(problem: Problem, place: Place) -> Iterator[Lines]:
    """Waits and arrivals at barriers of the kernel that have a number of threads."""
    visible = {*problem.visible(place)}
    ops = (op for op in problem.kernel.walk() if isinstance(op, CtaBarrier))
    known = ([*values_of(op, "barrier"), *values_of(op, "threads")] for op in ops)
    pairs = dict.fromkeys(tuple(each) for each in known if len(each) == 2)
    spelled = "ptx.bar.sync {} threads({})", "ptx.bar.arrive {}, {}"
    for text in spelled:
        for pair in pairs:
            if visible.issuperset(pair) and len(names := [*problem.names(pair)]) == 2:
                yield (text.format(*names),)


def meeting_of_all(problem: Problem, place: Place) -> Iterator[Lines]:
    """Barriers of all threads of the cluster or CTA."""
    if any(each.name == "ws.role" for each in enclosing(place.op)):
        return
    has_dims = problem.kernel.extents("cluster_dims") is not None
    if has_dims or any(problem.ops("barrier.cluster.arrive", "mapa")):
        yield from whole(problem, place)
    zero = problem.constant(place, 0)
    first = [f"ptx.bar.sync {zero}"] if zero else []
    alike = (each for each in problem.alike(place, "bar.sync") if "threads" not in each)
    yield from ((text,) for text in dict.fromkeys((*first, *alike)))


def invalidation(problem: Problem, place: Place) -> Iterator[Lines]:
    """The end of a barrier object, where another one begins."""
    return ((f"ptx.mbarrier.inval [{name}]",) for name in problem.names(place.op.operands[:1]))


def initialisation_for_warp(problem: Problem, place: Place) -> Iterator[Lines]:
    """The initialisation of a barrier object at which all lanes of a warp arrive."""
    count = problem.constant(place, WARP_LANES)
    return _initialisations(problem, place, [count] if count else [])


def initialisation(problem: Problem, place: Place) -> Iterator[Lines]:
    """The initialisation of a barrier object, with the counts of others. If its count is wrong, the
    next finding shows the right one."""
    inits = sorted(
        problem.ops("mbarrier.init"),
        key=lambda init: problem.variable not in problem.variables(init.operands[0]),
    )
    visible = {*problem.visible(place)}
    used = problem.names(each.operands[1] for each in inits if each.operands[1] in visible)
    one = problem.constant(place, 1)
    return _initialisations(problem, place, [*used, *([one] if one else [])])


def _initialisations(problem: Problem, place: Place, counts: Iterable[str]) -> Iterator[Lines]:
    """The initialisations of the barrier objects in the variable that no operation initialises."""
    name, _, offset = problem.variable.partition("+")
    first = int(offset or 0)
    size = next(
        (
            op.size.value.data
            for op in problem.listing.module.walk()
            if isinstance(op, SharedMemoryOp) and op.sym_name.data == problem.variable and op.size
        ),
        BARRIER_OBJECT.bytes,
    )
    objects = problem.observation.plain.objects
    known = {each.offset - first for each in objects if each.variable == name}
    missing = [at for at in range(0, size, BARRIER_OBJECT.bytes) if at not in known]
    # The lost step may have used a condition that nothing uses. An initialisation beside another
    # one probably had no condition of its own.
    unused = (value for value in problem.visible(place, i1) if not value.uses)
    conditions = [*problem.names(unused)]
    is_beside = kind(place.op) == "mbarrier.init"
    for address in _initialised(problem, place, missing) if missing else ():
        for count in dict.fromkeys(counts):
            text = f"ptx.mbarrier.init [{address}], {count}"
            guarded = [_guarded(condition, text) for condition in conditions]
            yield from ((text,), *guarded) if is_beside else (*guarded, (text,))


def _initialised(problem: Problem, place: Place, missing: list[int]) -> Iterator[str]:
    """The addresses of missing barrier objects, as computed at a place, or with an offset."""
    known = {*problem.names(init.operands[0] for init in problem.ops("mbarrier.init"))}
    for value in problem.addresses_in(place, problem.variable):
        if (name := problem.name(value)) is None:
            continue
        if isinstance(owner := value.owner, AddressOfOp):
            offsets = (each - owner.start for each in missing)
            yield from (f"{name} + {offset}" if offset > 0 else name for offset in offsets)
        elif name not in known:
            yield name


def deallocation(problem: Problem, place: Place) -> Iterator[Lines]:
    """The deallocation of what a warp has allocated, by the same warp."""
    alloc = problem.op
    branch = alloc.parent_op()
    condition = problem.name(branch.cond) if isinstance(branch, scf.IfOp) else None
    slot, columns = problem.variables(alloc.operands[0]), problem.name(alloc.operands[1])
    for value in problem.visible(place):
        op, name = value.owner, problem.name(value)
        if not isinstance(op, Operation) or name is None or columns is None:
            continue
        if not op.operands or problem.variables(op.operands[0]) != slot:
            continue
        if kind(op) == "tcgen05.load_address":
            pair = " cta_group_2" if problem.is_of_pair else ""
            type_ = problem.text(op).rpartition(" : ")[2]
            text = f"tcgen05.dealloc{pair} {name}, {columns} : {type_}"
        elif kind(op) == "ld":
            text = f"ptx.tcgen05.dealloc {word_of(alloc, 'cta_group')} {name}, {columns}"
        else:
            continue
        yield _guarded(condition, text) if condition and kind(place.op) == "ret" else (text,)


def relinquishment(problem: Problem, place: Place) -> Iterator[Lines]:
    """The end of allocation, as the kernel spells it."""
    texts = {problem.text(op) for op in problem.ops("tcgen05.relinquish_alloc_permit")}
    return ((text,) for text in sorted(texts))


def on_other_side(problem: Problem, place: Place) -> Iterator[Lines]:
    """An operation by the warps that take the other side of the branch around it."""
    for name in problem.names(place.op.operands[:1]):
        yes, other = map(problem.fresh, ("%yes", "%is_other"))
        lines = f"{yes} = arith.constant true", f"{other} = arith.xori {name}, {yes} : i1"
        yield (*lines, *_guarded(other, problem.text(problem.op)))
