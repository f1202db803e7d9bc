"""Loads and stores: copies between tensor memory and registers (PTX ISA 9.7.16.8)."""

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, f32, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..isa.element import ELEMENTS, Element
from ..isa.mma.products import ACCUMULATOR, ELEMENT, METADATA, ROLE
from ..isa.model.rule import raise_any
from ..isa.tensor_memory import ld_st
from ..isa.tensor_memory.alloc import ACCESS_REGION
from ..isa.tensor_memory.ld_st import PACKED_BITS_RULE
from ..ptx.analysis.known_values import constant_bits
from ..ptx.register_types import INTEGER_32
from ..xdsl_support.attributes import one_of
from ..xdsl_support.construction import Operands, Properties
from .alloc import known_cell
from .base import Tcgen05Operation, typed_operand, violations_reported
from .types import ELEMENT_TYPES, TensorMemoryType

_PACKED = ld_st.PACKED_BITS, ACCUMULATOR
"""Element size and role of a matrix that is packed in registers."""
_REDUCTION_OPS = tuple(ld_st.LD_RED.qualifiers["op"].spellings)
_PACKED_LEGAL = "{} of role {}".format(
    " or ".join(each.name for each in ELEMENTS.values() if each.bits == _PACKED[0]), _PACKED[1]
)


def register_type(matrix: TensorMemoryType, packed: bool) -> Attribute:
    """The type of the registers that hold elements of a matrix."""
    return f32 if matrix.element == f32 and not packed else i32


@lru_cache(maxsize=1024)
def _region(
    shape: str, num: str, registers: int, packed: bool, split: int | None
) -> tuple[int, int]:
    """The number of lanes and the number of columns that an access spans. Raises Violation."""
    ld_st.check_registers(shape, num, registers)
    # A negative split offset would access columns before the matrix.
    ld_st.check_address(shape, num, 0, 0, packed, split)
    footprint = ld_st.footprint(shape, num, packed, split)
    # The second half may be anywhere after the first.
    return len(footprint.lanes), max(part.stop for part in footprint.columns)


