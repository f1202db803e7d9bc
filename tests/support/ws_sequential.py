"""The meaning of the sequential form of `ws`: each operation is complete before the next begins."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation

from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ws.base import SharedTileType, enclosing
from tcgen05_dialect.ws.products import MmaOp
from tcgen05_dialect.ws.rings import AllocOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.ws.tma import TmaLoadOp
from tcgen05_dialect.ws.vectors import (
    Access,
    GlobalStoreOp,
    Load,
    LocalLoadOp,
    LocalStoreOp,
    Store,
    vector_shape,
)

_BINARY: Mapping[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddiOp: operator.add,
    arith.AddfOp: operator.add,
    arith.SubiOp: operator.sub,
    arith.MuliOp: operator.mul,
    arith.DivUIOp: lambda a, b: a // b,
    arith.RemUIOp: operator.mod,
    arith.MaxnumfOp: np.maximum,
}
_COMPARISONS = {"eq": operator.eq, "ne": operator.ne, "slt": operator.lt}


class Interpreter:
    """
    One CTA. Numbers are of type f64, and NaN where nothing has been written. The threads of the
    role are the first dimension of what differs among them.
    """

    def __init__(self, module: ModuleOp, arguments: Sequence[Any]) -> None:
        (kernel,) = (op for op in module.ops if isinstance(op, KernelOp))
        entry = kernel.body.blocks[0]
        self._values: dict[Any, Any] = dict(zip(entry.args, arguments, strict=True))
        self._block(entry)

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._operation(op)

    def _get(self, value: Any) -> Any:
        return value if isinstance(value, int) else self._values[value]

    def _operation(self, op: Operation) -> None:
        values, get = self._values, self._get
        match op:
            case arith.ConstantOp():
                number = cast(Any, op.value)
                is_number = isinstance(number, IntegerAttr)
                values[op.result] = number.value.data if is_number else 0.0
            case AllocOp():
                type_ = cast(Any, op.buffer.type)
                is_tile = isinstance(type_, SharedTileType)
                extents = type_.extents if is_tile else (type_.rows.data, type_.columns.data)
                values[op.buffer] = np.full(extents, np.nan)
            case WarpSpecializeOp():
                self._block(op.body.block)
            case RoleOp():
                if op.thread is not None:
                    values[op.thread] = np.arange(32 * op.warps_count)
                self._block(op.body.block)
            case scf.ForOp():
                for counter in range(*(int(get(each)) for each in (op.lb, op.ub, op.step))):
                    values[op.body.block.args[0]] = counter
                    self._block(op.body.block)
            case scf.IfOp():
                region = op.true_region if get(op.cond) else op.false_region
                if region.blocks:
                    self._block(region.block)
            case TmaLoadOp():
                tile, source = values[op.tile], get(op.tensor_map)
                row, column = (int(get(each)) for each in op.mixed_indices)
                height, width = tile.shape
                part = source[row * height :, column * width :][:height, :width]
                tile[:] = 0
                tile[: part.shape[0], : part.shape[1]] = part
            case MmaOp():
                b = values[op.b]
                product = values[op.a] @ (b if op.b.type.layout.transposed else b.T)
                adds = op.accumulate is not None and get(op.accumulate)
                values[op.d][:] = values[op.d] + product if adds else product
            case Load() | Store():
                self._access(op)
            case arith.CmpiOp():
                name = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
                values[op.result] = _COMPARISONS[name](get(op.lhs), get(op.rhs))
            case arith.TruncFOp():
                narrow = np.asarray(get(op.input), np.float32).astype(ml_dtypes.bfloat16)
                values[op.result] = narrow.astype(np.float64)
            case arith.ExtFOp():
                values[op.result] = get(op.input)
            case _ if type(op) in _BINARY:
                values[op.results[0]] = _BINARY[type(op)](*map(get, op.operands))
            case _:
                assert op.name in ("scf.yield", "ptx.ret"), op.name

    def _access(self, op: Access) -> None:
        memory = self._get(op.memory)
        *rows, column = (self._get(each) for each in op.mixed_indices)
        shape = vector_shape(op.vector.type)
        assert shape is not None
        columns = slice(int(column), int(column) + shape[0])
        by_row = isinstance(op, LocalLoadOp | LocalStoreOp | GlobalStoreOp)
        where = (np.broadcast_to(rows[0], 128) if by_row else slice(None), columns)
        if isinstance(op, Load):
            self._values[op.result] = memory[where].copy()
        elif isinstance(op, Store):
            memory[where] = self._get(op.value)


def mutants(module: ModuleOp) -> Iterator[ModuleOp]:
    """Copies of a module, each with an operation of the role dropped, doubled or moved."""
    count = len(operations_of(module))
    for number in range(count):
        for change in (_drop, _double, _move_up, _move_down, _move_out):
            copy = module.clone()
            op = operations_of(copy)[number]
            is_inside = any(isinstance(each, RoleOp) for each in enclosing(op))
            if is_inside and op.name != "scf.yield" and change(op) and _is_dominated(copy):
                yield copy


def _drop(op: Operation) -> bool:
    if any(result.uses for result in op.results):
        return False
    op.detach()
    op.erase()
    return True


def _double(op: Operation) -> bool:
    assert op.parent is not None
    op.parent.insert_op_after(op.clone(), op)
    return True


def _move_up(op: Operation) -> bool:
    return op.prev_op is not None and _move_down(op.prev_op)


def _move_down(op: Operation) -> bool:
    after, block = op.next_op, op.parent
    if after is None or block is None or after.name == "scf.yield":
        return False
    op.detach()
    block.insert_op_after(op, after)
    return True


def _move_out(op: Operation) -> bool:
    around = op.parent_op()
    if not isinstance(around, scf.ForOp | scf.IfOp) or around.parent is None:
        return False
    op.detach()
    around.parent.insert_op_after(op, around)
    return True


def _is_dominated(module: ModuleOp) -> bool:
    """Whether each operand is defined before, in a block around its user."""
    seen: set[Any] = set()

    def check(block: Block) -> bool:
        before = {*seen, *block.args}
        for op in block.ops:
            seen.update(before)
            if not before.issuperset(op.operands):
                return False
            for region in op.regions:
                for inner in region.blocks:
                    seen.clear()
                    seen.update(before)
                    if not check(inner):
                        return False
            before.update(op.results)
        return True

    return check(module.body.block)
