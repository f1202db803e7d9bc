"""The registers of warpgroups, which all their warps change by the same setmaxnreg (9.7.19.5)."""

from xdsl.ir import Operation

from ...isa.instructions.barriers import WARPGROUP_WARPS
from ...isa.practice import REGISTER_POOL, WARPGROUP
from ...ptx.instructions import SetmaxnregOp
from ..numbers.floats import some
from ..order.race_detector import Judge
from .errors import fault, place_of
from .state import Warp


def _mates(warp: Warp) -> list[Warp]:
    """The other warps of the warpgroup."""
    first = warp.index - warp.index % WARPGROUP_WARPS
    group = warp.cta.warps[first : first + WARPGROUP_WARPS]
    return [mate for mate in group if mate is not warp]


def _what(op: SetmaxnregOp) -> str:
    return f"setmaxnreg {op.action.data} {op.count}"


def set_registers(op: SetmaxnregOp, warp: Warp, judge: Judge) -> None:
    """Record a setmaxnreg. Raises OperationError if another warp executes a different one; in PTX
    text, other numbers of setmaxnreg.dec are a warning."""
    index = len(warp.register_changes)
    warp.register_changes.append(op)
    for mate in _mates(warp):
        if index < len(mate.register_changes):
            other = mate.register_changes[index]
            if _what(op) != _what(other):
                found = f"{warp.name} executes {_what(op)}, and {mate.name} {_what(other)}"
                found += f", {place_of(other)}"
                judge.report(op, WARPGROUP, found, actions={op.action.data, other.action.data})
        elif not some(mate.lanes):
            raise _missing(op, mate, op, warp)


def change_registers(op: SetmaxnregOp, warp: Warp) -> bool:
    """
    Move registers between a warp and the pool of its CTA; return False if too few are free.

    Raises OperationError if the warp has more registers than setmaxnreg.inc asks for, or fewer than
    setmaxnreg.dec keeps.
    """
    if warp.maxnreg is None:
        return True
    pool = warp.cta.pool
    required = pool.required(warp.maxnreg, op.count)
    if op.takes != (required >= 0) and required:
        found = f"each thread of {warp.name} has {warp.maxnreg} registers before {_what(op)}"
        raise fault(op, REGISTER_POOL, found, _DIRECTION)
    if required > pool.free:
        return False
    pool.free -= required
    warp.maxnreg = op.count
    return True


_DIRECTION = "raise the number with setmaxnreg.inc, and lower it with setmaxnreg.dec"


def end_warp(op: Operation, warp: Warp) -> None:
    """Check the end of a warp. Raises OperationError if another has executed more setmaxnreg."""
    index = len(warp.register_changes)
    for mate in _mates(warp):
        if index < len(mate.register_changes):
            raise _missing(op, warp, mate.register_changes[index], mate)


def _missing(op: Operation, ended: Warp, other: SetmaxnregOp, mate: Warp) -> Exception:
    found = f"{ended.name} ends without the {_what(other)} that {mate.name} executes"
    return fault(op, WARPGROUP, f"{found}, {place_of(other)}")