class _Access(Tcgen05Operation, ABC):
    """
    A copy of `num` times `shape` between tensor memory and the registers of a warp.

    - `shape`: the number of lanes, and of bits in each lane
    - `num`: the number of repetitions along the columns
    - `split_offset`: for a shape that ends in `x2`, the columns from its first to its second half
    - `address`: a slice with exactly the lanes and columns of the copy
    """

    WORDS: ClassVar[Mapping[str, Iterable[str]]] = {"shape": ld_st.SHAPES, "num": ld_st.NUMS}
    """Property -> the keywords for it, of which one is written."""
    FLAGS: ClassVar[Sequence[str]] = ()
    """Properties without a value, which are written after these keywords."""
    shape = prop_def(one_of(ld_st.SHAPES))
    num = prop_def(one_of(ld_st.NUMS))
    split_offset = opt_prop_def(INTEGER_32)
    address = typed_operand(TensorMemoryType)

    @property
    def split(self) -> int | None:
        """The split offset (`immHalfSplitoff`) in columns."""
        return None if self.split_offset is None else self.split_offset.value.data

    def _verify_access(
        self, registers: Sequence[Attribute], packed: bool, others: Sequence[Attribute] = ()
    ) -> None:
        """Check the region and the types of the registers; `others` must have the same type."""
        shape, num = self.shape.data, self.num.data
        matrix = self.address.type
        with violations_reported():
            region = _region(shape, num, len(registers), packed, self.split)
            if matrix.footprint != region:
                found, legal = (f"{x} lanes x {y} columns" for x, y in (matrix.footprint, region))
                raise ACCESS_REGION.violation(found, legal, culprit="address")
            if packed and (matrix.element_type.bits, matrix.role.data) != _PACKED:
                found = f"{matrix.element_type.name} of role {matrix.role.data}"
                raise PACKED_BITS_RULE.violation(found, _PACKED_LEGAL, culprit="address")
            lane = known_cell(self.address)[0]
            if lane is not None and ld_st.ADDRESS_LANES.row(shape=shape, lane=lane) is None:
                violation = ld_st.ADDRESS_LANES.violation(shape=shape, lane=lane)
                raise violation.blaming("address")
            expected = register_type(matrix, packed)
            for register in (*registers, *others):
                if register != expected:
                    what = "type of a register"
                    raise ELEMENT.violation(register, expected, what, culprit="values")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {
            name: StringAttr(parser.parse_keyword_in(tuple(words)))
            for name, words in cls.WORDS.items()
        }
        for flag in cls.FLAGS:
            if parser.parse_optional_keyword(flag) is not None:
                properties[flag] = UnitAttr()
        address = parser.parse_unresolved_operand()
        if parser.parse_optional_keyword("split") is not None:
            properties["split_offset"] = IntegerAttr(parser.parse_integer(), i32)
        stored = cls.parse_stored(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        matrix = parser.parse_type()
        if not isinstance(matrix, TensorMemoryType):
            parser.raise_error(f"expected a matrix in tensor memory; found {matrix}", position)
        operands: list[SSAValue] = [parser.resolve_operand(address, matrix)]
        register = register_type(matrix, "unpack" in properties)
        return cls.create(
            operands=[*operands, *(parser.resolve_operand(each, register) for each in stored)],
            result_types=cls.inferred_types({"address": operands}, properties) or (),
            properties=properties,
            attributes=attributes,
        )

    @classmethod
    def parse_stored(cls, parser: Parser) -> Sequence[UnresolvedOperand]:
        """Parse the registers of a store."""
        return ()

    def print(self, printer: Printer) -> None:
        words = [cast("StringAttr", self.properties[name]).data for name in self.WORDS]
        words += (flag for flag in self.FLAGS if flag in self.properties)
        printer.print_string(f" {' '.join(words)} ")
        printer.print_ssa_value(self.address)
        if self.split is not None:
            printer.print_string(f" split {self.split}")
        if isinstance(self, StOp):
            printer.print_string(", ")
            with printer.in_parens():
                printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.address.type)


def _registers(shape: str, num: str) -> int:
    """The number of registers of each thread; 0 if the access does not exist."""
    return next(iter(ld_st.REGISTERS.values("registers", shape=shape, num=num)), 0)


def _loaded(properties: Properties, address: SSAValue, more: int = 0) -> Sequence[Attribute] | None:
    """The types of the registers of a load and of `more` results; None for another address."""
    shape, num, matrix = properties["shape"], properties["num"], address.type
    if not (isinstance(shape, StringAttr) and isinstance(num, StringAttr)):
        return None
    if not isinstance(matrix, TensorMemoryType):
        return None
    count = _registers(shape.data, num.data) + more
    return [register_type(matrix, "pack" in properties)] * count


@irdl_op_definition
class LdOp(_Access):
    """
    Load a matrix fragment from tensor memory into registers.

        %values = tcgen05.ld <shape> <num> (pack)? %address (split <split_offset>)? attr-dict
            : type(%address)

    An instruction that uses the registers waits for the load. Before the tensor memory is
    overwritten or freed, execute `tcgen05.wait ld`. Warp w of the CTA can access 32 lanes,
    beginning at lane 32 * (w mod 4).

    - `pack`: each register holds two 16-bit elements of adjacent columns
    - `values`: the registers of each thread, of type `f32` for unpacked `f32` elements and `i32`
      otherwise; their number follows from the shape and `num`
    """

    name = "tcgen05.ld"
    FLAGS: ClassVar[Sequence[str]] = ("pack",)
    pack = opt_prop_def(UnitAttr)
    values = var_result_def()

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        return _loaded(properties, operands["address"][0])

    def verify_(self) -> None:
        self._verify_access(self.values.types, self.pack is not None)


