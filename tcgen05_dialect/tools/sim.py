"""Command `tcgen05 sim`: runs a kernel on the CPU and reports its errors."""

from argparse import Namespace
from collections.abc import Sequence

from ..simulator.settings import MAX_STEPS, SCHEDULES
from .command import ArgumentParser, add_strict, run
from .launch_options import add_launch_options


def main(arguments: Sequence[str], program: str) -> int:
    """Run a kernel; returns the exit status, 0 for a correct kernel."""
    return run(program, lambda: _run(parser(program).parse_args(arguments)))


def _run(options: Namespace) -> int:
    from .kernel_run import run_kernel

    return run_kernel(options)


def parser(program: str) -> ArgumentParser:
    """Parser of the arguments."""
    sim = ArgumentParser(
        prog=program,
        description="Runs a kernel on the CPU and compares its result with the expected one.",
    )
    sim.add_argument("file", metavar="FILE", help="IR or PTX text")
    add_launch_options(sim)
    sim.add_argument(
        "--size", metavar="NAME=N", action="append", default=[], help="a size of the launch file"
    )
    sim.add_argument(
        "--schedule",
        choices=SCHEDULES,
        default="eager",
        help="the order of asynchronous events (default: eager)",
    )
    sim.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="the seed of random order and data (default: 0)",
    )
    sim.add_argument(
        "--max-steps",
        type=int,
        default=MAX_STEPS,
        metavar="N",
        help=f"the largest number of instructions of all warps in a run (default: {MAX_STEPS})",
    )
    sim.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="the format of findings, differences and statistics (default: text)",
    )
    add_strict(sim)
    sim.add_argument(
        "--coverage",
        action="store_true",
        help="list the operations that no launch runs, and the branches that go one way only",
    )
    sim.add_argument("--trace", action="store_true", help="print one line for each event")
    sim.add_argument("--target", metavar="T", help="as for compile")
    sim.add_argument("--ptx-version", metavar="V", help="as for compile")
    return sim
