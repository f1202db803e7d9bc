"""Base classes, types and syntax of `ws`: tiles, rings, held stages, indices, and blocks of scale
factors."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import prod
from typing import Any, ClassVar, NamedTuple, Self, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    param_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, is_side_effect_free
from xdsl.utils.mlir_lexer import PunctuationSpelling

from ..isa.element import INDEX, PACKINGS
from ..isa.mma.products import MATRIX_A, METADATA, SCALE
from ..isa.mma.scale import ATOM_ROWS, CELL_BYTES, ScaleFactors
from ..isa.model.rule import Violation
from ..isa.practice import OPERAND_RULE
from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..isa.shared_memory.tensor_map import Box
from ..isa.tensor_memory import copies
from ..isa.tensor_memory.alloc import LANES
from ..ptx.instruction import segment_sizes
from ..ptx.register_types import B32
from ..tcgen05.base import typed_operand
from ..tcgen05.types import (
    ALL_ELEMENTS,
    SharedMemoryDescriptorType,
    TensorMemoryType,
    check_element,
    parse_matrix,
)
from ..xdsl_support.attributes import spellings
from ..xdsl_support.construction import ConstructedOperation, Operands, Properties

COPIED_ROLES = (SCALE, METADATA)
"""Roles of the matrices in tensor memory that copies fill."""
_BYTE = IntegerType(8, Signedness.UNSIGNED)
_SHAPES = {SCALE: "shape_32x128b", METADATA: "shape_128x128b"}
"""By role, the shape of the copies."""


class Block(NamedTuple):
    """A block: its first byte in the tile, and its first column in the matrix."""

    byte: int
    column: int


class Blocks(NamedTuple):
    """The blocks of scale factors or of metadata. A block has `rows` rows, and `columns` elements
    of each row; one copy of `shape` moves it."""

    matrix: TensorMemoryType
    shape: copies.Shape
    rows: int
    columns: int

    @property
    def multicast(self) -> str | None:
        """The multicast of a copy."""
        return copies.MULTICASTS.value("multicast", shape=self.shape.name)

    @property
    def block_bytes(self) -> int:
        """The number of bytes of a block."""
        return self.shape.rows * self.shape.bits // 8

    @property
    def source(self) -> SharedMemoryDescriptorType:
        """The type of the descriptor of a block."""
        return SharedMemoryDescriptorType(
            IntAttr(self.shape.rows),
            IntAttr(self.shape.bits // 8),
            _BYTE,
            StringAttr(MAJORS[False]),
            StringAttr("no_swizzle"),
            StringAttr(ATOM_ORDERS[0]),
            StringAttr(PACKINGS[0]),
            IntAttr(0),
        )

    @property
    def box(self) -> Box:
        """The box of all blocks, for a tensor of bytes: a block is two-dimensional, as its copy
        reads it, and the other dimensions count blocks along the rows and along the columns."""
        return Box((self.shape.bits // 8, self.shape.rows, *reversed(self.extents)), "u8")

    @property
    def extents(self) -> tuple[int, int]:
        """The numbers of blocks along the rows and along the columns."""
        rows, columns = self.matrix.rows.data, self.matrix.columns.data
        return -(-rows // self.rows), -(-columns // self.columns)

    @property
    def size_bytes(self) -> int:
        """The number of bytes of all blocks."""
        rows, columns = self.extents
        return rows * columns * self.block_bytes

    def block(self, row: int, column: int) -> Block:
        """A block by the numbers of its row and of its column."""
        if self.matrix.role.data == METADATA:
            return Block(column * self.block_bytes, column * self.shape.columns)
        factors = ScaleFactors(self.matrix.rows.data, self.matrix.columns.data)
        first = row * self.rows, column * self.columns
        return Block(factors.byte_offset(*first), factors.position(*first).column)

    def all(self) -> Iterator[Block]:
        """All blocks."""
        rows, columns = self.extents
        return (self.block(row, column) for row in range(rows) for column in range(columns))

    def violations(self) -> Iterator[Violation]:
        """The violations by extents that blocks cannot fill."""
        if self.matrix.role.data == METADATA:
            rows, columns = self.matrix.rows.data, self.matrix.columns.data
            if rows != self.rows or columns % self.columns:
                legal = f"{self.rows} rows, and a multiple of {self.columns} columns"
                yield OPERAND_RULE.violation(f"{rows}x{columns}", legal, "metadata to copy")


@lru_cache(maxsize=256)
def blocks_of(matrix: TensorMemoryType) -> Blocks:
    """The blocks of a matrix of role `scale` or `metadata`."""
    role = matrix.role.data
    shape = copies.SHAPES[_SHAPES[role]]
    if role == SCALE:
        return Blocks(matrix, shape, ATOM_ROWS, CELL_BYTES)
    return Blocks(matrix, shape, LANES, shape.bits // INDEX.bits)


@irdl_attr_definition
class SharedTileType(ParametrizedAttribute, TypeAttribute):
    """
    A tile in shared memory: `!ws.smem<128x64xbf16, k_major, swizzle_128b>`.

    The parameters are those of `!tcgen05.smem_descriptor`. They give the size of the tile, its
    alignment and the place of each element.

    `!ws.smem<128x4xf8E8M0FNU, scale>` has the scale factors of
    `!tcgen05.tmem<128x4xf8E8M0FNU, scale>`, and `!ws.smem<128x32xi4, metadata>` has metadata, in
    the order in which `tcgen05.cp` copies them: blocks of 128 rows and four columns of tensor
    memory, first those of the same rows.
    """

    name = "ws.smem"
    contents: SharedMemoryDescriptorType | TensorMemoryType = param_def()

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
        """The type of a tile of `mn` x `k` elements."""
        words = major, swizzle, atom_order, packing
        return cls(SharedMemoryDescriptorType.get(mn, k, element, *words))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            position = parser.pos
            matrix = parse_matrix(parser, ALL_ELEMENTS)
            parser.parse_punctuation(",")
            word = parser.parse_keyword_in((*MAJORS, *COPIED_ROLES))
            if word in COPIED_ROLES:
                check_element(parser, position, word, matrix[2])
                return (TensorMemoryType.get(*matrix, word),)
            check_element(parser, position, MATRIX_A, matrix[2])
            parameters = SharedMemoryDescriptorType.parse_layout(parser, matrix, word)
            tile = SharedMemoryDescriptorType.new(parameters)
            if tile.k_origin.data:
                parser.raise_error("a tile begins at k = 0", position)
            return (tile,)

    def print_parameters(self, printer: Printer) -> None:
        self.contents.print_parameters(printer)

    @property
    def copied(self) -> TensorMemoryType | None:
        """The matrix in tensor memory to which the tile is copied; None for A, B and others."""
        return self.contents if isinstance(self.contents, TensorMemoryType) else None

    @property
    def descriptor(self) -> SharedMemoryDescriptorType:
        """The type of the descriptor of a tile of A, B and others."""
        assert isinstance(self.contents, SharedMemoryDescriptorType)
        return self.contents

    @property
    def layout(self) -> SharedMemoryLayout:
        """The layout of a tile of A, B and others."""
        return self.descriptor.layout

    @property
    def blocks(self) -> Blocks:
        """The blocks of a tile of scale factors or metadata."""
        assert self.copied is not None
        return blocks_of(self.copied)

    @property
    def size_bytes(self) -> int:
        """The size of the tile."""
        return self.layout.size_bytes if self.copied is None else self.blocks.size_bytes

    @property
    def copied_bytes(self) -> int:
        """The bytes that copies of the whole tile complete on a barrier object: without padding."""
        if self.copied is not None:
            return self.size_bytes
        return prod(self.extents) * self.descriptor.element_type.bits // 8

    @property
    def alignment(self) -> int:
        """The alignment of the tile in bytes."""
        return self.layout.alignment if self.copied is None else UNIT_BYTES

    @property
    def extents(self) -> tuple[int, int]:
        """The extents of the tile as a tensor map has them: the contiguous dimension is last. Those
        of scale factors and metadata count blocks."""
        if self.copied is not None:
            return self.blocks.extents
        layout = self.layout
        return (layout.k, layout.mn) if layout.transposed else (layout.mn, layout.k)

    def violations(self) -> Iterable[Violation]:
        """The violations by the layout of the tile."""
        return self.layout.violations() if self.copied is None else self.blocks.violations()


Buffer = SharedTileType | TensorMemoryType
"""The type of a buffer of a stage."""


@irdl_attr_definition
class RingType(ParametrizedAttribute, TypeAttribute):
    """A ring of stages, and the buffers that each stage holds: `!ws.ring<4 x (!a, !b)>`."""

    name = "ws.ring"
    stages: IntAttr = param_def()
    buffers: ArrayAttr[SharedTileType | TensorMemoryType] = param_def()

    @classmethod
    def get(cls, stages: int, buffers: Sequence["Buffer"]) -> Self:
        """The type of a ring of so many stages, each with these buffers."""
        return cls(IntAttr(stages), ArrayAttr(buffers))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            stages = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_keyword("x")
            buffers = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parse_buffer_type(parser)
            )
        return IntAttr(stages), ArrayAttr(buffers)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.stages.data} x ")
            with printer.in_parens():
                printer.print_list(self.buffers, printer.print_attribute)


SIDES = ("produce", "consume")
"""The sides of a ring."""


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """A stage that a role holds: `!ws.token<produce>` until it is committed, `!ws.token<consume>`
    until it is released."""

    name = "ws.token"
    side: StringAttr = param_def()

    @classmethod
    def get(cls, side: str) -> Self:
        """The type of the tokens of a side, `produce` or `consume`."""
        return cls(StringAttr(side))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (StringAttr(parser.parse_keyword_in(SIDES)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.side.data)


def parse_buffer_type(parser: AttrParser) -> Buffer:
    """Parse the type of a buffer."""
    position = parser.pos
    type_ = parser.parse_type()
    if not isinstance(type_, Buffer):
        message = "expected the type of a buffer, !ws.smem or !tcgen05.tmem"
        parser.raise_error(f"{message}; found {type_}", position)
    return type_


_PURE = frozenset({"arith.remui", "arith.extsi", "vector.bitcast", "vector.reduction"})
"""Operations without effects that xDSL does not declare as such."""


class WsOperation(ConstructedOperation, ABC):
    """An operation with an effect on memory or on synchronisation."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


