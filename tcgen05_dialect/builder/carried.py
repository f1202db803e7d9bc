"""
Python variables that a loop of a kernel should carry.

Python executes the body of a loop once. A variable that the body reads and then changes therefore
has its first value in every iteration, unless the loop carries it.
"""

import dis
import re
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import NamedTuple, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, SSAValue

from .insertion import users_frame
from .values import Handle

_ACCESS = re.compile("(LOAD|STORE)_(?:FAST|NAME|GLOBAL|DEREF)")
"""An access to a variable in the name of an instruction of Python, which may make two."""


class Variables(NamedTuple):
    """The variables of the user's function at the beginning of a loop."""

    frame: FrameType
    held: Mapping[str, object]
    start: int
    """The offset of the instruction that enters the loop."""

    @staticmethod
    def now() -> "Variables | None":
        """The variables of the user's function that is executed."""
        frame = users_frame()
        return None if frame is None else Variables(frame, dict(frame.f_locals), frame.f_lasti)

    def check_carried(self, block: Block) -> None:
        """Raise ValueError at the end of a loop that should carry a variable; `block` is its
        body."""
        if users_frame() is not self.frame:
            return
        now = self.frame.f_locals
        for name in _changed(self.frame.f_code, self.start, self.frame.f_lasti):
            before, after = self.held.get(name), now.get(name)
            if (
                isinstance(after, Handle)
                and after is not before
                and _is_inside(after.ssa_value, block)
                and _is_used(before, block)
            ):
                raise ValueError(
                    f"the loop reads the variable {name} and then changes it, but Python executes "
                    f"the body once: every iteration would read the first value. Let the loop "
                    f"carry it: loop = role.carry(..., values=[{name}]); with loop as (index, "
                    f"{name}): ...; loop.give(the next value), and loop.results after the loop"
                )


def _changed(code: CodeType, start: int, end: int) -> Iterator[str]:
    """The variables that the instructions of the body of a loop write, and whose first occurrence
    there is a read."""
    first: dict[str, str] = {}
    for each in dis.get_instructions(code):
        if each.offset == start and each.opname.startswith("FOR_ITER"):
            end = each.argval
        if start < each.offset < end:
            given: object = each.argval
            names = cast("tuple[str, ...]", given if isinstance(given, tuple) else (given,))
            for access, name in zip(_ACCESS.findall(each.opname), names, strict=False):
                if first.setdefault(name, access) == "LOAD" and access == "STORE":
                    yield name


def _is_inside(value: SSAValue, block: Block) -> bool:
    """Whether a block or a region in it defines a value."""
    owner = value.owner
    inner = owner if isinstance(owner, Block) else owner.parent
    while inner is not None and inner is not block:
        around = inner.parent_op()
        inner = None if around is None else around.parent
    return inner is block


def _is_used(before: object, block: Block) -> bool:
    """Whether operations in a block use what a variable held: a value, or a number."""
    operands = (value for op in block.walk() for value in op.operands)
    if isinstance(before, Handle):
        return before.ssa_value in operands
    return isinstance(before, int | float) and any(
        isinstance(value.owner, arith.ConstantOp) and _number(value.owner.value) == before
        for value in operands
    )


def _number(attribute: Attribute) -> object:
    match attribute:
        case IntegerAttr(value=value) | FloatAttr(value=value):
            return value.data
        case DenseIntOrFPElementsAttr():
            return next(iter(attribute.get_values()), None)
        case _:
            return None
