"""
Elementwise operations on vectors, as MLIR has them.

In MLIR a comparison of vectors gives a vector of i1, `arith.select` takes one as its condition, and
conversions take vectors. In xDSL a comparison always gives i1, and the others take no vectors. Uses
no private names. It can be deleted when the operations of `arith` in xDSL take these types.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Attribute, Block, Operation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.rewriter import Rewriter

OperationT = TypeVar("OperationT", bound=Operation)
COMPARISONS = frozenset(("arith.cmpf", "arith.cmpi"))
SELECT = "arith.select"


def vector_of_truths(operation: Operation) -> VectorType[Any] | None:
    """The type in MLIR of the result of a comparison; None if it does not compare vectors."""
    if operation.name not in COMPARISONS or not operation.operands:
        return None
    compared = operation.operands[0].type
    if not isinstance(compared, VectorType):
        return None
    return VectorType(i1, cast("VectorType[Any]", compared).shape)


def scalar_form(operation: Operation) -> Operation | None:
    """The operation on one element of its vectors, which is valid if and only if the operation is;
    None for an operation that is not elementwise, or whose vectors have different shapes."""
    if not operation.name.startswith(("arith.", "math.")) or operation.regions:
        return None
    given = [value.type for value in operation.operands]
    made = [value.type for value in operation.results]
    # One condition, and one truth, may stand for those of all elements.
    is_select = operation.name == SELECT and given[:1] == [i1]
    is_truth = operation.name in COMPARISONS and made == [i1]
    checked = [*given[is_select:], *([] if is_truth else made)]
    if len({_shape(type_) for type_ in checked}) != 1 or _shape(checked[0]) is None:
        return None
    operands = Block(arg_types=map(_element, given)).args
    return type(operation).create(
        operands=operands,
        result_types=[*map(_element, made)],
        properties=operation.properties,
        attributes=operation.attributes,
    )


def _shape(type_: Attribute) -> Attribute | None:
    return cast("VectorType[Any]", type_).shape if isinstance(type_, VectorType) else None


def _element(type_: Attribute) -> Attribute:
    vector = cast("VectorType[Any]", type_)
    return vector.element_type if isinstance(type_, VectorType) else type_


def widen_truth(operation: Operation) -> None:
    """Give the result of a comparison of vectors, which xDSL makes an i1, its type in MLIR."""
    type_ = vector_of_truths(operation)
    if type_ is not None and [value.type for value in operation.results] == [i1]:
        Rewriter.replace_value_with_new_type(operation.results[0], type_)


def _parse_comparison(parser: Parser, op_type: type[OperationT]) -> OperationT:
    op = op_type.parse(parser)
    widen_truth(op)
    return op


def _parse_select(parser: Parser, op_type: type[OperationT]) -> OperationT:
    """Parse `%condition, %a, %b : T`, or `: C, T` if the type C of the condition is a vector. xDSL
    prints the first form for both."""
    condition = parser.parse_unresolved_operand()
    values: list[UnresolvedOperand] = []
    for _ in range(2):
        parser.parse_punctuation(",")
        values.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    if parser.parse_optional_punctuation(",") is not None:
        truth, type_ = type_, parser.parse_type()
    else:
        known = getattr(parser, "ssa_values", {}).get(condition.operand_name, ())
        found = known[condition.index].type if condition.index < len(known) else i1
        truth = found if _shape(found) is not None and _element(found) == i1 else i1
    operands = [parser.resolve_operand(condition, truth)]
    operands += [parser.resolve_operand(value, type_) for value in values]
    return op_type.create(operands=operands, result_types=[type_], attributes=attributes)


def _parse_conversion(parser: Parser, op_type: type[OperationT]) -> OperationT:
    """Parse `%a : T to U`."""
    operand = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    given = parser.parse_type()
    parser.parse_characters("to")
    made = parser.parse_type()
    value = parser.resolve_operand(operand, given)
    return op_type.create(operands=[value], result_types=[made], attributes=attributes)


_CONVERSIONS = frozenset(
    f"arith.{name}"
    for name in (
        *("bitcast", "extsi", "extui", "fptosi", "fptoui", "index_cast"),
        *("sitofp", "trunci", "uitofp"),
    )
)
"""Conversions whose custom format in xDSL takes no vectors."""
CUSTOM_FORMS: Mapping[str, Callable[[Parser, type[Operation]], Operation]] = {
    **dict.fromkeys(COMPARISONS, _parse_comparison),
    **dict.fromkeys(_CONVERSIONS, _parse_conversion),
    SELECT: _parse_select,
}
"""Operation -> the parser of its custom format."""
