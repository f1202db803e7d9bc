"""`tcgen05 check`: lists all errors in files and folders of IR and PTX."""

import os
from collections.abc import Sequence

from ..check import SUFFIXES, check_source, language_of
from ..isa.model.rule import printable
from ..reporting.diagnostics import CompileError
from ..reporting.findings import Finding, as_errors, has_errors
from ..reporting.formats import render
from ..verification.effort import Effort
from .command import internal_error, refuse_target
from .files import CommandError, read_source, reason, write_output


def check(
    paths: Sequence[str],
    target: str | None,
    ptx_version: str | None,
    output_format: str,
    strict: bool,
    verify: Effort,
) -> int:
    """
    Print all findings in the files, and in those of the folders; returns the exit status: 2 if
    something cannot be read or checked, else 1 if there is an error. If `strict`, warnings are
    errors.

    `verify` tells how thoroughly to verify whole kernels.

    Raises CommandError for an unknown target or version.
    """
    refuse_target(target, ptx_version)
    checked = _Check(target, ptx_version, verify)
    for path in dict.fromkeys(paths):
        checked.check_path(path)
    findings = as_errors(checked.findings) if strict else checked.findings
    text = render(findings, output_format)
    write_output(None, text.encode(errors="backslashreplace"))
    if checked.refused:
        return 2
    return int(has_errors(findings))


class _Check:
    """A check of several files; it continues after a file that cannot be read or checked."""

    def __init__(self, target: str | None, ptx_version: str | None, verify: Effort):
        self.target = target
        self.ptx_version = ptx_version
        self.verify: Effort = verify
        self.findings: list[Finding] = []
        self.refused = False

    def check_path(self, path: str) -> None:
        """Check a file, or the source files in a folder and its subfolders; see `_is_source`."""
        if not os.path.isdir(path):
            self._check_file(path)
            return
        found = False
        for folder, folders, names in os.walk(path, onerror=self._refuse_folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                file = os.path.join(folder, name)
                if _is_source(file):
                    found = True
                    self._check_file(file)
        if not found and not self.refused:
            self._refuse(path, f"found no file {' or '.join(SUFFIXES)} in the folder")

    def _check_file(self, path: str) -> None:
        # Comments in PTX may have any encoding.
        errors = "surrogateescape" if language_of(path) == "PTX" else "strict"
        try:
            source = read_source(path, errors)
            self.findings += check_source(source, self.target, self.ptx_version, self.verify)
        except CompileError as error:
            self.findings += error.findings_in(path)
        except CommandError as error:
            if isinstance(error.__cause__, CompileError):
                self.refused = True
                self.findings += error.__cause__.findings
            else:
                self._refuse(path, str(error))
        except Exception as error:
            self._refuse(path, internal_error(error))

    def _refuse_folder(self, error: OSError) -> None:
        path: str = error.filename
        self._refuse(path, f"cannot read {path}: {reason(error)}")

    def _refuse(self, path: str, message: str) -> None:
        self.refused = True
        self.findings.append(Finding(path, 0, 0, "error", "", printable(message), ""))


def _is_source(path: str) -> bool:
    """
    Whether to check a file in a folder: it is IR or PTX by its suffix, and not hidden.

    Pipes and devices are skipped, because reading them might not end.
    """
    known = os.path.splitext(path)[1].lower() in SUFFIXES
    special = os.path.exists(path) and not os.path.isfile(path)
    return known and not special and not os.path.basename(path).startswith(".")
