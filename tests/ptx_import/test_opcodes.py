"""Tests of the table of opcodes: it agrees with the instructions of the dialect."""

import re
from collections.abc import Iterator

import pytest

from tcgen05_dialect.isa.ptx.opcodes import BARRIERS, WRITES_FIRST, WRITES_NOTHING, WRITTEN
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.text.syntax import SPELLING
from tcgen05_dialect.ptx_import.names import Access, word_accesses
from tcgen05_dialect.ptx_reader.match import ReadTexts
from tcgen05_dialect.ptx_reader.statements import StatementParser
from tcgen05_dialect.ptx_reader.tokens import InstructionStatement

from ..support.ptx_instances import INSTRUCTIONS, Values, is_legal, points

_OFTEN = 4
"""How many legal forms of an instruction are compared."""
_REGISTER = re.compile(r"%[sd]\d+")


def statements(op_type: type[Instruction]) -> Iterator[InstructionStatement]:
    """Instances of an instruction with all its spellings, as PTX text is read."""
    syntax, values, texts = syntax_of(op_type), Values(), ReadTexts()
    left, missing = _OFTEN, {None, *syntax.also}
    for point in points(op_type):
        spelling = point.properties.get(SPELLING)
        if left <= 0 and spelling not in missing:
            continue
        op = point.build(values)
        if not is_legal(op):
            continue
        left -= 1
        missing.discard(None if spelling is None else str(spelling))
        texts.update((value, f"%s{index}") for index, value in enumerate(op.operands))
        texts.update((value, f"%d{index}") for index, value in enumerate(op.results))
        parser = StatementParser(f"{syntax.ptx(op, texts)};")
        parser.parse()
        (statement,) = parser.statements
        assert isinstance(statement, InstructionStatement) and not parser.faults
        yield statement
        if left <= 0 and not missing:
            return


@pytest.mark.slow
@pytest.mark.parametrize(
    "op_type",
    # A block of statements is read as a whole.
    [each for each in INSTRUCTIONS if not syntax_of(each).is_block],
    ids=lambda op_type: op_type.name,
)
def test_registers_are_written_as_the_instruction_says(op_type: type[Instruction]) -> None:
    """The importer finds the destinations of an instruction that it does not know by its opcode."""
    read = [*statements(op_type)]
    assert read
    for statement in read:
        for word, access in word_accesses(statement):
            if _REGISTER.fullmatch(word):
                assert access is (Access.WRITE if word[1] == "d" else Access.READ), statement


def test_an_opcode_has_one_entry() -> None:
    entries = [*WRITES_FIRST, *BARRIERS, *WRITES_NOTHING, *{words[0] for words in WRITTEN}]
    assert len(entries) == len({*entries})
