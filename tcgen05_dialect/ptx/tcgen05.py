"""The tcgen05 instructions with raw operands (9.7.16): addresses, descriptors and registers."""

from abc import ABC
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import (
    operand_def,
    opt_operand_def,
    var_operand_def,
    var_result_def,
)

from ..isa import alloc, commit, cp, fence, ld_st, mma, shift, wait
from ..isa.instruction import Instruction as Form
from .instruction import (
    EffectInstruction,
    InstructionT,
    instruction,
    opt_immediate,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .registers import B16, B32, B32_OR_B64, B64, PRED
from .syntax import Spellings


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


def _line(form: Form, operands: str = "", implied: Mapping[str, str] | None = None) -> str:
    """The syntax line of an instruction of the manual; an operand may imply a qualifier."""
    fields = {name: f".${name}" for name in form.qualifiers}
    for name, operand in (implied or {}).items():
        (text,) = _spellings(form)[name].values()
        fields[name] = f"?{operand}({text})"
    mnemonic = form.template.format_map(fields)
    return f"{mnemonic} {operands}" if operands else mnemonic


class Tcgen05Instruction(EffectInstruction, ABC):
    """An instruction of the tcgen05 family; its mnemonic comes from the tables of `isa`."""


def _tcgen05(
    form: Form, operands: str = "", implied: Mapping[str, str] | None = None
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    return instruction(_line(form, operands, implied), _spellings(form))


@_tcgen05(alloc.ALLOC, "[%address], %columns")
class AllocOp(Tcgen05Instruction):
    """Allocate columns of tensor memory and write their address to shared memory."""

    name = "ptx.tcgen05.alloc"
    cta_group = _mandatory(alloc.ALLOC, "cta_group")
    space = _optional(alloc.ALLOC, "space")
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    columns = operand_def(B32)


@_tcgen05(alloc.DEALLOC, "%taddr, %columns")
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


@_tcgen05(ld_st.LD, "{!values}, [%address]?split_offset(, $split_offset)")
class LdOp(Tcgen05Instruction):
    """Load registers from tensor memory."""

    name = "ptx.tcgen05.ld"
    shape = _mandatory(ld_st.LD, "shape")
    num = _mandatory(ld_st.LD, "num")
    pack = _optional(ld_st.LD, "pack")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_result_def()


@_tcgen05(ld_st.ST, "[%address]?split_offset(, $split_offset), {!values}")
class StOp(Tcgen05Instruction):
    """Store registers to tensor memory."""

    name = "ptx.tcgen05.st"
    shape = _mandatory(ld_st.ST, "shape")
    num = _mandatory(ld_st.ST, "num")
    unpack = _optional(ld_st.ST, "unpack")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_operand_def()


@_tcgen05(wait.WAIT)
class WaitOp(Tcgen05Instruction):
    """Wait for this thread's loads from, or its stores to, tensor memory."""

    name = "ptx.tcgen05.wait"
    operation = _mandatory(wait.WAIT, "operation")


@_tcgen05(cp.CP, "[%address], %descriptor")
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


@_tcgen05(shift.SHIFT, "[%address]")
class ShiftOp(Tcgen05Instruction):
    """Shift the rows of a matrix in tensor memory down by one."""

    name = "ptx.tcgen05.shift"
    cta_group = _mandatory(shift.SHIFT, "cta_group")
    address = operand_def(B32)
    address_offset = opt_offset()


_DENSE = mma.INSTRUCTIONS[False, False]


@_tcgen05(
    _DENSE,
    "[%d], &a, %b, %idesc?disable_output_lane(, {!disable_output_lane}), %enable_input_d"
    "?scale_input_d(, $scale_input_d)",
)
class MmaOp(Tcgen05Instruction):
    """`d = a * b + d`, or `d = a * b` if `enable_input_d` does not hold; `a` is dense."""

    name = "ptx.tcgen05.mma"
    cta_group = _mandatory(_DENSE, "cta_group")
    kind = _mandatory(_DENSE, "kind")
    block_scale = _optional(_DENSE, "block_scale")
    ashift = _optional(_DENSE, "ashift")
    collector_buffer = _optional(_DENSE, "collector_buffer")
    collector_op = _optional(_DENSE, "collector_op")
    d = operand_def(B32)
    d_offset = opt_offset()
    a = operand_def(B32_OR_B64)
    b = operand_def(B64)
    idesc = operand_def(B32)
    disable_output_lane = var_operand_def(B32)
    enable_input_d = operand_def(PRED)
    scale_input_d = opt_immediate()


@_tcgen05(
    commit.COMMIT,
    "[%mbarrier]?multicast_mask(, %multicast_mask)",
    {"multicast": "multicast_mask"},
)
class CommitOp(Tcgen05Instruction):
    """Make a barrier object track the tcgen05 operations that this thread has issued."""

    name = "ptx.tcgen05.commit"
    cta_group = _mandatory(commit.COMMIT, "cta_group")
    space = _optional(commit.COMMIT, "space")
    mbarrier = operand_def(B32_OR_B64)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)


@_tcgen05(fence.FENCE)
class FenceOp(Tcgen05Instruction):
    """Order this thread's tcgen05 operations with those of other threads."""

    name = "ptx.tcgen05.fence"
    order = _mandatory(fence.FENCE, "order")
