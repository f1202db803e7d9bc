"""Offsets along K, `%a[k = 16]`, as operations that advance descriptors."""

from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.tcgen05.base import CtaGroupOperation
from tcgen05_dialect.tcgen05.descriptor import AdvanceOp, k_of


def expand_offsets(module: ModuleOp) -> None:
    """Replace each offset of an operand by a `tcgen05.advance`."""
    for op in operations_of(module):
        if isinstance(op, CtaGroupOperation) and op.OFFSETS:
            _expand(op)


def _expand(op: CtaGroupOperation) -> None:
    names = [name for name, _ in op.get_irdl_definition().operands]
    for operand, name in op.OFFSETS.items():
        if k := k_of(op.properties.pop(name, None)):
            # Only optional operands come after those with an offset.
            index = names.index(operand)
            advance = AdvanceOp.by(op.operands[index], k)
            advance.location = op.location
            assert op.parent is not None
            op.parent.insert_op_before(advance, op)
            op.operands[index] = advance.result
