"""
Range check of the predicates of `arith.cmpi` and `arith.cmpf`.

Replaces a check that xDSL lacks: xDSL accepts any integer as a predicate. The other enumerations of
arith, scf and cf have their own types and need no check. Uses no private names. It can be deleted
when xDSL declares predicates as enumerations.
"""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ..isa.ptx.ir_form import ATTRIBUTE_RULE

_PREDICATES = {"arith.cmpi": 10, "arith.cmpf": 16}
"""Operation -> the number of its predicates; they are numbered from 0."""


def check_predicate(operation: Operation) -> None:
    """Check the predicate of a comparison. Raises Violation if it is out of range."""
    number = _PREDICATES.get(operation.name)
    if number is None:
        return
    predicate = operation.properties.get("predicate")
    if isinstance(predicate, IntegerAttr) and predicate.value.data not in range(number):
        raise ATTRIBUTE_RULE.violation(predicate.value.data, range(number), "predicate")