@irdl_op_definition
class LdRedOp(_Access):
    """
    Load a matrix fragment, and compute the smallest or largest value of each thread.

        %values, %reduced = tcgen05.ld.red <shape> <num> <op> (abs)? (nan)? (unsigned)? %address
            (split <split_offset>)? attr-dict : type(%address)

    - `op`: `min` or `max`
    - `abs`: compare floats by their absolute values
    - `nan`: the result is NaN if one of the values is
    - `unsigned`: compare integers as unsigned
    - `values`: the registers of each thread, `f32` or `i32` like the elements; see `tcgen05.ld`
    - `reduced`: the smallest or largest value, of the same type
    """

    name = "tcgen05.ld.red"
    WORDS: ClassVar[Mapping[str, Iterable[str]]] = {**_Access.WORDS, "op": _REDUCTION_OPS}
    FLAGS: ClassVar[Sequence[str]] = ("abs", "nan", "unsigned")
    op = prop_def(one_of(ld_st.REDUCTIONS.values("op")))
    abs = opt_prop_def(UnitAttr)
    nan = opt_prop_def(UnitAttr)
    unsigned = opt_prop_def(UnitAttr)
    values = var_result_def()
    reduced = result_def()

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        return _loaded(properties, operands["address"][0], 1)

    def required_features(self) -> tuple[str, ...]:
        return (ld_st.LD_RED.feature,)

    @property
    def type_name(self) -> str:
        """The type of the reduction, determined by the results."""
        return self._type_of(ELEMENT_TYPES[self.reduced.type])

    def _type_of(self, element: Element) -> str:
        is_unsigned = element is ELEMENT_TYPES[i32] and self.unsigned is not None
        return "u32" if is_unsigned else element.name

    def verify_(self) -> None:
        type_name = self._type_of(self.address.type.element_type)
        with violations_reported():
            self.check_target()
            if self.address.type.role.data != ACCUMULATOR:
                role = self.address.type.role.data
                raise ROLE.violation(role, ACCUMULATOR, culprit="address")
            ld_st.REDUCTIONS.check(
                shape=self.shape.data,
                num=self.num.data,
                op=self.op.data,
                type=type_name,
                abs=self.abs is not None,
                nan=self.nan is not None,
            )
            if self.unsigned is not None and type_name != "u32":
                what = "type of an unsigned reduction"
                raise ld_st.REDUCTION_RULE.violation(type_name, "an integer type", what)
        self._verify_access(self.values.types, packed=False, others=(self.reduced.type,))


@irdl_op_definition
class StOp(_Access):
    """
    Store a matrix fragment; tensor memory contains it after `tcgen05.wait st`.

        tcgen05.st <shape> <num> (unpack)? %address (split <split_offset>)?, (%values) attr-dict
            : type(%address)

    A warp can access the same lanes as with `tcgen05.ld`.

    - `unpack`: each register holds two 16-bit elements of adjacent columns
    - `values`: the registers of each thread; types and number as for `tcgen05.ld`
    """

    name = "tcgen05.st"
    FLAGS: ClassVar[Sequence[str]] = ("unpack",)
    unpack = opt_prop_def(UnitAttr)
    # Repeated here, because operands of a base class would come after those of the subclass.
    address = typed_operand(TensorMemoryType)
    values = var_operand_def()

    def verify_(self) -> None:
        unpack = self.unpack is not None
        self._verify_access(self.values.types, unpack)
        with violations_reported():
            ld_st.check_halves(self.shape.data, self.num.data, unpack, self.split)
        if self.address.type.role.data == METADATA:
            self._verify_metadata()

    def _verify_metadata(self) -> None:
        # Imported here, because most kernels have no metadata and every import costs start-up time.
        from ..isa.mma.sparse import metadata_violations

        words = {word for value in self.values if (word := constant_bits(value)) is not None}
        with violations_reported():
            raise_any(part for word in sorted(words) for part in metadata_violations(None, word))

    @classmethod
    def parse_stored(cls, parser: Parser) -> Sequence[UnresolvedOperand]:
        parser.parse_punctuation(",")
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
