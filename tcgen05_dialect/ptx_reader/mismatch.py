"""Explanations of PTX statements that match no instruction of the dialect."""

from collections.abc import Sequence

from ..isa.model.rule import did_you_mean
from ..isa.ptx import ptx_text
from .candidates import Definition, candidates_of, has_key, instructions
from .diagnosis import operands_fault, qualifier_fault
from .fault import Fault
from .operand_matching import OperandFault
from .qualifier_matching import QualifierFault, match_qualifiers
from .syntax_tree import InstructionStatement, Statement


def nearest_fault(
    faults: Sequence[tuple[Fault, Definition]],
    candidates: Sequence[Definition],
    statements: Sequence[Statement],
) -> Fault:
    """The fault of the nearest candidate, explained: the one to report."""

    def nearness(known: tuple[Fault, Definition]) -> tuple[bool, int, int, int, int]:
        fault, definition = known
        # Special registers make names of instructions longer, but are operands.
        has_form = not isinstance(fault, QualifierFault | OperandFault)
        return has_form, len(definition.instruction.key), *_nearness(fault)

    fault, nearest = max(faults, key=nearness)
    explained = _explained(fault, nearest, candidates, statements)
    for each in (explained, *explained.others):
        each.subject = nearest.instruction.name
    return explained


def _explained(
    fault: Fault,
    nearest: Definition,
    candidates: Sequence[Definition],
    statements: Sequence[Statement],
) -> Fault:
    """The fault of the nearest candidate, explained by the other candidates."""
    key = nearest.instruction.key
    others = [
        each.candidate for each in candidates if each.instruction.key == key and each != nearest
    ]
    statement = statements[nearest.place]
    assert isinstance(statement, InstructionStatement)
    if isinstance(fault, QualifierFault):
        return qualifier_fault(fault, nearest.candidate, others)
    if isinstance(fault, OperandFault):
        pattern = nearest.instruction
        qualifiers = match_qualifiers(pattern, statement.opcode[len(pattern.opcode) :])
        return operands_fault(fault, nearest.candidate, qualifiers, statement.operands, others)
    return fault


def _nearness(fault: Fault) -> tuple[int, int, int]:
    """A measure of how much of an instruction matches, to choose the fault to report."""
    match fault:
        case QualifierFault(misfits=(misplaced, replaced)):
            return -misplaced, -replaced, 0
        case OperandFault(place=place):
            return 0, 0, 1 + place
        case _:
            return 0, 0, 1 << 30


def unknown(statement: InstructionStatement) -> Fault:
    """The fault of an instruction that the dialect does not have, at the first word that no name
    of an instruction has after the words before it."""
    words = statement.opcode
    shared = known_words(statement)
    found = "".join(word.text for word in words[: shared + 1])
    legal = frozenset(
        "".join(candidate.instruction.key[: shared + 1])
        for candidate in candidates_of(statement.first)
        if len(candidate.instruction.key) > shared
        and has_key(statement, candidate.instruction, shared)
    ) or frozenset(instructions())
    help = did_you_mean(found, legal) or did_you_mean(found.partition("::")[0], legal)
    violation = ptx_text.INSTRUCTION_RULE.violation(found, legal, help=help)
    return Fault(violation, words[0].start, words[min(shared, len(words) - 1)].end)


def known_words(statement: InstructionStatement) -> int:
    """The greatest number of first words that a statement shares with the name of an
    instruction."""
    shared = 1
    while shared < len(statement.opcode) and any(
        has_key(statement, candidate.instruction, shared + 1)
        for candidate in candidates_of(statement.first)
        if len(candidate.instruction.key) > shared
    ):
        shared += 1
    return shared
