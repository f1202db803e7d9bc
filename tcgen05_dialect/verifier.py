"""
Verifier of modules: xDSL's checks of each operation, and checks that xDSL lacks.

It reports one error for each invalid operation. xDSL's `Operation.verify` stops at the first error
and prints the whole module.
"""

from collections.abc import Container, Iterable, Iterator
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from .dialects import OWN
from .isa.model.rule import Violation, combined, describe, did_you_mean, raise_any
from .isa.ptx.kernel import ATTRIBUTE_RULE, BRANCH_RULE, TERMINATOR_RULE
from .ptx.analysis.control_flow import check_dominance, operations_inside_first
from .ptx.analysis.symbols import definitions, unchanging
from .ptx.kernel import KernelOp, check_names
from .ptx.text.register_names import check_names_of, check_unique_names, names_labels
from .ptx.types import ATTRIBUTE, NAME, check_target
from .reporting.diagnostics import (
    NOT_REPEATED,
    OperationError,
    OperationWithWarnings,
    Repeated,
    located,
)
from .xdsl_support.attributes import check_predicate
from .xdsl_support.elementwise import scalar_form
from .xdsl_support.operation_format import check_properties, has_declared_properties


def verification_errors(
    module: ModuleOp, left_out: Container[object] = (), repeated: Repeated = NOT_REPEATED
) -> Iterator[OperationError]:
    """
    The errors of a module, at most one for each operation. Operations in `left_out` are skipped,
    and those that are repeated, if the others are valid.

    The module must not change between the first error and the last.
    """
    operations = operations_inside_first(module)
    wrong: set[Operation] = set()
    first = (each for each in operations if each not in left_out and each not in repeated)
    for error in _errors(first):
        wrong.add(error.operation)
        yield error
    if wrong and repeated:
        yield from _errors(each for each in operations if repeated.get(each) in wrong)


def _errors(operations: Iterable[Operation]) -> Iterator[OperationError]:
    """The errors of operations, at most one for each."""
    errors = filter(None, map(_error_of, operations))
    read: set[Operation] = set()
    while True:
        with unchanging(read):
            error = next(errors, None)
        if error is None:
            return
        yield error


def verification_warnings(
    module: ModuleOp, left_out: Container[object] = ()
) -> Iterator[OperationError]:
    """The warnings about the operations of a module, except those `left_out`: none if a property of
    one of these is not as declared, because the warnings about an operation may read others."""
    if left_out and not all(
        has_declared_properties(each) for each in module.walk() if each in left_out
    ):
        return
    for operation in module.walk():
        if (
            _has_warnings(type(operation))
            and isinstance(operation, OperationWithWarnings)
            and operation not in left_out
        ):
            violation = combined(operation.warnings())
            if violation is not None:
                yield located(operation, violation)


@cache
def _has_warnings(kind: type[Operation]) -> bool:
    """Whether operations of a class may have warnings; cached, because the test takes long."""
    return issubclass(kind, OperationWithWarnings)


def _error_of(operation: Operation) -> OperationError | None:
    """The error of an operation and its regions; None if both are valid. Nested operations are
    skipped."""
    try:
        verify_operation(operation)
    except OperationError as error:
        return error
    except RecursionError:
        raise
    except Exception as error:
        # On malformed IR the verifiers of xDSL's dialects raise exceptions of any kind.
        known = isinstance(error, VerifyException | Violation)
        cause = error if known else _declaration_error(operation) or error
        found = OperationError(operation, _description(cause))
        found.__cause__ = cause
        return found
    return None


def _declaration_error(operation: Operation) -> Exception | None:
    """The violation of the declaration of an operation, on which its other checks rely."""
    try:
        if isinstance(operation, IRDLOperation):
            check_properties(type(operation), operation.properties)
        operation.verify_()
    except (VerifyException, Violation) as error:
        return error
    except Exception:
        return None
    return None


def _description(error: Exception) -> str:
    """The message of an error; that of other exceptions is not meant for users."""
    if isinstance(error, VerifyException | Violation):
        return str(error)
    return "has operands, attributes, regions or successors that the operation cannot have"


