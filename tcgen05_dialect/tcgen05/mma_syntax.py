"""The syntax of the matrix products: one parser and one printer for all six."""

from collections.abc import Mapping
from dataclasses import replace

from typing_extensions import TypeVar
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i1, i32, i64
from xdsl.ir import Attribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..isa.mma import shapes
from ..isa.mma.products import PRODUCTS
from ..ptx.instruction import segment_sizes
from .base import (
    CTA_GROUP_WORDS,
    CtaGroupOperation,
    Words,
    flag,
    parse_attributes,
    parse_first_operand,
    parse_number,
    parse_offset,
    parse_types,
    parse_words,
    print_offset,
    print_types,
    print_words,
    values_of,
    words,
)
from .types import InstructionDescriptorAttr, ZeroColumnMaskAttr

ProductT = TypeVar("ProductT", bound=CtaGroupOperation)

OFFSETS: Mapping[str, str] = {"a": "a_k", "b": "b_k"}
_QUALIFIERS: Mapping[str, Words] = {
    "cta_group": CTA_GROUP_WORDS,
    "ashift": flag("ashift"),
    "scale_vectorsize": words(shapes.VECTOR_SIZES),
}
_BUFFERS = {"collector_buffer": words(shapes.COLLECTOR.values("collector_buffer", ws=True))}
_COLLECTOR = {"collector": words(shapes.COLLECTOR.values("collector_op"))}
_SCALE_IDS = {"scale_a": "sfa_id", "scale_b": "sfb_id"}
_TYPES = {"enable_input_d": i1, "descriptor": i32, "disable_output_lane": i32, "mask": i64}


def matrices(name: str) -> tuple[str, ...]:
    """The operands of a product whose types are written."""
    return tuple(each.name for each in PRODUCTS[name].matrices)


def _qualifiers(op_type: type[CtaGroupOperation]) -> dict[str, Words]:
    defined = op_type.get_irdl_definition().properties
    return {name: each for name, each in _QUALIFIERS.items() if name in defined}


def parse(parser: Parser, op_type: type[ProductT]) -> ProductT:
    """Parse what follows the name of a product."""
    product = PRODUCTS[op_type.name]
    properties: dict[str, Attribute] = {}
    found: dict[str, list[UnresolvedOperand]] = {}

    def operand(name: str) -> None:
        found[name] = [parser.parse_unresolved_operand()]

    qualifiers = _qualifiers(op_type)
    parse_words(parser, qualifiers, properties)
    others = ["collector"]
    if parser.parse_optional_keyword("collector") is not None:
        others = []
        if product.ws:
            parse_words(parser, _BUFFERS, properties)
        properties["collector"] = StringAttr(parser.parse_keyword_in(_COLLECTOR["collector"]))
    found["d"] = [parse_first_operand(parser, qualifiers, properties, *others)]
    for name, offset in OFFSETS.items():
        parser.parse_punctuation(",")
        operand(name)
        parse_offset(parser, offset, properties)
    if product.sparse:
        parser.parse_keyword("metadata")
        operand("metadata")
    position = parser.pos
    ids = _parse_scales(parser, found) if product.scaled else {}
    parser.parse_keyword("accumulate")
    operand("enable_input_d")
    if parser.parse_optional_keyword("descriptor") is not None:
        operand("descriptor")
        if parser.parse_optional_keyword("kind") is not None:
            properties["kind"] = StringAttr(parser.parse_identifier())
    if product.has("disable_output_lane"):
        _parse_unscaled(parser, found, properties)
    if product.ws and parser.parse_optional_keyword("zero_column_mask") is not None:
        _parse_mask(parser, found, properties)
    attributes = parse_attributes(parser, op_type, properties)
    if ids:
        _set_ids(parser, position, ids, properties)
    typed = dict(zip(op_type.TYPED, parse_types(parser, len(op_type.TYPED)), strict=True))
    names = [name for name, _ in op_type.get_irdl_definition().operands]
    if not product.scaled:
        # The other products have one optional operand, and no segments.
        sizes = tuple(len(found.get(name, ())) for name in names)
        properties["operandSegmentSizes"] = segment_sizes(sizes)
    operands = [
        parser.resolve_operand(each, typed[name] if name in typed else _TYPES[name])
        for name in names
        for each in found.get(name, ())
    ]
    return op_type.create(operands=operands, properties=properties, attributes=attributes)


