"""Values that are vectors: their shapes, and their computation outside of roles."""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp, i1, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.reporting.operation_error import no_lowering
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.vector_access import is_packed, vector_shape
from tcgen05_dialect.xdsl_support.elementwise import scalar_form, vector_of_truths

from .emitter import prepend
from .packing import per_word


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
    """The types of the registers with the elements of a vector; the type of another value."""
    shape = vector_shape(value.type)
    if shape is None:
        return [value.type]
    length, element = shape
    return [i32] * (length // per_word(element)) if is_packed(element) else [element] * length


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


def widen_truths(module: ModuleOp) -> None:
    """
    Give the results of comparisons of vectors, and what follows from them, vectors of i1 as types:
    xDSL gives them i1. Raises OperationError for an operation that needs one truth.
    """
    widened: list[SSAValue] = []
    for op in operations_of(module):
        if not op.name.startswith("arith.") or [each.type for each in op.results] != [i1]:
            continue
        type_ = vector_of_truths(op) or next(filter(_is_truths, _types(op)), None)
        if type_ is not None:
            widened.append(Rewriter.replace_value_with_new_type(op.results[0], type_))
    for value in widened:
        for use in value.uses:
            user = use.operation
            if scalar_form(user) is None and not user.name.startswith("vector."):
                raise no_lowering(user, "one truth, such as a vector.reduction <or> of the vector")


def _types(op: Operation) -> Iterable[Attribute]:
    return (value.type for value in op.operands)


def _is_truths(type_: Attribute) -> bool:
    shape = vector_shape(type_)
    return shape is not None and shape[1] == i1
