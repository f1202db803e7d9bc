"""Parser and printer of `ptx` instructions in IR text, both driven by the syntax lines."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from io import StringIO
from itertools import takewhile
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from ...xdsl_support.operation_format import printed_name
from .compiled_syntax import CompiledSyntax
from .syntax import Immediate, OptionalPart, Values, is_present, values_of


class ParsedInstruction(NamedTuple):
    """A parsed instruction: the arguments of `Instruction.assemble`."""

    operands: Mapping[str, list[SSAValue]]
    result_types: list[Attribute]
    properties: Mapping[str, Attribute]
    attributes: Mapping[str, Attribute]


class _Operands:
    """The operands and properties parsed so far."""

    def __init__(self, syntax: CompiledSyntax):
        self.syntax = syntax
        self.values: dict[str, list[SSAValue]] = {}
        self.properties: dict[str, Attribute] = {}

    def usual_type(self, name: str) -> Attribute:
        return self.syntax.values[name].usual_type(self.properties)

    def next_words(self, parser: Parser) -> list[str]:
        """The qualifiers and optional parts that may still come before the first operand, if the
        text has another word there."""
        if self.values or not parser.lexer.input.content[parser.pos : parser.pos + 1].isalpha():
            return []
        given = [each.name in self.properties for each in self.syntax.qualifiers]
        last = max((index for index, present in enumerate(given) if present), default=-1)
        left = self.syntax.qualifiers[last + 1 :]
        parts = takewhile(lambda each: isinstance(each, OptionalPart), self.syntax.operands)
        names = (each.name for each in parts if isinstance(each, OptionalPart))
        return [*(name for each in left for name in sorted(each.spellings)), *names]


def parse_instruction(parser: Parser, syntax: CompiledSyntax) -> ParsedInstruction:
    """Parse the text after the name of an instruction."""
    operands = _Operands(syntax)
    _parse_qualifiers(parser, operands)
    first = True
    for element in syntax.operands:
        if isinstance(element, OptionalPart):
            _parse_group(parser, element, operands)
            continue
        if not first:
            parser.parse_punctuation(",")
        first = False
        if isinstance(element, Immediate):
            operands.properties[element.name] = IntegerAttr(parser.parse_integer(), i32)
        elif isinstance(element, Values):
            _parse_values(parser, element, operands)
    position = parser.pos
    attributes = parser.parse_optional_attr_dict()
    for name in attributes.keys() & syntax.properties:
        if name in operands.properties:
            parser.raise_error(f"{name} is already given before the attributes", position)
        operands.properties[name] = attributes.pop(name)
    result_types = _parse_result_types(parser, syntax, operands.properties)
    return ParsedInstruction(operands.values, result_types, operands.properties, attributes)


def _parse_qualifiers(parser: Parser, operands: _Operands) -> None:
    """Parse qualifiers: keywords, or string literals for spellings that are not identifiers."""
    text: str | None = None
    position = parser.pos
    for qualifier in operands.syntax.qualifiers:
        if text is None:
            position = parser.pos
            text = parser.parse_optional_keyword_in(qualifier.spellings)
        if text is None:
            text = parser.parse_optional_str_literal()
        if text is not None and text in qualifier.attributes:
            operands.properties[qualifier.name] = qualifier.attributes[text]
            text = None
        elif not qualifier.optional:
            parser.raise_error(_expected(qualifier.spellings, qualifier.name), position)
    if text is not None:
        known = {name for each in operands.syntax.qualifiers for name in each.spellings}
        parser.raise_error(_expected(known, "a qualifier"), position)


def _expected(names: Collection[str], what: str) -> str:
    """The error for an unknown keyword, in xDSL's wording."""
    quoted = ", ".join(f"'{name}'" for name in sorted(names))
    return f"Expected one of {quoted} as {what}"


def expected(first: str, words: Collection[str]) -> str:
    """The message for a text that is neither what is expected first nor one of some words."""
    quoted = ", ".join(f"'{word}'" for word in words)
    return f"expected {first} or one of {quoted}" if words else f"expected {first}"


def _parse_value(parser: Parser, usual: Attribute, operands: _Operands) -> SSAValue:
    """Parse an operand; a forward reference has the type `usual`."""
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        words = operands.next_words(parser)
        operand = parser.parse_unresolved_operand(expected("an operand", words))
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        return parser.resolve_operand(operand, usual)
    return values[operand.index]


def _parse_values(parser: Parser, element: Values, operands: _Operands) -> None:
    usual = operands.usual_type(element.name)
    match element.form:
        case "[":
            if parser.parse_optional_punctuation("[") is None:
                parser.raise_error(expected("'['", operands.next_words(parser)))
            _parse_address(parser, element.name, operands)
        case "{" | "<":
            operands.values[element.name] = parser.parse_comma_separated_list(
                parser.Delimiter.BRACES, lambda: _parse_value(parser, usual, operands)
            )
        case "&":
            if parser.parse_optional_punctuation("[") is not None:
                _parse_address(parser, element.name, operands)
            else:
                operands.values[element.name] = [_parse_value(parser, usual, operands)]
        case _:
            operands.values[element.name] = [_parse_value(parser, usual, operands)]


