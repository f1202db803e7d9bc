"""The tcgen05 instructions with raw operands (9.7.16): addresses, descriptors and registers."""

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32
from xdsl.irdl import (
    operand_def,
    opt_operand_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..isa import alloc, commit, cp, fence, ld_st, mma, shift, wait
from ..isa.instruction import CTA_GROUP
from ..isa.instruction import Instruction as Form
from ..isa.limit import Limit
from ..isa.rule import Violation
from ..isa.table import Table
from .instruction import (
    EffectInstruction,
    InstructionT,
    instruction,
    opt_immediate,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .registers import B16, B32, B32_OR_B64, B64, PRED, WORD
from .syntax import Spellings, values_of


def _identifier(name: str, value: object) -> str:
    """How IR spells a qualifier's value: a flag by its name, a number after its name."""
    if value is True:
        return name
    return f"{name}_{value}" if isinstance(value, int) else str(value)


def _spellings(form: Form) -> Spellings:
    """The IR and PTX spellings of all qualifiers of an instruction of the manual."""
    return {
        name: {
            _identifier(name, value): text
            for value, text in qualifier_.spellings.items()
            if value is not None and value is not False
        }
        for name, qualifier_ in form.qualifiers.items()
    }


def _mandatory(form: Form, name: str) -> StringAttr:
    return qualifier(*_spellings(form)[name])


def _optional(form: Form, name: str) -> StringAttr | None:
    return opt_qualifier(*_spellings(form)[name])


def _line(form: Form, operands: str, implied: Mapping[str, str | None]) -> str:
    """
    The syntax line of an instruction of the manual.

    `implied` names the operand that a qualifier goes with, or None if the qualifier never stands.
    """
    fields = {name: f".${name}" for name in form.qualifiers}
    for name, operand in implied.items():
        (text,) = _spellings(form)[name].values()
        fields[name] = "" if operand is None else f"?{operand}({text})"
    mnemonic = form.template.format_map(fields)
    return f"{mnemonic} {operands}" if operands else mnemonic


class Tcgen05Instruction(EffectInstruction, ABC):
    """An instruction of the tcgen05 family; its mnemonic comes from the tables of `isa`."""


def _tcgen05(
    form: Form,
    operands: str = "",
    *tables: Table,
    implied: Mapping[str, str | None] | None = None,
    limits: Mapping[str, Limit] | None = None,
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    return instruction(
        _line(form, operands, implied or {}), *tables, spellings=_spellings(form), limits=limits
    )


_COLUMNS = Limit(alloc.COLUMNS_RULE, alloc.ALLOCATIONS.values("nCols"))


@_tcgen05(alloc.ALLOC, "[%address], %columns", limits={"columns": _COLUMNS})
class AllocOp(Tcgen05Instruction):
    """Allocate columns of tensor memory and write their address to shared memory."""

    name = "ptx.tcgen05.alloc"
    cta_group = _mandatory(alloc.ALLOC, "cta_group")
    space = _optional(alloc.ALLOC, "space")
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    columns = operand_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"address": "space"}


@_tcgen05(alloc.DEALLOC, "%taddr, %columns", limits={"columns": _COLUMNS})
class DeallocOp(Tcgen05Instruction):
    """Free columns of tensor memory."""

    name = "ptx.tcgen05.dealloc"
    cta_group = _mandatory(alloc.DEALLOC, "cta_group")
    taddr = operand_def(B32)
    columns = operand_def(B32)


@_tcgen05(alloc.RELINQUISH_ALLOC_PERMIT)
class RelinquishAllocPermitOp(Tcgen05Instruction):
    """Give up the right of the CTA to allocate tensor memory."""

    name = "ptx.tcgen05.relinquish_alloc_permit"
    cta_group = _mandatory(alloc.RELINQUISH_ALLOC_PERMIT, "cta_group")


class _RegisterAccess(Tcgen05Instruction, ABC):
    """A copy between registers and tensor memory."""

    def verify_(self) -> None:
        super().verify_()
        shape, num = self.properties["shape"], self.properties["num"]
        assert isinstance(shape, StringAttr) and isinstance(num, StringAttr)
        split_offset = self.properties.get("split_offset")
        try:
            ld_st.REGISTERS.check(
                shape=shape.data, num=num.data, registers=len(values_of(self, "values"))
            )
            ld_st.check_split_offset(
                shape.data,
                split_offset.value.data if isinstance(split_offset, IntegerAttr) else None,
            )
        except Violation as violation:
            raise VerifyException(str(violation)) from violation


@_tcgen05(ld_st.LD, "{!values}, [!address]?split_offset(, $split_offset)")
class LdOp(_RegisterAccess):
    """Load registers from tensor memory."""

    name = "ptx.tcgen05.ld"
    shape = _mandatory(ld_st.LD, "shape")
    num = _mandatory(ld_st.LD, "num")
    pack = _optional(ld_st.LD, "pack")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_result_def(WORD)


@_tcgen05(ld_st.ST, "[!address]?split_offset(, $split_offset), {!values}")
class StOp(_RegisterAccess):
    """Store registers to tensor memory."""

    name = "ptx.tcgen05.st"
    shape = _mandatory(ld_st.ST, "shape")
    num = _mandatory(ld_st.ST, "num")
    unpack = _optional(ld_st.ST, "unpack")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_operand_def(WORD)


@_tcgen05(wait.WAIT)
class WaitOp(Tcgen05Instruction):
    """Wait for this thread's loads from, or its stores to, tensor memory."""

    name = "ptx.tcgen05.wait"
    operation = _mandatory(wait.WAIT, "operation")


@_tcgen05(cp.CP, "[!address], %descriptor", cp.MULTICASTS)
class CpOp(Tcgen05Instruction):
    """Copy from shared to tensor memory."""

    name = "ptx.tcgen05.cp"
    cta_group = _mandatory(cp.CP, "cta_group")
    shape = _mandatory(cp.CP, "shape")
    multicast = _optional(cp.CP, "multicast")
    format = _optional(cp.CP, "format")
    address = operand_def(B32)
    address_offset = opt_offset()
    descriptor = operand_def(B64)


@_tcgen05(shift.SHIFT, "[!address]")
class ShiftOp(Tcgen05Instruction):
    """Shift the rows of a matrix in tensor memory down by one."""

    name = "ptx.tcgen05.shift"
    cta_group = _mandatory(shift.SHIFT, "cta_group")
    address = operand_def(B32)
    address_offset = opt_offset()

    def features(self) -> Sequence[str]:
        return (shift.SHIFT.feature,)


_DENSE = mma.INSTRUCTIONS[False, False]
_KINDS = tuple(name for name, kind in mma.KINDS.items() if not kind.block_scaled)
_CTA_GROUPS = {_identifier("cta_group", value): value for value in CTA_GROUP.spellings}


@_tcgen05(
    _DENSE,
    "[!d], &a, %b, %idesc?disable_output_lane(, {!disable_output_lane}), %enable_input_d"
    "?scale_input_d(, $scale_input_d)",
    implied={"block_scale": None},
    limits={"scale_input_d": Limit(mma.SCALE_INPUT_D_RULE, mma.SCALE_INPUT_D)},
)
class MmaOp(Tcgen05Instruction):
    """
    `d = a * b + d`, or `d = a * b` if `enable_input_d` does not hold; `a` is dense.

    The kinds are those without block scaling.
    """

    name = "ptx.tcgen05.mma"
    cta_group = _mandatory(_DENSE, "cta_group")
    kind = qualifier(*_KINDS)
    ashift = _optional(_DENSE, "ashift")
    collector_buffer = opt_qualifier(*mma.COLLECTOR.values("buffer", ws=False))
    collector_op = opt_qualifier(*mma.COLLECTOR.values("op", ws=False))
    d = operand_def(B32)
    d_offset = opt_offset()
    a = operand_def(B32_OR_B64)
    b = operand_def(B64)
    idesc = operand_def(B32)
    disable_output_lane = var_operand_def(B32)
    enable_input_d = operand_def(PRED)
    scale_input_d = opt_immediate()

    def verify_(self) -> None:
        super().verify_()
        try:
            self._check_forms()
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def _check_forms(self) -> None:
        """Check which qualifiers and optional operands go together. Raises Violation."""
        kind = self.kind.data
        lanes = len(self.disable_output_lane)
        mma.OPERANDS.check(
            kind=kind,
            ws=False,
            disable_output_lane=lanes > 0,
            scale_input_d=self.scale_input_d is not None,
        )
        elements = mma.disable_output_lane_elements(_CTA_GROUPS[self.cta_group.data])
        if lanes not in (0, elements):
            raise mma.OPERANDS.rule.violation(
                lanes, (0, elements), "registers of disable-output-lane"
            )
        buffer = None if self.collector_buffer is None else self.collector_buffer.data
        operation = None if self.collector_op is None else self.collector_op.data
        if buffer is not None or operation is not None:
            mma.COLLECTOR.check(ws=False, buffer=buffer, op=operation)
        if self.ashift is not None:
            mma.ASHIFT.check(
                kind=kind,
                ws=False,
                a_memory="tensor" if self.a.type == i32 else "shared",
                collector_op=operation or mma.DEFAULT_COLLECTOR[False][1],
            )

    def features(self) -> Sequence[str]:
        return mma.required_features(
            self.kind.data, sparse=False, scale_input_d=self.scale_input_d is not None
        )


@_tcgen05(
    commit.COMMIT,
    "[%mbarrier]?multicast_mask(, %multicast_mask)",
    implied={"multicast": "multicast_mask"},
)
class CommitOp(Tcgen05Instruction):
    """Make a barrier object track the tcgen05 operations that this thread has issued."""

    name = "ptx.tcgen05.commit"
    cta_group = _mandatory(commit.COMMIT, "cta_group")
    space = _optional(commit.COMMIT, "space")
    mbarrier = operand_def(B32_OR_B64)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)
    TYPED: ClassVar[Mapping[str, str]] = {"mbarrier": "space"}


@_tcgen05(fence.FENCE)
class FenceOp(Tcgen05Instruction):
    """Order this thread's tcgen05 operations with those of other threads."""

    name = "ptx.tcgen05.fence"
    order = _mandatory(fence.FENCE, "order")