def _parse_scales(parser: Parser, found: dict[str, list[UnresolvedOperand]]) -> dict[str, int]:
    """Parse the scale factors. Returns the selectors that the text gives."""
    ids: dict[str, int] = {}
    parser.parse_keyword("scales")
    for name, option in _SCALE_IDS.items():
        if name != "scale_a":
            parser.parse_punctuation(",")
        found[name] = [parser.parse_unresolved_operand()]
        number = parse_number(parser, "id", Parser.parse_integer)
        if number is not None:
            ids[option] = number
    return ids


def _parse_unscaled(
    parser: Parser, found: dict[str, list[UnresolvedOperand]], properties: dict[str, Attribute]
) -> None:
    if parser.parse_optional_keyword("disable_output_lane") is not None:
        found["disable_output_lane"] = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
    if parser.parse_optional_keyword("scale_input_d") is not None:
        with parser.in_parens():
            properties["scale_input_d"] = IntegerAttr(parser.parse_integer(), i32)


def _parse_mask(
    parser: Parser, found: dict[str, list[UnresolvedOperand]], properties: dict[str, Attribute]
) -> None:
    mask = parser.parse_optional_unresolved_operand()
    if mask is None:
        properties["zero_column_mask"] = parser.parse_attribute()
    else:
        found["mask"] = [mask]


def _set_ids(
    parser: Parser, position: int, ids: Mapping[str, int], properties: dict[str, Attribute]
) -> None:
    """Put identifiers of scale factors into the instruction descriptor, which holds them."""
    idesc = properties.get("idesc")
    if not isinstance(idesc, InstructionDescriptorAttr):
        parser.raise_error("[id = ...] needs idesc: a computed descriptor contains it", position)
    for name in ids:
        if getattr(idesc.data, name):
            parser.raise_error(f"idesc has {name} too; give it in one place", position)
    properties["idesc"] = InstructionDescriptorAttr(replace(idesc.data, **ids))


def write(printer: Printer, op: CtaGroupOperation) -> None:
    """Print what follows the name of a product."""
    product, properties = PRODUCTS[op.name], op.properties

    def operand(text: str, name: str) -> None:
        for value in values_of(op, name):
            printer.print_string(text)
            printer.print_ssa_value(value)

    print_words(printer, _QUALIFIERS, properties)
    if "collector" in properties or "collector_buffer" in properties:
        printer.print_string(" collector")
        print_words(printer, {**_BUFFERS, **_COLLECTOR}, properties)
    operand(" ", "d")
    for name, offset in OFFSETS.items():
        operand(", ", name)
        print_offset(printer, properties.get(offset))
    if product.sparse:
        operand(" metadata ", "metadata")
    idesc = properties.get("idesc")
    if product.scaled:
        for name, option in _SCALE_IDS.items():
            operand(" scales " if name == "scale_a" else ", ", name)
            if isinstance(idesc, InstructionDescriptorAttr) and getattr(idesc.data, option):
                printer.print_string(f"[id = {getattr(idesc.data, option)}]")
    operand(" accumulate ", "enable_input_d")
    operand(" descriptor ", "descriptor")
    if isinstance(kind := properties.get("kind"), StringAttr):
        printer.print_string(f" kind {kind.data}")
    if lanes := values_of(op, "disable_output_lane"):
        printer.print_string(" disable_output_lane(")
        printer.print_list(lanes, printer.print_ssa_value)
        printer.print_string(")")
    if isinstance(exponent := properties.get("scale_input_d"), IntegerAttr):
        printer.print_string(f" scale_input_d({exponent.value.data})")
    operand(" zero_column_mask ", "mask")
    if isinstance(described := properties.get("zero_column_mask"), ZeroColumnMaskAttr):
        printer.print_string(" zero_column_mask ")
        printer.print_attribute(described)
    shown = dict(op.attributes)
    if isinstance(idesc, InstructionDescriptorAttr):
        if product.scaled:
            idesc = InstructionDescriptorAttr(replace(idesc.data, sfa_id=0, sfb_id=0))
        shown = {"idesc": idesc, **shown}
    printer.print_op_attributes(shown)
    print_types(printer, [values_of(op, name)[0] for name in op.TYPED])
