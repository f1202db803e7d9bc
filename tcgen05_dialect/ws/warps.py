"""The warps of roles: which ones, and how many registers their threads have."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from xdsl.dialects.builtin import StringAttr

from ..isa.model.rule import Violation
from ..isa.ptx.synchronization import REGISTERS, WARPGROUP_WARPS, most_registers
from ..isa.tensor_memory.cells import WARP_LANES
from ..isa.warp_specialization import REGISTERS_RULE


class Worker(Protocol):
    """What decides about the warps of a role."""

    @property
    def warps_count(self) -> int: ...

    @property
    def registers_count(self) -> int | None: ...

    @property
    def sym_name(self) -> StringAttr: ...


RoleT = TypeVar("RoleT", bound=Worker)


class Requester(NamedTuple):
    """The warp that asks for tiles; it is a role of its own in the lowered kernel."""

    registers_count: int | None
    warps_count: int = 1
    sym_name: StringAttr = StringAttr("requests")


def is_whole(role: Worker) -> bool:
    """Whether a role consists of whole warpgroups; other roles share warpgroups."""
    return role.warps_count % WARPGROUP_WARPS == 0


def requester_of(roles: Sequence[Worker]) -> Requester:
    """The warp that asks for tiles, with the registers of the roles that share its warpgroup."""
    return Requester(next((each.registers_count for each in roles if not is_whole(each)), None))


def first_warps(roles: Sequence[RoleT]) -> dict[RoleT, int]:
    """
    The first warp of each role. Roles of whole warpgroups come first, so that warp w of such a role
    accesses lanes 32 w of tensor memory.
    """
    found: dict[RoleT, int] = {}
    warp = 0
    for role in sorted(roles, key=lambda each: not is_whole(each)):
        found[role] = warp
        warp += role.warps_count
    return found


def threads_of(roles: Sequence[Worker]) -> int:
    """
    The number of threads of a CTA. If a role has a number of registers, idle warps complete the
    last warpgroup, because all warps of a warpgroup change their registers together.
    """
    warps = sum(role.warps_count for role in roles)
    if any(role.registers_count is not None for role in roles):
        warps += -warps % WARPGROUP_WARPS
    return warps * WARP_LANES


def registers_at_start(roles: Sequence[Worker]) -> int:
    """The registers of each thread when a kernel starts that takes a whole multiprocessor."""
    return most_registers(threads_of(roles))


def register_violations(roles: Sequence[Worker]) -> Iterator[Violation]:
    """The violations by the numbers of registers of roles."""
    given = [role.registers_count for role in roles]
    if all(each is None for each in given):
        return
    for role, number in zip(roles, given, strict=True):
        if number is not None and REGISTERS.violations(number):
            what = f"the number of registers of @{role.sym_name.data}"
            yield REGISTERS_RULE.violation(number, REGISTERS.values, what)
            return
    sharing = [role for role in roles if not is_whole(role)]
    if len({role.registers_count for role in sharing}) > 1:
        found = ", ".join(
            f"{role.registers_count or 'none'} in @{role.sym_name.data}" for role in sharing
        )
        what = "the number of registers of roles that share a warpgroup"
        yield REGISTERS_RULE.violation(found, "the same", what)
        return
    start, threads = registers_at_start(roles), threads_of(roles)
    rest = threads - WARP_LANES * sum(role.warps_count for role in roles if is_whole(role))
    wanted = rest * (sharing[0].registers_count or start) if sharing else 0
    for role in roles:
        if is_whole(role):
            wanted += WARP_LANES * role.warps_count * (role.registers_count or start)
    most = start * threads
    if wanted > most:
        what = "the number of registers of all threads"
        legal = f"at most {most}, {start} for each of {threads} threads"
        yield REGISTERS_RULE.violation(wanted, legal, what)
