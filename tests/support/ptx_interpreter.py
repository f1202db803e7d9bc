"""
Interpreter of the integer instructions of `ptx`, written from the manual.

It computes on bits and shares nothing with the folding of the passes.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.instructions import LdOp, RetOp, StOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import ConstantOp

_FLOAT_FORMATS = {"f16": "e", "f32": "f", "f64": "d"}


def _text(op: Operation, name: str) -> str:
    value: Any = op.properties[name]
    return str(value.data)


def _number(bits: int, type_: str) -> Any:
    """The number that bits stand for as a type such as `s32`, `u16`, `b64` or `f32`."""
    if type_ == "bf16":
        bits, type_ = bits << 16, "f32"
    if type_ in _FLOAT_FORMATS:
        return struct.unpack(_FLOAT_FORMATS[type_], bits.to_bytes(int(type_[1:]) // 8, "little"))[0]
    width = 1 if type_ == "pred" else int(type_[1:])
    bits &= (1 << width) - 1
    return bits - (1 << width) if type_[0] == "s" and bits >> (width - 1) else bits


def _quotient(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


_BINARY: dict[type[Operation], Callable[[int, int], int]] = {
    instructions.AddOp: lambda x, y: x + y,
    instructions.SubOp: lambda x, y: x - y,
    instructions.MulOp: lambda x, y: x * y,
    instructions.MulWideOp: lambda x, y: x * y,
    instructions.DivOp: _quotient,
    instructions.RemOp: lambda x, y: x - y * _quotient(x, y),
    instructions.MinOp: min,
    instructions.MaxOp: max,
    instructions.AndOp: lambda x, y: x & y,
    instructions.OrOp: lambda x, y: x | y,
    instructions.XorOp: lambda x, y: x ^ y,
}
_ORDERED: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x < y or x > y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def _compare(comparison: str, x: Any, y: Any) -> bool:
    unordered = x != x or y != y
    if comparison in ("num", "nan"):
        return unordered == (comparison == "nan")
    if comparison in _ORDERED:
        return _ORDERED[comparison](x, y)
    return unordered or _ORDERED[comparison.removesuffix("u")](x, y)


def _width(value: SSAValue) -> int:
    assert isinstance(value.type, FixedBitwidthType)
    return value.type.bitwidth


def _compute(op: Operation, bits: Sequence[int]) -> int:
    """The result of an instruction, before it is cut to the width of its register."""
    if isinstance(op, ConstantOp):
        assert isinstance(op.value, IntegerAttr)
        return op.value.value.data
    type_ = _text(op, "type")
    numbers = [_number(x, type_) for x in bits]
    match op:
        case instructions.MulOp() if _text(op, "half") != "lo":
            raise AssertionError(f"this interpreter does not know {op.name}")
        case instructions.SetpOp():
            return int(_compare(_text(op, "comparison"), *numbers))
        case instructions.SelpOp():
            return bits[0] if bits[2] else bits[1]
        case instructions.NotOp():
            return ~bits[0]
        case instructions.MovOp():
            return bits[0]
        case instructions.CvtOp():
            return int(_number(bits[0], _text(op, "source")))
        case instructions.ShlOp():
            return bits[0] << min(bits[1], 64)
        case instructions.ShrOp():
            return numbers[0] >> min(bits[1], 64)
        case instructions.PackOp():
            width = _width(op.operands[0])
            return sum(part << index * width for index, part in enumerate(bits))
        case _:
            return _BINARY[type(op)](*numbers)


def execute(
    module: ModuleOp, arguments: Sequence[int], limit: int = 10_000
) -> tuple[list[int], list[int]]:
    """
    Run the one kernel of a module. Returns the bits that it stores, in order, wherever it stores
    them, and those of the arguments of the block in which it ends. What it loads is zero.
    """
    (kernel,) = (op for op in module.ops if isinstance(op, KernelOp))
    block = kernel.body.blocks[0]
    values: dict[SSAValue, int] = dict(zip(block.args, arguments, strict=True))
    stored: list[int] = []
    for _ in range(limit):
        for op in block.ops:
            bits = [values[operand] for operand in op.operands]
            match op:
                case LdOp():
                    values.update(dict.fromkeys(op.values, 0))
                case StOp():
                    stored += [values[value] for value in op.values]
                case RetOp():
                    return stored, [values[argument] for argument in block.args]
                case BraOp() | CondBraOp():
                    edge = op.successors[0], bits
                    if isinstance(op, CondBraOp):
                        middle = 1 + len(op.then_arguments)
                        edge = (
                            (op.then_block, bits[1:middle])
                            if bits[0]
                            else (op.else_block, bits[middle:])
                        )
                    block = edge[0]
                    values.update(zip(block.args, edge[1], strict=True))
                case _:
                    (result,) = op.results
                    values[result] = _compute(op, bits) & ((1 << _width(result)) - 1)
    raise RuntimeError("the kernel does not end")


def run(module: ModuleOp, arguments: Sequence[int]) -> list[int]:
    """The bits that the one kernel of a module stores."""
    return execute(module, arguments)[0]
