"""Check of whole files of PTX or IR; it reports every error, not only the first."""

import re
from collections.abc import Callable, Iterator, Set
from pathlib import PurePath
from types import NoneType
from typing import Literal, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.lexer import Input, Span

from .dialects import DIALECTS
from .isa.ptx.ptx_text import FAMILY, KERNEL
from .isa.targets import parse_target, parse_version
from .reporting.arguments import check_type
from .reporting.diagnostics import CompileError, Source, TextError, diagnosed, parse_error
from .reporting.edits import edited
from .reporting.findings import Finding, has_errors
from .verification.effort import EFFORTS, Effort

MOST_FIXES = 100
"""Number of fixes of a text, so that fixing ends."""
Language = Literal["PTX", "IR"]
SUFFIXES: dict[str, Language] = {".ptx": "PTX", ".mlir": "IR"}
"""Suffix of a file -> language of its text."""
_FIRST = re.compile(
    rf"""
    (?: \s++ | //[^\n]*+ | /\*.*?\*/ )*+
    (?: (?P<IR> [!#][\w$.]++\s*= | %[\w$.-]++(?:\s*:\s*\d++)?\s*[,=] | "\w++\.[\w.]++"\s*[(<]
          | (?:{"|".join(sorted(DIALECTS.keys() - {FAMILY}))})\.\w++ )
      | (?P<PTX> \.\w++ )
      | (?P<either> @ | {FAMILY}\. )
    )
    """,
    re.DOTALL | re.VERBOSE,
)
"""The beginning of a text, up to the first words that only one of the languages may begin with."""


def language_of(name: str, text: str = "") -> Language:
    """The language of a file, by the suffix of its name or, if that is unknown, by its text."""
    named = SUFFIXES.get(PurePath(name).suffix.lower())
    return named or _language_of_text(text) or "IR"


def _language_of_text(text: str) -> Language | None:
    """
    The language in which a text begins, if that is clear.

    PTX begins with a directive, or with an instruction, which ends with a semicolon. IR has no
    semicolons.
    """
    match = _FIRST.match(text)
    if match is None or (match["either"] and not _has_semicolon(text)):
        return None
    return "IR" if match["IR"] else "PTX"


def _has_semicolon(text: str) -> bool:
    """Whether there is a semicolon among the tokens of PTX that a text begins with."""
    from .ptx_reader.tokens import PtxLexer

    lexer = PtxLexer(text)
    token = lexer.next()
    while token.text != ";" and token.kind not in ("bad", "end"):
        token = lexer.next()
    return token.text == ";"


def misnamed(source: Source) -> CompileError | None:
    """The error of a text in another language than the suffix of its file says."""
    named = SUFFIXES.get(PurePath(source.name).suffix.lower())
    found = _language_of_text(source.text)
    if named is None or found in (None, named):
        return None
    match = _FIRST.match(source.text)
    assert match is not None
    start, end = match.span(match.lastgroup or 0)
    suffixes = {language: suffix for suffix, language in SUFFIXES.items()}
    message = f"the text is {found}, but the suffix {suffixes[named]} is that of {named}"
    span = Span(start, end, Input(source.text, source.name), source.lines_before)
    return parse_error(
        TextError(span, message, f"let the name of the file end in {suffixes[found]}")
    )


def check_source(
    source: Source | str,
    target: str | None = None,
    ptx_version: str | None = None,
    verify: Effort = "off",
    redundant: bool = False,
) -> list[Finding]:
    """
    The errors and warnings for PTX or IR text, in the order of the text; `language_of` tells the
    two apart.

    A `str` is text without a file name. `target` and `ptx_version` override those in the text.
    `verify` says how thoroughly to verify whole kernels, which happens only without other errors; a
    remark gives the verdict on each kernel. With `redundant`, remarks also name the fences, waits
    and barriers that verified kernels do not need. Raises CompileError for an unknown target or
    version, ValueError for other `verify`, and TypeError for arguments of other types.
    """
    check_type("source", source, (Source, str), "a Source, or a str of text")
    check_type("target", target, (str, NoneType), "a str such as 'sm_100a', or None")
    check_type("ptx_version", ptx_version, (str, NoneType), "a str such as '8.8', or None")
    if verify not in EFFORTS:
        raise ValueError(f"verify must be one of {', '.join(EFFORTS)}; found {verify!r}")
    if isinstance(source, str):
        source = Source("<string>", source)
    with diagnosed():
        if target is not None:
            parse_target(target)
        if ptx_version is not None:
            parse_version(ptx_version)
    found = [
        finding
        for error in _errors(source, target, ptx_version, verify, redundant)
        for finding in error.findings_in(source.name)
    ]
    return sorted(found, key=lambda finding: (not finding.line, finding.line, finding.column))


