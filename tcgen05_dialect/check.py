"""Checking of whole files, which finds everything that is wrong in one go."""

from collections.abc import Iterator
from pathlib import PurePath

from .reporting.diagnostics import CompileError, Source
from .reporting.findings import Finding, findings_of

SUFFIXES = {".ptx": True, ".mlir": False}
"""The suffix of a file -> whether it is PTX."""
_FIRST = frozenset(("tcgen05", "@"))
"""What bare instructions begin with."""


def is_ptx(name: str, text: str = "") -> bool:
    """
    Whether a file is PTX: by the suffix of its name, or by its text if the suffix says nothing.

    PTX begins with a directive, or with an instruction, which ends with a semicolon as nothing of
    IR does.
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
    """Raise CompileError for PTX, where only IR can be used."""
    if is_ptx(source.name, source.text):
        raise CompileError(f"{source.name} is PTX, not IR; `tcgen05 check` checks PTX")


def check_source(
    source: Source, target: str | None = None, ptx_version: str | None = None
) -> list[Finding]:
    """
    What is wrong with a text of PTX or IR; see `is_ptx`.

    `target` and `ptx_version` come before those that the text says. Raises CompileError if they
    are none.
    """
    errors = _ptx_errors if is_ptx(source.name, source.text) else _ir_errors
    found = [
        finding
        for error in errors(source, target, ptx_version)
        for finding in findings_of(error, source.name)
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
    """IR is read up to its first error; if it can be read it is verified, and then lowered."""
    from .compiler import errors_of, lower, parse, print_ptx

    try:
        module, context = parse(source)
        found = False
        for error in errors_of(module, source):
            found = True
            yield error
        if not found:
            # What is known only when constants are folded, and what the target does not have.
            print_ptx(module, lower(module, context, target, ptx_version, source), source)
    except CompileError as error:
        yield error
