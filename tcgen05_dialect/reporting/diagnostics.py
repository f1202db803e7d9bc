"""Diagnostics: messages about single mistakes in an input, each with its rule and its location, in
the text that was read or in the program it comes from."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, FusedLoc, UnregisteredOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, ParsePropInAttrDict
from xdsl.utils.exceptions import DiagnosticException, MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Location, Span

from ..isa.model.rule import Rule, Severity, Violation, plural, printable
from ..isa.practice import without_other_compilers
from ..isa.ptx.kernel import OPERATION_RULE

Word = Literal["verified", "verified in part", "not verified", "not decided"]
"""Verdict on a kernel, in a word."""
HAS_ERRORS = "not verified: it has errors"
"""The sentence on a kernel with errors."""


class Edit(NamedTuple):
    """Replacement of the text between two places of a file. Lines and columns count from 1; the end
    is the place after the replaced text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Finding(NamedTuple):
    """
    One mistake in a file. Lines and columns count from 1; they are 0 if the location is unknown.

    `severity` is that of the rule; see `Rule`. A remark is not a mistake. `rule` and `section` are
    empty for text that cannot be parsed, and for remarks other than those on fixes. `help` says how
    to fix the mistake, if known. `excerpt` is the source line with carets below it, followed by
    those of related locations. `verdict` is that of a remark about the verification of a kernel.

    `fix` describes `edits`, a change of the file that was tried and that removes the mistake; both
    are empty if no such change is known. A remark with edits says that the change was made or would
    be made; its places refer to the text after the changes of earlier remarks. `replay` is a
    command that runs the kernel with data at the sizes of a finding about a whole kernel, or empty.
    `drawing` shows two accesses of different threads that conflict, and the missing step. `related`
    is the line of another operation that the message is about, or 0.
    `suppressed` says what allows a warning: a comment in the text or an option of the command; it
    is empty for all other findings. `unreached` are the lines of the operations that no run
    reached, in a remark about the verification of a kernel.
    """

    file: str
    line: int
    column: int
    severity: Severity | Literal["remark"]
    rule: str
    message: str
    section: str = ""
    help: str = ""
    excerpt: str = ""
    verdict: Word | Literal[""] = ""
    fix: str = ""
    edits: tuple[Edit, ...] = ()
    replay: str = ""
    suppressed: Literal["", "comment", "option"] = ""
    drawing: str = ""
    related: int = 0
    unreached: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The finding as commands print it; all lines but the first are indented."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        rule = f"[{self.rule}]" if self.rule else ""
        head = f"{printable(place)}: " if place else ""
        lines = [f"{head}{self.severity}{rule}: {self.message}", *self.excerpt.splitlines()]
        lines += (f"| {line}" for line in self.drawing.splitlines())
        if self.help:
            lines.append(f"help: {self.help}")
        if self.fix:
            lines.append(f"fix: {self.fix}")
        if self.replay:
            lines.append(f"replay: {self.replay}")
        if self.rule:
            lines.append(f"(PTX ISA {self.section}; tcgen05 explain {self.rule})")
        return printable("\n".join(lines), "\t\n").replace("\n", "\n  ")


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether a command fails because of these findings: errors make it fail, warnings do not."""
    return any(finding.severity == "error" for finding in findings)


def as_errors(findings: Iterable[Finding]) -> list[Finding]:
    """The findings with warnings that are not suppressed as errors, for the option `--strict`. Of a
    kernel with such a warning, the verdict tells of it, too."""
    found: list[Finding] = []
    kernels: dict[str, int] = {}
    """File -> the place among the findings of the verdict on the kernel in which the next is."""
    for finding in findings:
        if finding.verdict:
            kernels[finding.file] = len(found)
        if finding.severity == "warning" and not finding.suppressed:
            finding = finding._replace(severity="error")
            at = kernels.get(finding.file)
            if at is not None and found[at].verdict.startswith("verified"):
                kernel, _, sentence = found[at].message.partition(": ")
                message = f"{kernel}: not verified: its warnings are errors; else {sentence}"
                found[at] = found[at]._replace(message=message, verdict="not verified")
        found.append(finding)
    return found


ID = "T5-INPUT"
STATEMENT = "The input can be read, parsed and compiled."
WHY = "Text that cannot be read breaks no rule of the ISA; the message says what is wrong with it."


def text_place(location: Attribute) -> FileLineColLoc | None:
    """The place in the text that was read; None if it is not known."""
    match location:
        case FileLineColLoc():
            return location
        case FusedLoc(locations=places):
            # The importer of PTX puts the place in the program before that in the PTX text.
            found = [place for place in _members(places) if isinstance(place, FileLineColLoc)]
            return found[-1] if found else None
        case CallSiteLoc(callee=place):
            # The importer of PTX made of a program puts the program in the place of the text.
            return text_place(place)
        case _:
            return None


def read_place(location: Attribute) -> FileLineColLoc | None:
    """The place in the text that was read, even if the text was made of a program, in which then
    `text_place` is."""
    while isinstance(location, CallSiteLoc):
        location = location.caller
    return text_place(location)


def origin(location: Attribute) -> str:
    """The place in the program from which a compiler made the text, such as `kernel.py:66:9`, with
    the calls that the compiler inlined; empty if it is not known."""
    if not isinstance(location, FusedLoc):
        return ""
    members = _members(location.locations)
    return _described(members[0]) if len(members) > 1 else ""


def _members(places: Attribute) -> list[Attribute]:
    return list(getattr(places, "data", ()))


def _described(location: Attribute) -> str:
    parts: list[str] = []
    while isinstance(location, CallSiteLoc):
        parts.append(_described(location.callee))
        location = location.caller
    if isinstance(location, FileLineColLoc):
        name, line, column = location.filename.data, location.line.data, location.column.data
        parts.append(f"{name}:{line}:{column}")
    return ", inlined at ".join(filter(None, parts))


Repeated: TypeAlias = Mapping[Operation, Operation | None]
"""Operation -> one that is valid if and only if it is; None if it is certainly valid."""
NOT_REPEATED: Repeated = MappingProxyType({})


def name_of(operation: Operation) -> str:
    """The name of an operation in the text."""
    return operation.op_name.data if isinstance(operation, UnregisteredOp) else operation.name


def value_name(value: SSAValue, otherwise: str) -> str:
    """The name of a value in the text, or other words for a value that has none."""
    return f"%{value.name_hint}" if value.name_hint else otherwise


class OperationError(DiagnosticException):
    """An error in `operation`; `message` describes it, and may also be about `related`, another
    operation."""

    conflict: Callable[[Callable[[str], str]], str] | None = None
    """Draws the two accesses that it is about, with operations named as in the user's text."""

    def __init__(self, operation: Operation, message: str, related: Operation | None = None):
        super().__init__(f"{name_of(operation)}: {message}")
        self.operation = operation
        self.message = message
        self.related = related


