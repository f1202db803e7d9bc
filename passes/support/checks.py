"""What must hold of a module that has been lowered to `ptx`."""

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.isa.operands import SAME_CTA_GROUP
from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.errors import OperationError
from tcgen05_dialect.ptx.kernel import KernelOp


def check_values(module: ModuleOp) -> None:
    """
    Verify the operations of `tcgen05` again, when constants are folded and types still there.

    Folding makes numbers known that were not when the module was verified. Raises OperationError.
    """
    for op in module.walk():
        if op.name.startswith("tcgen05."):
            try:
                op.verify_()
            except VerifyException as error:
                raise OperationError(op, str(error)) from error


def check_lowered(module: ModuleOp) -> None:
    """
    Check that nothing but `ptx` is left, that blocks are given what they take, and that all
    instructions of a kernel are of the same number of CTAs.

    None is known before: xDSL verifies the arguments of no branch of `cf` and `scf`. Raises
    OperationError.
    """
    group: Attribute | None = None
    for op in module.walk():
        if isinstance(op, KernelOp):
            group = None
        elif (own := op.properties.get("cta_group")) is not None:
            group = group or own
            if own != group:
                raise OperationError(op, str(SAME_CTA_GROUP.violation(_text(own), _text(group))))
        if op is not module and not op.name.startswith("ptx."):
            raise OperationError(
                op,
                "has no lowering to ptx; legal: operations of ptx, tcgen05, scf and cf, and "
                "scalar operations of arith",
            )
        if isinstance(op, BraOp | CondBraOp):
            try:
                op.verify_()
            except VerifyException as error:
                raise OperationError(op, str(error)) from error


def _text(cta_group: Attribute) -> str:
    """The word that a qualifier holds."""
    return cta_group.data if isinstance(cta_group, StringAttr) else str(cta_group)
