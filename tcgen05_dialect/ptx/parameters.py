"""Parameters of a kernel in memory: loads and addresses at the place of the operation (5.1.6.1)."""

from abc import ABC

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, BlockArgument
from xdsl.irdl import (
    ParsePropInAttrDict,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx.ir_form import PARAMETER_USE_RULE
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .constraints import OneOf
from .kernel import KernelOp
from .register_types import B32_OR_B64, REGISTER, REGISTER_CLASSES
from .types import ParamArrayType, TensorMapType

PARAMETER = OneOf((*REGISTER_CLASSES, ParamArrayType, TensorMapType))
"""A parameter of any type."""


class ParameterUse(ConstructedOperation, ABC):
    """A use of the memory of a parameter, which is printed with the parameter's name."""

    parameter = operand_def(PARAMETER)

    @property
    def index(self) -> int:
        """The number of the parameter."""
        assert isinstance(self.parameter, BlockArgument)
        return self.parameter.index

    @property
    def kernel(self) -> KernelOp:
        """The kernel of the parameter."""
        block = self.parameter.owner
        assert isinstance(block, Block)
        kernel = block.parent_op()
        assert isinstance(kernel, KernelOp)
        return kernel

    @property
    def text(self) -> str:
        """The name of the parameter."""
        return self.kernel.parameter_name(self.index)

    def verify_(self) -> None:
        block = self.parameter.owner
        kernel = block.parent_op() if isinstance(block, Block) else None
        if not isinstance(kernel, KernelOp) or kernel.body.blocks[0] is not block:
            violation = PARAMETER_USE_RULE.violation(
                "another value", "a parameter of the kernel", culprit="parameter"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class LoadParameterOp(ParameterUse):
    """
    The value of a parameter, loaded where the operation is.

        ptx.load_parameter %parameter : <type> attr-dict

    A parameter that other operations use is loaded at the beginning of the kernel.
    """

    name = "ptx.load_parameter"
    result = result_def(REGISTER)
    traits = traits_def(Pure())
    assembly_format = "$parameter `:` type($parameter) `->` type($result) attr-dict"

    def verify_(self) -> None:
        super().verify_()
        if self.parameter.type != self.result.type:
            violation = PARAMETER_USE_RULE.violation(
                self.result.type, self.parameter.type, "type of the loaded value"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class ParameterAddressOp(ParameterUse):
    """
    The address of a parameter in the `.param` state space.

        ptx.parameter_address %parameter : <type> -> <type> attr-dict

    The attribute `in_register` is that of `ptx.address_of`.
    """

    name = "ptx.parameter_address"
    result = result_def(B32_OR_B64)
    in_register = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())
    assembly_format = "$parameter `:` type($parameter) `->` type($result) attr-dict"
