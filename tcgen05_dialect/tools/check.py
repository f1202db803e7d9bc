"""`tcgen05 check`: lists all errors in files and folders of IR and PTX."""

import os
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from ..check import check_source, fix_source
from ..isa.model.rule import printable
from ..language import SUFFIXES
from ..reporting.diagnostics import CompileError, Source
from ..reporting.edits import patch
from ..reporting.expectations import Expecting, unexpected
from ..reporting.findings import Finding, as_errors, has_errors
from ..reporting.formats import render
from ..reporting.suppressions import split as parts_of
from ..verification.effort import Effort
from .command import internal_error, refuse_rules, refuse_target, tell_allowed
from .files import CommandError, complain, read_source, reason, replace_source, write_output

Fixing = Literal["fix", "diff"]
"""What to do with fixes: write the files, or print a patch."""
LaunchExtents: TypeAlias = tuple[Sequence[int] | None, Sequence[int] | None]
"""The block and the cluster of launches, if they are known."""


def check(
    paths: Sequence[str],
    target: str | None,
    ptx_version: str | None,
    output_format: str,
    strict: bool,
    verify: Effort,
    fixing: Fixing | None = None,
    redundant: bool = False,
    allow: Sequence[str] = (),
    expecting: Expecting | None = None,
    split: bool = False,
    extents: LaunchExtents = (None, None),
) -> int:
    """
    Print all findings in the files, and in those of the folders; returns the exit status: 2 if
    something cannot be read, checked or written, else 1 if there is an error. If `strict`, warnings
    are errors.

    `verify` tells how thoroughly to verify whole kernels. With `fixing`, fix the files and print
    the fixes and what remains, or print a patch; the fixes and what remains in the patched text
    then go to standard error, and the exit status is 1 if the patch is not empty. With `redundant`,
    remarks name the steps that verified kernels do not need. The rules in `allow` are suppressed.

    `extents` are the block and the cluster of kernels that do not give their own.

    With `expecting`, print how the findings differ from the expectations in comments; the exit
    status is 1 if they do. With `split`, check the parts of each file between lines `// -----`.

    Raises CommandError for an unknown target or version, and for fixes that cannot be made.
    """
    refuse_target(target, ptx_version)
    refuse_rules(allow)
    if fixing and (expecting or split):
        option = "verify-diagnostics" if expecting else "split-input-file"
        raise CommandError(f"--{fixing} cannot be used with --{option}: give one of them")
    if fixing and verify == "off":
        raise CommandError(f"--{fixing} fixes what --verify finds: add --verify=thorough or =quick")
    if redundant and verify == "off":
        raise CommandError("--redundant needs runs: leave out --verify=off")
    if fixing == "fix" and "-" in paths:
        raise CommandError("--fix cannot write the standard input: give a file, or use --diff")
    options = _Options(
        target, ptx_version, verify, redundant, allow, strict, fixing, expecting, split, extents
    )
    checked = _Check(options)
    for path in dict.fromkeys(paths):
        checked.check_path(path)
    findings = as_errors(checked.findings) if strict else checked.findings
    text = render(findings, output_format)
    if fixing == "diff":
        if text:
            complain(text.rstrip("\n"))
        write_output(None, patch(checked.patched).encode(errors="surrogateescape"))
    else:
        write_output(None, text.encode(errors="backslashreplace"))
    tell_allowed(allow, checked.told)
    if checked.refused:
        return 2
    return int(has_errors(findings) or bool(checked.patched))


class _Options(NamedTuple):
    """The options of a check; see `check`."""

    target: str | None
    ptx_version: str | None
    verify: Effort
    redundant: bool
    allow: Sequence[str]
    strict: bool
    fixing: Fixing | None
    expecting: Expecting | None
    split: bool
    extents: LaunchExtents


class _Check:
    """A check of several files; it continues after a file that cannot be read or checked."""

    def __init__(self, options: _Options):
        self.options = options
        self.findings: list[Finding] = []
        self.told: list[Finding] = []
        """All findings, also the expected ones."""
        self.patched: list[tuple[Source, Source]] = []
        """Sources before and after their fixes, for a patch."""
        self.refused = False
        self._seen: set[str] = set()
        """The files, without links, that have been checked."""

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
        try:
            source = read_source(path)
            if (file := os.path.realpath(source.name)) in self._seen:
                return
            self._seen.add(file)
            if self.options.fixing:
                self._fix(path, source)
                return
            for part in parts_of(source) if self.options.split else (source,):
                self._check_part(part)
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

    def _check_part(self, source: Source) -> None:
        """Check a file, or a part of it."""
        target, ptx_version, verify, redundant, allow, strict, *_ = self.options
        found = check_source(
            source, target, ptx_version, verify, redundant, False, allow, *self.options.extents
        )
        self.told += found
        if self.options.expecting is None:
            self.findings += found
            return
        found = as_errors(found) if strict else found
        self.findings += unexpected(source, found, self.options.expecting)

    def _fix(self, path: str, source: Source) -> None:
        """Fix a source, and write the file or add to the patch."""
        target, ptx_version, verify, _, allow, *_ = self.options
        fixed = fix_source(source, target, ptx_version, verify, allow, *self.options.extents)
        self.told += fixed.before
        if not fixed.fixes:
            self.findings += fixed.findings
        elif self.options.fixing == "diff":
            self.patched.append((source, fixed.source))
            self.findings += (_fixed(each, "would be fixed") for each in fixed.fixes)
            self.findings += map(_in_patched_text, fixed.findings)
        else:
            try:
                replace_source(path, fixed.source.text.encode())
            except CommandError as error:
                self._refuse(path, str(error))
                self.findings += fixed.before
                return
            self.findings += (_fixed(each, "fixed") for each in fixed.fixes)
            self.findings += fixed.findings

    def _refuse_folder(self, error: OSError) -> None:
        path: str = error.filename
        self._refuse(path, f"cannot read {path}: {reason(error)}")

    def _refuse(self, path: str, message: str) -> None:
        self.refused = True
        self.findings.append(Finding(path, 0, 0, "error", "", printable(message), ""))


def _fixed(finding: Finding, said: str) -> Finding:
    """The remark that a finding has been fixed, or would be."""
    message = f"{said}: {finding.message}"
    return finding._replace(severity="remark", message=message, help="", replay="")


def _in_patched_text(finding: Finding) -> Finding:
    """
    The remark or the error about the text that a patch would make.

    It gives no verdict, because programs read that as one on the file.
    """
    return finding._replace(message=f"in the patched text: {finding.message}", verdict="")


def _is_source(path: str) -> bool:
    """
    Whether to check a file in a folder: it is IR or PTX by its suffix, and not hidden.

    Pipes and devices are skipped, because reading them might not end.
    """
    known = os.path.splitext(path)[1].lower() in SUFFIXES
    special = os.path.exists(path) and not os.path.isfile(path)
    return known and not special and not os.path.basename(path).startswith(".")