def _parse_address(parser: Parser, name: str, operands: _Operands) -> None:
    """Parse `%value]` or `%value + offset]`, after the opening bracket."""
    operands.values[name] = [_parse_value(parser, operands.usual_type(name), operands)]
    if parser.parse_optional_punctuation("+") is not None:
        offset = parser.parse_integer(allow_boolean=False)
        operands.properties[f"{name}_offset"] = IntegerAttr(offset, i32)
    parser.parse_punctuation("]")


def _parse_group(parser: Parser, group: OptionalPart, operands: _Operands) -> None:
    if parser.parse_optional_keyword(group.name) is None:
        return
    if group.name not in operands.syntax.values:
        parser.parse_punctuation("(")
        operands.properties[group.name] = IntegerAttr(parser.parse_integer(), i32)
        parser.parse_punctuation(")")
        return
    usual = operands.usual_type(group.name)
    operands.values[group.name] = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: _parse_value(parser, usual, operands)
    )


def _parse_result_types(
    parser: Parser, syntax: CompiledSyntax, properties: Mapping[str, Attribute]
) -> list[Attribute]:
    """Parse `-> i32, f32` or `-> 32 x i32`; if absent, the usual types of non-variadic results."""
    if parser.parse_optional_punctuation("->") is None:
        return [result.usual_type(properties) for result in syntax.results if not result.variadic]
    types: list[Attribute] = []
    while True:
        count = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if count is not None:
            parser.parse_keyword("x")
        types.extend([parser.parse_type()] * (1 if count is None else count))
        if parser.parse_optional_punctuation(",") is None:
            return types


class _Line:
    """The text of an operation, printed in few parts: each call of a printer takes as long as most
    of the work for it."""

    def __init__(self, printer: Printer):
        self.printer = printer
        self.parts: list[str] = []

    def add(self, text: str) -> None:
        self.parts.append(text)

    def add_value(self, value: SSAValue) -> None:
        name = printed_name(self.printer, value)
        if name is None:
            self.end()
            self.printer.print_ssa_value(value)
        else:
            self.parts.append(f"%{name}")

    def add_values(self, values: Sequence[SSAValue]) -> None:
        for index, value in enumerate(values):
            if index:
                self.parts.append(", ")
            self.add_value(value)

    def end(self) -> None:
        """Print the parts."""
        self.printer.print_string("".join(self.parts))
        self.parts.clear()


def print_instruction(op: Operation, printer: Printer, syntax: CompiledSyntax) -> None:
    """Print the text after the name of an instruction."""
    line = _Line(printer)
    properties = op.properties
    spelled = {"operandSegmentSizes"}
    for qualifier in syntax.qualifiers:
        spelled.add(qualifier.name)
        text = properties.get(qualifier.name)
        if text is not None and isinstance(text, StringAttr):
            line.add(_spelling(text.data))
    separator = " "
    for element in syntax.operands:
        if isinstance(element, OptionalPart):
            if is_present(op, element.name):
                _add_group(line, op, element, spelled)
            continue
        line.add(separator)
        separator = ", "
        if isinstance(element, Immediate):
            spelled.add(element.name)
            line.add(_immediate(op, element.name))
        elif isinstance(element, Values):
            _add_values(line, op, element, spelled)
    line.end()
    rest = {name: value for name, value in properties.items() if name not in spelled}
    if rest or op.attributes:
        printer.print_op_attributes(rest | op.attributes)
    _print_result_types(printer, op, syntax)


@lru_cache(maxsize=1024)
def _spelling(text: str) -> str:
    """A qualifier as `Printer.print_identifier_or_string_literal` prints it, after a space."""
    stream = StringIO()
    Printer(stream).print_identifier_or_string_literal(text)
    return f" {stream.getvalue()}"


def _print_result_types(printer: Printer, op: Operation, syntax: CompiledSyntax) -> None:
    types = [result.type for result in op.results]
    variadic = any(result.variadic for result in syntax.results)
    usual = [result.usual_type(op.properties) for result in syntax.results if not variadic]
    if types == usual:
        return
    printer.print_string(" -> ")
    if len(types) > 1 and all(type_ == types[0] for type_ in types):
        printer.print_string(f"{len(types)} x ")
        types = types[:1]
    printer.print_list(types, printer.print_attribute)


def _immediate(op: Operation, name: str) -> str:
    value = op.properties[name]
    assert isinstance(value, IntegerAttr)
    return str(value.value.data)


def _add_values(line: _Line, op: Operation, element: Values, spelled: set[str]) -> None:
    values = values_of(op, element.name)
    is_address = element.form == "[" or (element.form == "&" and values[0].type == i32)
    match element.form:
        case _ if is_address:
            offset = f"{element.name}_offset"
            line.add("[")
            line.add_value(values[0])
            if offset in op.properties:
                spelled.add(offset)
                line.add(f" + {_immediate(op, offset)}")
            line.add("]")
        case "{" | "<":
            line.add("{")
            line.add_values(values)
            line.add("}")
        case _:
            line.add_values(values)


def _add_group(line: _Line, op: Operation, group: OptionalPart, spelled: set[str]) -> None:
    spelled.add(group.name)
    line.add(f" {group.name}(")
    if group.name in op.properties:
        line.add(_immediate(op, group.name))
    else:
        line.add_values(values_of(op, group.name))
    line.add(")")
