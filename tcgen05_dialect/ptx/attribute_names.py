"""Check of attribute names; it reports misspelt attributes, which xDSL ignores silently."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from ..isa.model.rule import describe, did_you_mean
from ..isa.ptx.ir_form import ATTRIBUTE_RULE
from ..reporting.operation_error import OperationError
from ..xdsl_support.dialects import OWN
from .target import ATTRIBUTE as TARGET


def check_attribute_names(op: Operation) -> None:
    """
    Check that an operation has no unknown attribute. Raises OperationError.

    Operations of `ptx` and `tcgen05` use properties. Their attributes can only be those of another
    dialect, which have a dot in their name.
    """
    if not op.attributes:
        return
    own = op.name.partition(".")[0] in OWN
    legal: list[str] = []
    if own and isinstance(op, IRDLOperation):
        properties = op.get_irdl_definition().properties
        legal = [name for name in properties if name != "operandSegmentSizes"]
    elif isinstance(op, ModuleOp):
        legal = [TARGET]
    for name in op.attributes:
        dialect, dot, _ = name.partition(".")
        misspelt = dialect in OWN if dot else own
        if misspelt and name not in legal:
            shown = describe(frozenset(legal)) or "none"
            violation = ATTRIBUTE_RULE.violation(name, shown, help=did_you_mean(name, legal))
            raise OperationError(op, str(violation)) from violation
