"""Types of `tcgen05` for matrices in tensor memory and shared memory, and attributes for
descriptors."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn, Self, cast

from xdsl.dialects.builtin import (
    IntAttr,
    IntegerType,
    NoneAttr,
    Signedness,
    StringAttr,
    bf16,
    f4E2M1FN,
    f6E2M3FN,
    f6E3M2FN,
    f8E4M3FN,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    i32,
    tf32,
)
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.lexer import Span

from ..isa.element import ELEMENT_RULE, ELEMENTS, INDEX, PACKINGS, Element, container_bits
from ..isa.mma import shapes
from ..isa.mma.instruction_descriptor import OPTIONS, InstructionDescriptor
from ..isa.mma.products import ACCUMULATOR, MATRIX_A, METADATA, SCALE
from ..isa.mma.shapes import KINDS
from ..isa.mma.sparse import ZeroColumnMask
from ..isa.model.rule import alternatives, meant
from ..isa.shared_memory.descriptor import SWIZZLES
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..isa.tensor_memory import alloc
from ..reporting.diagnostics import TextError

if TYPE_CHECKING:
    from ..isa.mma.scale import ScaleFactors

ELEMENT_TYPES: Mapping[Attribute, Element] = {
    type_: ELEMENTS[name]
    for type_, name in (
        (f16, "f16"),
        (bf16, "bf16"),
        (tf32, "tf32"),
        (f32, "f32"),
        (i32, "s32"),
        (f8E4M3FN, "e4m3"),
        (f8E5M2, "e5m2"),
        (f6E2M3FN, "e2m3"),
        (f6E3M2FN, "e3m2"),
        (f4E2M1FN, "e2m1"),
        (IntegerType(8, Signedness.SIGNED), "s8"),
        (IntegerType(8, Signedness.UNSIGNED), "u8"),
        (f8E8M0FNU, "ue8m0"),
    )
}
"""Builtin type -> element type of the manual."""

ROLES: Mapping[str, Mapping[Attribute, Element]] = {
    ACCUMULATOR: ELEMENT_TYPES,
    MATRIX_A: ELEMENT_TYPES,
    SCALE: {f8E8M0FNU: ELEMENTS["ue8m0"], f8E4M3FN: ELEMENTS["ue4m3"]},
    METADATA: {IntegerType(INDEX.bits): INDEX},
}
"""
Roles of matrices in tensor memory, with the element types of each.

