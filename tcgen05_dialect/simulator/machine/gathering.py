"""
Gathering of lanes: an instruction at which lanes of a warp wait for each other.

Lanes that took different branches are groups of their own. Groups that wait for each other at the
same instruction go on as one group.
"""

from collections.abc import Hashable, Sequence

from xdsl.ir import Operation

from ..numbers.lanes import Lanes, some
from .machine import Gathering, Group, Wait


def gather(group: Group, lanes: Lanes, key: Hashable, patient: bool = False) -> Wait | None:
    """
    Make the running threads among `lanes` wait for each other. Groups wait for each other if their
    keys are equal; those at the instruction of this group become part of it.

    Returns the wait of the group until all have come. Returns None if all have come, or if the
    others can never come; in the second case a `patient` group waits nevertheless.
    """
    warp, mine = group.warp, Gathering(key, lanes, group.mask)
    if group.full or not some(lanes & warp.lanes & ~mine.came):
        return None
    if not some(_missing(group, mine)):
        _go_on(group, _mates(group, key))
        return None
    if not patient and _is_stuck(group):
        return None
    group.index -= 1
    return Wait(
        lambda: not some(_missing(group, mine)) or (not patient and _is_stuck(group)),
        describe=lambda: warp.name_of(_missing(group, mine)),
        gathering=mine,
    )


def _others(group: Group) -> list[Group]:
    """The other groups of the warp."""
    groups = [each for each in group.machine.groups if each.warp is group.warp]
    return [each for each in groups if each is not group and not each.over]


def _mates(group: Group, key: Hashable) -> list[Group]:
    """The other groups that wait with a key."""
    waits = [(each, each.gathering) for each in _others(group)]
    return [each for each, gathering in waits if gathering and gathering.key == key]


def _missing(group: Group, gathering: Gathering) -> Lanes:
    """The running threads that have yet to come to a gathering of a group."""
    missing = gathering.lanes & group.warp.lanes & ~gathering.came
    for mate in _mates(group, gathering.key):
        assert mate.gathering is not None
        missing &= ~mate.gathering.came
    return missing


def _is_stuck(group: Group) -> bool:
    """Whether all other groups of the warp wait for missing lanes: none of them can ever come."""
    waits = [(each, each.gathering) for each in _others(group)]
    return all(gathering and some(_missing(each, gathering)) for each, gathering in waits)


def _go_on(group: Group, mates: Sequence[Group]) -> None:
    """End a gathering: the groups at each instruction become one."""
    firsts: dict[Operation, Group] = {group.waiting: group}
    for mate in mates:
        gathering = mate.gathering
        assert gathering is not None
        first = firsts.setdefault(mate.waiting, mate)
        if first is not mate:
            first.take(mate, gathering.came)
    for first in firsts.values():
        if first is not group:
            first.warp.parts.bring_together(first.mask)
            first.go_on()
