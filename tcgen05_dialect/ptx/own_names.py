"""Names in PTX text that a program chooses with the attribute `ptx.name`, and what they must be."""

from ..isa.ptx.kernel import IDENTIFIER_RULE, check_identifier

NAME = "ptx.name"
LABEL_PREFIX = "$L__"
"""The prefix of labels that the printer numbers; nothing else may use it."""


def check_own_name(name: str) -> None:
    """Raise Violation unless a parameter, a label or a symbol can have a name."""
    check_identifier(name)
    if name.startswith(LABEL_PREFIX):
        raise IDENTIFIER_RULE.violation(name, f"a name that does not begin with {LABEL_PREFIX}")