A matrix is D with one element in each cell, A, scale factors of A or B, or sparsity metadata.
"""
ALL_ELEMENTS = {
    type_: element for elements in ROLES.values() for type_, element in elements.items()
}


def parse_matrix(
    parser: AttrParser, elements: Collection[Attribute] = ELEMENT_TYPES
) -> tuple[int, int, Attribute]:
    """Parse the extents of a matrix and its element type, one of some."""
    position = parser.pos
    extents = parser.parse_dimension_list()
    if len(extents) != 2 or min(extents) <= 0:
        parser.raise_error("expected rows x columns x element type", position)
    parser.parse_shape_delimiter()
    return extents[0], extents[1], _parse_element_type(parser, elements)


def _parse_element_type(parser: AttrParser, elements: Collection[Attribute]) -> Attribute:
    position = parser.pos
    element = parser.parse_optional_type()
    if element is not None and element in elements:
        return element
    if element is None:
        found = parser.expect(parser.parse_optional_identifier, "expected an element type")
    else:
        found = str(element)
    similar = [str(type_) for type_, each in ELEMENT_TYPES.items() if each.name == found]
    _refuse_element(parser, position, found, similar, tuple(map(str, elements)))


def _refuse_element(
    parser: AttrParser, position: int, found: str, similar: list[str], legal: tuple[str, ...]
) -> NoReturn:
    violation = ELEMENT_RULE.violation(found, legal, help=meant(similar[:1]))
    span = Span(position, position + len(found), parser.lexer.input)
    raise TextError(span, str(violation)) from violation


def check_element(parser: AttrParser, position: int, role: str, element: Attribute) -> None:
    """Check that matrices of a role may have an element type."""
    if element not in ROLES[role]:
        legal = alternatives(tuple(map(str, ROLES[role])))
        parser.raise_error(f"elements of role {role} must be {legal}; found {element}", position)


def parse_element_name(parser: AttrParser) -> str:
    """Parse an element type by its name in the manual."""
    position = parser.pos
    name = parser.parse_identifier()
    if name in ELEMENTS:
        return name
    meant = [each.name for type_, each in ELEMENT_TYPES.items() if str(type_) == name]
    _refuse_element(parser, position, name, meant, tuple(ELEMENTS))


@irdl_attr_definition
class TensorMemoryType(ParametrizedAttribute, TypeAttribute):
    """
    A matrix in tensor memory: `!tcgen05.tmem<128x256xf32>`.

    The CTA holds `rows` x `columns` elements. Without a layout, rows are in consecutive lanes; a
    layout such as `layout_F` is a data path layout (PTX ISA 9.7.16.10.5). The role determines how
    elements fill the columns of tensor memory, which are 32 bits wide.

    - `accumulator`: D, or any 32-bit cells; each cell holds one element of any size
    - `a`: A; the elements of a row fill the columns, and an element of fewer than 8 bits
      occupies 8 bits, unless the matrix is `packed`
    - `scale`: the scale factors of A or B; a cell holds four factors of a row, so 128 rows (256 if
      D is folded) take four columns for every four factors; the lanes of each warp hold a copy (PTX
      ISA 9.7.16.10.7.2)
    - `metadata`: the sparsity metadata of A, 4-bit indices that fill the columns (PTX ISA
      9.7.16.10.8)
    """

    name = "tcgen05.tmem"
    rows: IntAttr = param_def()
    columns: IntAttr = param_def()
    element: Attribute = param_def()
    role: StringAttr = param_def()
    layout: StringAttr | NoneAttr = param_def()
    packing: StringAttr = param_def()

    @classmethod
    def get(
        cls,
        rows: int,
        columns: int,
        element: Attribute,
        role: str = ACCUMULATOR,
        layout: str | None = None,
        packing: str = PACKINGS[0],
    ) -> Self:
        return cls(
            IntAttr(rows),
            IntAttr(columns),
            element,
            StringAttr(role),
            NoneAttr() if layout is None else StringAttr(layout),
            StringAttr(packing),
        )

    def with_layout(self, layout: str | None) -> "TensorMemoryType":
        """The same matrix with another data path layout, or without one."""
        extents = self.rows.data, self.columns.data
        return self.get(*extents, self.element, self.role.data, layout, self.packing.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            position = parser.pos
            rows, columns, element = parse_matrix(parser, ALL_ELEMENTS)
            role, layout, packing = ACCUMULATOR, None, PACKINGS[0]
            layouts = {f"layout_{name}": name for name in shapes.LAYOUTS}
            while parser.parse_optional_punctuation(",") is not None:
                word = parser.parse_keyword_in((*ROLES, *layouts, *PACKINGS))
                if word in layouts:
                    layout = layouts[word]
                elif word in ROLES:
                    role = word
                else:
                    packing = word
            check_element(parser, position, role, element)
        return cls.get(rows, columns, element, role, layout, packing).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_dimension_list((self.rows.data, self.columns.data))
            printer.print_string("x")
            printer.print_attribute(self.element)
            if self.role.data != ACCUMULATOR:
                printer.print_string(f", {self.role.data}")
            if isinstance(self.layout, StringAttr):
                printer.print_string(f", layout_{self.layout.data}")
            if self.packing.data != PACKINGS[0]:
                printer.print_string(f", {self.packing.data}")

    @property
    def element_type(self) -> Element:
        """The element type by its name in the manual."""
        return ROLES[self.role.data][self.element]

    @property
    def layout_name(self) -> str | None:
        """The name of the data path layout, or None."""
        return self.layout.data if isinstance(self.layout, StringAttr) else None

    @property
    def scale_factors(self) -> "ScaleFactors":
        """The scale factors in a matrix of role `scale`."""
        # Imported here, because most kernels have no scale factors and imports cost start-up time.
        from ..isa.mma.scale import ScaleFactors

        name = self.layout_name
        folds = 1 if name is None else shapes.LAYOUTS[name].folds
        return ScaleFactors(self.rows.data, self.columns.data, folds)

    @property
    def element_bits(self) -> int:
        """The bits of a cell that an element occupies; not for role `scale`."""
        role = self.role.data
        if role == ACCUMULATOR:
            return alloc.CELL_BITS
        pads = role == MATRIX_A and self.packing.data == PACKINGS[0]
        return container_bits(self.element_type.bits, pads)

    @property
    def footprint(self) -> tuple[int, int]:
        """The number of lanes from the first to the last, and the number of columns."""
        rows, role = self.rows.data, self.role.data
        if role == SCALE:
            return alloc.LANES, self.scale_factors.columns
        columns = -(-self.columns.data * self.element_bits // alloc.CELL_BITS)
        name = self.layout_name
        if name is None:
            return rows, columns
        layout = shapes.LAYOUTS[name]
        lanes = layout.lanes()
        if role == ACCUMULATOR:
            columns = layout.columns(columns)
        return max(lanes) - min(lanes) + 1, columns


@irdl_attr_definition
class SharedMemoryDescriptorType(ParametrizedAttribute, TypeAttribute):
    """
    A shared memory descriptor: `!tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>`.

    It describes a dense tile of `mn` x `k` elements in a canonical layout (PTX ISA 9.7.16.3.3).
    Atoms that are adjacent in memory are adjacent along K or, with `mn_first`, along M or N. With
    `k = 16` the descriptor begins at element 16 along K. An element of fewer than 8 bits occupies 8
    bits, unless the tile is `packed`.
    """

    name = "tcgen05.smem_descriptor"
    mn: IntAttr = param_def()
    k: IntAttr = param_def()
    element: Attribute = param_def()
    major: StringAttr = param_def()
    swizzle: StringAttr = param_def()
    atom_order: StringAttr = param_def()
    packing: StringAttr = param_def()
    k_origin: IntAttr = param_def()

    @classmethod
    def get(
        cls,
        mn: int,
        k: int,
        element: Attribute,
        major: str,
        swizzle: str,
        atom_order: str = ATOM_ORDERS[0],
        packing: str = PACKINGS[0],
    ) -> Self:
        """The type of the descriptor of a tile of `mn` x `k` elements, from k = 0."""
        words = map(StringAttr, (major, swizzle, atom_order, packing))
        return cls.new((IntAttr(mn), IntAttr(k), element, *words, IntAttr(0)))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            matrix = parse_matrix(parser)
            parser.parse_punctuation(",")
            return cls.parse_layout(parser, matrix, parser.parse_keyword_in(MAJORS))

    @classmethod
    def parse_layout(
        cls, parser: AttrParser, matrix: tuple[int, int, Attribute], major: str
    ) -> Sequence[Attribute]:
        """Parse what follows the majorness of a matrix; return all parameters."""
        atom_order, packing, k_origin = ATOM_ORDERS[0], PACKINGS[0], 0
        mn, k, element = matrix
        parser.parse_punctuation(",")
        swizzle = parser.parse_keyword_in(tuple(SWIZZLES))
        while parser.parse_optional_punctuation(",") is not None:
            word = parser.parse_keyword_in((*ATOM_ORDERS, *PACKINGS, "k"))
            if word == "k":
                parser.parse_punctuation("=")
                k_origin = parser.parse_integer(allow_boolean=False, allow_negative=False)
            elif word in PACKINGS:
                packing = word
            else:
                atom_order = word
        return (
            IntAttr(mn),
            IntAttr(k),
            element,
            *map(StringAttr, (major, swizzle, atom_order, packing)),
            IntAttr(k_origin),
        )

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_dimension_list((self.mn.data, self.k.data))
            printer.print_string("x")
            printer.print_attribute(self.element)
            printer.print_string(f", {self.major.data}, {self.swizzle.data}")
            if self.atom_order.data != ATOM_ORDERS[0]:
                printer.print_string(f", {self.atom_order.data}")
            if self.packing.data != PACKINGS[0]:
                printer.print_string(f", {self.packing.data}")
            if self.k_origin.data:
                printer.print_string(f", k = {self.k_origin.data}")

    def at(self, k: int) -> Self:
        """The type of the descriptor that begins at element `k` along K."""
        return type(self).new((*self.parameters[:-1], IntAttr(k)))

    @property
    def element_type(self) -> Element:
        """The element type by its name in the manual."""
        return ELEMENT_TYPES[self.element]

    @property
    def layout(self) -> SharedMemoryLayout:
        """The layout of the tile in shared memory."""
        return SharedMemoryLayout(
            self.mn.data,
            self.k.data,
            self.element_type.bits,
            self.major.data,
            self.swizzle.data,
            self.atom_order.data,
            pads=self.packing.data == PACKINGS[0],
        )


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
