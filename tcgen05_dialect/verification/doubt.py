"""Doubtful errors of runs: errors that the invented launch may have caused."""

from collections.abc import Sequence
from typing import Protocol

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.model.rule import Rule, Violation
from ..isa.practice import ALIGNMENT, BOUNDS, DEADLOCK, STEPS, TENSOR_MAP, TRAP, UNWRITTEN
from ..ptx import tcgen05
from ..ptx.instructions import LdOp, StOp
from ..ptx.kernel import KernelOp
from ..reporting.diagnostics import OperationError
from ..simulator.machine.errors import place_of
from .knowledge import Knowledge, Undecided, is_of_launch
from .loops import Loop, parameters_of
from .origins import is_global


class Invented(Protocol):
    """A kernel in a run whose launch is invented."""

    kernel: KernelOp
    knowledge: Knowledge

    @property
    def loops(self) -> Sequence[Loop]: ...

    @property
    def is_read(self) -> bool: ...

    @property
    def has_boxes(self) -> bool: ...

    shortage: str

    @property
    def guessed(self) -> list[BlockArgument]: ...

    @property
    def numbers(self) -> list[BlockArgument]: ...


def doubt_of(skeleton: Invented, error: OperationError, rule: Rule) -> Undecided | None:
    """The reason why an error may come from the invented launch; None if it comes from the
    kernel."""
    op = error.operation
    if rule is STEPS:
        limit = error.__cause__
        text = limit.text if isinstance(limit, Violation) else error.message
        # Smaller sizes do not set a flag that the kernel polls.
        return Undecided(text, is_long=not skeleton.knowledge.assumed)
    if rule is DEADLOCK and skeleton.knowledge.assumed:
        flag = skeleton.knowledge.assumed[0]
        return Undecided(f"control depends on a flag that {flag.name} reads, {place_of(flag)}")
    if rule is BOUNDS and isinstance(op, LdOp | StOp) and is_global(op):
        return Undecided(
            f"{op.name}, {place_of(op)}, accesses an array whose size is known only at launch"
        )
    if rule is BOUNDS and is_of_launch(op):
        return Undecided(f"{op.name}, {place_of(op)}, loads a parameter that no run knows")
    if guessed := skeleton.guessed:
        name = f"%{guessed[0].name_hint}"
        return Undecided(f"{op.name}, {place_of(op)}, may depend on the box of {name}")
    if skeleton.is_read and (doubt := _doubt_of_read(skeleton, op, rule)):
        return Undecided(doubt)
    if rule in (TRAP, TENSOR_MAP):
        return Undecided(f"{op.name}, {place_of(op)}: {error.__cause__}")
    return None


def _doubt_of_read(skeleton: Invented, op: Operation, rule: Rule) -> str:
    """
    The doubt about an error of a kernel that was read, which has no contracts, boxes and variables
    that limit what may be invented; empty if there is none.
    """
    if rule in (BOUNDS, ALIGNMENT):
        return f"{op.name}, {place_of(op)}, depends on sizes that are known only at launch"
    if (
        rule is UNWRITTEN
        and skeleton.has_boxes
        and not isinstance(op, tcgen05.LdOp | tcgen05.LdRedOp)
    ):
        found = f"{op.name}, {place_of(op)}, reads a box whose size is inferred"
        return ": ".join(filter(None, (found, skeleton.shortage)))
    if rule is DEADLOCK and len(members := _deciding_members(skeleton)) > 1:
        one, other, *_ = (f"%{each.name_hint}" for each in members)
        return f"control depends on {one} and {other}, whose relation is unknown"
    return ""


def _deciding_members(skeleton: Invented) -> list[SSAValue]:
    """The members of parameters that decide how often loops run."""
    declared = len(skeleton.kernel.declarations or ())
    members = [each for each in skeleton.numbers if each.index >= declared]
    return list(dict.fromkeys(p for loop in skeleton.loops for p in parameters_of(loop, members)))
