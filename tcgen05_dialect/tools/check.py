"""`tcgen05 check`: lists all errors in files and folders of IR and PTX."""

import json
import os
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeAlias

from ..check import check_source, fix_source
from ..isa.model.rule import plural, printable
from ..kept_results import kept
from ..language import SUFFIXES
from ..processes import KilledProcess, Processes, in_processes
from ..reporting.diagnostics import CompileError, Edit, Finding, Source, as_errors, has_errors
from ..reporting.formats import patch, render
from ..reporting.suppressions import Expecting, unexpected, visible
from ..reporting.suppressions import split as parts_of
from ..verification import Budget, Effort
from .command import internal_error, refuse_rules, refuse_target, tell_allowed, translation
from .files import (
    CommandError,
    ProgressLine,
    Translation,
    complain,
    read_source,
    reason,
    replace_source,
    write_output,
)
from .launch_options import given_extents

Fixing = Literal["fix", "diff"]
"""What to do with fixes: write the files, or print a patch."""
Progress: TypeAlias = Callable[[str], None]
LaunchExtents: TypeAlias = tuple[Sequence[int] | None, Sequence[int] | None]
"""The block and the cluster of launches, if they are known."""


class Options(NamedTuple):
    """
    The options of a check. `verify` tells how thoroughly to verify whole kernels; their runs stop
    after `budget` seconds. If `strict`, warnings are errors; the rules in `allow` are suppressed.

    With `fixing`, fix the files and print the fixes and what remains, or print a patch; the fixes
    and what remains in the patched text then go to standard error, and the exit status is 1 if the
    patch is not empty. With `redundant`, remarks name the steps that verified kernels do not need.
    `extents` are the block and the cluster of kernels that do not give their own.

    With `expecting`, print how the findings differ from the expectations in comments; the exit
    status is 1 if they do. With `split`, check the parts of each file between lines `// -----`. Up
    to `jobs` processes check several files, or several kernels of a single file; a second one helps
    with the runs of a single kernel. For `how`, see `read_source`; for `tf32`, `check_source`.
    """

    target: str | None = None
    ptx_version: str | None = None
    format: str = "text"
    verify: Effort = "thorough"
    fixing: Fixing | None = None
    redundant: bool = False
    allow: Sequence[str] = ()
    strict: bool = False
    expecting: Expecting | None = None
    split: bool = False
    extents: LaunchExtents = (None, None)
    tf32: bool = False
    jobs: int = 1
    how: Translation | None = None
    budget: float | None = None

    def refuse(self, paths: Sequence[str]) -> None:
        """Raise CommandError for options that exclude each other."""
        fixing, runs = self.fixing, self.verify != "off"
        if fixing and (self.expecting or self.split):
            option = "verify-diagnostics" if self.expecting else "split-input-file"
            raise CommandError(f"--{fixing} cannot be used with --{option}: give one of them")
        if fixing and not runs:
            help = "add --verify=thorough or =quick"
            raise CommandError(f"--{fixing} fixes what --verify finds: {help}")
        if self.redundant and not runs:
            raise CommandError("--redundant needs runs: leave out --verify=off")
        if fixing == "fix" and "-" in paths:
            raise CommandError("--fix cannot write the standard input: give a file, or use --diff")
        if self.budget is not None and not runs:
            raise CommandError("--budget limits runs: leave out --verify=off")


def run_check(options: Namespace) -> int:
    """Check files as the arguments say; returns the exit status."""
    given: dict[str, Any] = {
        **vars(options),
        "extents": given_extents(options),
        "how": translation(options),
        "jobs": options.jobs or processors(),
    }
    return check(options.files, Options(**{name: given[name] for name in Options._fields}))


