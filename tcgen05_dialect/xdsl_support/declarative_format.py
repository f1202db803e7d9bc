"""
Parsing of operations with a declarative format at the cost of their text.

After the text of an operation xDSL infers the types that it does not give, by verifying what it
does give, and builds the operation with checks of every number. Both are the same for all
operations of one class with as many operands and the same types and properties, so that here the
first one answers for the others.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import FormatProgram, ParsingState
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException

from ..ptx.constraints import check_properties
from .numbering import Numbering


class _Inferred(NamedTuple):
    """What an operation has besides what its text says."""

    operand_types: Sequence[Attribute]
    result_types: Sequence[Attribute]
    properties: dict[str, Attribute]


class FormatParser:
    """Parses operations with declarative formats for one parser."""

    def __init__(self, parser: Parser):
        self._parser = parser
        self._numbering = Numbering()
        self._inferred: dict[tuple[object, ...], _Inferred] = {}

    def parse(self, program: FormatProgram, op_type: type[Operation]) -> Operation:
        """Parse what follows the name of an operation. Raises what xDSL raises."""
        assert issubclass(op_type, IRDLOperation)
        state = ParsingState(op_type)
        for statement in program.stmts:
            statement.parse(self._parser, state)
        if state.attributes or state.regions or state.successors:
            return self._infer(program, state)
        key = self._given(state)
        inferred = self._inferred.get(key)
        if inferred is not None:
            return self._build(state, inferred)
        op = self._infer(program, state)
        types = [operand.type for operand in op.operands]
        self._inferred[key] = _Inferred(types, op.result_types, dict(op.properties))
        return op

    def _infer(self, program: FormatProgram, state: ParsingState) -> Operation:
        parser, op_type = self._parser, state.op_type
        definition = op_type.get_irdl_definition()
        try:
            program.resolve_constraint_variables(state, definition)
        except VerifyException:
            check_properties(op_type, state.properties)
            raise
        operand_types = program.resolve_operand_types(state, definition)
        result_types = program.resolve_result_types(state, definition)
        operands = [
            parser.resolve_operands(operand, types, parser.pos)
            for operand, types in zip(_operands(state), operand_types, strict=True)
        ]
        return op_type.build(
            operands=operands,
            result_types=result_types,
            attributes=state.attributes,
            properties=state.properties,
            regions=state.regions,
            successors=state.successors,
        )

    def _build(self, state: ParsingState, inferred: _Inferred) -> Operation:
        operands = [operand for operands in _operands(state) for operand in operands]
        return state.op_type.create(
            operands=list(map(self._parser.resolve_operand, operands, inferred.operand_types)),
            result_types=inferred.result_types,
            properties=inferred.properties,
        )

    def _given(self, state: ParsingState) -> tuple[object, ...]:
        """All that the text says of the operation but its attributes, regions and successors."""
        number = self._numbering.number
        key: list[object] = [state.op_type]
        key.extend(len(operand) for operand in _operands(state))
        for types in (*state.operand_types, *state.result_types):
            if types is None:
                key.append(None)
            else:
                key.append(len(types))
                key.extend(number(type_) for type_ in types)
        for name, attribute in state.properties.items():
            key.append(name)
            key.append(number(attribute))
        return tuple(key)


def _operands(state: ParsingState) -> Sequence[Sequence[UnresolvedOperand]]:
    """The operands, all of which a format gives."""
    return cast(Sequence[Sequence[UnresolvedOperand]], state.operands)
