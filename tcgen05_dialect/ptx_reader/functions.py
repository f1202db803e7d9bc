"""The functions in PTX text, and the check that a kernel uses only one cta_group (9.7.16.5)."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr

from ..isa.cta_group import SAME_CTA_GROUP, check_pairs
from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import EXTENTS
from ..ptx.instruction import syntax_of
from ..ptx.tcgen05_base import CTA_GROUPS
from .constant_expression import integer
from .fault import Fault
from .match import Matched
from .syntax_tree import Close, Directive, InstructionStatement, Open, Operand, Statement
from .tokens import is_name

_CTA_GROUP = "cta_group"
_CLUSTER = EXTENTS["cluster_dims"].ptx.splitlines()[-1]


class Function(NamedTuple):
    """A function: its name, its kind, its body, and the size of its cluster."""

    name: str
    is_kernel: bool
    body: Sequence[Statement]
    cluster: int | None = None
    """The number of CTAs in a cluster; None if the header does not give it."""


def functions_of(statements: Sequence[Statement]) -> Iterator[Function]:
    """The functions with a body, and one without a name for the statements outside functions."""
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
                    is_kernel = ptx_text.KERNEL in header
                    yield Function(_name(header), is_kernel, body, _cluster(header))
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


def _cluster(header: Sequence[str]) -> int | None:
    """The number of CTAs in a cluster, if the header gives it."""
    if _CLUSTER not in header:
        return None
    extents: list[int] = []
    for word in header[header.index(_CLUSTER) + 1 :]:
        if (extent := integer(word)) is not None:
            extents.append(extent)
        elif word != ",":
            break
    return prod(extents) if extents else None


def cta_group_faults(
    functions: Sequence[Function], read: Mapping[int, Matched]
) -> Iterator[tuple[Fault, Matched]]:
    """
    The instructions whose cta_group differs from that of the first instruction of the kernel; and
    this first instruction, if its CTAs do not fit the cluster. Functions that a kernel calls belong
    to the kernel. `read` maps the identity of a statement to its operation.
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
            if first is None:
                first = text
                try:
                    if kernel.cluster is not None:
                        check_pairs(CTA_GROUPS[group.data], kernel.cluster)
                except Violation as violation:
                    yield Fault(violation, statement.start, statement.end), matched
            if text != first and id(statement) not in seen:
                seen.add(id(statement))
                violation = SAME_CTA_GROUP.violation(text, first)
                yield Fault(violation, statement.start, statement.end), matched


def _instructions(
    kernel: Function, by_name: Mapping[str, Function]
) -> Iterator[InstructionStatement]:
    """The instructions of a kernel and of the functions that it calls by name."""
    pending, known = [kernel], {kernel.name}
    while pending:
        for statement in pending.pop().body:
            if not isinstance(statement, InstructionStatement):
                continue
            yield statement
            if statement.first == ptx_text.CALL:
                called = {name for each in statement.operands for name in _words(each)}
                new = [name for name in sorted(called & by_name.keys()) if name not in known]
                known.update(new)
                pending.extend(by_name[name] for name in new)


def _words(operand: Operand) -> Iterator[str]:
    yield from operand.words
    for part in operand.parts:
        yield from _words(part)