class Fixed(NamedTuple):
    """
    A source with its fixes, and the findings that remain in it.

    `fixes` are the findings that were fixed, in the order of the fixes. The places and the edits of
    each are those of the text with the fixes before it. `before` are the findings in the source
    without fixes.
    """

    source: Source
    fixes: tuple[Finding, ...]
    findings: list[Finding]
    before: list[Finding]


def fix_source(
    source: Source,
    target: str | None = None,
    ptx_version: str | None = None,
    verify: Effort = "thorough",
) -> Fixed:
    """
    Fix what `check_source` finds, one finding at a time, until no finding has a fix.

    Raises the errors of `check_source`.
    """
    fixes: list[Finding] = []
    before = findings = check_source(source, target, ptx_version, verify)
    while len(fixes) < MOST_FIXES:
        first = next((each for each in findings if each.edits), None)
        if first is None:
            break
        fixes.append(first)
        source = edited(source, first.edits)
        findings = check_source(source, target, ptx_version, verify)
    return Fixed(source, tuple(fixes), findings, before)


def _errors(
    source: Source, target: str | None, ptx_version: str | None, verify: Effort, redundant: bool
) -> Iterator[CompileError]:
    if (error := misnamed(source)) is not None:
        yield error
    elif language_of(*source[:2]) == "PTX":
        yield from _ptx_errors(source, target, ptx_version, verify, redundant)
    else:
        yield from _ir_errors(source, target, ptx_version, verify, redundant)


def _ptx_errors(
    source: Source, target: str | None, ptx_version: str | None, verify: Effort, redundant: bool
) -> Iterator[CompileError]:
    """The errors and warnings of the statements and, if there are no errors, those of the kernels
    as a module. What the statements show is not repeated."""
    from .ptx_reader.text_errors import errors_of

    said: set[tuple[int, str]] = set()
    is_wrong = False
    for error in errors_of(source, target, ptx_version):
        is_wrong |= has_errors(error.findings)
        said.update((each.line, each.rule) for each in error.findings)
        yield error
    if is_wrong or KERNEL not in source.text:
        return
    from .ptx_import.importer import import_ptx

    try:
        imported = import_ptx(source)
    except CompileError as error:
        yield error
        return
    module, repeated = imported.module, imported.repeated
    for error in _module_errors(module, source, repeated, False, verify, redundant):
        if not all((each.line, each.rule) in said for each in error.findings):
            yield error


def _ir_errors(
    source: Source, target: str | None, ptx_version: str | None, verify: Effort, redundant: bool
) -> Iterator[CompileError]:
    """The errors and warnings of parsing and verification and, if there are no errors, those of
    lowering, of printing and of whole kernels."""
    from .compiler import lower, parse_on, print_ptx

    try:
        module, context, unread, uncertain = parse_on(source)
        yield from unread

        def finish() -> None:
            """Raise errors that constant folding reveals, and features that the target lacks."""
            print_ptx(module, lower(module, context, target, ptx_version, source), source)

        yield from _module_errors(
            module, source, uncertain, bool(unread), verify, redundant, finish, target, ptx_version
        )
    except CompileError as error:
        yield error


def _module_errors(
    module: ModuleOp,
    source: Source,
    left_out: Set[object],
    is_wrong: bool,
    verify: Effort,
    redundant: bool,
    finish: Callable[[], None] = lambda: None,
    target: str | None = None,
    ptx_version: str | None = None,
) -> Iterator[CompileError]:
    """
    The errors and warnings of the operations of a module and, if there are no errors, those of
    `finish` and of whole kernels. Operations in `left_out` are not verified.
    """
    from .compiler import errors_of, kernel_errors_of, warnings_of
    from .reporting.operation_error import OperationError
    from .verification.kernel_findings import run_findings

    wrong: set[Operation] = set()
    for error in errors_of(module, source, left_out):
        is_wrong = True
        if isinstance(error.__cause__, OperationError):
            wrong.add(error.__cause__.operation)
        yield error
    yield from warnings_of(module, source, left_out | wrong)
    if is_wrong:
        return
    finish()
    for error in kernel_errors_of(module, source):
        if isinstance(error.__cause__, OperationError):
            wrong.add(error.__cause__.operation)
        yield error
    yield from run_findings(module, source, verify, wrong, target, ptx_version, redundant)
