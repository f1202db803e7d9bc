"""Errors of PTX text: syntax errors, tcgen05 instructions that break a rule, and kernels that mix
values of cta_group (9.7.16.5)."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, i32
from xdsl.ir import BlockArgument
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, combined
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import EXTENTS
from ..isa.targets import SAME_CTA_GROUP, check_feature, check_pairs
from ..ptx.analysis.known_values import constant_bits, constant_value
from ..ptx.instruction import syntax_of
from ..ptx.kernel import KernelOp
from ..ptx.structure import AddressOfOp, ConstantOp
from ..ptx.tcgen05 import CTA_GROUPS
from ..reporting.diagnostics import (
    CompileError,
    Finding,
    OperationError,
    OperationWithWarnings,
    origin,
    violation_of,
)
from . import Lines, Module, Read, Text, match_statements
from .constant_expression import evaluate_integer, integer
from .declarations import Header, header_of
from .diagnosis import INTEGERS, candidates_of
from .match import Matched, match
from .operands import is_register_name
from .scope import FunctionHeader, declared_variables, parts_of, put_into_module
from .tokens import Close, Directive, Fault, InstructionStatement, Open, Operand, Statement

_CTA_GROUP = "cta_group"
_CLUSTER = EXTENTS["cluster_dims"].ptx.splitlines()[-1]


class Function(NamedTuple):
    """A function, or all statements outside functions, which have no header."""

    header: FunctionHeader | None
    body: Sequence[Statement]

    @property
    def name(self) -> str:
        return "" if self.header is None else self.header.name

    @property
    def cluster(self) -> int | None:
        """The number of CTAs in a cluster; None if the header does not give it."""
        for name, *words in self.header.directives if self.header is not None else ():
            if name == _CLUSTER:
                extents = [extent for word in words if (extent := integer(word)) is not None]
                return prod(extents) if extents else None
        return None


def functions_of(statements: Sequence[Statement]) -> Iterator[Function]:
    """The functions with a body, and the statements outside functions as one without a header."""
    outside: list[Statement] = []
    for part in parts_of(statements):
        if part.function is None:
            outside += part.statements
        else:
            body = (each for each in part.statements[1:] if not isinstance(each, Open | Close))
            yield Function(part.function, [*body])
    yield Function(None, outside)


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
        if kernel.header is None or not kernel.header.is_kernel:
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


_COMPOUND = re.compile(r"\b[a-z]\w*_\w+")
"""A name with an underscore: the IR spelling of a qualifier of several words."""
_VARIABLE = re.compile(r"@([a-zA-Z_$%][\w$]*)")
"""A variable as IR spells it."""


_OPERATION = re.compile(r"(?<![\w./])ptx\.([a-z]\w*)((?:\.\w+)*)")
"""The name of an operation of the dialect; its groups are the first word and the others."""
_MARKED = re.compile(r"(?<![\w@%])([@%])([a-zA-Z_$][\w$]*)(?!\w*: )")
"""A name after the mark that IR has for variables or for values, but not the kernel that a remark
is about."""


class _Address(NamedTuple):
    """The address of a shared variable plus an offset in bytes."""

    variable: str
    offset: int


Constants = Mapping[str, int | _Address]
"""Register -> the number or the address that it holds in the whole function."""


def errors_of(
    text: Text,
    target: str | None = None,
    ptx_version: str | None = None,
    statements: Iterable[Statement] | None = None,
    imported: Sequence[Read] = (),
) -> Iterator[CompileError]:
    """
    The errors of the statements of a text and of its tcgen05 instructions.

    `statements` are those to match, all by default; `imported` are tcgen05 instructions among the
    others, which are valid operations. `target` and `ptx_version` override those in the text. The
    default version is the newest one.
    Without a target, support by target and version is not checked. A descriptor is decoded and
    verified if it is a constant, or a register that the function sets only once, to a constant.
    Raises Violation if `target` or `ptx_version` is unknown.
    """
    module = match_statements(text, text.statements if statements is None else statements)
    yield from module.errors
    if not module.read and not imported:
        return
    faults = list[Fault]()
    header = header_of(text.statements, target, ptx_version, faults)
    functions = [*functions_of(text.statements)]
    variables = declared_variables(text.statements if module.read else ())
    constants = _constants(functions if module.read else (), module, variables)
    for read in module.read:
        _set_constants(read, constants.get(id(read.statement), {}))
        put_into_module(read.matched.op, variables)
        for fault in _faults(read, header):
            fault.violation = _as_written(fault.violation, read.matched)
            fault.subject = read.matched.name
            faults.append(fault)
    for read in imported:
        for fault in _feature_faults(read, header):
            fault.subject = read.matched.name
            faults.append(fault)
    matched = {id(read.statement): read.matched for read in (*module.read, *imported)}
    for fault, each in cta_group_faults(functions, matched):
        fault.subject = each.name
        faults.append(fault)
    yield from map(text.lines.error, faults)


def explained(error: CompileError, statement: InstructionStatement, lines: Lines) -> CompileError:
    """The error of the operation of a statement, with the words and the places of the statement."""
    cause = error.__cause__
    violation = violation_of(cause)
    if violation is None or not isinstance(cause, OperationError):
        return error
    try:
        read = Read(statement, match(statement))
    except Fault:
        return error
    origin_ = origin(cause.operation.location)
    found: list[CompileError] = []
    for part in violation.parts:
        fault = Fault(_as_written(part, read.matched), *_span(part.culprit, read))
        fault.subject = f"{read.matched.name}{', from ' if origin_ else ''}{origin_}"
        found.append(lines.error(fault))
    findings = [each for error in found for each in error.findings]
    for first in error.findings[:1]:
        # The fix is that of the whole finding.
        findings[0] = findings[0]._replace(fix=first.fix, edits=first.edits, replay=first.replay)
    explained = CompileError(found[0].message, found[0].location, findings=findings)
    explained.__cause__, explained.about_fix = cause, error.about_fix
    return explained


def in_ptx(finding: Finding, text: str) -> Finding:
    """A finding about PTX text that has the names of the text for instructions, registers and
    variables."""

    def named(found: re.Match[str]) -> str:
        """A name without its mark, if the text has it only so."""
        mark, name = re.escape(found[1]), re.escape(found[2])
        is_marked = re.search(rf"{mark}{name}(?![\w$])", text) is not None
        is_bare = re.search(rf"(?<![\w$%.@]){name}(?![\w$])", text) is not None
        return found[2] if is_bare and not is_marked else found[0]

    def said(sentence: str) -> str:
        return _MARKED.sub(named, _OPERATION.sub(_instruction, sentence))

    return finding._replace(message=said(finding.message), help=said(finding.help))


def _instruction(found: re.Match[str]) -> str:
    """The name in the manual of the instruction of an operation, without qualifiers if it can."""
    if found[0] == KernelOp.name:
        return ptx_text.KERNEL
    names = (
        each.instruction.name
        for each in candidates_of(found[1])
        if each.op_type.name == found[0] and each.spelling is None
    )
    short = f"{found[1]}{found[2]}"
    name = next(names, short)
    return short if f"{name}.".startswith(f"{short}.") else name


def _set_constants(read: Read, constants: Constants) -> None:
    """Replace the registers of an instruction that hold a known number or address."""
    op = read.matched.op
    for index, operand in enumerate(op.operands):
        known = constants.get(read.matched.names.get(operand, ""))
        type_ = INTEGERS.get(operand.type)
        if type_ is None or not isinstance(operand, BlockArgument):
            continue
        if isinstance(known, int):
            op.operands[index] = ConstantOp.of(known, type_).result
        elif known is not None and type_ == i32:
            op.operands[index] = AddressOfOp.of(SymbolRefAttr(known.variable), known.offset).result


def _faults(read: Read, header: Header) -> Iterator[Fault]:
    op = read.matched.op
    try:
        op.verify_()
        if isinstance(op, OperationWithWarnings):
            for part in op.warnings():
                yield Fault(part, *_span(part.culprit, read))
        yield from _feature_faults(read, header)
    except (Violation, VerifyException) as error:
        violation = error if isinstance(error, Violation) else error.__cause__
        if not isinstance(violation, Violation):
            violation = ptx_text.OPERANDS_RULE.violation(str(error), "operands of its syntax")
        for part in violation.parts:
            yield Fault(part, *_span(part.culprit, read))


def _feature_faults(read: Read, header: Header) -> Iterator[Fault]:
    if header.target is None:
        return
    try:
        for feature in ("base", *read.matched.op.features()):
            check_feature(feature, header.target, header.version)
    except Violation as violation:
        for part in violation.parts:
            yield Fault(part, *_span(part.culprit, read))


def _span(culprit: str, read: Read) -> tuple[int, int]:
    """The span of a violation's culprit: an operand or a qualifier, or else the whole opcode."""
    matched, opcode = read.matched, read.statement.opcode
    operand = matched.places.get(culprit) or matched.places.get(culprit.removesuffix("_offset"))
    if operand is not None:
        return operand.start, operand.end
    value = matched.op.properties.get(culprit)
    # A qualifier that the text must not have may have no place in the syntax.
    spellings = syntax_of(type(matched.op)).spellings.get(culprit, {})
    if isinstance(value, StringAttr) and (text := spellings.get(value.data)) is not None:
        # The text may span several words of the opcode, or be part of one word.
        first, *others = re.findall(r"\.[^.]+", text) or [text]
        for index, word in enumerate(opcode):
            if first in word.text:
                return word.start, opcode[index + len(others)].end
    return opcode[0].start, opcode[-1].end