TMA, MMA, THREADS = "tma", "mma", "threads"


class HolderOp(WsOperation, ABC):
    """An operation with which a role takes a stage of a ring."""

    NOUN: ClassVar[str]
    """What messages call the operation."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """Who works on the buffers: `tma`, `mma` or `threads`."""

    @property
    @abstractmethod
    def is_by_reading_tma(self) -> bool:
        """Whether TMA is to consume the stage, which is illegal."""


def enclosing(op: Operation | None) -> Iterator[Operation]:
    """The operations around an operation, the innermost first."""
    above = None if op is None else op.parent_op()
    while above is not None:
        yield above
        above = above.parent_op()


def buffer_of(value: SSAValue) -> Buffer | None:
    """The type of a buffer; None if the value is something else."""
    return type_ if isinstance(type_ := value.type, Buffer) else None


def ring_type(value: SSAValue) -> RingType | None:
    """The type of a ring; None if the value is something else."""
    return type_ if isinstance(type_ := value.type, RingType) else None


def only_computes(op: Operation) -> bool:
    """Whether an operation has no effects."""
    return op.name in _PURE or is_side_effect_free(op)


Indices = tuple[list[SSAValue], DenseArrayBase[Any]]
"""The values among some indices, and all indices, with DYNAMIC_INDEX in the places of values."""


def parse_value(parser: Parser) -> SSAValue:
    """Parse a value that is already defined; its type is not written. Regions define values before
    their uses, so no operation of `ws` needs a forward reference."""
    return known_value(parser, parser.parse_unresolved_operand())


def known_value(parser: Parser, operand: UnresolvedOperand) -> SSAValue:
    """The value of an operand that is already defined."""
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        # Imported here, because only wrong programs need it.
        from ..xdsl_support.parser import undefined_error

        raise undefined_error(operand.span, parser.ssa_values, " before")
    return values[operand.index]


def parse_index(parser: Parser) -> SSAValue | int:
    """Parse an index: a value or a number."""
    operand = parser.parse_optional_unresolved_operand()
    if operand is not None:
        return known_value(parser, operand)
    return parser.parse_integer(allow_boolean=False)


def split(indices: Sequence[SSAValue | int]) -> Indices:
    """The operands and the property that hold some indices."""
    values = [index for index in indices if isinstance(index, SSAValue)]
    numbers = [DYNAMIC_INDEX if isinstance(index, SSAValue) else index for index in indices]
    return values, DenseArrayBase.from_list(i64, numbers)


def mixed(values: Sequence[SSAValue], numbers: DenseArrayBase[Any]) -> list[SSAValue | int]:
    """The indices, each a value or a number."""
    rest = iter(values)
    return [
        next(rest) if number == DYNAMIC_INDEX else int(number) for number in numbers.get_values()
    ]


def check_mixed(values: Sequence[SSAValue], numbers: DenseArrayBase[Any]) -> None:
    """Raise Violation unless there is a value for each index that is not a number."""
    legal = sum(number == DYNAMIC_INDEX for number in numbers.get_values())
    if len(values) != legal:
        what = "the number of values among the indices"
        raise OPERAND_RULE.violation(len(values), legal, what, culprit="indices")


def parse_indices(parser: Parser) -> Indices:
    """Parse indices in square brackets."""
    return split(
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_index(parser))
    )


def print_indices(printer: Printer, indices: Sequence[SSAValue | int]) -> None:
    """Print indices in square brackets."""
    with printer.in_square_brackets():
        printer.print_list(indices, lambda index: print_index(printer, index))


def print_index(printer: Printer, index: SSAValue | int) -> None:
    """Print a value or a number."""
    if isinstance(index, int):
        printer.print_string(str(index))
    else:
        printer.print_ssa_value(index)


def parse_number(parser: Parser) -> IntegerAttr:
    """Parse a number in parentheses, as in `warps(4)`."""
    with parser.in_parens():
        return IntegerAttr(parser.parse_integer(allow_boolean=False, allow_negative=False), i32)


def parse_names(parser: Parser, types: Sequence[Attribute]) -> list[Parser.Argument]:
    """Parse `(%argument, ...)`, the arguments of a region, which have these types."""
    position = parser.pos
    names = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    if len(names) != len(types):
        parser.raise_error(f"expected {len(types)} names; found {len(names)}", position)
    return [name.resolve(type_) for name, type_ in zip(names, types, strict=True)]


def print_attributes(printer: Printer, op: IRDLOperation) -> None:
    """Print the attributes of other dialects."""
    printer.print_op_attributes(op.attributes)


Parts = tuple[str | tuple[str, ...], ...]
"""The parts of a syntax."""


class SpelledOperation(WsOperation, ABC):
    """
    An operation with the syntax `FORM`; attributes of other dialects come after it, or before `->`.

    A part is `%name`, an operand whose type is not written; `[]`, indices; `<name>`, a word that is
    a property; `->`, the type of the result; a keyword or punctuation; or a tuple of parts that
    begins with a keyword, for operands that may be left out.
    """

    FORM: ClassVar[Parts]

    @classmethod
    def parse_operand(cls, parser: Parser) -> SSAValue:
        """Parse an operand."""
        return parse_value(parser)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        definition = cls.get_irdl_definition()
        operands: dict[str, list[SSAValue]] = {}
        properties: dict[str, Attribute] = {}

        def parse_part(part: str) -> None:
            if part[0] == "%":
                operands[part[1:]] = [cls.parse_operand(parser)]
            elif part == "[]":
                operands["indices"], properties["static_indices"] = parse_indices(parser)
            elif part[0] == "<":
                words = spellings(definition.properties[part[1:-1]].constr)
                properties[part[1:-1]] = StringAttr(parser.parse_keyword_in(words))
            elif part.isalpha():
                parser.parse_keyword(part)
            elif part != "->":
                parser.parse_punctuation(cast("PunctuationSpelling", part.strip()))

        for part in cls.FORM:
            if isinstance(part, str):
                parse_part(part)
            elif parser.parse_optional_keyword(part[0]) is not None:
                for each in part[1:]:
                    parse_part(each)
        attributes = parser.parse_optional_attr_dict()
        groups = [operands.get(name, []) for name, _ in definition.operands]
        if any(isinstance(each, AttrSizedOperandSegments) for each in definition.options):
            sizes = segment_sizes(tuple(map(len, groups)))
            properties[AttrSizedOperandSegments.attribute_name] = sizes
        if cls.FORM[-1:] == ("->",):
            parser.parse_punctuation("->")
            types: Sequence[Attribute] = [parser.parse_type()]
        else:
            types = cls.inferred_types(operands, properties) or ()
        return cls.create(
            operands=[*chain(*groups)],
            properties=properties,
            attributes=attributes,
            result_types=types,
        )

    def print(self, printer: Printer) -> None:
        before = ""

        def print_part(part: str) -> None:
            nonlocal before
            printer.print_string("" if part[0] in "[,() " or before[-1:] == "(" else " ")
            if part[0] == "%":
                printer.print_ssa_value(getattr(self, part[1:]))
            elif part == "[]":
                print_indices(printer, mixed(*(getattr(self, name) for name in _INDICES)))
            else:
                printer.print_string(getattr(self, part[1:-1]).data if part[0] == "<" else part)
            before = part

        for part in self.FORM:
            optional = () if isinstance(part, str) else part
            names = [each[1:] for each in optional if each[0] == "%"]
            if part != "->" and all(getattr(self, name) is not None for name in names):
                for each in optional or (cast(str, part),):
                    print_part(each)
        print_attributes(printer, self)
        if self.FORM[-1:] == ("->",):
            printer.print_string(" -> ")
            printer.print_attribute(self.results[0].type)


_INDICES = ("indices", "static_indices")
"""The operands and the property that hold indices."""


@irdl_op_definition
class AddressOp(SpelledOperation):
    """
    The address of a tile in shared memory, for raw operations.

        %address = ws.address %tile

    A matrix in tensor memory needs no such operation: raw operations take it as it is.

    - `tile`: a buffer of a region, or of a ws.alloc
    """

    name = "ws.address"
    FORM: ClassVar[Parts] = ("%tile",)
    tile = typed_operand(SharedTileType, what="buffer")
    result = result_def(B32)
    traits = traits_def(Pure())

    @classmethod
    def inferred_types(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        return [i32]
