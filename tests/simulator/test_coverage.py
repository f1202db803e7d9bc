"""Test of the coverage of the emulator: it executes every instruction of `ptx`."""

from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.simulator.instructions import handlers_of


def test_every_instruction_has_a_handler() -> None:
    instructions = {op for op in PTX.operations if issubclass(op, Instruction)}
    assert sorted(op.name for op in instructions - handlers_of(instructions).keys()) == []