def _as_written(violation: Violation, matched: Matched) -> Violation:
    """The violation with PTX spellings of qualifiers, and negative numbers as in the text."""
    syntax = syntax_of(type(matched.op))
    texts = {
        ir: text
        for spellings in syntax.spellings.values()
        for ir, text in spellings.items()
        if text.startswith(".")
    }
    numbers: dict[object, str] = {}
    for operand in matched.op.operands:
        if isinstance(value := constant_value(operand), int) and value < 0:
            numbers[constant_bits(operand)] = matched.names.get(operand, str(value))

    def said(value: object) -> object:
        if isinstance(value, str):
            value = _VARIABLE.sub(r"\1", value)
            # Other words may be ordinary words of a sentence.
            return texts.get(value) or _COMPOUND.sub(lambda m: texts.get(m[0], m[0]), value)
        if isinstance(value, frozenset):
            return frozenset(map(said, cast("frozenset[object]", value)))
        if isinstance(value, int) and not isinstance(value, bool):
            return numbers.get(value, value)
        return value

    subject = f"{matched.name}, "
    parts = [
        part.replaced(
            found=said(part.found),
            legal=said(part.legal),
            what=str(said(part.what)).removeprefix(subject),
            given={name: said(value) for name, value in part.given.items()},
        )
        for part in violation.parts
    ]
    return combined(parts) or violation


