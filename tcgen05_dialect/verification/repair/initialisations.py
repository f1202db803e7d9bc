"""Candidates: initialisations of barrier objects."""

from collections.abc import Iterator

from xdsl.ir import Operation

from ...isa.instructions.mbarrier import BARRIER_OBJECT
from ...ptx.kernel import SharedMemoryOp
from ...ptx.structure import AddressOfOp
from .listing import Place
from .problem import Candidate, Problem, one
from .steps import kind


def initialisations(problem: Problem) -> Iterator[Candidate]:
    """The initialisation of a barrier object of the operation, beside others or before its fence.
    If its count is wrong, the next finding shows the right one."""
    scope = problem.scope
    uses = [op for op in scope.kernel.walk() if kind(op).startswith("mbarrier.")]
    of_barriers = {name for op in uses for name in scope.variables(op.operands[0])}
    variables = {name for value in problem.op.operands for name in scope.variables(value)}
    for variable in sorted(variables & of_barriers):
        missing = _missing(problem, variable)
        for at, place in enumerate(_places(problem)):
            addresses = _addresses(problem, place, variable, missing)
            for more, address in enumerate(addresses if missing else ()):
                for rank, count in enumerate(_counts(problem, place, variable)):
                    yield one(at + more + rank, place, f"ptx.mbarrier.init [{address}], {count}")


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


def _places(problem: Problem) -> Iterator[Place]:
    """After other initialisations, and before the fence that makes them visible."""
    for op in reversed([*problem.ops("mbarrier.init")]):
        yield Place(op, behind=True)
    for op in problem.ops("fence.mbarrier_init"):
        yield Place(op)


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
    """The counts of other barrier objects, those in the same variable first."""
    visible = {*problem.scope.visible(place)}
    inits: list[Operation] = [*problem.ops("mbarrier.init")]
    inits.sort(key=lambda init: variable not in problem.scope.variables(init.operands[0]))
    counts = [each.operands[1] for each in inits if each.operands[1] in visible]
    one_ = problem.constant(place, 1)
    names = [*map(problem.name, counts), one_]
    return [*dict.fromkeys(filter(None, names))]
