"""Accesses to memory of several GPUs through one address (9.7.9.14)."""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, var_operand_def, var_result_def

from ..isa.ptx.multimem import (
    LD_OPERATIONS,
    LD_SEMANTICS,
    LD_VALUES,
    RED_OPERATIONS,
    RED_SEMANTICS,
    RED_VALUES,
    ST_SEMANTICS,
    ST_VALUES,
)
from .instruction import EffectInstruction, instruction, opt_offset, opt_qualifier, qualifier
from .register_types import B64, REGISTER

_SPACE = "global"
_VECTOR = "*values(.v#(values)).$type"


@instruction(
    f"multimem.ld_reduce.$semantics.$scope.$space.$operation.$accumulator{_VECTOR} "
    "<%values>, [%address]",
    LD_SEMANTICS,
    LD_OPERATIONS,
    LD_VALUES,
)
class MultimemLdReduceOp(EffectInstruction):
    """Combine the numbers at an address in the memory of all GPUs."""

    name = "ptx.multimem.ld_reduce"
    semantics = opt_qualifier(*LD_SEMANTICS.values("semantics"))
    scope = opt_qualifier(*LD_SEMANTICS.values("scope"))
    space = opt_qualifier(_SPACE)
    operation = qualifier(*LD_OPERATIONS.values("operation"))
    accumulator = opt_qualifier(*LD_OPERATIONS.values("accumulator"))
    type = qualifier(*LD_VALUES.values("type"))
    address = operand_def(B64)
    address_offset = opt_offset()
    values = var_result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type"}


@instruction(
    f"multimem.st.$semantics.$scope.$space{_VECTOR} [%address], <!values>",
    ST_SEMANTICS,
    ST_VALUES,
)
class MultimemStOp(EffectInstruction):
    """Store registers at an address in the memory of all GPUs."""

    name = "ptx.multimem.st"
    semantics = opt_qualifier(*ST_SEMANTICS.values("semantics"))
    scope = opt_qualifier(*ST_SEMANTICS.values("scope"))
    space = opt_qualifier(_SPACE)
    type = qualifier(*ST_VALUES.values("type"))
    address = operand_def(B64)
    address_offset = opt_offset()
    values = var_operand_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type"}


@instruction(
    f"multimem.red.$semantics.$scope.$space.$operation{_VECTOR} [%address], <!values>",
    RED_SEMANTICS,
    RED_OPERATIONS,
    RED_VALUES,
)
class MultimemRedOp(EffectInstruction):
    """Combine the numbers at an address in the memory of each GPU with registers."""

    name = "ptx.multimem.red"
    semantics = opt_qualifier(*RED_SEMANTICS.values("semantics"))
    scope = opt_qualifier(*RED_SEMANTICS.values("scope"))
    space = opt_qualifier(_SPACE)
    operation = qualifier(*RED_OPERATIONS.values("operation"))
    type = qualifier(*RED_VALUES.values("type"))
    address = operand_def(B64)
    address_offset = opt_offset()
    values = var_operand_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type"}