def _constants(
    functions: Sequence[Function], module: Module, variables: Container[str]
) -> dict[int, Constants]:
    """Identity of an instruction -> the constant registers of its function."""
    read = {id(each.statement): each for each in module.read}
    found: dict[int, Constants] = {}
    for function in functions:
        found |= _constants_of(function.body, read, variables)
    return found


def _constants_of(
    function: Sequence[Statement], read: Mapping[int, Read], variables: Container[str]
) -> dict[int, Constants]:
    """
    The registers whose only write in a function is an unconditional mov of a number, or of the
    address of one of the shared variables.

    A name that is declared several times stands for several registers and is left out.
    """
    written, declared = Counter[str](), Counter[str]()
    known: dict[str, int | _Address] = {}
    instructions: list[int] = []
    for statement in function:
        match statement:
            case Directive(words=words) if ptx_text.REGISTER in words:
                declared.update(words)
            case InstructionStatement():
                instructions.append(id(statement))
                written.update(_written(statement, read.get(id(statement))))
                if (moved := _moved(statement, variables)) is not None:
                    known[moved[0]] = moved[1]
            case _:
                pass
    constants = {
        name: number
        for name, number in known.items()
        # `%r2` is declared by its own name or as one of `%r<5>`.
        if written[name] == 1
        and sum(declared[each] for each in {name, name.rstrip("0123456789")}) < 2
    }
    return dict.fromkeys(instructions, constants)


def _written(statement: InstructionStatement, read: Read | None) -> Iterator[str]:
    """The registers that an instruction writes or may write."""
    if read is not None:
        names = read.matched.names
        yield from (names[result] for result in read.matched.op.results)
    elif statement.first == ptx_text.CALL:
        for operand in statement.operands:
            yield from _names(operand)
    elif statement.operands:
        yield from _names(statement.operands[0])


def _names(operand: Operand) -> Iterator[str]:
    """The names in an operand; none for an address, which is only read."""
    if operand.form != "[":
        yield from operand.words
        for part in operand.parts:
            yield from _names(part)


def _moved(
    statement: InstructionStatement, variables: Container[str]
) -> tuple[str, int | _Address] | None:
    """The register and the number or address of an unconditional mov; None for others."""
    words = [word.text for word in statement.opcode]
    if statement.guard is not None or words[0] != "mov" or len(statement.operands) != 2:
        return None
    if words[-1] not in ptx_text.INTEGER_MOVES:
        return None
    register, value = statement.operands
    if register.form or value.form:
        return None
    first, *rest = value.words
    try:
        if first in variables and rest[:1] in ([], ["+"]):
            offset = evaluate_integer(rest[1:]) if rest else 0
            return register.words[0], _Address(first, offset)
        if is_register_name(value.words):
            return None
        return register.words[0], evaluate_integer(value.words)
    except Violation:
        return None
