"""Collective operations of CTA pairs on tensor memory (9.7.16.5, 9.7.16.7.1)."""

from xdsl.ir import Operation

from ...isa.cta_group import peer_of
from ...isa.simulation import COLLECTIVE
from ..numbers.lanes import some
from ..order.clocks import Rows
from .errors import fault, place_of
from .state import Cta, Half


def may_precede_peer(op: Operation, cta: Cta, rows: Rows) -> str:
    """
    Clause that the threads may execute an operation before the peer CTA runs; empty if one of them
    knows that it runs. Raises OperationError if it has ended.
    """
    peer, clocks = cta.peer, cta.cluster.clocks
    if peer.shared.over:
        raise fault(op, COLLECTIVE, f"{peer.name} has ended")
    if some(clocks.know_of(rows, peer.rows)):
        return ""
    return f"{cta.name} may execute the operation before {peer.name} runs"


def meet_peer(half: Half, cta: Cta) -> Half | None:
    """
    Record the half that a CTA executes. Returns the half of its peer, or None if that comes later.

    Raises OperationError if the two differ, or if the peer has ended.
    """
    op, peer = half.op, cta.peer
    for other in peer.halves:
        if type(other.op) is type(op) and other.place == half.place:
            peer.halves.remove(other)
            if other.columns != half.columns:
                found = f"{cta.name} gives {half.columns} columns, and {peer.name} {other.columns}"
                raise fault(op, COLLECTIVE, f"{found}, {place_of(other.op)}")
            return other
    if peer.shared.over:
        raise _missing(op, peer, half, cta)
    cta.halves.append(half)
    return None


def end_cta(op: Operation, cta: Cta) -> None:
    """Check the end of a CTA. Raises OperationError unless it has executed its halves."""
    has_peer = peer_of(cta.rank) < len(cta.cluster.ctas)
    if has_peer and cta.peer.halves:
        raise _missing(op, cta, cta.peer.halves[0], cta.peer)


def _missing(op: Operation, ended: Cta, half: Half, cta: Cta) -> Exception:
    found = f"{ended.name} ends without the {half.op.name} that {cta.name} executes"
    return fault(op, COLLECTIVE, f"{found}, {place_of(half.op)}")
