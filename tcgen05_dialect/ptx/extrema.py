"""Extrema of three numbers (9.7.3.11, 9.7.3.12)."""

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.extrema import EXTREMA_OF_THREE
from .instruction import PureInstruction, instruction, opt_qualifier, qualifier
from .register_types import REGISTER


class _ExtremumOfThree(PureInstruction, ABC):
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "type", "d": "type"}

    def features(self) -> Sequence[str]:
        return ("extrema_of_three",)


@instruction("min.$flush.$nan.$abs.$type %d, %a, %b, %c", EXTREMA_OF_THREE)
class Min3Op(_ExtremumOfThree):
    """The least of three numbers, or of their absolute values."""

    name = "ptx.min3"
    flush = opt_qualifier(*EXTREMA_OF_THREE.values("flush"))
    nan = opt_qualifier(*EXTREMA_OF_THREE.values("nan"))
    abs = opt_qualifier(*EXTREMA_OF_THREE.values("abs"))
    type = qualifier(*EXTREMA_OF_THREE.values("type"))


@instruction("max.$flush.$nan.$abs.$type %d, %a, %b, %c", EXTREMA_OF_THREE)
class Max3Op(_ExtremumOfThree):
    """The greatest of three numbers, or of their absolute values."""

    name = "ptx.max3"
    flush = opt_qualifier(*EXTREMA_OF_THREE.values("flush"))
    nan = opt_qualifier(*EXTREMA_OF_THREE.values("nan"))
    abs = opt_qualifier(*EXTREMA_OF_THREE.values("abs"))
    type = qualifier(*EXTREMA_OF_THREE.values("type"))
