"""Rules on the form of IR programs: blocks, values, attributes and operations that PTX can
express."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Violation, rule

DOMINANCE_RULE = rule("T5-PTX-100")
TERMINATOR_RULE = rule("T5-PTX-101")
BRANCH_RULE = rule("T5-PTX-102")
GUARD_RULE = rule("T5-PTX-103")
INLINE_RULE = rule("T5-PTX-112")
OPERATION_RULE = rule("T5-PTX-104")
ATTRIBUTE_RULE = rule("T5-PTX-105")


def wrong_value(found: object, legal: str, example: object, name: str) -> Violation:
    """The violation to raise for the wrong value of an attribute: `legal` describes legal values,
    and `example` is one, or None."""
    shown, help = legal, ""
    if example is not None:
        shown, help = f"{legal}, such as {example}", f"write {name} = {example}"
    return ATTRIBUTE_RULE.violation(found, shown, name, culprit=name, help=help)


PARAMETER_RULE = rule("T5-PTX-106")
PARAMETER_USE_RULE = rule("T5-PTX-113")
CONSTANT_TYPE_RULE = rule("T5-PTX-107")
SYMBOL_RULE = rule("T5-PTX-108")
VARIABLE_RULE = rule("T5-PTX-130")
CALL_RULE = rule("T5-PTX-131")
FUNCTION_RULE = rule("T5-PTX-115")
REGION_RULE = rule("T5-PTX-109")
PASSED_RULE = rule("T5-PTX-110")
STEP_RULE = rule("T5-PTX-111")
