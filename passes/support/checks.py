"""Checks of a module before, during and after its lowering to `ptx`."""

from collections.abc import Iterable, Iterator
from math import prod

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.isa.cta_group import SAME_CTA_GROUP, check_pairs
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.ptx.ir_form import OPERATION_RULE
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.control_flow import Branch
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.syntax import word_of
from tcgen05_dialect.ptx.tcgen05_base import CTA_GROUPS
from tcgen05_dialect.reporting.operation_error import OperationError, located, no_lowering
from tcgen05_dialect.tcgen05.base import CtaGroupOperation


def check_values(informed: Iterable[Operation]) -> None:
    """
    Verify again the operations of `ptx` and `tcgen05` that folding has given constant operands,
    and those that use their descriptors and slices.

    No rule on an operation of another dialect depends on a constant; xDSL's own verifiers would
    refuse such an operation while it still has operands of type `index`. Raises OperationError.
    """
    pending = [op for op in informed if op.name.startswith(("ptx.", "tcgen05."))]
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


def out_of_order(operation: Operation, legal: str, earlier: str, own: str) -> OperationError:
    """The error to raise for an operation that the pass `own` does not take, because the pass
    `earlier` has not run."""
    help = f"run {earlier} before it: -p {earlier},{own}"
    what = f"each operation before {own}"
    violation = OPERATION_RULE.violation(operation.name, legal, what, help=help)
    return located(operation, violation)


def not_lowered(module: ModuleOp) -> Iterator[Operation]:
    """The operations of other dialects than `ptx`."""
    return (
        op for op in operations_of(module) if op is not module and not op.name.startswith("ptx.")
    )


def check_lowered(module: ModuleOp) -> None:
    """
    Check that only `ptx` is left, and that each branch passes the arguments that its target block
    takes; xDSL does not verify the latter for `cf` and `scf`. Raises OperationError.
    """
    for op in not_lowered(module):
        legal = "operations of ptx, tcgen05, scf and cf, and scalar operations of arith and math"
        raise no_lowering(op, legal)
    for op in operations_of(module):
        if op.next_op is None and isinstance(op, Branch):
            op.check_targets()


def check_cta_groups(module: ModuleOp) -> None:
    """
    Check that all operations of a kernel have the same cta_group, and that its clusters consist of
    whole groups. Runs before the lowering, so that messages name the user's operations. Raises
    OperationError.
    """
    first: Operation | None = None
    group: int | None = None
    cluster: tuple[int, ...] | None = None
    for op in operations_of(module):
        if type(op) is KernelOp:
            first, cluster = None, op.extents("cluster_dims")
        elif (own := _cta_group(op)) is not None:
            if first is None:
                first, group = op, own
                if cluster is not None:
                    _check_pairs(op, own, prod(cluster))
            elif own != group:
                legal = f"cta_group {group}, as {_place(first)} has"
                violation = SAME_CTA_GROUP.violation(f"cta_group {own}", legal)
                raise located(op, violation)


def _check_pairs(op: Operation, ctas: int, cluster: int) -> None:
    try:
        check_pairs(ctas, cluster)
    except Violation as violation:
        raise located(op, violation) from violation


def _cta_group(op: Operation) -> int | None:
    """The number of CTAs in the cta_group of an operation; None if it has no cta_group."""
    if isinstance(op, CtaGroupOperation):
        return op.ctas
    return CTA_GROUPS.get(word_of(op, "cta_group") or "")


def _place(op: Operation) -> str:
    """The name of an operation, with its line if it is known."""
    location = op.location
    line = f" in line {location.line.data}" if isinstance(location, FileLineColLoc) else ""
    return f"{op.name}{line}"
