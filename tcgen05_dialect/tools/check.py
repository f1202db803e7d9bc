"""`tcgen05 check`: everything that is wrong in files of IR and of PTX."""

from collections.abc import Sequence

from ..check import check_source, is_ptx
from ..isa.targets import parse_target, parse_version
from ..reporting.diagnostics import CompileError, diagnosed
from ..reporting.findings import Finding, findings_of
from ..reporting.formats import render
from .command import read_source, write_output


def check(
    paths: Sequence[str], target: str | None, ptx_version: str | None, output_format: str
) -> int:
    """
    Print what is wrong in all files; returns the exit status, 1 if there is an error.

    Raises CompileError for a target or a version that does not exist.
    """
    with diagnosed():
        if target is not None:
            parse_target(target)
        if ptx_version is not None:
            parse_version(ptx_version)
    findings = [finding for path in paths for finding in _check_file(path, target, ptx_version)]
    write_output(None, render(findings, output_format).encode(errors="backslashreplace"))
    return int(any(finding.severity == "error" for finding in findings))


def _check_file(path: str, target: str | None, ptx_version: str | None) -> list[Finding]:
    """A file that cannot be read is a finding, so that it does not hide the others."""
    try:
        # Comments of PTX may be in any encoding.
        errors = "surrogateescape" if is_ptx(path) else "strict"
        return check_source(read_source(path, errors), target, ptx_version)
    except CompileError as error:
        return list(findings_of(error, path))