class OperationWithWarnings(Operation, ABC):
    """An operation about which there may be warnings; its verifier raises only errors."""

    @abstractmethod
    def warnings(self) -> Iterable[Violation]:
        """The warnings; none if the operation has an error."""


def located(
    operation: Operation, violation: Violation, related: Operation | None = None
) -> OperationError:
    """The error to raise for a violation by an operation; see `OperationError`."""
    error = OperationError(operation, str(violation), related)
    error.__cause__ = violation
    return error


def rule_of(error: OperationError) -> Rule:
    """The rule that the error of a violation is about."""
    violation = error.__cause__
    assert isinstance(violation, Violation)
    return violation.rule


def no_lowering(operation: Operation, legal: str) -> OperationError:
    """The error to raise for an operation without a lowering to PTX at this point."""
    sentence = f"the operation has no lowering to PTX here; expected {legal}"
    return located(operation, OPERATION_RULE.violation(operation.name, legal, sentence=sentence))


TOO_DEEP = "regions or attributes are nested too deeply"
_EXCERPT_COLUMNS = 160
_MESSAGE_CHARACTERS = 2000
_NOT_A_TAB = re.compile(r"[^\t]")
_BLANKS = "\t\n"
"""Unprintable characters that are kept in messages and excerpts."""


@lru_cache(maxsize=1)
def _lines(text: str) -> list[str]:
    """The lines of a text; cached, because the message of each error in it needs them."""
    return text.split("\n")


class Source(NamedTuple):
    """The text being compiled, its file, the number of lines before it in the file, and, if another
    program made the text of a file, this file: findings name its lines."""

    name: str
    text: str
    lines_before: int = 0
    made_from: "Source | None" = None

    @property
    def program(self) -> "Source":
        """The text whose lines findings name."""
        return self.made_from or self

    def line(self, number: int) -> str | None:
        """The line with this number in the file; None if it is outside the text."""
        lines = _lines(self.text)
        index = number - self.lines_before - 1
        return lines[index] if 0 <= index < len(lines) else None

    def line_of(self, location: Location) -> str | None:
        """The line of the text, or of the file that it was made of, at a location."""
        for source in (self.program, self):
            if location.file == source.name:
                return source.line(location.line)
        return None

    def position(self, line: int, column: int) -> int:
        """The index into the text for a line and a column of the file, both counted from 1."""
        before = _lines(self.text)[: line - self.lines_before - 1]
        return sum(map(len, before)) + len(before) + column - 1

    def place(self, position: int) -> tuple[int, int]:
        """The inverse of `position`."""
        lines_before = self.text.count("\n", 0, position)
        column = position - self.text.rfind("\n", 0, position)
        return self.lines_before + lines_before + 1, column


