"""
What becomes of mutants of the kernels in `examples/ws`.

`python -m tests.support.ws_verdicts [NAME ...]` judges all mutants of examples, and prints a table.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower, parse, print_ptx, verify
from tcgen05_dialect.reporting.diagnostics import CompileError, Finding, Source
from tcgen05_dialect.simulator import Launch, Run, simulate
from tcgen05_dialect.simulator.launch.expected import PreparedLaunch
from tcgen05_dialect.simulator.launch.launch_file import Parameter, read_launches
from tcgen05_dialect.simulator.machine.errors import LaunchError

from .repository import EXAMPLES
from .ws_attention import shared_bytes
from .ws_mutants import mutants

SCHEDULES = ("eager", "lazy", "random")
SAMPLES = {path.stem: path for path in sorted((EXAMPLES / "ws").glob("*.mlir"))}
_MOST_STEPS = 300_000
_GEMM = {"m": 130, "n": 40, "k": 136}
_SIZES: Mapping[str, Mapping[str, int]] = {
    "attention": {"queries": 130, "keys": 150, "heads": 1},
    "attention_causal": {"n": 150, "heads": 1},
    "attention_sequential": {"queries": 130, "keys": 150, "heads": 1},
    "gemm": _GEMM,
    "gemm_fp8_silu": {"m": 130, "n": 64, "k": 256},
    "gemm_int8": {"m": 130, "n": 40, "k": 144},
    "gemm_mxf8": {"m": 130, "n": 40, "k": 144},
    "gemm_nvfp4_pair": {"m": 260, "n": 40, "k": 352},
    "gemm_pair": {"m": 260, "n": 40, "k": 136},
    "gemm_sparse": {"m": 130, "n": 40, "k": 144},
    "gemm_split_k": {"m": 130, "n": 40, "k": 1160},
    "gemm_tf32": _GEMM,
}
"""Small sizes, with tails, by example; others have those of their launch file."""


_OF_LAUNCH = {
    "T5-SIM-002": "global memory",
    "T5-SIM-014": "argument",
    "T5-SIM-032": "argument",
    "T5-SPARSE-001": "metadata",
}
"""
What static verification, of one cluster and without data, cannot find: by rule, a word of the
message. The extents of a matrix are not those of the array, CTAs write the same elements, or the
launch has no legal metadata for them.
"""


class Outcome(NamedTuple):
    """
    What became of a kernel: `refused`, `as expected`, `another result`, or, for a defect, what is
    wrong. With the rules of a refusal, or more about a defect.
    """

    name: str
    more: str = ""


def refusal(text: str) -> CompileError | None:
    """The error of verifying, lowering or printing a kernel."""
    source = Source("mutant.mlir", text)
    try:
        module, context = parse(source)
        verify(module, source)
        print_ptx(module, lower(module, context, source=source), source)
    except CompileError as error:
        return error
    return None


def launch_of(sample: str, text: str) -> PreparedLaunch:
    """A small launch of an example, with the shared memory that a mutant of it needs."""
    path = SAMPLES[sample].with_suffix(".toml")
    sizes = _SIZES.get(sample, {})
    ((_, launch),) = read_launches(path, {}, sizes, 0, lambda _: list[Parameter]())
    launch.launch = Launch(launch.launch.grid, dynamic_shared_memory=shared_bytes(text))
    return launch


def ran(sample: str, text: str, schedules: Iterable[str] = SCHEDULES) -> Outcome:
    """What becomes of a legal mutant of an example in the emulator, with all schedules."""
    results: list[dict[str, bytes]] = []
    different = False
    for schedule in schedules:
        launch = launch_of(sample, text)
        run = Run(schedule, 1, _MOST_STEPS)
        try:
            report = simulate(text, launch.arguments, launch.launch, run)
        except LaunchError as error:
            return Outcome("refused at the launch", error.message)
        if report.findings:
            return Outcome(f"finding with {schedule}", _shown(report.findings[0]))
        different |= bool(launch.differences())
        results.append({name: np.asarray(each).tobytes() for name, each in launch.arrays.items()})
    if any(each != results[0] for each in results):
        return Outcome("result depends on the schedule")
    return Outcome("another result" if different else "as expected")


def _shown(finding: Finding) -> str:
    return f"line {finding.line}: {finding.rule}: {finding.message}"


def verified(text: str) -> Outcome:
    """The verdict of static verification."""
    found = check_source(Source("mutant.mlir", text), verify="quick")
    wrong = [each for each in found if each.severity != "remark"]
    if wrong:
        return Outcome("not verified", _shown(wrong[0]))
    verdicts = [each.message for each in found if "verified" in each.message]
    return Outcome("verified" if verdicts else "not decided", "; ".join(verdicts))


def judged(sample: str) -> Iterator[tuple[str, Outcome]]:
    """The name and the outcome of each mutant of an example."""
    for mutant in mutants(SAMPLES[sample].read_text()):
        yield str(mutant), outcome_of(sample, mutant.text)


def outcome_of(sample: str, text: str) -> Outcome:
    """
    What becomes of a mutant: it is refused, or static verification refuses it (`not verified`), or
    it is legal and runs `as expected`, with `another result`, or with a `finding of the launch`.
    Everything else is a defect.
    """
    try:
        error = refusal(text)
        if error is not None:
            finding = error.findings[0]
            return Outcome("refused" if finding.line else "refused without a place", finding.rule)
        outcome, verdict = ran(sample, text), verified(text)
    except Exception as error:
        return Outcome("crashed", repr(error))
    if verdict.name == "verified":
        rule = outcome.more.partition(": ")[2].partition(":")[0]
        is_of_launch = rule in _OF_LAUNCH and _OF_LAUNCH[rule] in outcome.more
        return Outcome("finding of the launch", outcome.more) if is_of_launch else outcome
    if verdict.name == "not verified" and outcome.name.startswith("finding"):
        return verdict
    return Outcome(f"{outcome.name}, {verdict.name}", f"{outcome.more} {verdict.more}")


def main(names: Iterable[str]) -> None:
    """Print all mutants that are not refused, and a table of the outcomes by example."""
    for sample in names:
        counts: Counter[str] = Counter()
        for name, outcome in judged(sample):
            counts[outcome.name] += 1
            if outcome.name != "refused":
                print(f"{sample}: {name}: {outcome.name}: {outcome.more}", flush=True)
        total = f"{sample}: {sum(counts.values())} mutants"
        print(total, *(f"{count} {name}" for name, count in counts.most_common()), sep="; ")


if __name__ == "__main__":
    main(sys.argv[1:] or SAMPLES)
