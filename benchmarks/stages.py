"""
Processor time of each stage of a compilation, per operation of the input and of the output.

The first lines compile many different kernels. The others compile one long
kernel made of repeated parts: compare them with each other only, to see how time grows. `kernels`
is the verification of whole kernels without runs.
"""

import gc
import math
import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from corpus import corpus
from kernels import kernels
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from tcgen05_dialect.compiler import kernel_violations_of, lower, parse, print_ptx, verify
from tcgen05_dialect.reporting.diagnostics import Source

SIZES = {1_000: 9, 10_000: 5, 100_000: 3}
"""Operations of the input -> how often it is compiled; the fastest run of each stage counts."""
STAGES: tuple[str, ...] = ("parse", "verify", "lower", "kernels", "print")
LONG = 10**9
ROUNDS = 5
Result = TypeVar("Result")
Sizes: TypeAlias = tuple[int, int]


def _compile(source: Source) -> tuple[Sizes, dict[str, float]]:
    """The operations of the input and of the output, and the seconds of each stage."""
    seconds: dict[str, float] = {}

    def timed(stage: str, run: Callable[[], Result]) -> Result:
        start = time.process_time()
        result = run()
        seconds[stage] = time.process_time() - start
        return result

    module, context = timed("parse", lambda: parse(source))
    read = sum(1 for _ in module.walk())
    timed("verify", lambda: verify(module, source))
    target = timed("lower", lambda: lower(module, context))
    # What `verify_kernels` does. It would refuse the long kernels, whose roles are not complete.
    timed("kernels", lambda: [*kernel_violations_of(module, source)])
    timed("print", lambda: print_ptx(module, target))
    return (read, sum(1 for _ in module.walk())), seconds


def _print(name: str, sizes: Sizes, seconds: dict[str, float]) -> None:
    for operations, which in zip(sizes, ("in", "out"), strict=True):
        figures = [seconds[stage] / operations * 1e6 for stage in STAGES]
        line = " ".join(f"{figure:8.1f}" for figure in (*figures, sum(figures)))
        print(f"{f'{name}, {which}':24} {operations:8} {line}")


def _fastest(source: Source, repeats: int) -> tuple[Sizes, dict[str, float]]:
    """The numbers of operations, and for each stage the fastest of several runs."""
    gc.collect()
    gc.disable()
    runs = [_compile(source) for _ in range(repeats)]
    gc.enable()
    return runs[0][0], {stage: min(run[stage] for _, run in runs) for stage in STAGES}


def _different_kernels() -> None:
    """Measure each kernel of the corpus by itself: nothing repeats, as in a user's compilation."""
    read, made, seconds = 0, 0, dict.fromkeys(STAGES, 0.0)
    sources = list(corpus())
    for source in sources:
        (own_read, own_made), own = _fastest(source, ROUNDS)
        read, made = read + own_read, made + own_made
        seconds = {stage: seconds[stage] + own[stage] for stage in STAGES}
    _print(f"{len(sources)} different kernels", (read, made), seconds)


def _growth() -> None:
    """Measure one kernel of each size: its parts repeat, so only the growth means something."""
    totals: list[float] = []
    for size, repeats in SIZES.items():
        sizes, seconds = _fastest(Source("one kernel", kernels(size, LONG)), repeats)
        totals.append(sum(seconds.values()))
        _print("one kernel", sizes, seconds)
    print(f"100k operations take {totals[2] / totals[1]:.1f} times as long as 10k")


def _yardstick(size: int) -> float:
    """Seconds xDSL alone takes to parse an `arith.addi`: a measure of the machine."""
    values = "".join(f"%v{i + 1} = arith.addi %v{i}, %v{i} : i32\n" for i in range(size))
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Arith)
    best = math.inf
    for _ in range(3):
        parser = Parser(context, "%v0 = arith.constant 1 : i32\n" + values)
        gc.collect()
        gc.disable()
        start = time.process_time()
        parser.parse_module()
        best = min(best, time.process_time() - start)
        gc.enable()
    return best / size


def main() -> None:
    """Print a line for the corpus and one for each size of a long kernel."""
    print(f"xDSL parses an arith.addi in {_yardstick(10_000) * 1e6:.1f} us on this machine")
    header = " ".join(f"{stage:>8}" for stage in (*STAGES, "sum"))
    print(f"{'us per op':24} {'ops':>8} {header}")
    _compile(Source("warm-up", kernels(1_000, LONG)))
    _different_kernels()
    _growth()


if __name__ == "__main__":
    main()
