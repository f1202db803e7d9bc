"""
What `sim` and `check` find of the mutants of the kernels in tests/data/foreign.

`python -m tests.support.foreign_bounds [KERNEL...]` judges all mutants, which takes half an hour,
and prints those that one of the two misses.
"""

import re
import sys
from collections.abc import Callable, Set
from functools import cache
from typing import NamedTuple

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.practice import RULES_IN_IR
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.simulator import Report, Run, simulate

from .foreign_kernels import foreign_kernel
from .foreign_launches import LAUNCHES
from .foreign_mutants import Mutant, mutants_of

SCHEDULES = ("lazy", "eager", "random")


class Judged(NamedTuple):
    """A mutant: whether its run differs from that of the kernel in results or in findings that
    `check` gives, too, and which of the two commands find that; `check` finds nothing in kernels
    that it does not decide."""

    name: str
    mutant: Mutant
    changes: bool
    is_simulated: bool
    is_decided: bool
    is_checked: bool

    def __str__(self) -> str:
        missed = [
            command
            for command, is_missed in (
                ("sim", not self.is_simulated),
                ("check", self.is_decided and not self.is_checked),
            )
            if is_missed
        ]
        return f"{self.name}, line {self.mutant.line}, missed by {missed}: {self.mutant.step}"

    @property
    def is_missed(self) -> bool:
        return self.changes and not (self.is_simulated and (self.is_checked or not self.is_decided))


def run_foreign(name: str, text: str, schedule: str) -> tuple[Report, bool]:
    """The report of a launch of a kernel, or of a mutant of it, and whether the result differs."""
    launch = LAUNCHES[name]()
    (prefix,) = re.findall(r"\.entry (\w+)", text)
    arguments = {f"{prefix}_param_{number}": each for number, each in launch.arguments.items()}
    run = Run(schedule, max_steps=50_000)
    report = simulate(Source(f"{name}.ptx", text), arguments, launch.launch, run)
    return report, bool(launch.differences())


@cache
def _usual(name: str) -> Set[str]:
    """The rules of the warnings about a kernel without a mistake."""
    return _rules(run_foreign(name, foreign_kernel(name), SCHEDULES[0])[0])


def _rules(report: Report) -> Set[str]:
    return {finding.rule for finding in report.findings}


def _left_out() -> Set[str]:
    """The rules of runs that `check` leaves out of PTX text, as widely used compilers do not keep
    them."""
    of_runs = {rule for rule in rules().values() if rule.practice and rule.shown_by == "run"}
    return {rule.id for rule in of_runs - RULES_IN_IR.keys()}


def judged(name: str, mutant: Mutant) -> Judged:
    """Run a mutant in all schedules until one finds something, and check it."""
    changes = is_simulated = False
    for schedule in SCHEDULES:
        report, differs = run_foreign(name, mutant.text, schedule)
        unusual = _rules(report) - _usual(name)
        is_simulated |= bool(report.errors or unusual)
        changes |= differs or bool(report.errors or unusual - _left_out())
        if changes and is_simulated:
            break
    found = check_source(Source(f"{name}.ptx", mutant.text), verify="thorough")
    is_checked = any(each.severity != "remark" for each in found)
    is_decided = is_checked or all(each.verdict != "not decided" for each in found)
    return Judged(name, mutant, changes, is_simulated, is_decided, is_checked)


class Bounds(NamedTuple):
    """Numbers of mutants that change a run: all, those that `sim` finds, those that `check`
    decides, and those of them that it finds."""

    changed: int
    simulated: int
    decided: int
    checked: int

    @classmethod
    def of(cls, found: list[Judged]) -> "Bounds":
        changed = [each for each in found if each.changes]
        decided = [each for each in changed if each.is_decided]
        return cls(
            len(changed),
            sum(each.is_simulated for each in changed),
            len(decided),
            sum(each.is_checked for each in decided),
        )

    @property
    def are_kept(self) -> bool:
        """Whether each command finds 95 of 100."""
        return 100 * self.simulated >= 95 * self.changed and (
            100 * self.checked >= 95 * self.decided
        )


def judged_of(name: str, told: Callable[[Judged], None] = lambda _: None) -> list[Judged]:
    """All mutants of a kernel, judged."""
    found: list[Judged] = []
    for mutant in mutants_of(foreign_kernel(name)):
        found.append(judged(name, mutant))
        told(found[-1])
    return found


def main(names: list[str]) -> None:
    every: list[Judged] = []
    for name in names or LAUNCHES:
        every += judged_of(name, lambda each: print(each, flush=True) if each.is_missed else None)
        print(name, Bounds.of(every), f"of {len(every)} mutants so far", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
