"""Fold constants that are added to addresses into the instructions that use the addresses."""

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from tcgen05_dialect.ptx.arithmetic import AddOp
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.structure import constant_value
from tcgen05_dialect.ptx.syntax import values_of


def _split(address: SSAValue) -> tuple[SSAValue, int]:
    """An address as another one and a constant that is to be added to it."""
    offset = 0
    while isinstance(owner := address.owner, AddOp):
        if (known := constant_value(owner.b)) is not None:
            address = owner.a
        elif (known := constant_value(owner.a)) is not None:
            address = owner.b
        else:
            break
        offset += known
    return address, offset


def _fold(op: Instruction) -> None:
    definition = op.get_irdl_definition()
    addresses = syntax_of(type(op)).addresses
    index = 0
    for name, _ in definition.operands:
        values = values_of(op, name)
        at, index = index, index + len(values)
        key = f"{name}_offset"
        if name not in addresses or key not in definition.properties:
            continue
        base, offset = _split(values[0])
        if base is values[0]:
            continue
        before = op.properties.get(key)
        if isinstance(before, IntegerAttr):
            offset += before.value.data
        if offset:
            op.properties[key] = IntegerAttr(offset, i32, truncate_bits=True)
        else:
            op.properties.pop(key, None)
        op.operands[at] = base


class PtxFoldAddresses(ModulePass):
    """Turns `add` of a constant before an address operand into its offset; erases dead code."""

    name = "ptx-fold-addresses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations: list[Operation] = list(op.walk())
        for inner in operations:
            if isinstance(inner, Instruction):
                _fold(inner)
        for inner in reversed(operations):
            if inner.results and is_trivially_dead(inner):
                Rewriter.erase_op(inner)
