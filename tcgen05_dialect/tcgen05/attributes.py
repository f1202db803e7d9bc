"""Attributes of the `tcgen05` dialect: instruction descriptor and zero-column mask."""

from dataclasses import fields
from typing import Any, cast

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..isa.mma.instruction_descriptor import OPTIONS, InstructionDescriptor
from ..isa.mma.kinds import KINDS
from ..isa.mma.zero_column_mask import ZeroColumnMask
from .types import parse_element_name


@irdl_attr_definition
class InstructionDescriptorAttr(Data[InstructionDescriptor]):
    """
    An instruction descriptor: `#tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>`.

    The parameters are the kind, the element types of A, B and D, and M x N (of the whole CTA pair).
    Options that are not false or zero follow (PTX ISA 9.7.16.4.2).

    - `transpose_a`: A is MN-major; must agree with the type of A
    - `transpose_b`: B is MN-major; must agree with the type of B
    - `negate_a`: A is negated
    - `negate_b`: B is negated
    - `saturate`: integer sums saturate
    - `sparse`: A is sparse; set if and only if the operation is `.sp`
    - `sparsity_selector`: the sub-column of the metadata where the indices begin
    - `max_shift`: with `.ws`, the largest column shift of a reused B
    - `scale_type`: the type of the scale factors, for kinds with scale factors
    - `sfa_id`: the first scale factor of each row of A, among the four of a cell
    - `sfb_id`: the first scale factor of each column of B, among the four of a cell
    - `k96`: K is 96
    """

    name = "tcgen05.idesc"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> InstructionDescriptor:
        with parser.in_angle_brackets():
            kind = parser.parse_keyword_in(tuple(KINDS))
            parser.parse_punctuation(",")
            a = parse_element_name(parser)
            parser.parse_keyword("x")
            b = parse_element_name(parser)
            parser.parse_punctuation("->")
            d = parse_element_name(parser)
            parser.parse_punctuation(",")
            position = parser.pos
            extents = parser.parse_dimension_list()
            if len(extents) != 2:
                parser.raise_error("expected M x N", position)
            options: dict[str, Any] = {}
            while parser.parse_optional_punctuation(",") is not None:
                name = parser.parse_keyword_in(tuple(OPTIONS))
                options[name] = _parse_option(parser, OPTIONS[name])
        m, n = extents
        return InstructionDescriptor(kind, m, n, a, b, d, **options)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def _parse_option(parser: AttrParser, default: object) -> object:
    """The value after the name of an option: a number, a type, or nothing after a flag."""
    if isinstance(default, bool):
        return True
    if isinstance(default, int):
        return parser.parse_integer(allow_boolean=False, allow_negative=False)
    return parse_element_name(parser)


_MASK_FIELDS = {field.name: field.default for field in fields(ZeroColumnMask)}


@irdl_attr_definition
class ZeroColumnMaskAttr(Data[ZeroColumnMask]):
    """
    A zero-column mask descriptor: `#tcgen05.zero_column_mask<non_zero, skip_span 2, use_span 3>`.

    The parameters are the options that are not zero. `start_count` and `first_span` list one number
    for each sub-mask, in brackets (PTX ISA 9.7.16.4.3).
    """

    name = "tcgen05.zero_column_mask"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ZeroColumnMask:
        values: dict[str, Any] = {}
        parser.parse_comma_separated_list(
            parser.Delimiter.ANGLE, lambda: _parse_mask_field(parser, values)
        )
        return ZeroColumnMask(**values)

    def print_parameter(self, printer: Printer) -> None:
        texts: list[str] = []
        for name, default in _MASK_FIELDS.items():
            match value := getattr(self.data, name):
                case _ if value == default:
                    continue
                case True:
                    texts.append(name)
                case tuple():
                    texts.append(
                        f"{name} [{', '.join(str(int(v)) for v in cast(tuple[int], value))}]"
                    )
                case _:
                    texts.append(f"{name} {value}")
        with printer.in_angle_brackets():
            printer.print_list(texts, printer.print_string)


def _parse_mask_field(parser: AttrParser, values: dict[str, Any]) -> None:
    name = parser.parse_keyword_in(tuple(_MASK_FIELDS))
    default = _MASK_FIELDS[name]
    if isinstance(default, tuple):
        each = cast("tuple[int | bool, ...]", default)
        position = parser.pos
        items = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        if len(items) != len(each):
            parser.raise_error(f"expected {len(each)} numbers", position)
        values[name] = tuple(map(type(each[0]), items))
    else:
        values[name] = _parse_option(parser, default)
