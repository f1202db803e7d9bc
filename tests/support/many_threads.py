"""
Work of many threads in a process that has imported nothing yet.

As a program, it prints the name of each task whose result differs from that without threads.
"""

import random
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
        """The result, or the error."""
        try:
            return self.function(self.argument)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def __str__(self) -> str:
        return f"{self.function.__name__} of {self.argument}"


def compiled(name: str) -> object:
    from tcgen05_dialect import compile_to_ptx

    return compile_to_ptx((EXAMPLES / name).read_text())


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


def tasks() -> list[Task]:
    """Tasks of each kind, in any order."""
    files = [
        LIT_TESTS / "tcgen05" / "mma_invalid.mlir",
        LIT_TESTS / "ptx" / "mbarrier_invalid.mlir",
    ]
    found = [
        *(Task(compiled, each) for each in ("ws/gemm.mlir", "gemm_single_tile.mlir")),
        *(Task(built, each) for each in ("gemm", "gemm_sequential")),
        *(Task(checked, each) for file in files for each in file.read_text().split("// -----")[:8]),
        *(Task(simulated, str(each)) for each in range(4)),
    ]
    random.Random(0).shuffle(found)
    return found


def wrong_results() -> list[str]:
    """The tasks whose result differs from that of one thread."""
    work = tasks()
    sys.setswitchinterval(1e-4)
    with ThreadPoolExecutor(_THREADS) as pool:
        found = [*pool.map(Task.result, work)]
    return [
        f"{task}: {result}"
        for task, result in zip(work, found, strict=True)
        if result != task.result()
    ]


if __name__ == "__main__":
    print("\n".join(wrong_results()))
