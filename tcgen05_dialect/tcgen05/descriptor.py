"""Descriptors of matrices in shared memory (PTX ISA 9.7.16.4.1)."""

from abc import ABC
from collections.abc import Iterator, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..isa.model.rule import Violation, raise_any
from ..isa.shared_memory.descriptor import (
    DESCRIPTOR_LAYOUT,
    DESCRIPTOR_TYPE,
    START_RULE,
    VARIABLE_ALIGNMENT,
    VARIABLE_SIZE,
    SharedMemoryDescriptor,
)
from ..ptx.analysis.known_values import constant_value
from ..ptx.analysis.symbols import find_symbol
from ..ptx.kernel import SharedMemoryOp
from ..ptx.register_types import B32, INTEGER_32
from ..ptx.structure import AddressOfOp
from ..xdsl_support.construction import ConstructedOperation, Operands, Properties
from ..xdsl_support.operation_format import formatted_op_definition
from .base import typed_operand, violations_reported
from .types import SharedMemoryDescriptorType

_START_ADDRESSES = DESCRIPTOR_LAYOUT.field("start_address").legal
_ADDRESS_FIELDS = {"start_address": "address", "base_offset": "address"}
"""Fields of a descriptor that follow from the operand `address`."""


@lru_cache(maxsize=1024)
def _layout_violations(type_: SharedMemoryDescriptorType) -> tuple[Violation, ...]:
    """Violations of the layout; cached, because a kernel has many descriptors of few types."""
    return tuple(type_.layout.violations())


@lru_cache(maxsize=1024)
def stride_violations(type_: SharedMemoryDescriptorType, stride: int) -> tuple[Violation, ...]:
    """Violations of the descriptor of a tile `stride` bytes after another one."""
    found = type_.layout.descriptor(stride).violations(pattern_start=stride)
    what = "size of a tile" if stride == type_.layout.size_bytes else "stride of tiles"
    return tuple(each.replaced(what=what) for each in found)


@lru_cache(maxsize=1024)
def _advanced(type_: SharedMemoryDescriptorType, k: int) -> SharedMemoryDescriptorType:
    """The type of a descriptor that is advanced by `k` elements."""
    return type_.at(type_.k_origin.data + k)


@lru_cache(maxsize=1024)
def _step_bytes(type_: SharedMemoryDescriptorType, k: int) -> int:
    """
    The number of bytes of an advance by `k` elements that leads to this type. Raises Violation.
    """
    end = type_.k_origin.data
    return type_.layout.advance(k=end) - type_.layout.advance(k=end - k)


def advanced(
    type_: SharedMemoryDescriptorType, k: Attribute | None, culprit: str
) -> SharedMemoryDescriptorType:
    """
    The type of an operand that is advanced by a number of elements along K.

    Raises Violation outside the tile, which blames the operand `culprit`.
    """
    number = k_of(k)
    result = _advanced(type_, number)
    try:
        _step_bytes(result, number)
    except Violation as violation:
        raise violation.blaming(culprit) from None
    return result


def k_of(k: Attribute | None) -> int:
    """The number of elements of an offset along K; 0 without one."""
    return k.value.data if isinstance(k, IntegerAttr) else 0


def _type_violation(
    found: SharedMemoryDescriptorType, legal: SharedMemoryDescriptorType
) -> Violation:
    return DESCRIPTOR_TYPE.violation(found, legal, "type of the result")


class _DescriptorOperation(ConstructedOperation, ABC):
    """An operation that computes a descriptor."""

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    result = result_def(SharedMemoryDescriptorType)

    def verify_(self) -> None:
        with violations_reported():
            raise_any(_layout_violations(self.result.type))


@formatted_op_definition
class DescriptorOp(_DescriptorOperation):
    """
    The descriptor of the tile at an address in shared memory.

        %a = tcgen05.descriptor %tile
            : !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>

    It is lowered to four instructions, or to a constant if the address is constant.

    - `address`: an address in shared memory, aligned to the swizzle pattern (PTX ISA, Table 41)
    - `result`: describes the tile; its type determines all fields of the descriptor
    """

    name = "tcgen05.descriptor"
    address = operand_def(B32)
    assembly_format = "$address attr-dict `:` type($result)"

    def verify_(self) -> None:
        super().verify_()
        if self.result.type.k_origin.data:
            with violations_reported():
                found = f"k = {self.result.type.k_origin.data}"
                legal = "k = 0 (use tcgen05.advance to move it)"
                raise DESCRIPTOR_TYPE.violation(found, legal, "origin of the tile")
        address = constant_value(self.address)
        with violations_reported():
            try:
                self.at_address(0 if address is None else address)
            except Violation as violation:
                raise violation.named_as(_ADDRESS_FIELDS) from None
        if isinstance(owner := self.address.owner, AddressOfOp):
            self._verify_variable(owner)

    def _verify_variable(self, address: AddressOfOp) -> None:
        variable = find_symbol(self, address.variable.string_value())
        if isinstance(variable, SharedMemoryOp):
            with violations_reported():
                raise_any(self._variable_violations(variable, address.start))

    def _variable_violations(self, variable: SharedMemoryOp, offset: int) -> Iterator[Violation]:
        """Violations of a tile that begins at byte `offset` of a variable."""
        layout = self.result.type.layout
        boundary, alignment = layout.alignment, variable.alignment.value.data
        if alignment % boundary or offset % boundary:
            found = f"{offset} bytes into a variable aligned to {alignment}"
            yield VARIABLE_ALIGNMENT.violation(found, f"aligned to {boundary} bytes")
        end = offset + layout.size_bytes
        if variable.size is not None and end > (size := variable.size.value.data):
            yield VARIABLE_SIZE.violation(f"{offset} to {end - 1}", f"within 0 to {size - 1}")

    def at_address(self, address: int) -> SharedMemoryDescriptor:
        """The descriptor of the tile at this address. Raises Violation."""
        described = self.result.type.layout.descriptor(address)
        described.verify(pattern_start=address)
        return described


