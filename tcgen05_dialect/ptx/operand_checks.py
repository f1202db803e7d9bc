"""
Checks of operands that are not constant: the verifiers of the dialect are called again, with values
that an analysis or a run has found in place of constants.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.practice import RULES_IN_IR
from ..isa.targets import check_feature, parse_version
from ..reporting.diagnostics import OperationWithWarnings, violation_of
from ..xdsl_support.operation_format import own_checks
from .instruction import Instruction, syntax_of
from .kernel import is_read
from .known_values import run_time_bits
from .types import TargetAttr


def asked_values(op: Instruction) -> Sequence[SSAValue]:
    """The operands that are not constant, but for whose values the verifiers ask."""
    asked: dict[SSAValue, None] = {}
    if not _may_ask(type(op)):
        return ()

    def ask(value: SSAValue) -> None:
        asked[value] = None

    with run_time_bits(ask):
        own_checks(type(op))(op)
        op.features()
    return [*asked]


@cache
def _may_ask(op_type: type[Instruction]) -> bool:
    """Whether verifiers of an instruction may ask for the values of its operands."""
    is_usual = own_checks(op_type) is Instruction.verify_
    has_features = op_type.features is not Instruction.features
    return not is_usual or has_features or bool(syntax_of(op_type).limits)


def verify_with(
    op: Operation,
    bits: Mapping[SSAValue, int],
    target: TargetAttr | None,
    known: Sequence[str] = (),
) -> None:
    """Verify an instruction with these operands, also for the target, which has the features
    `known`. Raises Violation."""
    assert isinstance(op, Instruction)
    with run_time_bits(bits.get):
        try:
            own_checks(type(op))(op)
        except VerifyException as error:
            violation = violation_of(error)
            if violation is None:
                raise
            raise violation from error
        needed = op.features()
    if target is None:
        return
    for feature in set(needed).difference(known):
        check_feature(feature, target.target.data, parse_version(target.version.data))


def warnings_with(op: Operation, bits: Mapping[SSAValue, int]) -> list[Violation]:
    """The warnings of a valid instruction with these operands that only PTX text gets."""
    if not (isinstance(op, OperationWithWarnings) and is_read(op)):
        return []
    with run_time_bits(bits.get):
        return [each for each in op.warnings() if each.rule in RULES_IN_IR]
