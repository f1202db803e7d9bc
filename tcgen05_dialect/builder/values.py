"""Values of a kernel, with the operators of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, TypeAlias

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType, i1
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from ..operations import ws
from ..xdsl_support.elementwise import widen_truth
from .insertion import (
    Checked,
    Insertion,
    check_name,
    check_positive,
    check_word,
    conversion,
    shown,
    vector_type,
)

_Operation: TypeAlias = Callable[[SSAValue, SSAValue], Operation]
_Function: TypeAlias = Callable[[SSAValue, arith.FastMathFlagsAttr], Operation]


class Handle(Checked):
    """A value of the IR, with the place where operations that use it go."""

    KIND: ClassVar[str] = "a value, a token or a buffer of the kernel"

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

    def __repr__(self) -> str:
        return f"{self._value.name_hint or type(self).__name__.lower()} : {self.type}"


class Value(Handle):
    """
    A number of a kernel, or a vector of numbers: the operators create operations of `arith`.

    Integers are added, subtracted and multiplied modulo two to the power of their width. `//`, `%`,
    `>>` and `ceildiv` take them as unsigned; comparisons and `min`, `max` as signed.
    """

    KIND: ClassVar[str] = "a value of the kernel"

    def __bool__(self) -> bool:
        raise TypeError(
            "the value is known only when the kernel runs: in place of `if`, use `with "
            "role.if_(value)`; in place of `max(a, b)`, `a.max(b)`; in place of `a if c else b`, "
            "`c.select(a, b)`; in place of `and` and `or`, `&` and `|`"
        )

    def __index__(self) -> int:
        raise TypeError(
            "the value is known only when the kernel runs, but Python needs an int here; in place "
            "of `range(value)`, use `role.range(value)`"
        )

    def __eq__(self, other: object) -> bool:
        raise TypeError(
            "use `a.eq(b)` and `a.ne(b)` to compare values of a kernel, and `a is b` to compare "
            "Python objects"
        )

    __hash__ = Handle.__hash__

    def named(self, name: str) -> Value:
        """The same value, whose name in the IR is `name`. Raises ValueError."""
        check_name(name)
        self._value.name_hint = name
        return self

    @property
    def _element(self) -> Attribute:
        own = self._vector
        return self.type if own is None else own.element_type

    @property
    def _vector(self) -> VectorType[Any] | None:
        return vector_type(self.type)

    @property
    def _is_float(self) -> bool:
        return isinstance(self._element, AnyFloat)

    def _operand(self, other: Number) -> SSAValue:
        """Another operand of the type of this one. Raises TypeError for a value of another type,
        unless it is a number that becomes a vector."""
        if not isinstance(other, Value):
            return self._insertion.constant(other, self.type)
        if other.type == self.type:
            return other.ssa_value
        if (type_ := self._vector) is None or other.type != self._element:
            raise TypeError(
                f"the operands have different types, {self!r} and {other!r}: convert one with `to`"
            )
        with self._insertion.here():
            return vector.BroadcastOp(other.ssa_value, type_).results[0]

    def _binary(
        self, other: Number, integer: _Operation | None, floating: _Operation | None, swapped: bool
    ) -> Value:
        if isinstance(other, Value) and self._vector is None and other._vector is not None:
            return other._binary(self, integer, floating, not swapped)
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

    def __rfloordiv__(self, other: Number) -> Value:
        return self._binary(other, arith.DivUIOp, None, True)

    def __mod__(self, other: Number) -> Value:
        return self._binary(other, arith.RemUIOp, None, False)

    def __rmod__(self, other: Number) -> Value:
        return self._binary(other, arith.RemUIOp, None, True)

    def __lshift__(self, other: Number) -> Value:
        return self._binary(other, arith.ShLIOp, None, False)

    def __rlshift__(self, other: Number) -> Value:
        return self._binary(other, arith.ShLIOp, None, True)

    def __rshift__(self, other: Number) -> Value:
        return self._binary(other, arith.ShRUIOp, None, False)

    def __rrshift__(self, other: Number) -> Value:
        return self._binary(other, arith.ShRUIOp, None, True)

    def __and__(self, other: Number) -> Value:
        return self._binary(other, arith.AndIOp, None, False)

    def __rand__(self, other: Number) -> Value:
        return self._binary(other, arith.AndIOp, None, True)

    def __or__(self, other: Number) -> Value:
        return self._binary(other, arith.OrIOp, None, False)

    def __ror__(self, other: Number) -> Value:
        return self._binary(other, arith.OrIOp, None, True)

    def __xor__(self, other: Number) -> Value:
        return self._binary(other, arith.XOrIOp, None, False)

    def __rxor__(self, other: Number) -> Value:
        return self._binary(other, arith.XOrIOp, None, True)

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
            lambda a, b: _compared(arith.CmpiOp(a, b, signed)),
            lambda a, b: _compared(arith.CmpfOp(a, b, ordered)),
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
        return self._binary(other, lambda a, b: _compared(arith.CmpiOp(a, b, "ult")), None, False)

    def fma(self, factor: Number, addend: Number) -> Value:
        """This number times `factor` plus `addend`, rounded once."""
        self._check_float()
        operands = self.ssa_value, self._operand(factor), self._operand(addend)
        with self._insertion.here():
            return Value(self._insertion, math.FmaOp(*operands).result)

    def _check_float(self) -> None:
        if not self._is_float:
            raise TypeError(f"values of the type {self.type} have no such function")

    def _function(self, operation: _Function, approximate: bool = False) -> Value:
        """A function of `math`; `approximate` takes subnormal numbers as zero."""
        self._check_float()
        flags = arith.FastMathFlagsAttr([FastMathFlag.APPROX_FUNC] if approximate else "none")
        with self._insertion.here():
            return Value(self._insertion, operation(self.ssa_value, flags).results[0])

    def __abs__(self) -> Value:
        return self._function(math.AbsFOp)

    def sqrt(self) -> Value:
        """The square root, correctly rounded."""
        return self._function(math.SqrtOp)

    def rsqrt(self, approximate: bool = False) -> Value:
        """The reciprocal of the square root."""
        return self._function(math.RsqrtOp, approximate)

    def exp(self, approximate: bool = False) -> Value:
        """The number e to the power of this number."""
        return self._function(math.ExpOp, approximate)

    def exp2(self, approximate: bool = False) -> Value:
        """Two to the power of this number; `approximate` is one instruction for each number."""
        return self._function(math.Exp2Op, approximate)

    def log(self, approximate: bool = False) -> Value:
        """The natural logarithm."""
        return self._function(math.LogOp, approximate)

    def log2(self, approximate: bool = False) -> Value:
        """The logarithm to base two."""
        return self._function(math.Log2Op, approximate)

    def sin(self, approximate: bool = False) -> Value:
        """The sine."""
        return self._function(math.SinOp, approximate)

    def cos(self, approximate: bool = False) -> Value:
        """The cosine."""
        return self._function(math.CosOp, approximate)

    def tanh(self) -> Value:
        """The hyperbolic tangent."""
        return self._function(math.TanhOp)

    def reduce(self, kind: str, start: Number | None = None, reorder: bool = False) -> Value:
        """
        The reduction of a vector and `start` to one number, by a kind of `vector.reduction` such as
        `add` or `maxnumf`; with `reorder`, sums may take the elements in any order.

        Raises TypeError for a number, and ValueError for an unknown kind.
        """
        self._check_vector()
        check_word("kind", kind, [each.value for each in vector.CombiningKindFlag])
        first = None if start is None else value_of(self._insertion, start, self._element)
        flags = arith.FastMathFlagsAttr([FastMathFlag.REASSOC] if reorder else "none")
        with self._insertion.here():
            op = vector.ReductionOp.build(
                operands=[self.ssa_value, first],
                result_types=[self._element],
                properties={
                    "kind": vector.CombiningKindAttr(vector.CombiningKindFlag(kind)),
                    "fastmath": flags,
                },
            )
        return Value(self._insertion, op.results[0])

    def select(self, chosen: Number, other: Number) -> Value:
        """`chosen` if this condition holds, else `other`; for a vector of conditions, each element
        of them. Raises TypeError."""
        check_condition(self, self._element)
        type_ = other.type if isinstance(other, Value) else None
        first = Value(self._insertion, value_of(self._insertion, chosen, type_))
        if self._vector is not None and first._vector is None:
            first = first.splat(self._vector.get_shape()[0])
        operands = self.ssa_value, first.ssa_value, first._operand(other)
        with self._insertion.here():
            return Value(self._insertion, arith.SelectOp(*operands).result)

    def splat(self, count: int) -> Value:
        """A vector of `count` elements, each this number, or the only one of this vector."""
        if (own := self._vector) is not None and own.get_shape() != (1,):
            raise TypeError(f"expected a number or a vector of one number; found {self.type}")
        check_positive("count", count)
        type_ = VectorType(self._element, [count])
        with self._insertion.here():
            return Value(self._insertion, vector.BroadcastOp(self.ssa_value, type_).vector)

    def _check_vector(self) -> VectorType[Any]:
        if (own := self._vector) is None:
            raise TypeError(f"a value of the type {self.type} has no elements")
        return own

    def __getitem__(self, index: int) -> Value:
        """An element of a vector; the index is an `int`, and counts from the end if negative.
        Raises TypeError and IndexError."""
        own = self._check_vector()
        try:
            place = range(own.get_shape()[0])[index]
        except IndexError:
            raise IndexError(f"{self.type} has no element {index}") from None
        with self._insertion.here():
            op = vector.ExtractOp(self.ssa_value, [place], self._element)
        return Value(self._insertion, op.result)

    def keep_first(self, count: Number, other: Number) -> Value:
        """The first `count` elements of a vector; `other` in place of the rest."""
        kept = value_of(self._insertion, count)
        instead = value_of(self._insertion, other, self._element)
        with self._insertion.here():
            return Value(self._insertion, ws.KeepFirstOp(kept, self, instead).result)

    def to(self, type_: Attribute) -> Value:
        """The number, or each number of the vector, converted to another type. Raises TypeError."""
        if type_ == self._element:
            return self
        own = self._vector
        new = type_ if own is None else VectorType(type_, own.shape)
        operation = conversion(self._element, type_, own is not None)
        if operation is None:
            raise TypeError(f"no conversion from {self.type} to {new}")
        with self._insertion.here():
            return Value(self._insertion, operation(self.ssa_value, new).results[0])


def _compared(op: arith.CmpiOp | arith.CmpfOp) -> Operation:
    widen_truth(op)
    return op


def check_condition(condition: object, type_: Attribute | None = None) -> None:
    """Raise TypeError for what is no condition; `type_` is that of its elements."""
    if type_ is None and isinstance(condition, Value):
        type_ = condition.type
    if type_ != i1:
        raise TypeError(
            f"a condition must be a value of type i1, such as n < 3; found {shown(condition)}"
        )


Number: TypeAlias = Annotated[Value | bool | int | float, "a value of the kernel or a number"]
"""A value, or a number, which becomes a constant of the type of the other operand."""
Index: TypeAlias = Annotated[Value | int, "an index, which is a value of the kernel or an int"]
"""An index or a count that may be known only when the kernel runs."""


def value_of(
    insertion: Insertion, given: Number | Handle, type_: Attribute | None = None
) -> SSAValue:
    """The value in the IR; a number becomes a constant of a type, by default i32 or f32."""
    return given.ssa_value if isinstance(given, Handle) else insertion.constant(given, type_)
