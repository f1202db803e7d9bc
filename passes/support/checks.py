"""What must hold of a module that has been lowered to `ptx`."""

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.isa.operands import SAME_CTA_GROUP
from tcgen05_dialect.ptx.control_flow import Branch
from tcgen05_dialect.ptx.errors import OperationError, no_lowering
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.walk import operations_of


def check_values(informed: Iterable[Operation]) -> None:
    """
    Verify operations again for which folding has made numbers known, and all that compute
    descriptors and parts of tensor memory from them.

    Raises OperationError.
    """
    pending = list(informed)
    seen = set(pending)
    for op in pending:
        _verify(op)
        if op.name.startswith("tcgen05."):
            users = {use.operation: None for result in op.results for use in result.uses}
            pending.extend(user for user in users if user not in seen)
            seen.update(users)


def _verify(op: Operation) -> None:
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
    for op in operations_of(module):
        if type(op) is KernelOp:
            group = None
        elif (own := op.properties.get("cta_group")) is not None:
            group = group or own
            if own != group:
                violation = SAME_CTA_GROUP.violation(_text(own), _text(group))
                raise OperationError(op, str(violation)) from violation
        if op is not module and not op.name.startswith("ptx."):
            legal = "operations of ptx, tcgen05, scf and cf, and scalar operations of arith"
            raise no_lowering(op, legal)
        if op.next_op is None and isinstance(op, Branch):
            op.check_targets()


def _text(cta_group: Attribute) -> str:
    """The word that a qualifier holds."""
    return cta_group.data if isinstance(cta_group, StringAttr) else str(cta_group)
