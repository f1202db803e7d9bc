"""Effects of votes, matches and reductions in a warp (9.7.13.8 to 9.7.13.12)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Participants, StateSpace


def _exchange(section: str, operand: str, *results: str) -> Effects:
    """The row of an instruction that computes with the values of other threads."""
    return Effects(
        section,
        reads=(Area(StateSpace.REGISTERS, (operand,), "in the other threads", proxy=None),),
        writes=tuple(Area(StateSpace.REGISTERS, (name,), proxy=None) for name in results),
        executed_by=Participants.NAMED,
        data=(operand,),
    )


EFFECTS = {
    "vote.sync": _exchange("9.7.13.9", "a", "d"),
    "vote.sync.ballot": _exchange("9.7.13.9", "a", "d"),
    "match.sync.any": _exchange("9.7.13.10", "a", "d"),
    "match.sync.all": _exchange("9.7.13.10", "a", "d", "agree"),
    "redux.sync": _exchange("9.7.13.12", "a", "d"),
    "activemask": Effects("9.7.13.11"),
}
