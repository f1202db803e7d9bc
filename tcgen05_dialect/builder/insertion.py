"""The place where a kernel's operations are inserted, and the user's line that creates each."""

import contextlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from inspect import currentframe
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, cast

import xdsl
from xdsl.builder import Builder, ImplicitBuilder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ..operations import ptx, ws
from ..xdsl_support.construction import take_objects_as_values

take_objects_as_values()

_OWN = tuple(
    str(folder)
    for folder in (
        Path(__file__).parents[1],
        Path(xdsl.__file__).parent,
        Path(contextlib.__file__),
    )
)
"""Files that belong to no user."""


@cache
def _is_own(file: str) -> bool:
    return file.startswith((*_OWN, "<"))


def _position(code: CodeType, instruction: int) -> tuple[int | None, int | None]:
    """The line and the column, from 0, of the expression that an instruction belongs to."""
    line, _, column, _ = next(islice(code.co_positions(), instruction // 2, None))
    return line, column


def users_frame() -> FrameType | None:
    """The frame of the user's function that is executed; None if there is none."""
    frame: FrameType | None = currentframe()
    while frame is not None and _is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def users_place() -> FileLineColLoc | None:
    """The line of the user's file that is executed; None if there is none."""
    if (frame := users_frame()) is None:
        return None
    line, column = _position(frame.f_code, frame.f_lasti)
    file = StringAttr(frame.f_code.co_filename)
    return FileLineColLoc(file, IntAttr(line or frame.f_lineno), IntAttr((column or 0) + 1))


_UNKNOWN_OUTSIDE: Sequence[tuple[type[Operation], str, str]] = (
    (
        scf.ForOp,
        "the loop",
        "to use it after the loop, let the loop carry it: `role.carry(..., values=[...])`, `give` "
        "and `results`",
    ),
    (
        scf.IfOp,
        "the region of the condition",
        "to use it after the region, let both regions give it: `give` and `results`",
    ),
    (ws.RoleOp, "the role", "compute it in each role, or pass it through a ring"),
    (ptx.KernelOp, "another kernel", "use values of one kernel"),
)
"""Operations whose values are unknown outside of their regions, with words for a message."""


def _line_of(op: Operation) -> str:
    place = op.location
    if not isinstance(place, FileLineColLoc):
        return ""
    return f" at {place.filename.data}:{place.line.data}"


class Insertion:
    """The entry block of a kernel, its constants, and the regions that are open."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._open: list[Block] = []
        """The blocks of the open regions, the innermost last."""
        self.left: FileLineColLoc | None = None
        """Where a loop is that Python left before its end."""
        self._constants: dict[tuple[bool, str, float, str], Operation] = {}

    @property
    def innermost(self) -> Block | None:
        """The block of the innermost open region; None outside of regions."""
        return self._open[-1] if self._open else None

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Insert the operations that are created at the end of a block."""
        self._open.append(block)
        builder = Builder(InsertPoint.at_end(block), operation_insertion_handler=[self._inserted])
        try:
            with ImplicitBuilder(builder):
                yield
        finally:
            self._open.pop()

    def _inserted(self, op: Operation) -> None:
        place = users_place()
        if place is not None:
            op.location = place
        for operand in op.operands:
            self._check_known(operand)

    def _check_known(self, value: SSAValue) -> None:
        """
        Raise ValueError for a value of a loop or a condition that has ended, or of another kernel.

        Values of a production or a consumption are known after it, because it gives them.
        """
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        while block is not None and block is not self.block and block not in self._open:
            around = block.parent_op()
            for kind, where, help_ in _UNKNOWN_OUTSIDE:
                if isinstance(around, kind):
                    name = value.name_hint or "a value"
                    raise ValueError(f"{name} is known only in {where}{_line_of(around)}: {help_}")
            block = None if around is None else around.parent

    @contextmanager
    def here(self) -> Generator[None]:
        """Insert the operations that are created in the open region, or else in the entry block."""
        if self._open:
            yield
            return
        with self.inside(self.block):
            yield

    def constant(self, number: object, type_: Attribute | None = None) -> SSAValue:
        """
        A constant of a number or of a vector, by default of the type i32 or f32. All constants are
        at the beginning of the kernel, in order, each one once.

        Raises TypeError if the number is no constant of the type.
        """
        if type_ is None:
            type_ = f32 if isinstance(number, float) else i32
        vector = vector_type(type_)
        element: Attribute = type_ if vector is None else vector.get_element_type()
        value = _constant(number, element)
        if not isinstance(number, int | float) or value is None:
            raise TypeError(f"expected a value or a constant of the type {type_}; found {number!r}")
        if vector is not None:
            value = DenseIntOrFPElementsAttr.from_list(vector, [number])
        # The text of the value tells -0.0 from 0.0.
        key = isinstance(element, AnyFloat), str(cast(object, type_)), number, str(value)
        if key not in self._constants:
            later = [op for each, op in self._constants.items() if each > key]
            first = min(later, key=_place_in_block) if later else self._behind_constants()
            point = InsertPoint.at_end(self.block) if first is None else InsertPoint.before(first)
            with ImplicitBuilder(Builder(point, operation_insertion_handler=[self._inserted])):
                self._constants[key] = arith.ConstantOp(value)
            if isinstance(type_, IntegerType) and isinstance(number, int) and number >= 0:
                self._constants[key].results[0].name_hint = f"c{number}"
        return self._constants[key].results[0]

    def _behind_constants(self) -> Operation | None:
        op = self.block.first_op
        while op in self._constants.values():
            assert op is not None
            op = op.next_op
        return op


def vector_type(type_: Attribute) -> VectorType[Any] | None:
    """The type of a vector; None for other types."""
    return cast("VectorType[Any]", type_) if isinstance(type_, VectorType) else None


def _constant(
    number: object, type_: Attribute
) -> IntegerAttr[IntegerType] | FloatAttr[AnyFloat] | None:
    """The attribute of a constant; None if the number is no constant of the type."""
    with suppress(VerifyException, OverflowError):
        if isinstance(type_, IntegerType) and isinstance(number, int):
            return IntegerAttr(number, cast("IntegerType", type_))
        if isinstance(type_, AnyFloat) and isinstance(number, int | float):
            return FloatAttr(float(number), type_)
    return None


def _place_in_block(op: Operation) -> int:
    count = 0
    while (before := op.prev_op) is not None:
        op, count = before, count + 1
    return count
