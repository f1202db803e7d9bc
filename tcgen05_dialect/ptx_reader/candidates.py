"""The instructions of the dialect that a PTX statement may be, by its first words."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ..ptx.dialect import PTX
from ..ptx.instruction import Instruction, first_words, syntax_of
from .diagnosis import Candidate
from .pattern import InstructionPattern, patterns_of
from .syntax_tree import InstructionStatement, Statement


class Definition(NamedTuple):
    """An instruction of the dialect and the patterns of its statements."""

    op_type: type[Instruction]
    patterns: tuple[Statement | InstructionPattern, ...]
    place: int
    """Index of the pattern of the instruction itself."""
    spelling: str | None
    """The name of the syntax line; None for the instruction's own one."""

    @property
    def instruction(self) -> InstructionPattern:
        pattern = self.patterns[self.place]
        assert isinstance(pattern, InstructionPattern)
        return pattern

    @property
    def candidate(self) -> Candidate:
        return syntax_of(self.op_type), self.instruction


@cache
def instructions() -> Mapping[str, Sequence[type[Instruction]]]:
    """The instructions by the first word of their names."""
    found: dict[str, list[type[Instruction]]] = {}
    for op_type in PTX.operations:
        if issubclass(op_type, Instruction):
            for word in first_words(op_type):
                found.setdefault(word, []).append(op_type)
    return found


@lru_cache(maxsize=1024)
def candidates_of(word: str) -> Sequence[Definition]:
    """The instructions whose name has this first word; longer names first. The syntax of others is
    not compiled, which takes long."""
    found: list[Definition] = []
    for op_type in instructions().get(word, ()):
        for spelling, patterns in patterns_of(syntax_of(op_type)).items():
            kinds = [isinstance(pattern, InstructionPattern) for pattern in patterns]
            candidate = Definition(op_type, patterns, kinds.index(True), spelling)
            if candidate.instruction.key[0] == word:
                found.append(candidate)
    found.sort(key=lambda candidate: -len(candidate.instruction.key))
    return found


def has_key(
    statement: InstructionStatement, pattern: InstructionPattern, length: int | None = None
) -> bool:
    """Whether a statement begins with the key of a pattern, or with its first `length` words."""
    key = pattern.key[:length]
    words = [word.text for word in statement.opcode[: len(key)]]
    fixed = len(pattern.opcode)
    # A word of the opcode is whole: `.shared::cluster` is not `.shared`.
    return len(words) == len(key) and all(
        word == text or (index >= fixed and word.startswith(f"{text}::"))
        for index, (word, text) in enumerate(zip(words, key, strict=True))
    )