class TextError(ParseError):
    """An error in a text at a place, and how to fix it, if that is known."""

    def __init__(self, span: Span[str], message: str, help: str = ""):
        super().__init__(span, message)
        self.help = help

    def __str__(self) -> str:
        return str(parse_error(self))


class CompileError(DiagnosticException):
    """
    The errors in an input. `str()` is the text that commands print: for each finding a line
    `file:line:column: error[RULE]: message`; below it the source line with a caret, if known; then
    the help and the section.
    """

    def __init__(
        self,
        message: str,
        location: Location | str | None = None,
        excerpt: str = "",
        findings: Sequence[Finding] = (),
    ):
        super().__init__(message, location, excerpt)
        self.message = _shown(message)
        self.location = location
        self.about_fix = ""
        """How to get a fix, or that none was found."""
        file, line, column = _place(location)
        self.findings: tuple[Finding, ...] = tuple(findings) or (
            Finding(file, line, column, "error", "", self.message, excerpt=excerpt),
        )

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the broken rules; empty for input that cannot be parsed."""
        return tuple(finding.rule for finding in self.findings if finding.rule)

    def findings_in(self, file: str) -> Iterator[Finding]:
        """The findings; a finding without a file gets the name `file`."""
        return (finding._replace(file=finding.file or file) for finding in self.findings)


def _shown(message: str) -> str:
    """A message made printable and limited in length, because it may quote the input."""
    if len(message) > _MESSAGE_CHARACTERS:
        whole, is_cut, _ = message[:_MESSAGE_CHARACTERS].rpartition("\n")
        if is_cut:
            left_out = message.count("\n", len(whole))
            message = f"{whole}\n... ({left_out} more {plural('line', left_out)})"
        else:
            message = f"{message[:_MESSAGE_CHARACTERS]}..."
    return printable(message, _BLANKS)


def _place(location: Location | str | None) -> tuple[str, int, int]:
    """The file, the line and the column; the line and the column are 0 if unknown."""
    if isinstance(location, Location):
        return location.file, location.line, location.col
    return location or "", 0, 0


def violation_of(error: BaseException | None) -> Violation | None:
    """The violation that caused an error; None if there is none."""
    while error is not None and not isinstance(error, Violation):
        error = error.__cause__
    return error


def excerpt_of(line: str | None, column: int, width: int = 1) -> str:
    """A source line with carets below it; `width` is the number of carets."""
    if not line:
        return ""
    line = line.removesuffix("\r")
    start = max(0, column - 1 - _EXCERPT_COLUMNS // 2)
    shown = printable(line[start : start + _EXCERPT_COLUMNS], _BLANKS, "\N{REPLACEMENT CHARACTER}")
    before = shown[: column - 1 - start]
    indent = _NOT_A_TAB.sub(" ", before) if "\t" in before else " " * len(before)
    return f"{shown}\n{indent}{'^' * max(1, min(width, len(shown) - len(before)))}"


Pointing = Callable[[Violation], tuple[Location | str | None, str]]
"""Finds the location of a violation and its excerpt."""


def violation_error(violation: Violation, pointing: Pointing, subject: str = "") -> CompileError:
    """The error for a violation: one finding per part, whose message begins with `subject`."""
    findings: list[Finding] = []
    places: list[Location | str | None] = []
    for part in violation.parts:
        location, excerpt = pointing(part)
        places.append(location)
        rule = part.rule
        findings.append(
            Finding(
                *_place(location),
                rule.severity,
                rule.id,
                _shown(f"{subject}{part.text}"),
                rule.section,
                part.help or rule.fix,
                excerpt,
            )
        )
    message = "; ".join(finding.message for finding in findings)
    return CompileError(message, places[0], findings=findings)


def excerpt_error(
    violation: Violation, subject: str, location: Location, line: str, start: int, width: int
) -> CompileError:
    """The error for a violation in a known line. `line` is the source line or a part of it, in
    which the culprit begins at index `start`."""
    excerpt = excerpt_of(line, start + 1, width)
    return violation_error(violation, lambda _: (location, excerpt), subject)


def _span_error(span: Span[str] | Span[bytes], message: str, lines_before: int = 0) -> CompileError:
    if lines_before and not span.line_offset:
        span = replace(span, line_offset=lines_before)
    location = span.get_location()
    content = span.input.content
    text = content if isinstance(content, str) else content.decode()
    line = Source(location.file, text, span.line_offset).line(location.line)
    excerpt = excerpt_of(line, location.col, span.end - span.start)
    return CompileError(message.rstrip(), location, excerpt)


def parse_error(error: ParseError, lines_before: int = 0) -> CompileError:
    """The error for a ParseError in a text that `lines_before` lines of its file precede; related
    locations follow as notes."""
    found = _span_error(error.span, error.msg, lines_before)
    if (violation := violation_of(error)) is not None:
        location, excerpt = found.location, found.findings[0].excerpt
        subject, said, _ = error.msg.partition(str(violation))
        return violation_error(violation, lambda _: (location, excerpt), subject if said else "")
    (finding,) = found.findings
    if isinstance(error, TextError):
        finding = finding._replace(help=error.help)
    if isinstance(error, MultipleSpansParseError):
        for span, message in error.refs:
            note = _span_error(span, message or error.ref_text or "", lines_before)
            excerpt = f"{note.location}: note: {note.message}\n{note.findings[0].excerpt}"
            finding = finding._replace(excerpt=f"{finding.excerpt}\n{excerpt}")
    found.findings = (finding,)
    return found


_DECLARED = re.compile(r"(?:operand|result|property|attribute) '(\w+)' (?:at|expected).*\n?")
"""How messages of xDSL about an operand, a result or an attribute begin."""


_RAW_NAME = re.compile(r"(?<![\w.!#@%$])ptx\.([a-z][\w.]*\w)")
_TYPED_NAME = re.compile(r"(?<![\w.!#@%$])ptx\.(?=tcgen05\.)")


_LINE_AFTER = re.compile(r"(?:(?!\bptx\.)[^;\n])*?\blines? (\d+)")
"""The line of an operation, behind its name in a message."""


_MANGLED = re.compile(r"\b_Z\w{60,}")
"""A name that a C++ compiler has mangled, if it is long."""
_LENGTH = re.compile(r"\d+")


def _qualified(name: re.Match[str]) -> str:
    """The names of namespaces and of a function or variable in a mangled name, without the types
    that may follow."""
    mangled, parts = name[0], list[str]()
    at = len("_ZN") if mangled.startswith("_ZN") else len("_Z")
    while (length := _LENGTH.match(mangled, at)) is not None:
        at = length.end() + int(length[0])
        parts.append(mangled[length.end() : at])
    arguments = "<...>" if mangled[at : at + 1] == "I" else ""
    return "::".join(parts) + arguments if parts else mangled


def with_own_names(message: str, source: Source | None, about: Operation | None = None) -> str:
    """
    A message about an operation with the names of instructions that the user knows: without the
    prefix of the dialect `ptx`, to which the source, in IR, was lowered, unless the line of the
    instruction has the whole name. Behind a name the message may give its line; of an instruction
    without a line, any line of the source may have the name. Long names of C++ are those of its
    text.
    """
    message = _MANGLED.sub(_qualified, message)
    used = set(_RAW_NAME.findall(source.text)) if source and "ptx." in message else ()
    if not used or source is None:
        return message

    def said(name: re.Match[str]) -> str:
        after = _LINE_AFTER.match(message, name.end())
        line = int(after[1]) if after else 0
        if not after and about is not None and about.name == name[0]:
            line = _line_of(about)
        text = source.line(line)
        names = used if text is None else _RAW_NAME.findall(text.partition("//")[0])
        return name[name[1] not in names]

    return _RAW_NAME.sub(said, message)


def _line_of(operation: Operation | None) -> int:
    """The line of an operation in the text; 0 if it is not known."""
    place = None if operation is None else text_place(operation.location)
    return 0 if place is None else place.line.data


def operation_error(error: OperationError, source: Source | None) -> CompileError:
    """The error for an OperationError, at the location of the operation in the source."""
    operation, message = error.operation, error.message
    violation = violation_of(error)
    compiled_from = origin(operation.location)
    subject = f"{name_of(operation)}{', from ' if compiled_from else ''}{compiled_from}: "
    if violation is None:
        location, excerpt = _culprit_place(operation, "", source)
        return CompileError(f"{subject}{message}", location, excerpt)
    before, said, _ = message.partition(str(violation))
    declared = _DECLARED.match(before) if said else None
    if declared is not None:
        violation = violation.about(declared[1]).replaced(culprit=declared[1])
    elif said and before.strip():
        subject += before

    def pointing(part: Violation) -> tuple[Location | str | None, str]:
        return _culprit_place(operation, part.culprit, source)

    def worded(part: Violation) -> Violation:
        sentence, help_ = part.sentence, _help(operation, part)
        if source is not None and not _TYPED_NAME.search(source.text):
            # What a help says to write has to exist: only `tcgen05` has operations of these names.
            help_ = _TYPED_NAME.sub("", help_)
        return part.replaced(sentence=with_own_names(sentence, source, operation), help=help_)

    violation = violation.mapped(worded)
    if source is not None:
        violation = without_other_compilers(violation, source.text)
    found = violation_error(violation, pointing, with_own_names(subject, source, operation))
    conflict, related, drawing = error.conflict, _line_of(error.related), ""
    if conflict is not None:
        drawing = conflict(lambda name: with_own_names(name, source))
    found.findings = tuple(
        each._replace(drawing=drawing, related=related) for each in found.findings
    )
    return found


def remark(
    operation: Operation | None,
    message: str,
    help: str,
    source: Source | None,
    *,
    is_named: bool = True,
) -> Finding:
    """A remark about an operation, or about the whole source. If `is_named`, it begins with the
    name of the operation."""
    location, excerpt = (
        (None if source is None else source.name, "")
        if operation is None
        else _culprit_place(operation, "", source)
    )
    subject = f"{operation.name}: " if operation is not None and is_named else ""
    message = "".join(with_own_names(each, source, operation) for each in (subject, message))
    return Finding(*_place(location), "remark", "", _shown(message), help=help, excerpt=excerpt)


def _help(operation: Operation, violation: Violation) -> str:
    """The help for a violation: for a missing property with one legal value, this value."""
    legal = violation.legal
    if violation.help or violation.found is not None or not isinstance(legal, frozenset):
        return violation.help
    values = [*cast("frozenset[object]", legal)]
    name = violation.culprit
    single = len(values) == 1 and isinstance(values[0], str)
    if not single or not isinstance(operation, IRDLOperation):
        return ""
    definition = operation.get_irdl_definition()
    in_dictionary = any(isinstance(each, ParsePropInAttrDict) for each in definition.options)
    return f'add {name} = "{values[0]}"' if in_dictionary and name in definition.properties else ""


def _culprit_place(
    operation: Operation, culprit: str, source: Source | None
) -> tuple[Location | str | None, str]:
    """The location of the culprit in the source, and its excerpt."""
    found = text_place(operation.location)
    if found is None:
        return None if source is None else source.name, ""
    location = Location(found.filename.data, found.line.data, found.column.data)
    if source is None:
        return location, _excerpt_of_file(location)
    if source.made_from is not None:
        line = source.line_of(location)
        return location, excerpt_of(line, location.col) if line else _excerpt_of_file(location)
    if source.name != location.file or source.line(location.line) is None:
        return location, ""
    from .culprit import closing, culprit_span, following

    text, start = source.text, source.position(location.line, location.col)
    end, behind = None, following(operation)
    if behind is not None and (place := text_place(behind.location)) is not None:
        at = source.position(place.line.data, place.column.data)
        # In the place of a call, what follows the body of a function may be before it in the text.
        end = at if at > start else None
    end = closing(text, start, end)
    span = culprit_span(operation, culprit, text, start, end)
    line, column = source.place(span.start)
    excerpt = excerpt_of(source.line(line), column, span.end - span.start)
    return Location(location.file, line, column), excerpt


def _excerpt_of_file(location: Location) -> str:
    """The excerpt of a file that was not read as a source, such as a program that made the IR;
    empty if it cannot be read."""
    from linecache import getline

    return excerpt_of(getline(location.file, location.line).removesuffix("\n"), location.col)


@contextmanager
def diagnosed(source: Source | None = None) -> Generator[None]:
    """Turn each exception that a wrong input can cause inside into a CompileError."""
    try:
        yield
    except ParseError as error:
        raise parse_error(error, 0 if source is None else source.lines_before) from error
    except OperationError as error:
        raise operation_error(error, source) from error
    except (Violation, DiagnosticException) as error:
        if isinstance(error, CompileError):
            raise
        name = None if source is None else source.name
        if (violation := violation_of(error)) is not None:
            raise violation_error(violation, lambda _: (name, "")) from error
        raise CompileError(str(error), name) from error
    except RecursionError:
        name = None if source is None else source.name
        raise CompileError(TOO_DEEP, name) from None
