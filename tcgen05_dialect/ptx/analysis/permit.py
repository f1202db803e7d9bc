"""The permit of a CTA to allocate tensor memory (PTX ISA 9.7.16.7.1)."""

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...isa.ptx.special_registers import OF_GRID
from ...isa.targets import REGISTERS, RESERVED_SHARED_BYTES, SHARED_BYTES
from ...isa.tensor_memory.alloc import COLUMNS, PERMIT
from ..inline import InlineOp
from ..kernel import KernelOp, kernel_around
from ..known_values import constant_value
from ..structure import SpecialRegisterOp
from ..used_variables import used_variables
from .control_flow import operations_of
from .registers import entry_registers, register_changes

_CTAS = 2
"""Number of CTAs of a kernel on a multiprocessor when one waits for the permit of the other."""


def permit_violations(alloc: Operation, ctas: int) -> Iterator[Violation]:
    """
    The violation by a typed or raw alloc, of one CTA or a pair of `ctas`, after which a CTA keeps
    the permit, although another CTA of the kernel can run beside it. Of several allocations, it is
    that of the last one in the text.
    """
    kernel = kernel_around(alloc)
    if kernel is None:
        return
    ops = operations_of(kernel)
    allocations = [each for each in ops if _is(each, "alloc")]
    if allocations[-1] is not alloc or any(map(_may_relinquish, ops)):
        return
    columns = [constant_value(each.operands[1]) for each in allocations]
    known = [each for each in columns if each is not None]
    if len(known) < len(columns) or _CTAS * sum(known) > COLUMNS:
        return
    if _has_more_ctas(kernel, ops, ctas) and not _fills_multiprocessor(kernel, ops):
        sentence = (
            "no relinquish_alloc_permit follows: another CTA of the kernel on the "
            "multiprocessor waits in alloc until this CTA ends, although "
            f"{COLUMNS - sum(known)} columns are free"
        )
        yield PERMIT.violation(None, None, sentence=sentence)


def _is(op: Operation, step: str) -> bool:
    """Whether an operation of either dialect is a tcgen05 instruction."""
    return op.name.removeprefix("ptx.") == f"tcgen05.{step}"


def _may_relinquish(op: Operation) -> bool:
    """Whether an operation relinquishes the permit, or runs code that is not known."""
    is_unknown = isinstance(op, InlineOp) or op.name == "ptx.call"
    return is_unknown or _is(op, "relinquish_alloc_permit")


def _has_more_ctas(kernel: KernelOp, ops: Sequence[Operation], ctas: int) -> bool:
    """Whether a kernel is for more than `ctas` CTAs: it has larger clusters, or asks for a place in
    the grid."""
    return prod(kernel.extents("cluster_dims") or ()) > ctas or any(
        isinstance(op, SpecialRegisterOp) and op.register.data in OF_GRID for op in ops
    )


def _fills_multiprocessor(kernel: KernelOp, ops: Sequence[Operation]) -> bool:
    """Whether a second CTA certainly does not fit on the multiprocessor, or is not asked for."""
    numbers = dict(kernel.numbers())
    if numbers.get("minnctapersm") == 1:
        return True
    threads = prod(kernel.extents("reqntid") or (0,))
    registers = entry_registers(kernel, register_changes(ops)) or 0
    sizes = (each.size for each in used_variables(kernel, kernel.body.blocks))
    shared = sum(size.value.data for size in sizes if size is not None) + RESERVED_SHARED_BYTES
    return (
        _CTAS * threads * registers > REGISTERS
        or _CTAS * shared > SHARED_BYTES["a"] + RESERVED_SHARED_BYTES
    )
