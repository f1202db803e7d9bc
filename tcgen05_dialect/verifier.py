"""
Verification of modules at the cost of what is new in each operation.

xDSL checks the declarations of an operation (numbers and types of operands and results,
properties) step by step, each time. They are the same for all operations of one class with the
same types and properties, so that here the first one answers for the others.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import ErasedSSAValue, Operation, Region
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, NoTerminator, OpTrait, SymbolTable
from xdsl.utils.exceptions import VerifyException

from .isa.model.rule import Violation
from .isa.ptx.ir_form import BRANCH_RULE, DOMINANCE_RULE, TERMINATOR_RULE
from .ptx.analysis.dominance import check_dominance
from .ptx.analysis.symbols import unchanging
from .ptx.analysis.walk import operations_inside_first
from .ptx.attribute_names import check_attribute_names
from .ptx.constraints import check_properties
from .ptx.kernel import check_names
from .ptx.target import check_target
from .reporting.operation_error import OperationError
from .xdsl_support.numbering import Numbering


def verification_errors(module: ModuleOp) -> Iterator[OperationError]:
    """
    What is wrong with a module, at most one error for each operation. The module must not change
    between the first error and the last.
    """
    verifier = Verifier()
    operations = iter(operations_inside_first(module))
    read: set[Operation] = set()
    while True:
        with unchanging(read):
            error = next(filter(None, map(verifier.error_of, operations)), None)
        if error is None:
            return
        yield error


def _description(error: Exception) -> str:
    """What to say of an error; one that is not meant to be read says its kind."""
    if isinstance(error, VerifyException | Violation):
        return str(error)
    return f"is malformed ({type(error).__name__}: {error})"


def _verify_region(operation: Operation, region: Region) -> None:
    """Check what xDSL does not: that blocks end and that values are defined before their uses."""
    if operation.has_trait(SymbolTable):
        check_names(operation)
    if operation.has_trait(NoTerminator) or not region.blocks:
        return
    for block in region.blocks:
        if block.is_empty:
            raise TERMINATOR_RULE.violation("nothing", "a terminator such as ptx.ret")
    check_dominance(region)


def _check_place(operation: Operation) -> None:
    """
    Check what ends a block, and what branches.

    As xDSL's `Operation.verify`, which on any error prints the whole module besides. Raises
    Violation.
    """
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
    if len(region.blocks) > 1 or (owner is not None and not owner.has_trait(NoTerminator)):
        raise TERMINATOR_RULE.violation(operation.name, "a terminator such as ptx.ret")


def _verify_fully(operation: Operation) -> None:
    """Check the declaration of an operation, and what is its own."""
    try:
        operation.verify_()
    except VerifyException as error:
        if isinstance(operation, IRDLOperation) and not isinstance(error.__cause__, Violation):
            check_properties(type(operation), operation.properties)
        raise


class Verifier:
    """
    Verifies the operations of one module.
    """

    def __init__(self) -> None:
        self._declared: set[tuple[object, ...]] = set()
        self._numbering = Numbering()

    def error_of(self, operation: Operation) -> OperationError | None:
        """What is wrong with an operation, not with those in its regions."""
        try:
            self.verify(operation)
        except OperationError as error:
            return error
        except RecursionError:
            raise
        except Exception as error:
            # The verifiers of xDSL's dialects raise whatever malformed IR leads them to.
            found = OperationError(operation, _description(error))
            found.__cause__ = error
            return found
        return None

    def verify(self, operation: Operation) -> None:
        """Verify an operation, not those in its regions. Raises what its verifiers raise."""
        if operation.attributes:
            check_attribute_names(operation)
            if isinstance(operation, ModuleOp):
                check_target(operation)
        for region in operation.regions:
            _verify_region(operation, region)
        if operation.next_op is None or operation.successors:
            _check_place(operation)
        own = own_checks(type(operation))
        declaration = None if own is None else self._declaration(operation)
        if own is None or declaration not in self._declared:
            _verify_fully(operation)
            if declaration is not None:
                self._declared.add(declaration)
        else:
            for check in own:
                check(operation)

    def _declaration(self, operation: Operation) -> tuple[object, ...] | None:
        """
        All that what xDSL checks of an operation by its declaration depends on; None if it depends
        on regions too.
        """
        if operation.regions:
            return None
        number = self._numbering.number
        key: list[object] = [type(operation)]
        for operand in operation.operands:
            if isinstance(operand, ErasedSSAValue):
                raise DOMINANCE_RULE.violation("a value that is erased", "one of the module")
            key.append(number(operand.type))
        key.append(None)
        key.extend(number(result.type) for result in operation.results)
        key.append(len(operation.successors))
        for attributes in (operation.properties, operation.attributes):
            key.append(None)
            for name, attribute in attributes.items():
                key.append(name)
                key.append(number(attribute))
        return tuple(key)


Check = Callable[[Any], None]


@cache
def own_checks(op_type: type[Operation]) -> tuple[Check, ...] | None:
    """
    What the verifier of a class of operations does besides checking the declaration: the checks
    of the traits, and the operations' own. None if they are not known.
    """
    if not issubclass(op_type, IRDLOperation):
        return None
    definition = op_type.get_irdl_definition()
    traits = definition.traits
    checks = [trait.verify for trait in traits if type(trait).verify is not OpTrait.verify]
    # xDSL puts the check of the declaration before the operation's own in a function around both.
    parts = dict(inspect.getclosurevars(op_type.verify_).nonlocals)
    if parts.pop("op_def", None) is not definition:
        return None
    own = parts.pop("custom_verify", None)
    if own is not None and own is not Operation.verify_:
        checks.append(own)
    return None if parts else tuple(checks)
