"""Processor time of each stage of a compilation per operation, for inputs of three sizes."""

import gc
import math
import time
from collections.abc import Callable
from typing import TypeVar

from kernels import kernels
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from tcgen05_dialect.compiler import lower, parse, print_ptx, verify
from tcgen05_dialect.reporting.diagnostics import Source

SIZES = {1_000: 9, 10_000: 5, 100_000: 3}
"""Operations of the input, and how often it is compiled: of each stage the fastest run counts."""
STAGES = ("parse", "verify", "lower", "print")
LONG, SHORT = 10**9, 4
Result = TypeVar("Result")


def _compile(source: Source) -> tuple[int, dict[str, float]]:
    """The number of operations of the input, and the seconds of each stage."""
    seconds: dict[str, float] = {}

    def timed(stage: str, run: Callable[[], Result]) -> Result:
        start = time.process_time()
        result = run()
        seconds[stage] = time.process_time() - start
        return result

    module, context = timed("parse", lambda: parse(source))
    operations = sum(1 for _ in module.walk())
    timed("verify", lambda: verify(module, source))
    target = timed("lower", lambda: lower(module, context))
    timed("print", lambda: print_ptx(module, target))
    return operations, seconds


def _measure(name: str, parts: int) -> None:
    totals: list[float] = []
    for size, repeats in SIZES.items():
        source = Source(name, kernels(size, parts))
        runs: list[tuple[int, dict[str, float]]] = []
        for _ in range(repeats):
            gc.collect()
            gc.disable()
            runs.append(_compile(source))
            gc.enable()
        operations = runs[0][0]
        seconds = {stage: min(run[stage] for _, run in runs) for stage in STAGES}
        totals.append(sum(seconds.values()))
        figures = (seconds[stage] / operations * 1e6 for stage in STAGES)
        line = " ".join(f"{figure:8.1f}" for figure in (*figures, totals[-1] / operations * 1e6))
        print(f"{name:14} {operations:8} {line}")
    print(f"{name:14} 100k operations take {totals[2] / totals[1]:.1f} times as long as 10k")


def _yardstick(size: int) -> float:
    """The seconds in which xDSL alone parses an `arith.addi`: what the machine is worth."""
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
    """Print a line for each size of one long kernel and of many short ones."""
    print(f"xDSL parses an arith.addi in {_yardstick(10_000) * 1e6:.1f} us on this machine")
    header = " ".join(f"{stage:>8}" for stage in (*STAGES, "sum"))
    print(f"{'us per op':14} {'ops':>8} {header}")
    _compile(Source("warm-up", kernels(1_000, SHORT)))
    _measure("one kernel", LONG)
    _measure("many kernels", SHORT)


if __name__ == "__main__":
    main()
