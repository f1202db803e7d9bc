"""
Operations made in less than half of the time that `Operation.create` of xDSL takes: 4 instead of
9 µs.

Lowering makes thousands of operations, which took almost half of its time. Uses these private names
of xDSL: `_operands`, `_operand_uses`. It can be deleted when `Operation.create` is as fast.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, Self

from typing_extensions import TypeVar
from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues, Use
from xdsl.irdl import AttributeDef, IRDLOperation, OptionalDef, PropertyDef

from .implicit_insertion import insert_by_thread

insert_by_thread()
OperationT = TypeVar("OperationT", bound=Operation)
_NONE: Mapping[str, Attribute] = {}


class CreatedOperation(IRDLOperation, ABC):
    """An operation that is made in less time."""

    @classmethod
    def create(
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NONE,
        attributes: Mapping[str, Attribute] = _NONE,
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Self:
        op = CreatedOperation.made(cls, operands, result_types, properties, attributes, regions)
        if location is not None:
            op.location = location
        if successors:
            op.successors = successors
        return op

    @staticmethod
    def made(
        op_type: type[OperationT],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NONE,
        attributes: Mapping[str, Attribute] = _NONE,
        regions: Sequence[Region] = (),
    ) -> OperationT:
        """An operation of any dialect, without successors."""
        defaults = _defaults(op_type)
        op = op_type.__new__(op_type)
        uses: list[Use] = []
        for at, operand in enumerate(operands):
            use = Use(op, at)
            operand.add_use(use)
            uses.append(use)
        op._operands = SSAValues(operands)
        op._operand_uses = tuple(uses)
        op.results = SSAValues([OpResult(each, op, at) for at, each in enumerate(result_types)])
        op.properties = dict(properties)
        op.attributes = dict(attributes)
        op.location = UNKNOWN_LOC
        for region in regions:
            op.add_region(region)
        for name, default in defaults.properties:
            op.properties.setdefault(name, default)
        for name, default in defaults.attributes:
            op.attributes.setdefault(name, default)
        # This method inserts the operation for an ImplicitBuilder.
        Operation.__post_init__(op)
        return op


class _Defaults(NamedTuple):
    """The properties and attributes that an operation has unless they are given."""

    properties: Sequence[tuple[str, Attribute]]
    attributes: Sequence[tuple[str, Attribute]]


@cache
def _defaults(op_type: type[Operation]) -> _Defaults:
    if not issubclass(op_type, IRDLOperation):
        return _Defaults((), ())
    definition = op_type.get_irdl_definition()
    return _Defaults(_given(definition.properties), _given(definition.attributes))


def _given(definitions: Mapping[str, PropertyDef | AttributeDef]) -> list[tuple[str, Attribute]]:
    return [
        (name, each.default_value)
        for name, each in definitions.items()
        if each.default_value is not None and not isinstance(each, OptionalDef)
    ]
