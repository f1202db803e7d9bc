"""The place where a kernel's operations are inserted, and the user's line that creates each."""

import contextlib
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from inspect import currentframe
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, cast

import xdsl
from xdsl.builder import Builder, ImplicitBuilder
from xdsl.dialects import arith
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


def users_place() -> FileLineColLoc | None:
    """The line of the user's file that is executed; None if there is none."""
    frame: FrameType | None = currentframe()
    while frame is not None and _is_own(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return None
    line, column = _position(frame.f_code, frame.f_lasti)
    file = StringAttr(frame.f_code.co_filename)
    return FileLineColLoc(file, IntAttr(line or frame.f_lineno), IntAttr((column or 0) + 1))


def _locate(op: Operation) -> None:
    place = users_place()
    if place is not None:
        op.location = place


class Insertion:
    """The entry block of a kernel, its constants, and the regions that are open."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._open = 0
        """The number of open regions."""
        self.left: FileLineColLoc | None = None
        """Where a loop is that Python left before its end."""
        self._constants: dict[tuple[bool, str, float, str], Operation] = {}

    @property
    def is_open(self) -> bool:
        """Whether a region is open."""
        return self._open > 0

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Insert the operations that are created at the end of a block."""
        self._open += 1
        builder = Builder(InsertPoint.at_end(block), operation_insertion_handler=[_locate])
        try:
            with ImplicitBuilder(builder):
                yield
        finally:
            self._open -= 1

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
            with ImplicitBuilder(Builder(point, operation_insertion_handler=[_locate])):
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
