"""Instructions for matrix products: tcgen05.mma."""

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.ir import Operation

from ...ptx.syntax import offset_of
from ...ptx.tcgen05_mma import OPERATIONS, Mma
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..product.product import ProductExecution, instruction_descriptor
from .tcgen05 import cta_group
from .tensor_core import descriptor_word, issue


def _mma(op: Mma, program: Program) -> Step:
    form, kind, ctas = op.form(), op.kind_name, op.ctas
    registers: dict[str, int] = {}
    lanes: Sequence[int] = ()
    for operand in op.product.operands:
        if operand.holder == "vector":
            lanes = program.operands(op, operand.name)
        elif operand.holder == "register":
            registers.update((operand.name, at) for at in program.operands(op, operand.name))
    offsets = {name: offset_of(op, name) for name in registers}
    scale: Any = op.properties.get("scale_input_d")
    descriptors = [each.name for each in form.matrices_in("shared")]
    exponent: int = 0 if scale is None else scale.value.data

    def product(group: Group, lane: int) -> ProductExecution:
        values = {name: int(group.read(at)[lane]) + offsets[name] for name, at in registers.items()}
        for name in descriptors:
            values[name] = descriptor_word(op, group, name, values[name])
        return ProductExecution(
            form=form,
            ctas=cta_group(group, ctas),
            idesc=instruction_descriptor(kind, values["idesc"]),
            values=values,
            scale_input_d=exponent,
            disabled=tuple(int(group.read(at)[lane]) for at in lanes),
        )

    def step(group: Group) -> Wait | None:
        for lane in group.lanes:
            multiply = product(group, lane)
            idesc = multiply.idesc
            key = (multiply.values["d"], idesc.m, idesc.n)
            steps = multiply.issue()
            issue(op, group, lane, "mma", key, ctas, [*multiply.touched()], steps)
            if group.machine.records:
                multiply.record(op, group.machine.provenance)
            statistics = group.machine.statistics
            statistics.matrix_products += 1
            statistics.multiply_adds += multiply.multiply_adds
        return None

    return step


HANDLERS: Mapping[type[Operation], Handler] = dict.fromkeys(OPERATIONS.values(), _mma)
