"""The matrix products of the fifth-generation tensor cores."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import tcgen05_mma as ops
from ...ptx.tcgen05_mma import Mma
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..product.product import Product, instruction_descriptor
from .tcgen05 import offset_of, pair_of
from .tensor_core import issue

_ADDRESSES = ("d", "a", "metadata", "scale_a", "scale_b")
_SINGLE = (*_ADDRESSES, "b", "idesc", "enable_input_d", "zero_column_mask")


def _mma(op: Mma, program: Program) -> Step:
    registers = {
        name: index for name in _SINGLE if hasattr(op, name) for index in program.operands(op, name)
    }
    lanes = (
        program.operands(op, "disable_output_lane") if hasattr(op, "disable_output_lane") else []
    )
    offsets = {name: offset_of(op, name) for name in _ADDRESSES}
    form, kind, ctas = op.form(), op.kind_name, op.ctas
    scale: Any = getattr(op, "scale_input_d", None)
    exponent: int = 0 if scale is None else scale.value.data

    def product(group: Group, lane: int) -> Product:
        given = {
            name: int(group.read(index)[lane]) + offsets.get(name, 0)
            for name, index in registers.items()
        }
        return Product(
            form,
            pair_of(group, ctas),
            instruction_descriptor(kind, given["idesc"]),
            given["d"],
            given["a"],
            given["b"],
            bool(given["enable_input_d"]),
            exponent,
            tuple(int(group.read(index)[lane]) for index in lanes),
            given.get("metadata"),
            given.get("scale_a"),
            given.get("scale_b"),
            given.get("zero_column_mask"),
        )

    def step(group: Group) -> Wait | None:
        for lane in np.flatnonzero(group.mask):
            multiply = product(group, int(lane))
            idesc = multiply.idesc
            key = (multiply.d, idesc.m, idesc.n)
            steps = multiply.issue()
            issue(op, group, int(lane), "mma", key, ctas, multiply.touched(), steps)
            statistics = group.machine.statistics
            statistics.matrix_products += 1
            statistics.multiply_adds += multiply.multiply_adds
        return None

    return step


_OPERATIONS: tuple[type[Mma], ...] = (
    ops.MmaOp,
    ops.MmaBlockScaleOp,
    ops.MmaSpOp,
    ops.MmaSpBlockScaleOp,
    ops.MmaWsOp,
    ops.MmaWsSpOp,
)
HANDLERS: Mapping[type[Operation], Handler] = dict.fromkeys(_OPERATIONS, _mma)
