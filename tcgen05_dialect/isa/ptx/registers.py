"""Operands of instructions: registers, constants and addresses (4.5.2, 5.2, 6.4, 9.4)."""

from __future__ import annotations

from collections.abc import Mapping

from tcgen05_dialect.isa.model.rule import rule

TYPE_RULE = rule("T5-PTX-080")
REGISTER_RULE = rule("T5-PTX-081")

TYPE_BITS: Mapping[str, int] = {
    **{f"{kind}{bits}": bits for kind in "bsu" for bits in (8, 16, 32, 64)},
    "b128": 128,
    "f16": 16,
    "f16x2": 32,
    "f32": 32,
    "f64": 64,
}
"""Fundamental type, other than pred -> its size in bits (5.2.1)."""

OPERAND_BITS: Mapping[str, int] = {
    **TYPE_BITS,
    "bf16": 16,
    "bf16x2": 32,
    **{f"{element}x{count}": 8 * count for element in ("e4m3", "e5m2") for count in (2, 4)},
}
"""Type of an operand in memory -> its size in bits, with the alternate types (5.2.3)."""
PARAMETER_BITS = 16
"""The least size in bits of a register that receives a parameter of a kernel."""


def copy_of(type_: str) -> str:
    """The opcode that copies a register of a bit-size type: mov has no type of 8 bits (9.7.9.1)."""
    return "cvt.u8.u8" if type_ == "b8" else f"mov.{type_}"


IMMEDIATE_BITS = 32
"""Size in bits of immediate operands and of offsets in addresses (6.4.1)."""
ADDRESS_OFFSETS = range(-(1 << IMMEDIATE_BITS - 1), 1 << IMMEDIATE_BITS - 1)
"""Offsets from the register or variable of an address operand (6.4.1)."""
