"""Mutants of kernels in `ws`: operations dropped, doubled and moved; kinds and numbers changed."""

from collections.abc import Callable, Iterator
from io import StringIO
from typing import NamedTuple

from xdsl.dialects.builtin import IntAttr, IntegerAttr, ModuleOp, StringAttr, i32
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.ws.regions import HoldOp
from tcgen05_dialect.ws.rings import RingOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.types import RingType


class Mutant(NamedTuple):
    """A changed kernel, and what was changed."""

    name: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """The mutants of a kernel."""
    count = len(_operations(_parsed(text)))
    for at in range(count):
        for name, change in _CHANGES.items():
            module = _parsed(text)
            op = _operations(module)[at]
            described = f"{name} {op.name} ({at})"
            if change(op):
                yield Mutant(described, _printed(module))


def _parsed(text: str) -> ModuleOp:
    return parse(Source("kernel.mlir", text))[0]


def _printed(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream=stream).print_op(module)
    return stream.getvalue()


def _operations(module: ModuleOp) -> list[Operation]:
    """The rings, and the operations inside of the roles."""
    return [
        op
        for op in module.walk()
        if isinstance(op, RingOp | WarpSpecializeOp) or _is_in_role(op) or isinstance(op, RoleOp)
    ]


def _is_in_role(op: Operation) -> bool:
    above = op.parent_op()
    while above is not None and not isinstance(above, RoleOp):
        above = above.parent_op()
    return above is not None and not op.has_trait(IsTerminator)


def _is_free(op: Operation) -> bool:
    return not any(result.uses for result in op.results)


def _drop(op: Operation) -> bool:
    if isinstance(op, RingOp | WarpSpecializeOp) or not _is_free(op):
        return False
    op.detach()
    return True


def _unwrap(op: Operation) -> bool:
    """Replace a loop by its body, once."""
    if op.name != "scf.for" or op.results:
        return False
    block, body = op.parent, op.regions[0].block
    assert block is not None
    body.args[0].replace_all_uses_with(op.operands[0])
    for each in [*body.ops]:
        each.detach()
        if not each.has_trait(IsTerminator):
            block.insert_op_before(each, op)
    op.detach()
    return True


def _double(op: Operation) -> bool:
    if isinstance(op, RingOp | RoleOp | WarpSpecializeOp) or op.parent is None:
        return False
    op.parent.insert_op_after(op.clone(), op)
    return True


def _move(op: Operation) -> bool:
    """Exchange an operation with the next one."""
    after, block = op.next_op, op.parent
    if after is None or block is None or after.has_trait(IsTerminator):
        return False
    if isinstance(op, RingOp | WarpSpecializeOp | RoleOp):
        return False
    uses = {use.operation for result in op.results for use in result.uses}
    if any(each in uses for each in after.walk()):
        return False
    op.detach()
    block.insert_op_after(op, after)
    return True


def _move_out(op: Operation) -> bool:
    """Move an operation behind the loop or the region around it."""
    around = op.parent_op()
    if around is None or isinstance(around, RoleOp | WarpSpecializeOp) or not _is_free(op):
        return False
    if isinstance(op, RoleOp) or any(
        each.owner is around.regions[0].block for each in op.operands if around.regions
    ):
        return False
    block = around.parent
    assert block is not None
    op.detach()
    block.insert_op_after(op, around)
    return True


def _kind(to: str) -> Callable[[Operation], bool]:
    def change(op: Operation) -> bool:
        if not isinstance(op, HoldOp) or op.kind == to:
            return False
        op.properties["by"] = StringAttr(to)
        return True

    return change


def _warps(to: int) -> Callable[[Operation], bool]:
    def change(op: Operation) -> bool:
        if not isinstance(op, RoleOp) or op.warps_count == to:
            return False
        op.properties["warps"] = IntegerAttr(to, i32)
        return True

    return change


def _stages(to: int) -> Callable[[Operation], bool]:
    def change(op: Operation) -> bool:
        if not isinstance(op, RingOp) or op.stages == to:
            return False
        type_ = RingType(IntAttr(to), op.ring.type.buffers)
        new = RingOp.create(properties=op.properties, result_types=[type_])
        new.ring.name_hint = op.ring.name_hint
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
        op.ring.replace_all_uses_with(new.ring)
        op.detach()
        return True

    return change


def _bound(index: int) -> Callable[[Operation], bool]:
    """Exchange a bound of a loop with the other bound or the step."""

    def change(op: Operation) -> bool:
        if op.name != "scf.for":
            return False
        op.operands[index] = op.operands[(index + 1) % 3]
        return True

    return change


_CHANGES: dict[str, Callable[[Operation], bool]] = {
    "drop": _drop,
    "unwrap": _unwrap,
    "double": _double,
    "move": _move,
    "move out": _move_out,
    **{f"by {kind}": _kind(kind) for kind in ("tma", "mma", "threads")},
    **{f"warps {number}": _warps(number) for number in (1, 2, 3, 4, 8)},
    **{f"stages {number}": _stages(number) for number in (0, 1, 2, 3, 5, 64)},
    **{f"bound {index}": _bound(index) for index in range(3)},
}
