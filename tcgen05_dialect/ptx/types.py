"""Types of kernel parameters that do not fit into a register."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class TensorMapType(ParametrizedAttribute, TypeAttribute):
    """
    A tensor map passed by value to a kernel (`__grid_constant__ const CUtensorMap`).

    The kernel's argument is the generic address of the map, in a 64-bit register.
    """

    name = "ptx.tensor_map"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()


@irdl_attr_definition
class ParamArrayType(ParametrizedAttribute, TypeAttribute):
    """
    Bytes passed by value to a kernel, such as a structure: `!ptx.param_array<size, alignment>`.

    The kernel's argument is the address of the bytes in the `.param` state space, in a 64-bit
    register; `ptx.ld param` loads from it.
    """

    name = "ptx.param_array"
    size: IntAttr = param_def()
    alignment: IntAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            size = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            return IntAttr(size), IntAttr(parser.parse_integer(allow_boolean=False))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.size.data}, {self.alignment.data}")
