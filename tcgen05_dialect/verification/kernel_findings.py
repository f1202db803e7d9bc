"""
Errors, warnings and verdicts from runs of the kernels of a module, as findings.

This module is imported without runs: it does not import numpy.
"""

from collections.abc import Iterable, Iterator, Set
from typing import Literal

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import Operation

from ..isa.model.rule import plural
from ..ptx.kernel import KernelOp, is_read
from ..reporting.diagnostics import CompileError, Source, operation_error, remark
from ..reporting.findings import Finding, Word
from .effort import Effort
from .origins import unknown_threads


def run_findings(
    module: ModuleOp,
    source: Source | None,
    effort: Effort,
    wrong: Set[Operation] = frozenset(),
    target: str | None = None,
    ptx_version: str | None = None,
    redundant: bool = False,
) -> Iterator[CompileError]:
    """
    The errors and warnings from runs of the kernels of a lowered module, and a remark for each
    kernel, or one remark if a package for runs is missing; `wrong` are operations with errors.

    With a source, a finding has its fix and its replay, if they are known. `target` and
    `ptx_version` are those that override the source's. With `redundant`, a remark names each
    operation that a verified kernel does not need for its synchronisation.
    """
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    is_only = len(kernels) == 1
    if effort == "off":
        return
    for kernel in kernels:
        if is_read(kernel):
            reason = "kernels that were read from PTX are not verified"
            yield _kernel_remark(kernel, "not decided", f"not decided: {reason}")
    kernels = [kernel for kernel in kernels if not is_read(kernel)]
    if not kernels:
        return
    reasons = [unknown_threads(kernel) for kernel in kernels]
    if all(reasons) and not wrong:
        # The import of numpy takes longer than the compilation of such a kernel.
        for kernel, reason in zip(kernels, reasons, strict=True):
            yield _kernel_remark(kernel, "not decided", f"not decided: {reason}")
        return
    try:
        from .verdict import verdicts_of
    except ModuleNotFoundError as error:
        install = f"install it with pip install {error.name}"
        yield verdict_remark(f"kernels were not run: {error.name} is missing; {install}")
        return
    repair = None
    for verdict in verdicts_of(kernels, effort, wrong):
        for error in verdict.findings:
            found = operation_error(error, source)
            found.__cause__ = error
            if source is not None and verdict.settings:
                # Imported here, because right kernels need neither.
                from .repair.repair import Repair
                from .replay import replay_of

                repair = repair or Repair(source, effort, target, ptx_version)
                fix = repair.fix(verdict, error)
                setting = verdict.settings[verdict.findings.index(error)]
                found.findings = tuple(
                    each._replace(
                        fix=fix.text if fix else "",
                        edits=fix.edits if fix else (),
                        replay=replay_of(verdict.kernel, setting, source.name, is_only),
                    )
                    for each in found.findings
                )
            yield found
        yield _kernel_remark(verdict.kernel, verdict.word, verdict.sentence)
        if redundant and verdict.word in ("verified", "verified in part"):
            yield from _redundancies(verdict.kernel, source)


def _redundancies(kernel: KernelOp, source: Source | None) -> Iterator[CompileError]:
    from .redundancy import redundant_in

    found = redundant_in(kernel)
    others = len(found) - 1
    message = "may be removed"
    if others:
        message += f", together with the {others} {plural('other', others)}"
    for number, op in enumerate(found):
        help_ = "" if number else _KEEP
        yield CompileError(message, findings=[remark(op, message, help_, source)])


_KEEP = (
    "the runs find the same without what may be removed; keep what orders something that they do "
    "not cover"
)


def without_verdicts(found: Iterable[CompileError]) -> Iterator[CompileError]:
    """The errors and warnings, and the remark that runs are not possible."""
    return (each for each in found if not any(finding.verdict for finding in each.findings))


def _kernel_remark(kernel: KernelOp, verdict: Word, sentence: str) -> CompileError:
    location = kernel.location
    at = (0, 0)
    if isinstance(location, FileLineColLoc):
        at = location.line.data, location.column.data
    return verdict_remark(f"@{kernel.sym_name.data}: {sentence}", verdict, at)


def verdict_remark(
    message: str, verdict: Word | Literal[""] = "", at: tuple[int, int] = (0, 0)
) -> CompileError:
    """A remark on verification at a line and a column, with a verdict if it has one."""
    found = Finding("", *at, "remark", "", message, verdict=verdict)
    return CompileError(message, findings=[found])
