"""Operands of an MMA by name, in each memory that the ISA allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tcgen05_dialect.calculator.matrix import Matrix
from tcgen05_dialect.calculator.multiplication import Multiplication
from tcgen05_dialect.calculator.placement import Placement
from tcgen05_dialect.calculator.question import QuestionError
from tcgen05_dialect.calculator.scale_operands import shared_scales, tensor_scales
from tcgen05_dialect.calculator.shared_operands import shared_tile
from tcgen05_dialect.calculator.tensor_operands import tensor_a, tensor_d, tensor_metadata

Maker = Callable[[Multiplication, str, Placement], Matrix]

OPERANDS: Mapping[str, Mapping[str, Maker]] = {
    "A": {"shared": shared_tile, "tensor": tensor_a},
    "B": {"shared": shared_tile},
    "D": {"tensor": tensor_d},
    "SFA": {"tensor": tensor_scales, "shared": shared_scales},
    "SFB": {"tensor": tensor_scales, "shared": shared_scales},
    "metadata": {"tensor": tensor_metadata},
}
"""Operand -> memory, the usual one first -> function that creates the matrix."""
_USUAL = Placement()
MEMORIES = tuple(dict.fromkeys(memory for made in OPERANDS.values() for memory in made))


def operand_matrix(mma: Multiplication, name: str, placement: Placement = _USUAL) -> Matrix:
    """The operand of an MMA as a matrix in memory. Raises Violation and QuestionError."""
    return OPERANDS[name][memory_of(name, placement)](mma, name, placement)


def memory_of(name: str, placement: Placement) -> str:
    """The memory of an operand. Raises QuestionError."""
    if name not in OPERANDS:
        raise QuestionError("matrix", name, tuple(OPERANDS))
    made = OPERANDS[name]
    memory = placement.memory or next(iter(made))
    if memory not in made:
        raise QuestionError(f"memory of {name}", memory, tuple(made))
    return memory
