"""
Work of many threads in a process that has imported nothing yet.

As a program, it prints the name of each task whose result differs from that without threads. An
argument is the number of tasks for each thread; by default there are a few tasks of each kind.
"""

import random
import re
import runpy
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from .repository import EXAMPLES, LIT_TESTS

_THREADS = 8
_ADD = """
ptx.kernel @add(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %four = arith.constant 4 : i32
  %number = arith.constant NUMBER : i32
  %thread = ptx.special_register tid.x
  %at = ptx.mad.wide u32 %thread, %four, %out
  %sum = arith.addi %thread, %number : i32
  ptx.st global b32 [%at], {%sum}
  ptx.ret
}
"""


class Task(NamedTuple):
    """A function of text, and its argument."""

    function: Callable[[str], object]
    argument: str

    def result(self) -> object:
        """The result, the errors of the program, or the error of the tool."""
        from tcgen05_dialect import CompileError

        try:
            return self.function(self.argument)
        except CompileError as error:
            return str(error)
        except Exception as error:
            return error

    def __str__(self) -> str:
        return f"{self.function.__name__} of {self.argument}"


def compiled(text: str) -> object:
    from tcgen05_dialect import compile_to_ptx

    return compile_to_ptx(text)


def built(name: str) -> object:
    found = runpy.run_path(str(EXAMPLES / "ws" / f"{name}.py"))
    return str(found[name]())


def checked(text: str) -> object:
    from tcgen05_dialect import check_source

    return [str(each) for each in check_source(text, verify="off")]


def simulated(number: str) -> object:
    from tcgen05_dialect import Launch, simulate

    array = np.zeros(32, np.int32)
    report = simulate(_ADD.replace("NUMBER", number), [array], Launch((1,)))
    return array.tolist(), report.findings


def launched(number: str) -> object:
    from tcgen05_dialect.simulator import simulate

    from .launches import read

    name = ("gemm_single_tile", "gemm_pipelined", "ws/gemm", "ws/gemm_int8")[int(number) // 4 % 4]
    sizes = {"m": 1 + int(number) % 130, "n": 1 + int(number) % 70, "k": 16 * (1 + int(number) % 9)}
    launch = read(EXAMPLES / f"{name}.toml", {"sizes": sizes})
    report = simulate((EXAMPLES / f"{name}.mlir").read_text(), launch.arguments, launch.launch)
    return report.findings, report.statistics, launch.differences()


def tasks() -> list[Task]:
    """A few tasks of each kind."""
    files = ("tcgen05/mma_invalid", "ptx/mbarrier_invalid")
    examples = ("ws/gemm", "gemm_single_tile")
    return [
        *(Task(compiled, (EXAMPLES / f"{each}.mlir").read_text()) for each in examples),
        *(Task(built, each) for each in ("gemm", "gemm_sequential")),
        *(
            Task(checked, each)
            for file in files
            for each in (LIT_TESTS / f"{file}.mlir").read_text().split("// -----")[:8]
        ),
        *(Task(simulated, str(each)) for each in range(4)),
    ]


def different_tasks(count: int) -> list[Task]:
    """So many tasks of different kernels: tests of other constants, and launches of other sizes."""
    texts = [
        each for file in LIT_TESTS.glob("*/*.mlir") for each in file.read_text().split("// -----")
    ]
    random.Random(0).shuffle(texts)

    def task(number: int) -> Task:
        text = re.sub(
            r"(?<=constant )\d+",
            lambda found: str(int(found[0]) + number // len(texts)),
            texts[number % len(texts)],
        )
        kinds = [
            (compiled, text),
            (checked, text),
            (simulated, str(number)),
            (launched, str(number)),
        ]
        return Task(*kinds[number % len(kinds)])

    return [task(number) for number in range(count)]


def wrong_results(work: list[Task]) -> list[str]:
    """The tasks whose result differs from that of one thread; an error of the tool does."""
    random.Random(0).shuffle(work)
    sys.setswitchinterval(1e-4)
    with ThreadPoolExecutor(_THREADS) as pool:
        found = [*pool.map(Task.result, work)]
    return [
        f"{task}: {result}"
        for task, result in zip(work, found, strict=True)
        if result != task.result()
    ]


if __name__ == "__main__":
    given = [different_tasks(int(each) * _THREADS) for each in sys.argv[1:]]
    print("\n".join(wrong_results(*given or [tasks()])))
