"""Check of whole files of PTX or IR; it reports every error, not only the first."""

from collections.abc import Iterator
from pathlib import PurePath

from .isa.targets import parse_target, parse_version
from .reporting.diagnostics import CompileError, Source, diagnosed
from .reporting.findings import Finding

SUFFIXES = {".ptx": True, ".mlir": False}
"""Suffix of a file -> whether the file is PTX."""
_FIRST = frozenset(("tcgen05", "@"))
"""First tokens of PTX text that begins with an instruction instead of a directive."""


def is_ptx(name: str, text: str = "") -> bool:
    """
    Whether a file is PTX, decided by the suffix of its name or, if that is unknown, by its text.

    PTX begins with a directive, or with an instruction, which ends with a semicolon; IR has no
    semicolons.
    """
    if (known := SUFFIXES.get(PurePath(name).suffix.lower())) is not None:
        return known
    from .ptx_reader.tokens import PtxLexer

    lexer = PtxLexer(text)
    token = lexer.next()
    if token.text in _FIRST:
        while token.text != ";" and token.kind not in ("bad", "end"):
            token = lexer.next()
        return token.text == ";"
    return token.kind == "word"


def refuse_ptx(source: Source) -> None:
    """Raise CompileError for PTX, which only `check` reads."""
    if is_ptx(source.name, source.text):
        raise CompileError(f"{source.name} is PTX, not IR; `tcgen05 check` checks PTX")


def check_source(
    source: Source, target: str | None = None, ptx_version: str | None = None
) -> list[Finding]:
    """
    The errors in PTX or IR text; `is_ptx` decides which of the two it is.

    `target` and `ptx_version` override those in the text. Raises CompileError if one is unknown.
    """
    with diagnosed():
        if target is not None:
            parse_target(target)
        if ptx_version is not None:
            parse_version(ptx_version)
    errors = _ptx_errors if is_ptx(source.name, source.text) else _ir_errors
    found = [
        finding
        for error in errors(source, target, ptx_version)
        for finding in error.findings_in(source.name)
    ]
    return sorted(found, key=lambda finding: (not finding.line, finding.line, finding.column))


def _ptx_errors(
    source: Source, target: str | None, ptx_version: str | None
) -> Iterator[CompileError]:
    from .ptx_reader.text_errors import errors_of

    return errors_of(source, target, ptx_version)


def _ir_errors(
    source: Source, target: str | None, ptx_version: str | None
) -> Iterator[CompileError]:
    """The errors of parsing and verification or, if there are none, of lowering and printing."""
    from .compiler import errors_of, lower, parse_on, print_ptx

    try:
        module, context, unread, uncertain = parse_on(source)
        yield from unread
        found = bool(unread)
        for error in errors_of(module, source, uncertain):
            found = True
            yield error
        if not found:
            # Reports errors that constant folding reveals, and features that the target lacks.
            print_ptx(module, lower(module, context, target, ptx_version, source), source)
    except CompileError as error:
        yield error
