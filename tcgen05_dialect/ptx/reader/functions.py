"""The functions of PTX text, and what holds for whole kernels: one cta_group (9.7.16.5)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr

from ...isa import ptx_text
from ...isa.operands import SAME_CTA_GROUP
from ..instruction import syntax_of
from .fault import Fault
from .lexer import is_name
from .match import Matched
from .syntax_tree import Close, Directive, Instruction, Open, Operand, Statement

_CTA_GROUP = "cta_group"


class Function(NamedTuple):
    """The statements of the body of a function, and what its header says."""

    name: str
    is_kernel: bool
    body: Sequence[Statement]


def functions_of(statements: Sequence[Statement]) -> Iterator[Function]:
    """The functions that have a body, and without name what stands outside of them."""
    header: Sequence[str] = ()
    body, outside = list[Statement](), list[Statement]()
    depth = 0
    for statement in statements:
        match statement:
            case Open():
                depth += 1
            case Close():
                depth -= 1
                if depth == 0:
                    yield Function(_name(header), ptx_text.KERNEL in header, body)
                    header, body = (), []
            case _:
                (body if depth else outside).append(statement)
                if not depth and isinstance(statement, Directive):
                    header = statement.words
    yield Function(_name(header), ptx_text.KERNEL in header, body)
    yield Function("", False, outside)


def _name(header: Sequence[str]) -> str:
    """The name in a header: the first one that is not in parentheses."""
    depth = 0
    for word in header:
        depth += (word == "(") - (word == ")")
        if depth == 0 and is_name(word):
            return word
    return ""


def cta_group_faults(
    functions: Sequence[Function], read: Mapping[int, Matched]
) -> Iterator[tuple[Fault, Matched]]:
    """
    The instructions whose cta_group is not that of the first one of their kernel, to which the
    functions belong that it calls. `read` says which operation a statement is, by its identity.
    """
    by_name = {function.name: function for function in functions}
    seen: set[int] = set()
    for kernel in functions:
        if not kernel.is_kernel:
            continue
        first: str | None = None
        for statement in _instructions(kernel, by_name):
            matched = read.get(id(statement))
            group = None if matched is None else matched.op.properties.get(_CTA_GROUP)
            if matched is None or not isinstance(group, StringAttr):
                continue
            text = syntax_of(type(matched.op)).spellings[_CTA_GROUP][group.data]
            first = text if first is None else first
            if text != first and id(statement) not in seen:
                seen.add(id(statement))
                violation = SAME_CTA_GROUP.violation(text, first)
                yield Fault(violation, statement.start, statement.end), matched


def _instructions(kernel: Function, by_name: Mapping[str, Function]) -> Iterator[Instruction]:
    """The instructions of a kernel, and of the functions that it calls by their names."""
    pending, known = [kernel], {kernel.name}
    while pending:
        for statement in pending.pop().body:
            if not isinstance(statement, Instruction):
                continue
            yield statement
            if statement.opcode[0].text == ptx_text.CALL:
                called = {name for each in statement.operands for name in _words(each)}
                new = [name for name in sorted(called & by_name.keys()) if name not in known]
                known.update(new)
                pending.extend(by_name[name] for name in new)


def _words(operand: Operand) -> Iterator[str]:
    yield from operand.words
    for part in operand.parts:
        yield from _words(part)