@irdl_op_definition
class TileOp(_DescriptorOperation):
    """
    The descriptor of one of several tiles, such as the stages of a pipeline.

        %result = tcgen05.tile %descriptor[%index] (, stride = <stride>)? attr-dict : type(%result)

    The operation is lowered to a multiplication and a 64-bit addition.

    - `descriptor`: the descriptor of tile 0
    - `index`: the number of the tile, a signed integer
    - `stride`: the distance of consecutive tiles in bytes, a whole number of swizzle patterns;
      without a stride, each tile begins where the previous one ends
    - `result`: has the type of `descriptor`
    """

    name = "tcgen05.tile"
    descriptor = typed_operand(SharedMemoryDescriptorType)
    index = operand_def(B32)
    stride = opt_prop_def(INTEGER_32)

    @classmethod
    def at(cls, descriptor: SSAValue, index: SSAValue, stride: int) -> "TileOp":
        """The descriptor of the tile `index` times `stride` bytes after the one of `descriptor`."""
        type_ = descriptor.type
        assert isinstance(type_, SharedMemoryDescriptorType)
        is_usual = stride == type_.layout.size_bytes
        return cls.create(
            operands=[descriptor, index],
            properties={} if is_usual else {"stride": IntegerAttr(stride, i32)},
            result_types=[type_],
        )

    @property
    def stride_bytes(self) -> int:
        """The distance of consecutive tiles in bytes."""
        stride = self.stride
        return self.result.type.layout.size_bytes if stride is None else stride.value.data

    @classmethod
    def inferred_types(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        return [operands["descriptor"][0].type]

    def verify_(self) -> None:
        super().verify_()
        if self.descriptor.type != self.result.type:
            with violations_reported():
                raise _type_violation(self.result.type, self.descriptor.type)
        with violations_reported():
            raise_any(stride_violations(self.result.type, self.stride_bytes))
            if (index := constant_value(self.index)) is not None:
                distance = index * self.stride_bytes
                if distance not in _START_ADDRESSES:
                    found = f"{distance} (tile {index})"
                    what = "distance of the tile from tile 0 in bytes"
                    raise START_RULE.violation(found, _START_ADDRESSES, what)

    @classmethod
    def parse(cls, parser: Parser) -> "TileOp":
        descriptor = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        index = parser.parse_operand(i32)
        parser.parse_punctuation("]")
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_punctuation(",") is not None:
            parser.parse_keyword("stride")
            parser.parse_punctuation("=")
            properties["stride"] = IntegerAttr(parser.parse_integer(), i32)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(descriptor, type_), index],
            properties=properties,
            result_types=[type_],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.descriptor)
        with printer.in_square_brackets():
            printer.print_ssa_value(self.index)
        if self.stride is not None:
            printer.print_string(f", stride = {self.stride.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class AdvanceOp(_DescriptorOperation):
    """
    A descriptor advanced by `k` elements along K within its tile.

        %result = tcgen05.advance %descriptor, k = <k> attr-dict : type(%descriptor)

    It is lowered to a 64-bit addition.

    - `descriptor`: the descriptor to advance; the syntax gives its type
    - `k`: the number of elements: a whole number of atoms or, if the tile is K-major, of swizzle
      chunks
    - `result`: has the type of `descriptor` with the new origin, `..., k = 16>`
    """

    name = "tcgen05.advance"
    descriptor = typed_operand(SharedMemoryDescriptorType)
    k = prop_def(INTEGER_32)

    @classmethod
    def by(cls, descriptor: SSAValue, k: int) -> "AdvanceOp":
        """The advance of a descriptor by a number of elements."""
        type_ = descriptor.type
        assert isinstance(type_, SharedMemoryDescriptorType)
        properties = {"k": IntegerAttr(k, i32)}
        types = [_advanced(type_, k)]
        return cls.create(operands=[descriptor], properties=properties, result_types=types)

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        type_, k = operands["descriptor"][0].type, properties["k"]
        if isinstance(type_, SharedMemoryDescriptorType) and isinstance(k, IntegerAttr):
            return [_advanced(type_, k.value.data)]
        return None

    def step_bytes(self) -> int:
        """The bytes to add to the start address. Raises Violation outside the tile."""
        return _step_bytes(self.result.type, self.k.value.data)

    def verify_(self) -> None:
        super().verify_()
        expected = _advanced(self.descriptor.type, self.k.value.data)
        if self.result.type != expected:
            with violations_reported():
                raise _type_violation(self.result.type, expected)
        with violations_reported():
            self.step_bytes()

    @classmethod
    def parse(cls, parser: Parser) -> "AdvanceOp":
        descriptor = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        parser.parse_keyword("k")
        parser.parse_punctuation("=")
        k = parser.parse_integer()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, SharedMemoryDescriptorType):
            parser.raise_error(f"expected a shared memory descriptor; found {type_}", position)
        return cls.create(
            operands=[parser.resolve_operand(descriptor, type_)],
            properties={"k": IntegerAttr(k, i32)},
            result_types=[_advanced(type_, k)],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.descriptor)
        printer.print_string(f", k = {self.k.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.descriptor.type)
