"""The pass `ptx-fold-addresses`: folds constants added to an address into its offset."""

from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure

from tcgen05_dialect.isa.ptx.ptx_text import ADDRESS_OFFSETS
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.instructions import AddOp
from tcgen05_dialect.ptx.text.syntax import values_of

from .support.conversion import constant_addend


def _split(address: SSAValue) -> tuple[SSAValue, int]:
    """The base of an address and the constant added to it."""
    offset = 0
    while isinstance(owner := address.owner, AddOp) and (parts := constant_addend(owner)):
        address, known = parts
        offset += known
    return address, offset


@cache
def _foldable(op_type: type[Operation]) -> tuple[str, ...]:
    """The names of the address operands that may have a constant offset."""
    if not issubclass(op_type, Instruction):
        return ()
    properties = op_type.get_irdl_definition().properties
    syntax = syntax_of(op_type)
    names = (*syntax.addresses, *syntax.matrices)
    return tuple(name for name in names if f"{name}_offset" in properties)


def _fold(op: Operation, addresses: tuple[str, ...]) -> None:
    assert isinstance(op, Instruction)
    syntax = syntax_of(type(op))
    names = syntax.operand_names
    for name in addresses:
        for value in values_of(op, name):
            if name in syntax.matrices and value.type != i32:
                continue
            base, offset = _split(value)
            key = f"{name}_offset"
            if isinstance(before := op.properties.get(key), IntegerAttr):
                offset += before.value.data
            if base is value or offset not in ADDRESS_OFFSETS:
                continue
            if offset:
                op.properties[key] = IntegerAttr(offset, i32)
            else:
                op.properties.pop(key, None)
            before_it = names[: names.index(name)]
            op.operands[sum(len(values_of(op, other)) for other in before_it)] = base


@cache
def _is_pure(op_type: type[Operation]) -> bool:
    return op_type.has_trait(Pure)


class PtxFoldAddresses(ModulePass):
    """Folds additions of a constant into the offset of an address operand; erases dead code."""

    name = "ptx-fold-addresses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations = operations_of(op)
        for inner in operations:
            if addresses := _foldable(type(inner)):
                _fold(inner, addresses)
        for inner in reversed(operations):
            if _is_pure(type(inner)) and all(r.first_use is None for r in inner.results):
                Rewriter.erase_op(inner)
