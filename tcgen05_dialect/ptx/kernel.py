"""Kernels and shared variables (PTX ISA 5.1, 5.4.5, 11.3)."""

import re

from xdsl.dialects.builtin import (
    I32,
    I64,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    SymbolNameConstraint,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from .registers import REGISTER_CLASSES
from .types import ParamArrayType, TensorMapType

_IDENTIFIER = re.compile(r"[a-zA-Z][a-zA-Z0-9_$]*|[_$%][a-zA-Z0-9_$]+")
_DIMENSIONS = ("maxntid", "reqntid", "cluster_dims")


def verify_identifier(name: str) -> None:
    """Refuse a name that PTX would not read as an identifier (PTX ISA 4.4)."""
    if _IDENTIFIER.fullmatch(name) is None or name.startswith("%"):
        raise VerifyException(
            f"{name!r} is not a PTX identifier; legal: a letter followed by letters, digits, "
            "_ and $, or _ or $ followed by at least one of these (PTX ISA 4.4)"
        )


@irdl_op_definition
class SharedMemoryOp(IRDLOperation):
    """
    A variable in shared memory of `size` bytes, aligned to `alignment` bytes.

    Without a size it is the dynamic shared memory that the launch gives the kernel.
    """

    name = "ptx.shared_memory"
    sym_name = prop_def(SymbolNameConstraint())
    size = opt_prop_def(IntegerAttr[I64])
    alignment = prop_def(IntegerAttr[I64])
    traits = traits_def(SymbolOpInterface())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name (`size` $size^)? `alignment` $alignment attr-dict"

    def verify_(self) -> None:
        verify_identifier(self.sym_name.data)
        alignment = self.alignment.value.data
        if alignment <= 0 or alignment & (alignment - 1):
            raise VerifyException(
                f"alignment is {alignment}; legal: a power of two (PTX ISA 5.4.5)"
            )
        if self.size is not None and self.size.value.data <= 0:
            raise VerifyException(
                f"size is {self.size.value.data}; legal: a positive number of bytes, or none "
                "for dynamic shared memory (PTX ISA 5.1.6)"
            )


@irdl_op_definition
class KernelOp(IRDLOperation):
    """
    A kernel: `.visible .entry`.

    The arguments of its first block are its parameters. One of a register type is the value of
    a scalar parameter; see `ptx.types` for the others. `maxntid`, `reqntid` and `cluster_dims`
    are one to three extents; `minnctapersm` and `maxnreg` are numbers.
    """

    name = "ptx.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    maxntid = opt_prop_def(DenseArrayBase)
    reqntid = opt_prop_def(DenseArrayBase)
    cluster_dims = opt_prop_def(DenseArrayBase)
    minnctapersm = opt_prop_def(IntegerAttr[I32])
    maxnreg = opt_prop_def(IntegerAttr[I32])
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def parameter_name(self, index: int) -> str:
        """The PTX name of a parameter."""
        return f"{self.sym_name.data}_param_{index}"

    def verify_(self) -> None:
        verify_identifier(self.sym_name.data)
        for index, argument in enumerate(self.body.blocks[0].args):
            legal = argument.type in REGISTER_CLASSES and argument.type != IntegerType(1)
            if not legal and not isinstance(argument.type, TensorMapType | ParamArrayType):
                expected = ", ".join(str(t) for t in REGISTER_CLASSES if t != IntegerType(1))
                raise VerifyException(
                    f"parameter {index} has type {argument.type}; legal: {expected}, "
                    "!ptx.tensor_map, !ptx.param_array"
                )
        for name in _DIMENSIONS:
            extents = self.extents(name)
            if extents is not None and not (1 <= len(extents) <= 3 and min(extents) > 0):
                raise VerifyException(
                    f"{name} is {list(extents)}; legal: one to three positive extents "
                    "(PTX ISA 11.4)"
                )

    def extents(self, name: str) -> tuple[int, ...] | None:
        """The extents that one of `maxntid`, `reqntid` and `cluster_dims` gives."""
        value = self.properties.get(name)
        if not isinstance(value, DenseArrayBase):
            return None
        return tuple(int(extent) for extent in value.get_values())

    @classmethod
    def parse(cls, parser: Parser) -> "KernelOp":
        name = parser.parse_symbol_name()
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        properties: dict[str, Attribute] = {"sym_name": name}
        attributes: dict[str, Attribute] = {}
        given = parser.parse_optional_attr_dict_with_keyword(("sym_name",))
        defined = cls.get_irdl_definition().properties
        for key, value in ({} if given is None else given.data).items():
            (properties if key in defined else attributes)[key] = value
        body = parser.parse_region(arguments)
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.body.blocks[0].args, printer.print_block_argument)
        printer.print_op_attributes(
            {**self.properties, **self.attributes},
            reserved_attr_names=("sym_name",),
            print_keyword=True,
        )
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