def verify_operation(operation: Operation) -> None:
    """Verify an operation without its regions. Raises the exceptions of the verifiers."""
    if operation.attributes:
        _check_attribute_names(operation)
        check_names_of(operation)
        if isinstance(operation, ModuleOp):
            check_target(operation)
    if operation.name.startswith("func."):
        # Imported here, because few programs have functions.
        from .ptx.analysis.functions import function_violations

        raise_any(function_violations(operation))
    for region in operation.regions:
        _verify_region(operation, region)
    if operation.next_op is None or operation.successors:
        _check_place(operation)
    try:
        operation.verify_()
    except VerifyException as error:
        if isinstance(operation, IRDLOperation) and not isinstance(error.__cause__, Violation):
            check_properties(type(operation), operation.properties)
        element = scalar_form(operation)
        if element is None:
            raise
        element.verify_()
    if operation.name.startswith("cf."):
        _check_arguments(operation)
    check_predicate(operation)


def _check_arguments(operation: Operation) -> None:
    """Check that a branch of `cf` passes the arguments that its blocks take; xDSL does not."""
    # Imported here, because many programs have no such branches.
    from xdsl.dialects import cf

    from .ptx.control_flow import check_arguments

    match operation:
        case cf.BranchOp():
            passed = [operation.arguments]
        case cf.ConditionalBranchOp():
            passed = [operation.then_arguments, operation.else_arguments]
        case cf.SwitchOp():
            passed = [operation.default_operands, *operation.case_operand]
        case _:
            return
    for block, arguments in zip(operation.successors, passed, strict=True):
        check_arguments(operation, block, arguments)


_SYNTAX = frozenset({"operandSegmentSizes", "arg_attrs"})
"""Properties that are not written in a dictionary of attributes."""


def _check_attribute_names(operation: Operation) -> None:
    """
    Check that an operation has no unknown attribute, which xDSL ignores silently.

    Operations of this project use properties. Their attributes can only be those of another
    dialect, which have a dot in their name.
    """
    own = operation.name.partition(".")[0] in OWN
    legal: list[str] = []
    if own and isinstance(operation, IRDLOperation):
        properties = operation.get_irdl_definition().properties
        legal = [name for name in properties if name not in _SYNTAX]
    elif isinstance(operation, ModuleOp):
        legal = [ATTRIBUTE]
    for name in operation.attributes:
        dialect, dot, _ = name.partition(".")
        misspelt = dialect in OWN if dot else own
        if name == NAME and (operation.results or names_labels(operation)):
            continue
        if misspelt and name not in legal:
            shown = describe(frozenset(legal)) or "none"
            help_ = did_you_mean(name, legal)
            violation = ATTRIBUTE_RULE.violation(name, shown, culprit=name, help=help_)
            raise OperationError(operation, str(violation)) from violation


def _names_around(kernel: KernelOp) -> set[str]:
    """The names of the symbols around a kernel, and of its parameters."""
    module = kernel.parent_op()
    symbols = [] if module is None else [name for name, _ in definitions(module)]
    count = len(kernel.body.blocks[0].args)
    return {*symbols, *map(kernel.parameter_name, range(count))}


def _verify_region(operation: Operation, region: Region) -> None:
    """Check that no block is empty and that values are defined before use; xDSL checks neither."""
    if operation.has_trait(SymbolTable):
        check_names(operation)
    if isinstance(operation, ModuleOp) or not region.blocks:
        return
    if isinstance(operation, KernelOp):
        check_unique_names(operation, lambda: _names_around(operation))
    for block in region.blocks:
        if block.is_empty and not operation.has_trait(NoTerminator):
            raise TERMINATOR_RULE.violation("nothing", "a terminator such as ptx.ret")
    check_dominance(region)


def _check_place(operation: Operation) -> None:
    """Check that terminators end blocks and that branches stay in their region."""
    block = operation.parent
    region = None if block is None else block.parent
    if operation.successors:
        if region is None or operation.next_op is not None:
            raise BRANCH_RULE.violation("a branch before the end of a block", "one at its end")
        if any(successor.parent is not region for successor in operation.successors):
            raise BRANCH_RULE.violation("one to a block of another region", "one of the same")
    if region is None or operation.next_op is not None or operation.has_trait(IsTerminator):
        return
    owner = region.parent
    if owner is not None and owner.name == "func.func":
        # The rule of functions covers the ends of their blocks.
        return
    if len(region.blocks) > 1 or (owner is not None and not owner.has_trait(NoTerminator)):
        raise TERMINATOR_RULE.violation(operation.name, "a terminator such as ptx.ret")
