"""What must hold of a module that has been lowered to `ptx`."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.errors import OperationError


def check_lowered(module: ModuleOp) -> None:
    """
    Check that nothing but `ptx` is left and that blocks are given what they take.

    Neither is known before: xDSL verifies the arguments of no branch of `cf` and `scf`. Raises
    OperationError.
    """
    for op in module.walk():
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