def check(paths: Sequence[str], options: Options) -> int:
    """
    Print all findings in the files, and in those of the folders; returns the exit status: 2 if
    something cannot be read, checked or written, else 1 if there is an error.

    Raises CommandError for an unknown target or version, and for fixes that cannot be made.
    """
    refuse_target(options.target, options.ptx_version)
    refuse_rules(options.allow)
    options.refuse(paths)
    start = time.monotonic()
    Budget.seconds = options.budget
    is_text = options.format == "text" and options.fixing != "diff"
    outcomes: list[_Outcome] = []
    findings: list[Finding] = []
    try:
        with ProgressLine(sys.stderr) as line:
            for outcome in _outcomes(_Files(paths, options.how).work, options, line.update):
                line.clear()
                outcomes.append(outcome)
                found = as_errors(outcome.findings) if options.strict else outcome.findings
                findings += found
                if is_text and (text := render(visible(found), options.format)):
                    # The check of a folder may take minutes.
                    write_output(None, text.encode(errors="backslashreplace"))
    finally:
        Budget.seconds = None
    patched = [outcome.patched for outcome in outcomes if outcome.patched is not None]
    # What is left of a text is the number of suppressed warnings.
    unshown = [each for each in findings if each.suppressed] if is_text else findings
    text = render(unshown, options.format)
    if options.fixing == "diff":
        if text:
            complain(text.rstrip("\n"))
        write_output(None, patch(patched).encode(errors="surrogateescape"))
    else:
        write_output(None, text.encode(errors="backslashreplace"))
    is_refused = all(outcome.refused for outcome in outcomes)
    tells_effort = options.format == "text" and options.verify != "off" and not is_refused
    if tells_effort and any(map(os.path.isdir, paths)):
        complain(_spent(outcomes, time.monotonic() - start))
    tell_allowed(options.allow, [finding for outcome in outcomes for finding in outcome.told])
    if any(outcome.refused for outcome in outcomes):
        return 2
    return int(has_errors(findings) or bool(patched))


def _spent(outcomes: Sequence["_Outcome"], seconds: float) -> str:
    """Text: how many kernels have each verdict, and what the check took."""
    verdicts = Counter(each.verdict for outcome in outcomes for each in outcome.told)
    counts = [f"{count} {word}" for word, count in verdicts.items() if word]
    if unread := sum(not any(each.verdict for each in outcome.told) for outcome in outcomes):
        counts.append(f"{unread} {plural('file', unread)} without a verdict")
    files = f"{len(outcomes)} {plural('file', len(outcomes))}"
    return f"{files}: {', '.join(counts)}; {seconds:.1f} s"


class _Outcome(NamedTuple):
    """What the check of a file found."""

    findings: Sequence[Finding] = ()
    told: Sequence[Finding] = ()
    """All findings, also the expected ones."""
    patched: tuple[Source, Source] | None = None
    """The source before and after its fixes, for a patch."""
    refused: bool = False


