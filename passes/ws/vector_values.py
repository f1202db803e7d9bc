"""Values that are vectors: their shapes, and their computation outside of roles."""

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, SSAValue

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.vector_access import vector_shape

from .emitter import prepend


def shape_of(value: SSAValue) -> tuple[int, Attribute]:
    """The number of elements of a vector, and their type."""
    shape = vector_shape(value.type)
    assert shape is not None
    return shape


def length_of(value: SSAValue) -> int | None:
    """The number of elements of a vector; None for other values."""
    shape = vector_shape(value.type)
    return None if shape is None else shape[0]


def types_of(value: SSAValue) -> list[Attribute]:
    """The types of the elements of a vector; the type of another value."""
    shape = vector_shape(value.type)
    return [value.type] if shape is None else [shape[1]] * shape[0]


def vectors_before(op: WarpSpecializeOp) -> list[Operation]:
    """
    The operations outside of the roles that compute vectors, or numbers from vectors, in the order
    of the program.
    """
    block = op.parent
    before = [] if block is None else [each for each in block.ops if each is not op]
    return [
        each
        for each in (*before, *op.body.block.ops)
        if any(length_of(value) is not None for value in (*each.operands, *each.results))
    ]


def recompute(role: RoleOp, computed: Sequence[Operation]) -> None:
    """Compute the vectors from outside of a role again at its beginning."""
    values: dict[SSAValue, SSAValue] = {}
    head = Block()
    for op in computed:
        clone = op.clone(values)
        values.update(zip(op.results, clone.results, strict=True))
        head.add_op(clone)
    prepend(head, role.body.block)
    for inner in operations_of(role):
        for at, operand in enumerate(inner.operands):
            if operand in values:
                inner.operands[at] = values[operand]
