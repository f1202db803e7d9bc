"""
Findings and verdicts from runs of the kernels of a module, for commands and for the pass
`tcgen05-verify`.

This module is imported without runs: it does not import numpy.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..compiler import freeing_garbage, without_garbage_collection
from ..isa.model.rule import Rule, plural
from ..processes import Processes, can_fork, in_processes
from ..ptx.kernel import KernelOp, is_read
from ..reporting.diagnostics import (
    HAS_ERRORS,
    CompileError,
    Finding,
    OperationError,
    Source,
    Word,
    has_errors,
    operation_error,
    remark,
    rule_of,
    text_place,
    with_own_names,
)
from ..reporting.project import internal_error
from ..uniformity.convergence import kernel_errors
from . import Effort, FirstFix, Progress, unheard
from .static.inventory import unknown_threads
from .static.prepared import Verifiable, verifiable

if TYPE_CHECKING:
    from .repair.repair import Fix, Repair
    from .verdict import Verdict


class Crash(CompileError):
    """A failure of the verifier itself, which says nothing about a kernel."""


@dataclass(frozen=True)
class RunOptions:
    """
    How to run kernels, and what to report about them: with `remarks` the verdict on each kernel,
    with `redundant` each operation that a verified kernel does not need for its synchronisation.

    `target` and `ptx_version` are those that override the source's. A finding about PTX text has a
    fix only with `fixes`, because the text is read again for each trial, and one of a rule in
    `allow` has none. `is_given` tells whether kernels have a block or cluster that their text may
    not give. `progress` is called with texts about runs, and before each trial of a fix.
    """

    effort: Effort
    target: str | None = None
    ptx_version: str | None = None
    redundant: bool = False
    remarks: bool = True
    fixes: bool | FirstFix = False
    allow: Collection[str] = ()
    is_given: bool = False
    progress: Callable[[str], None] = unheard


def run_findings(
    module: ModuleOp,
    source: Source | None,
    options: RunOptions,
    wrong: Set[Operation] = frozenset(),
    written: Callable[[CompileError], CompileError] = lambda error: error,
    habits: Mapping[StringAttr, Set[Rule]] = MappingProxyType({}),
) -> Iterator[CompileError]:
    """
    The errors and warnings from runs of the kernels of a lowered module. If a package for runs is
    missing, there is one remark that says so. `wrong` are operations with errors. A failure of the
    verifier is a finding of type `Crash`; the other kernels are verified. With a source, a finding
    has its fix and its replay, if they are known. `written` gives a finding the words of the text;
    afterwards, that of one kernel among several may come from another process, without a cause.
    `habits` are the rules of warnings about PTX text that are known, by the name of the kernel.
    """
    effort, remarks = options.effort, options.remarks
    if effort == "off":
        return
    originals = [op for op in module.ops if isinstance(op, KernelOp)]
    prepared = verifiable(module)
    kernels = [each.kernel for each in prepared]
    wrong = {
        kernel
        for kernel, original in zip(kernels, originals, strict=True)
        if wrong and any(op in wrong for op in original.walk())
    }
    if not kernels:
        return
    reasons = [unknown_threads(kernel) for kernel in kernels]
    if all(reasons) and not wrong:
        # The import of numpy takes longer than the compilation of such a kernel.
        for kernel, reason in zip(kernels, reasons, strict=True) if remarks else ():
            yield _kernel_remark(kernel, "not decided", f"not decided: {reason}")
        return
    try:
        from .verdict import verdict_of
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        install = f"install it with pip install {package}"
        yield verdict_remark(f"kernels were not run: {package} is missing; {install}")
        return
    repairing = _Repairing(source, options, len(kernels) == 1)

    def tell(each: Verifiable, text: str) -> None:
        options.progress(f"@{with_own_names(each.kernel.sym_name.data, None)}: {text}")

    def findings(each: Verifiable) -> Iterator[CompileError]:
        if each.kernel in wrong:
            if remarks:
                yield _kernel_remark(each.kernel, "not verified", HAS_ERRORS)
            return
        try:
            with without_garbage_collection(), Progress.told_to(partial(tell, each)):
                verdict = verdict_of(each.kernel, effort)
            if is_read(each.kernel):
                verdict = verdict.relaxed_for_ptx(habits.get(each.kernel.sym_name, ()))
            if each.assumed:
                verdict = verdict.with_largest(each.assumed)
            yield from map(written, repairing.findings(verdict))
        except Exception as error:
            yield _crash(each.kernel, error, source)

    if len(kernels) == 1:
        yield from findings(prepared[0])
        return

    def all_findings(each: Verifiable) -> Sequence[CompileError]:
        with freeing_garbage():
            return [*findings(each)]

    processes = Processes.allowed if can_fork() else 1
    for done, found in enumerate(in_processes(all_findings, prepared, processes), 1):
        options.progress(f"{done} of {len(prepared)} kernels")
        yield from found


def unverified(module: ModuleOp, wrong: Set[Operation]) -> Iterator[CompileError]:
    """The verdicts on the kernels of a module with errors; `wrong` are operations with errors.
    There is none on a kernel whose name is no string."""
    found = (op for op in module.ops if isinstance(op, KernelOp))
    kernels = [op for op in found if isinstance(op.properties.get("sym_name"), StringAttr)]
    for kernel in kernels:
        is_wrong = len(kernels) == 1 or any(op in wrong for op in kernel.walk())
        sentence = HAS_ERRORS if is_wrong else "not verified: the file has errors"
        yield _kernel_remark(kernel, "not verified", sentence)


class _Repairing:
    """Fixes and replays of the findings about the kernels of a source, if there is one."""

    def __init__(self, source: Source | None, options: RunOptions, is_only: bool):
        self._source, self._options, self._is_only = source, options, is_only
        self._repair: Repair | None = None

    def findings(self, verdict: "Verdict") -> Iterator[CompileError]:
        """The findings of a verdict, and the remarks on it."""
        found = {error: self._finding(error) for error in verdict.findings}
        for error in sorted(found, key=lambda error: self._order(found[error])):
            self._complete(verdict, error, found[error])
        yield from found.values()
        if self._options.remarks:
            sentence = with_own_names(verdict.sentence, self._source)
            # Operations that the compiler adds, such as constants, have no line.
            lines = sorted({point.line for point in verdict.unreached if point.line})
            yield _kernel_remark(verdict.kernel, verdict.word, sentence, lines)
        if self._options.redundant and verdict.word in ("verified", "verified in part"):
            yield from _redundancies(verdict, self._source)

    def _finding(self, error: OperationError) -> CompileError:
        found = operation_error(error, self._source)
        found.__cause__ = error
        return found

    def _order(self, found: CompileError) -> tuple[bool, int, int]:
        """The order in which fixes are sought."""
        first, fixes = found.findings[0], self._options.fixes
        return isinstance(fixes, FirstFix) and fixes.late(first), first.line, first.column

    def _complete(self, verdict: "Verdict", error: OperationError, found: CompileError) -> None:
        """Give a finding its fix and its replay, if they are known."""
        source, settings = self._source, verdict.settings
        setting = settings[verdict.findings.index(error)] if settings else None
        if source is None or setting is None:
            return
        # Imported here, because right kernels do not need it.
        from .remarks import File, replay_of

        file = File(source.program.name, self._is_only, self._options.is_given)
        finding = found.findings[0]
        is_wanted = self._is_wanted(verdict, finding)
        is_allowed = rule_of(error).id in self._options.allow
        fix = self._fix(source, verdict, error, finding) if is_wanted and not is_allowed else None
        if not isinstance(search := self._options.fixes, FirstFix):
            found.about_fix = "" if is_wanted else _UNTRIED
        elif fix is not None and fix.edits:
            search.is_over = True
        elif fix is None and is_wanted and not is_allowed:
            found.about_fix = _NO_FIX
        found.findings = tuple(
            each._replace(
                fix=fix.text if fix else "",
                edits=fix.edits if fix else (),
                replay=replay_of(verdict.kernel, setting, file),
            )
            for each in found.findings
        )

    def _is_wanted(self, verdict: "Verdict", finding: Finding) -> bool:
        """Whether to look for a fix of a finding."""
        search = self._options.fixes
        if isinstance(search, FirstFix):
            return not search.is_over and not search.allowed(finding)
        # Each trial reads a PTX text again, which takes longer than its runs.
        return search or not is_read(verdict.kernel)

    def _fix(
        self, source: Source, verdict: "Verdict", error: OperationError, finding: Finding
    ) -> "Fix | None":
        try:
            # Imported here, because right kernels do not need it.
            from .repair.repair import Repair

            options = self._options
            self._repair = self._repair or Repair(
                source, options.effort, options.target, options.ptx_version
            )
            text = f"looking for a fix of {finding.rule}, line {finding.line}"
            progress = partial(self._options.progress, text)
            return self._repair.shown(self._repair.fix(verdict, error, progress))
        except Exception as failure:
            # The finding is worth more than its fix. This raises if a traceback is wanted.
            internal_error(failure)
            return None


_UNTRIED = "check --fix or --diff looks for a fix"
_NO_FIX = "no fix was found"


def _crash(kernel: KernelOp, error: Exception, source: Source | None) -> Crash:
    message = f"@{kernel.sym_name.data} was not verified: {internal_error(error)}"
    file, line, column = _place(kernel)
    file = file if source is None else source.name
    return Crash(message, findings=[Finding(file, line, column, "error", "", message)])


def _redundancies(verdict: "Verdict", source: Source | None) -> Iterator[CompileError]:
    from .repair.redundancy import redundant_in

    found = redundant_in(verdict.kernel, verdict.cluster)
    others = len(found) - 1
    message = "may be removed"
    if others:
        message += f", together with the {others} {plural('other', others)}"
    for number, op in enumerate(found):
        help_ = "" if number else _KEEP
        yield CompileError(message, findings=[remark(op, message, help_, source)])


_KEEP = (
    "the runs find the same after the removal; keep an operation that orders something that the "
    "runs do not cover"
)


def _kernel_remark(
    kernel: KernelOp, verdict: Word, sentence: str, unreached: Iterable[int] = ()
) -> CompileError:
    name = with_own_names(kernel.sym_name.data, None)
    return verdict_remark(f"@{name}: {sentence}", verdict, _place(kernel), unreached)


def _place(kernel: KernelOp) -> tuple[str, int, int]:
    place = text_place(kernel.location)
    if place is None:
        return "", 0, 0
    return place.filename.data, place.line.data, place.column.data


def verdict_remark(
    message: str,
    verdict: Word | Literal[""] = "",
    at: tuple[str, int, int] = ("", 0, 0),
    unreached: Iterable[int] = (),
) -> CompileError:
    """A remark on verification at a file, line and column, with a verdict if it has one, and with
    the lines of the operations that no run reached."""
    found = Finding(*at, "remark", "", message, verdict=verdict, unreached=tuple(unreached))
    return CompileError(message, findings=[found])


@dataclass(frozen=True)
class Verify(ModulePass):
    """
    Verifies the kernels of a lowered module as a whole, without changing them.

    It reports an instruction for all threads of a warp that certainly only some of them execute,
    and an instruction for one thread that certainly several execute. With effort "quick" or
    "thorough", it also runs the kernels in the emulator, without data, and reports the first error.
    """

    name = "tcgen05-verify"

    effort: Effort = "quick"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Imported here, because `check` needs no lowering for PTX text.
        from tcgen05_dialect.passes.lower_to_ptx import LowerToPtx
        from tcgen05_dialect.passes.support.conversion import (
            check_lowered,
            not_lowered,
            out_of_order,
        )

        for other in not_lowered(op):
            raise out_of_order(other, "an operation of ptx", LowerToPtx.name, self.name)
        check_lowered(op)
        for error in kernel_errors(op):
            raise error
        for found in run_findings(op, None, RunOptions(self.effort, remarks=False)):
            error = found.__cause__
            if isinstance(error, OperationError) and has_errors(found.findings):
                raise error
            # xDSL has no warnings.
            print(found, file=sys.stderr)
