"""Checking of whole files, which finds everything that is wrong in one go."""

from collections.abc import Iterator
from pathlib import PurePath

from .diagnostics import CompileError, Source
from .findings import Finding, findings_of


def is_ptx(name: str) -> bool:
    """Whether a file is checked as PTX."""
    return PurePath(name).suffix.lower() == ".ptx"


def check_source(
    source: Source, target: str | None = None, ptx_version: str | None = None
) -> list[Finding]:
    """
    What is wrong with a text: PTX if the name of its file ends with `.ptx`, else IR.

    `target` and `ptx_version` come before those that the text says. Raises CompileError if they
    are none.
    """
    errors = _ptx_errors if is_ptx(source.name) else _ir_errors
    found = [
        finding
        for error in errors(source, target, ptx_version)
        for finding in findings_of(error, source.name)
    ]
    return sorted(found, key=lambda finding: (not finding.line, finding.line, finding.column))


def _ptx_errors(
    source: Source, target: str | None, ptx_version: str | None
) -> Iterator[CompileError]:
    from .ptx.reader.check import errors_of

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
