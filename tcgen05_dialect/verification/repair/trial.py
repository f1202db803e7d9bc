"""Trials: a kernel with an edit is compiled and run again."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...compiler import read_kernels, verify_kernels, without_garbage_collection
from ...isa.model.rule import REGISTRY, Rule
from ...ptx.kernel import KernelOp
from ...reporting.diagnostics import CompileError, OperationError, Source, text_place
from ...reporting.edits import edited, line_before
from ...reporting.findings import Edit
from ...simulator.machine.errors import LaunchError
from ...simulator.machine.state import LaunchSizes
from ..execution import Skeleton, rule_of
from ..judgement import Setting
from ..knowledge import Undecided
from ..prepared import verifiable
from ..runs import Effort
from ..verdict import of_read, verdict_of

Key = tuple[str, int]
"""The rule of a finding, and its line in the text without edits."""


def key_of(error: OperationError, edits: Sequence[Edit] = ()) -> Key:
    place = text_place(error.operation.location)
    line = 0 if place is None else place.line.data
    return rule_of(error).id, line_before(edits, line)


def _is_of_edit(key: Key, rule: Rule) -> bool:
    """Whether a finding is an error of an inserted operation."""
    return key[1] == 0 and rule.severity == "error"


def kernel_in(module: ModuleOp, name: str, sizes: LaunchSizes) -> KernelOp:
    """The kernel of a lowered or imported module with a name, as launches of these sizes verify
    it."""
    for op in module.ops:
        if isinstance(op, KernelOp) and op.sym_name.data == name:
            op.assume(sizes.block, sizes.cluster)
    kernels = (each.kernel for each in verifiable(module))
    return next(each for each in kernels if each.sym_name.data == name)


class Result(Enum):
    """What a trial shows of a finding."""

    GONE = auto()
    """It is gone, and there is no other error that is new."""
    MOVED = auto()
    """It is gone, but there is another error."""
    SAME = auto()
    """It is still there, or an earlier error hides it, or there is no verdict."""
    NO_TEXT = auto()
    """The text has an error, so there was no run."""


class Outcome(NamedTuple):
    """The result of a trial and, if the finding is gone, the number of operations that the run does
    not reach because of another error, the number of new warnings, which the error may have hidden,
    and of other findings that remain."""

    result: Result
    unreached: int = 0
    warnings: int = 0
    others: int = 0

    @property
    def burden(self) -> tuple[bool, int, int, int]:
        """What remains, for a comparison of outcomes."""
        return self.result is Result.MOVED, self.unreached, self.warnings, self.others


@dataclass(frozen=True)
class Trial:
    """
    A finding of a kernel, to be removed: the run that has it, and all findings of the kernel.
    """

    source: Source
    kernel: str
    setting: Setting
    wrong: Key
    known: frozenset[Key]
    effort: Effort
    target: str | None = None
    ptx_version: str | None = None

    def run(self, edits: Sequence[Edit]) -> Outcome:
        """Compile the kernel with edits, run it and judge it."""
        with without_garbage_collection():
            try:
                source = edited(self.source, edits)
                module = read_kernels(source, self.target, self.ptx_version).module
                kernel = kernel_in(module, self.kernel, self.setting.sizes)
                outcome = self._of_run(kernel, edits)
                if outcome.result is not Result.SAME:
                    # This takes as long as the run.
                    verify_kernels(module, source)
            except CompileError:
                return Outcome(Result.NO_TEXT)
            if outcome.result is Result.GONE:
                verdict = verdict_of(kernel, self.effort)
                if verdict.word == "not decided":
                    return Outcome(Result.SAME)
                outcome = self._judged(kernel, verdict.findings, edits)
            return outcome

    def _of_run(self, kernel: KernelOp, edits: Sequence[Edit]) -> Outcome:
        """The outcome of only the run that has the finding."""
        values, sizes = self.setting[:2]
        try:
            skeleton = Skeleton(kernel)
            skeleton.check()
            skeleton.infer_boxes(values, sizes)
            outcome = skeleton.run(values, sizes)
        except (Undecided, LaunchError):
            return Outcome(Result.SAME)
        if outcome.undecided is not None:
            return Outcome(Result.SAME)
        judged = self._judged(kernel, outcome.findings, edits)
        if judged.result is Result.MOVED:
            unreached = sum(map(len, outcome.coverage.unreached))
            if unreached > self._unreached:
                return Outcome(Result.SAME)
            return judged._replace(unreached=unreached)
        return judged

    @cached_property
    def _unreached(self) -> int:
        """The number of operations that the run that has the finding does not reach. With another
        error before it, a step only hides it."""
        module = read_kernels(self.source, self.target, self.ptx_version).module
        skeleton = Skeleton(kernel_in(module, self.kernel, self.setting.sizes))
        skeleton.infer_boxes(*self.setting[:2])
        return sum(map(len, skeleton.run(*self.setting[:2]).coverage.unreached))

    def _judged(
        self, kernel: KernelOp, findings: Sequence[OperationError], edits: Sequence[Edit]
    ) -> Outcome:
        if kernel.is_read:
            findings = [*compress(findings, of_read(findings))]
        found = {key_of(each, edits): rule_of(each) for each in findings}
        if self.wrong in found or any(_is_of_edit(*each) for each in found.items()):
            return Outcome(Result.SAME)
        new = [rule for key, rule in found.items() if key not in self.known]
        # After an error, a run finds no warnings.
        hides = REGISTRY[self.wrong[0]].severity == "error"
        if new and not (hides and all(rule.severity == "warning" for rule in new)):
            return Outcome(Result.MOVED)
        return Outcome(Result.GONE, 0, len(new), len(found) - len(new))
