"""Values of a kernel, with the operators of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from .insertion import Insertion

_Operation: TypeAlias = Callable[[SSAValue, SSAValue], Operation]


class Handle:
    """A value of the IR, with the place where operations that use it go."""

    def __init__(self, insertion: Insertion, value: SSAValue) -> None:
        self._insertion = insertion
        self._value = value

    @property
    def ssa_value(self) -> SSAValue:
        """The value in the IR."""
        return self._value

    @property
    def type(self) -> Attribute:
        """The type of the value."""
        return self._value.type


class Value(Handle):
    """
    A number of a kernel, or a vector of numbers: the operators create operations of `arith`.

    Integers are added, subtracted and multiplied modulo two to the power of their width. `//`, `%`,
    `>>` and `ceildiv` take them as unsigned; comparisons and `min`, `max` as signed.
    """

    def __repr__(self) -> str:
        return f"{self._value.name_hint or 'value'} : {self.type}"

    def __bool__(self) -> bool:
        raise TypeError("the value is known when the kernel runs: use `with role.if_(value)`")

    def named(self, name: str) -> Value:
        """The same value, whose name in the IR is `name`."""
        self._value.name_hint = name
        return self

    @property
    def _element(self) -> Attribute:
        own = self._vector
        return self.type if own is None else own.element_type

    @property
    def _vector(self) -> VectorType[Any] | None:
        return cast("VectorType[Any]", self.type) if isinstance(self.type, VectorType) else None

    @property
    def _is_float(self) -> bool:
        return isinstance(self._element, AnyFloat)

    def _operand(self, other: Number) -> SSAValue:
        """Another operand of the type of this one."""
        if isinstance(other, Value):
            found = other.ssa_value
        else:
            found = self._insertion.constant(other, self._element)
        if (type_ := self._vector) is None or found.type != self._element:
            return found
        with self._insertion.here():
            return vector.BroadcastOp(found, type_).results[0]

    def _binary(
        self, other: Number, integer: _Operation | None, floating: _Operation | None, swapped: bool
    ) -> Value:
        operation = floating if self._is_float else integer
        if operation is None or not isinstance(self._element, AnyFloat | IntegerType):
            raise TypeError(f"values of the type {self.type} have no such operator")
        operands = self.ssa_value, self._operand(other)
        with self._insertion.here():
            op = operation(*(operands[::-1] if swapped else operands))
        return Value(self._insertion, op.results[0])

    def __add__(self, other: Number) -> Value:
        return self._binary(other, arith.AddiOp, arith.AddfOp, False)

    def __radd__(self, other: Number) -> Value:
        return self._binary(other, arith.AddiOp, arith.AddfOp, True)

    def __sub__(self, other: Number) -> Value:
        return self._binary(other, arith.SubiOp, arith.SubfOp, False)

    def __rsub__(self, other: Number) -> Value:
        return self._binary(other, arith.SubiOp, arith.SubfOp, True)

    def __mul__(self, other: Number) -> Value:
        return self._binary(other, arith.MuliOp, arith.MulfOp, False)

    def __rmul__(self, other: Number) -> Value:
        return self._binary(other, arith.MuliOp, arith.MulfOp, True)

    def __truediv__(self, other: Number) -> Value:
        return self._binary(other, None, arith.DivfOp, False)

    def __rtruediv__(self, other: Number) -> Value:
        return self._binary(other, None, arith.DivfOp, True)

    def __floordiv__(self, other: Number) -> Value:
        return self._binary(other, arith.DivUIOp, None, False)

    def __mod__(self, other: Number) -> Value:
        return self._binary(other, arith.RemUIOp, None, False)

    def __lshift__(self, other: Number) -> Value:
        return self._binary(other, arith.ShLIOp, None, False)

    def __rshift__(self, other: Number) -> Value:
        return self._binary(other, arith.ShRUIOp, None, False)

    def __and__(self, other: Number) -> Value:
        return self._binary(other, arith.AndIOp, None, False)

    def __or__(self, other: Number) -> Value:
        return self._binary(other, arith.OrIOp, None, False)

    def __xor__(self, other: Number) -> Value:
        return self._binary(other, arith.XOrIOp, None, False)

    def __neg__(self) -> Value:
        if not self._is_float:
            return 0 - self
        with self._insertion.here():
            return Value(self._insertion, arith.NegfOp(self.ssa_value).result)

    def ceildiv(self, other: Number) -> Value:
        """The quotient of unsigned integers, rounded up."""
        return self._binary(other, arith.CeilDivUIOp, None, False)

    def min(self, other: Number) -> Value:
        """The smaller one; of a number and a NaN, the number."""
        return self._binary(other, arith.MinSIOp, arith.MinnumfOp, False)

    def max(self, other: Number) -> Value:
        """The larger one; of a number and a NaN, the number."""
        return self._binary(other, arith.MaxSIOp, arith.MaxnumfOp, False)

    def _compare(self, other: Number, predicate: str) -> Value:
        signed = predicate if predicate in ("eq", "ne") else f"s{predicate}"
        ordered = f"{'u' if predicate == 'ne' else 'o'}{predicate}"
        return self._binary(
            other,
            lambda a, b: arith.CmpiOp(a, b, signed),
            lambda a, b: arith.CmpfOp(a, b, ordered),
            False,
        )

    def __lt__(self, other: Number) -> Value:
        return self._compare(other, "lt")

    def __le__(self, other: Number) -> Value:
        return self._compare(other, "le")

    def __gt__(self, other: Number) -> Value:
        return self._compare(other, "gt")

    def __ge__(self, other: Number) -> Value:
        return self._compare(other, "ge")

    def eq(self, other: Number) -> Value:
        """Whether the values are equal."""
        return self._compare(other, "eq")

    def ne(self, other: Number) -> Value:
        """Whether the values differ."""
        return self._compare(other, "ne")

    def below(self, other: Number) -> Value:
        """Whether this unsigned integer is less than the other one."""
        return self._binary(other, lambda a, b: arith.CmpiOp(a, b, "ult"), None, False)

    def fma(self, factor: Number, addend: Number) -> Value:
        """This number times `factor` plus `addend`, rounded once."""
        operands = self.ssa_value, self._operand(factor), self._operand(addend)
        with self._insertion.here():
            return Value(self._insertion, math.FmaOp(*operands).result)

    def exp2(self, approximate: bool = False) -> Value:
        """Two to the power of this number; `approximate` is one instruction for each number."""
        flags = arith.FastMathFlagsAttr([FastMathFlag.APPROX_FUNC] if approximate else "none")
        with self._insertion.here():
            return Value(self._insertion, math.Exp2Op(self.ssa_value, flags).result)

    def reduce(self, kind: str, start: Value | None = None, reorder: bool = False) -> Value:
        """
        The reduction of a vector and `start` to one number, by a kind of `vector.reduction` such as
        `add` or `maxnumf`; with `reorder`, sums may take the elements in any order.
        """
        flags = arith.FastMathFlagsAttr([FastMathFlag.REASSOC] if reorder else "none")
        with self._insertion.here():
            op = vector.ReductionOp.build(
                operands=[self.ssa_value, None if start is None else start.ssa_value],
                result_types=[self._element],
                properties={
                    "kind": vector.CombiningKindAttr(vector.CombiningKindFlag(kind)),
                    "fastmath": flags,
                },
            )
        return Value(self._insertion, op.results[0])

    def select(self, chosen: Value, other: Number) -> Value:
        """`chosen` if this condition holds, else `other`."""
        operands = self.ssa_value, chosen.ssa_value, chosen._operand(other)
        with self._insertion.here():
            return Value(self._insertion, arith.SelectOp(*operands).result)

    def splat(self, count: int) -> Value:
        """A vector of `count` elements, each this number."""
        type_ = VectorType(self.type, [count])
        with self._insertion.here():
            return Value(self._insertion, vector.BroadcastOp(self.ssa_value, type_).vector)

    def to(self, type_: Attribute) -> Value:
        """The number, or each number of the vector, converted to another type."""
        if type_ == self._element:
            return self
        own = self._vector
        new = type_ if own is None else VectorType(type_, own.shape)
        operation = _conversion(self._element, type_)
        with self._insertion.here():
            return Value(self._insertion, operation(self.ssa_value, new).results[0])


def _conversion(old: Attribute, new: Attribute) -> Callable[[SSAValue, Any], Operation]:
    if isinstance(old, AnyFloat) and isinstance(new, AnyFloat):
        return arith.ExtFOp if old.bitwidth < new.bitwidth else arith.TruncFOp
    if isinstance(old, AnyFloat) and isinstance(new, IntegerType):
        return arith.FPToSIOp
    if isinstance(old, IntegerType) and isinstance(new, AnyFloat):
        return arith.SIToFPOp
    if isinstance(old, IntegerType) and isinstance(new, IntegerType):
        return arith.ExtUIOp if old.bitwidth < new.bitwidth else arith.TruncIOp
    raise TypeError(f"no conversion from {old} to {new}")


Number: TypeAlias = Value | int | float
"""A value, or a number, which becomes a constant of the type of the other operand."""