class _Files:
    """The files to check: those of the paths, and the source files in folders; see `_is_source`."""

    def __init__(self, paths: Iterable[str], how: Translation | None):
        self._how = how
        self.work: list[tuple[str, Source] | _Outcome] = []
        """The path and the text of each file, or why it cannot be read."""
        self._seen: set[str] = set()
        """The files, without links, that are in the list."""
        for path in dict.fromkeys(paths):
            if os.path.isdir(path):
                self._add_folder(path)
            else:
                self._add(path)

    def _add_folder(self, path: str) -> None:
        count = len(self.work)
        for folder, folders, names in os.walk(path, onerror=self._refuse_folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                file = os.path.join(folder, name)
                if _is_source(file):
                    self._add(file)
        if len(self.work) == count:
            self.work.append(_refused(path, f"found no file {' or '.join(SUFFIXES)} in the folder"))

    def _add(self, path: str) -> None:
        try:
            source = read_source(path, self._how)
        except CommandError as error:
            self.work.append(_of_error(path, error))
            return
        except CompileError as error:
            self.work.append(_Outcome([*error.findings_in(path)]))
            return
        if (file := os.path.realpath(source.name)) not in self._seen:
            self._seen.add(file)
            self.work.append((path, source))

    def _refuse_folder(self, error: OSError) -> None:
        path: str = error.filename
        self.work.append(_refused(path, f"cannot read {path}: {reason(error)}"))


def _outcomes(
    work: Sequence[tuple[str, Source] | _Outcome], options: Options, progress: Progress
) -> Iterator[_Outcome]:
    """The outcomes of the files in their order."""
    jobs = options.jobs
    # A process writes fixes only for files that no other process checks.
    if min(jobs, len(work)) < 2 or options.fixing == "fix":
        Processes.allowed, jobs = jobs, 1
    elif options.verify != "off":
        # Imported once for all processes.
        import_module("..verification.verdict", __package__)
    try:
        yield from in_processes(partial(_outcome, options, progress, len(work) > 1), work, jobs)
    except KilledProcess as error:
        raise CommandError(str(error)) from error
    finally:
        Processes.allowed = 1


def processors() -> int:
    """The number of processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def _outcome(
    options: Options,
    progress: Progress,
    is_one_of_many: bool,
    work: tuple[str, Source] | _Outcome,
) -> _Outcome:
    """The outcome of a file. Its findings are kept if it is one of many."""
    if isinstance(work, _Outcome):
        return work
    path, source = work
    findings: list[Finding] = []
    told: list[Finding] = []
    try:
        if options.fixing:
            return _fix(options, progress, path, source)
        for part in parts_of(source) if options.split else (source,):
            shown, found = _check_part(options, progress, is_one_of_many, part)
            findings += shown
            told += found
    except CompileError as error:
        findings += error.findings_in(path)
    except CommandError as error:
        findings += (refused := _of_error(path, error)).findings
        return refused._replace(findings=findings)
    except KilledProcess:
        raise
    except Exception as error:
        findings += _refused(path, internal_error(error)).findings
        return _Outcome(findings, told, refused=True)
    return _Outcome(findings, told)


def _check_part(
    options: Options, progress: Progress, is_one_of_many: bool, source: Source
) -> tuple[Sequence[Finding], Sequence[Finding]]:
    """The findings in a file or in a part of it: those to print, and all."""
    given = (
        options.target,
        options.ptx_version,
        options.verify,
        options.redundant,
        False,
        options.allow,
        *options.extents,
        options.tf32,
    )

    def check() -> Sequence[Finding]:
        return check_source(source, *given, progress)

    if is_one_of_many:
        found = _findings_of(kept((repr(source), repr(given)), lambda: json.dumps(check())))
    else:
        found = check()
    if options.expecting is None:
        return found, found
    compared = as_errors(found) if options.strict else found
    return unexpected(source.program, compared, options.expecting), found


def _findings_of(text: str) -> Sequence[Finding]:
    """The findings in a text in JSON."""
    found = [Finding(*each) for each in json.loads(text)]
    return [
        each._replace(
            edits=tuple(Edit(*edit) for edit in each.edits), unreached=tuple(each.unreached)
        )
        for each in found
    ]


def _fix(options: Options, progress: Progress, path: str, source: Source) -> _Outcome:
    """Fix a source, and write the file unless a patch is wanted."""
    target, version = options.target, options.ptx_version
    verify, allow = options.verify, options.allow
    fixed = fix_source(source, target, version, verify, allow, *options.extents, progress)
    if not fixed.fixes:
        findings = fixed.findings
        if source.made_from is not None and has_errors(findings):
            message = (
                "not changed: LLVM made PTX of this file, and fixes change IR and PTX text only"
            )
            findings = [*findings, Finding(path, 0, 0, "remark", "", message)]
        return _Outcome(findings, fixed.before)
    if options.fixing == "diff":
        findings = (
            *(_fixed(each, "would be fixed") for each in fixed.fixes),
            *map(_in_patched_text, fixed.findings),
        )
        return _Outcome(findings, fixed.before, (source, fixed.source))
    try:
        replace_source(path, fixed.source.text.encode())
    except CommandError as error:
        refused = _refused(path, str(error))
        return refused._replace(findings=(*refused.findings, *fixed.before), told=fixed.before)
    findings = *(_fixed(each, "fixed") for each in fixed.fixes), *fixed.findings
    return _Outcome(findings, fixed.before)


def _of_error(path: str, error: CommandError) -> _Outcome:
    """The outcome for a file that cannot be read or checked."""
    if isinstance(cause := error.__cause__, CompileError):
        return _Outcome(cause.findings, refused=True)
    return _refused(path, str(error))


def _refused(path: str, message: str) -> _Outcome:
    """The outcome for a file or a folder that cannot be read, checked or written."""
    return _Outcome((Finding(path, 0, 0, "error", "", printable(message), ""),), refused=True)


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
