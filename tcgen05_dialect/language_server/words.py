"""The words of IR and PTX, from tables and dialects: completion and explanations."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import IRDLOperation

from ..calculator.descriptors import instruction_descriptor, shared_memory_descriptor
from ..dialects import DIALECTS, OWN
from ..isa.effects.table import EFFECTS, described
from ..isa.instructions import table
from ..isa.mma.shapes import KINDS
from ..isa.model.rule import Violation
from ..isa.ptx import kernel, ptx_text
from ..isa.ptx.ptx_text import FAMILY, NAMES
from ..isa.shared_memory.descriptor import SharedMemoryDescriptor
from ..language import Language
from ..operations.syntax import docstring, ptx_syntax, qualifier_words, syntax
from ..ptx.dialect import PTX
from ..ptx.instruction import Instruction, syntax_of
from ..ptx.text.syntax import LiteralText
from ..reporting import diagnostics
from ..reporting.project import RULES, rules


class Word(NamedTuple):
    """A word of a completion: its kind, and a line about it."""

    text: str
    kind: str
    """`operation`, `type`, `attribute`, `rule`, `name`, `qualifier` or `directive`."""
    detail: str = ""


@cache
def operations() -> dict[str, type[Operation]]:
    """All operations of IR, by name."""
    return {each.name: each for load in DIALECTS.values() for each in load().operations}


@cache
def _instructions() -> dict[str, list[tuple[frozenset[str], type[Instruction]]]]:
    """The first word of an opcode in PTX -> its instructions, each with its fixed words."""
    found: dict[str, list[tuple[frozenset[str], type[Instruction]]]] = {}
    for each in PTX.operations:
        if issubclass(each, Instruction):
            line = "".join(
                part.text if isinstance(part, LiteralText) else ".*"
                for part in syntax_of(each).line
            )
            first, *others = line.split(" ")[0].split(".")
            fixed = frozenset(word for word in others if word and "*" not in word)
            found.setdefault(first, []).append((fixed, each))
    return found


def instruction(opcode: str) -> type[Instruction] | None:
    """The instruction with an opcode of PTX, such as `ld.shared.b32`: that which explains most of
    its words; None if there is none."""
    first, *words = opcode.split(".")
    fitting = [each for each in _instructions().get(first, ()) if each[0] <= {*words}]
    return max(fitting, key=lambda each: len(each[0]))[1] if fitting else None


# Explanations, in Markdown.


def about(word: str, language: Language, line: str) -> str:
    """The meaning of a word in a line; empty if it is not a word of the language."""
    if word.startswith("T5-"):
        return about_rule(word)
    if word[0].isdecimal():
        return about_number(word, line)
    if word[0] in "!#":
        return next((docstring(each).prose for each in _attributes() if _spelled(each) == word), "")
    found = instruction(word) if language == "PTX" else operations().get(word)
    return "" if found is None else about_operation(found, language)


def _attributes() -> Iterator[type[Attribute]]:
    """The types and attributes of the dialects of this project."""
    for load in OWN.values():
        yield from load().attributes


def _spelled(attribute: type[Attribute]) -> str:
    return f"{'!' if issubclass(attribute, TypeAttribute) else '#'}{attribute.name}"


def about_operation(op_type: type[Operation], language: Language) -> str:
    """Syntax, meaning, effects and section of an operation."""
    if not issubclass(op_type, IRDLOperation):
        return ""
    name = op_type.name.removeprefix("ptx.")
    said = [f"```mlir\n{syntax(op_type)}\n```", docstring(op_type).prose]
    if issubclass(op_type, Instruction):
        said.insert(language == "IR", f"```ptx\n{ptx_syntax(op_type)}\n```")
        said += [f"_{words}_"] if (words := qualifier_words(op_type)) else []
    effects = EFFECTS.get(name)
    facts = described(effects) if effects is not None else dict[str, str]()
    said += ["\n".join(f"- {head}: {fact}" for head, fact in facts.items() if fact)]
    if "section" not in facts and table.family_of(name) is not None:
        said.append(f"PTX ISA {table.row(name).section}")
    return "\n\n".join(filter(None, said))


def about_rule(id: str) -> str:
    """Statement, reason and fix of a rule; empty for an unknown rule."""
    if id == diagnostics.ID:
        return f"**{id}**\n\n{diagnostics.STATEMENT} {diagnostics.WHY}"
    rule = rules().get(id)
    if rule is None:
        return ""
    said = [f"**{rule.id}** ({rule.severity})", rule.statement, rule.why]
    said += [f"In practice: {rule.practice}."] if rule.practice else []
    return "\n\n".join([*said, f"Fix: {rule.fix}.", f"[PTX ISA {rule.section}]({address_of(id)})"])


def address_of(id: str) -> str:
    """The web address of a rule; empty for a message without a rule."""
    return f"{RULES}/{rules()[id].file.name}" if id in rules() else ""


_KIND = re.compile(r"\.kind::(\w+)")
_WIDE = 1 << 32
"""Instruction descriptors are less than this."""


def about_number(text: str, line: str) -> str:
    """A number in a line of PTX as an instruction descriptor, if the line is an MMA, or as a shared
    memory descriptor, if it can be one; else empty."""
    try:
        number = int(text.rstrip("U"), 0)
        kind = _KIND.search(line)
        if number < _WIDE:
            is_mma = kind is not None and kind[1] in KINDS and f"{FAMILY}.mma" in line
            answer = instruction_descriptor(kind[1], number) if is_mma and kind else None
        else:
            SharedMemoryDescriptor.decode(number)
            answer = shared_memory_descriptor(number)
    except (ValueError, Violation):
        return ""
    return "" if answer is None else f"```\n{answer.text()}```"


# Completion.


_ALLOW = re.compile(r"//\s*tcgen05:\s*allow\b[\w\s,-]*$")
_TYPED = re.compile(r"[!#%@^$.\w:-]*$")
_SIGNS = ("!", "#", "%", "@", "^")
_STATEMENT = re.compile(r"\s*(?:%[^=]*=\s*)?(?:@!?[%\w$]+\s+)?$")
_OPERATION = re.compile(r'^\s*(?:%[^=]*=\s*)?"?([a-z_]\w*(?:\.\w+)+)')


def completions(before: str, language: Language, names: Iterable[str]) -> tuple[int, list[Word]]:
    """The words that may continue a line of which `before` has been typed, and how many of its last
    characters they replace. `names` are those of the text."""
    comment = before.find("//")
    typed = _TYPED.search(before)
    word = "" if typed is None else typed[0]
    if comment >= 0:
        word = word.rpartition(":")[2]
        listed = _rules() if _ALLOW.search(before) else ()
    elif language == "PTX":
        word, listed = _of_ptx(before, word, names)
    else:
        listed = _of_ir(before, word, names)
    return len(word), [each for each in listed if each.text.startswith(word)]


def _summary(owner: type) -> str:
    """The first sentence about an operation, a type or an attribute."""
    return re.split(r"[.:](?:\s|$)", docstring(owner).prose, maxsplit=1)[0]


def _rules() -> Iterator[Word]:
    for rule in rules().values():
        yield Word(rule.id, "rule", rule.statement)


def _of_ir(before: str, word: str, names: Iterable[str]) -> Iterator[Word]:
    if word[:1] in _SIGNS:
        yield from (Word(each, "name") for each in names)
    if word[:1] in ("!", "#"):
        for each in _attributes():
            kind = "type" if issubclass(each, TypeAttribute) else "attribute"
            yield Word(_spelled(each), kind, _summary(each))
    elif _STATEMENT.fullmatch(before[: len(before) - len(word)]):
        for name, op_type in operations().items():
            yield Word(name, "operation", _summary(op_type))
    elif (match := _OPERATION.match(before)) and (op_type := operations().get(match[1])):
        if issubclass(op_type, Instruction):
            for each in syntax_of(op_type).qualifiers:
                yield from (Word(text, "qualifier", each.name) for text in sorted(each.spellings))
        elif issubclass(op_type, IRDLOperation):
            yield from (
                Word(each, "attribute") for each in op_type.get_irdl_definition().properties
            )


def _of_ptx(before: str, word: str, names: Iterable[str]) -> tuple[str, Iterator[Word]]:
    """The word to replace, and the words that may be there."""
    is_first = _STATEMENT.fullmatch(before[: len(before) - len(word)]) is not None
    head, dot, last = word.rpartition(".")
    if is_first and dot and head:
        return last, _qualifiers(head)
    if word.startswith("."):
        return word, iter(Word(each, "directive") for each in directives())
    return word, _operands(names) if not is_first else _mnemonics()


def _qualifiers(opcode: str) -> Iterator[Word]:
    """The words that may follow the beginning of an opcode."""
    first, *words = opcode.split(".")
    found: dict[str, str] = {}
    for fixed, each in _instructions().get(first, ()):
        spellings = syntax_of(each).spellings.values()
        texts = (text for spelled in spellings for text in spelled.values())
        for text in (*fixed, *texts):
            found.setdefault(text.lstrip("."), _summary(each))
    yield from (Word(text, "qualifier", said) for text, said in found.items() if text not in words)


def _mnemonics() -> Iterator[Word]:
    for first, found in _instructions().items():
        for fixed, each in found:
            name = each.name.removeprefix("ptx.")
            if {*name.split(".")} <= {first, *fixed}:
                yield Word(name, "operation", _summary(each))


def directives() -> list[str]:
    """Directives of PTX, types of registers and state spaces."""
    single = ptx_text.REGISTER, ptx_text.ALIGN, ptx_text.PRAGMA, kernel.CLUSTER
    extents = (line for each in kernel.EXTENTS.values() for line in each.ptx.split("\n"))
    groups = ptx_text.FUNCTIONS, ptx_text.VARIABLES, ptx_text.LINKING, ptx_text.REGISTER_BITS
    return sorted({*single, *extents, *ptx_text.LINE_DIRECTIVES, *(w for g in groups for w in g)})


def _operands(names: Iterable[str]) -> Iterator[Word]:
    yield from (Word(each, "name") for each in names)
    yield from (Word(each, "name", "special register") for each in NAMES)
