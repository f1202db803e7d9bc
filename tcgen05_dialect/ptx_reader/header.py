"""The header of PTX text: its `.version` and `.target`, which begin every module (11.1)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.targets import NEWEST, Version, parse_target, parse_version
from .fault import Fault
from .statement_text import statement_text
from .syntax_tree import Directive, InstructionStatement, Statement


class Header(NamedTuple):
    """The target and PTX version of a text; the target is None if it is not known."""

    target: str | None
    version: Version


def header_of(
    statements: Sequence[Statement], target: str | None, version: str | None, faults: list[Fault]
) -> Header:
    """
    The target and version to check against; `target` and `version` override those of the text.

    Unknown targets and versions in the text are ignored and appended to `faults`. Raises Violation
    if `target` or `version` is unknown.
    """
    known = None if version is None else parse_version(version)
    if target is not None:
        parse_target(target)
    for statement in statements:
        if not isinstance(statement, Directive) or len(statement.words) < 2:
            continue
        directive, value = statement.words[:2]
        try:
            if directive == ptx_text.TARGET and target is None:
                target = parse_target(value).name
            elif directive == ptx_text.VERSION and version is None:
                known = parse_version(value)
        except Violation as violation:
            faults.append(Fault(violation, statement.start, statement.end))
    return Header(target, NEWEST if known is None else known)


_DIRECTIVE = re.compile(r"^[ \t]*+(\.\w++)", re.MULTILINE)


def cpu_fault(text: str) -> Fault | None:
    """The fault of a text that is assembly for a CPU, at its first directive that says so."""
    found = [*_DIRECTIVE.finditer(text)]
    if any(each[1] in ptx_text.HEADER for each in found):
        return None
    for each in found:
        if each[1] in ptx_text.CPU_DIRECTIVES:
            sentence = (
                f"the text is not PTX for a GPU: it has neither {ptx_text.VERSION} nor "
                f"{ptx_text.TARGET}, but {each[1]}, a directive of assemblers for CPUs"
            )
            help_ = "generate the text for a GPU: llc needs -march=nvptx64 and -mcpu"
            violation = ptx_text.HEADER_RULE.violation(None, None, sentence=sentence, help=help_)
            return Fault(violation, *each.span(1))
    return None


def header_faults(statements: Sequence[Statement], faults: Sequence[Fault]) -> Iterator[Fault]:
    """
    The fault of a module that does not begin with its header.

    Instructions without a function are not a module and need no header. There is no fault after one
    of `faults`, because a statement that cannot be read may be part of the header.
    """
    for index, directive in enumerate(ptx_text.HEADER):
        statement = statements[index] if index < len(statements) else None
        if isinstance(statement, Directive) and statement.words[0] == directive:
            continue
        if not _is_module(statements):
            return
        what = f"{('first', 'second')[index]} directive"
        if statement is not None:
            start, found = statement.start, _first_word(statement)
            if all(statement.end < fault.start for fault in faults):
                violation = ptx_text.HEADER_RULE.violation(found, directive, what)
                yield Fault(violation, start, start + len(found))
        elif not faults:
            end = statements[-1].end if statements else 0
            violation = ptx_text.HEADER_RULE.violation("the end of the text", directive, what)
            yield Fault(violation, end, end + 1)
        return


def _is_module(statements: Sequence[Statement]) -> bool:
    """Whether statements are a module, and not instructions without a function."""
    if not any(isinstance(statement, InstructionStatement) for statement in statements):
        return True
    return any(
        isinstance(statement, Directive) and not ptx_text.FUNCTIONS.isdisjoint(statement.words)
        for statement in statements
    )


def _first_word(statement: Statement) -> str:
    """The first word of a statement: a directive, an opcode, a guard, a label or a brace."""
    match statement:
        case Directive(words=[word, *_]):
            return word
        case _:
            return statement_text(statement).split()[0].rstrip(";")
