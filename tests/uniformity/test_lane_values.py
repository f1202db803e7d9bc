"""Property tests of the values of conditions against the values that a run computes."""

from dataclasses import dataclass
from itertools import count, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES
from tcgen05_dialect.ptx.instructions import SelpOp, StOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import simulate
from tcgen05_dialect.uniformity.lane_values import Shared, Value, differs
from tcgen05_dialect.uniformity.uniformity import Uniformity

from ..support.effort import part
from ..support.structured_programs import MASK, PROGRAMS, Block

THREADS = 80
"""Two whole warps and a half."""
SOURCES = ("%thread", "%lane", "%row", "%warp", "%n", "%c5", "%c8", "%c32", "%c-1")
OPERATIONS = (
    *("addi", "subi", "muli", "andi", "ori", "xori", "minui", "minsi", "maxui", "maxsi"),
    *("divui", "divsi", "remui", "remsi", "shli", "shrui", "shrsi"),
)
COMPARISONS = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")


@dataclass(frozen=True)
class Step:
    """An operation on two earlier values, and on another if it selects."""

    operation: str
    a: int
    b: int
    condition: int


def steps(operations: tuple[str, ...]) -> st.SearchStrategy[list[Step]]:
    places = st.integers(0, 100)
    return st.lists(
        st.builds(Step, st.sampled_from(operations), places, places, places), min_size=1, max_size=6
    )


def kernel(numbers: list[Step], predicates: list[Step]) -> str:
    """A kernel that stores the last number and the last predicate of each thread."""
    lines: list[str] = []
    names = [*SOURCES]
    # Neither a division by zero nor a shift by too much has a meaning.
    for index, step in enumerate(numbers):
        a, b = names[step.a % len(names)], names[step.b % len(names)]
        if step.operation.startswith(("div", "rem", "sh")):
            lines += [f"%m{index} = arith.andi {b}, %c15 : i32"]
            lines += [f"%b{index} = arith.addi %m{index}, %c1 : i32"]
            b = f"%b{index}"
        lines.append(f"%v{index} = arith.{step.operation} {a}, {b} : i32")
        names.append(f"%v{index}")
    conditions: list[str] = ["%yes", "%elected"]
    for index, step in enumerate(predicates):
        values = conditions if step.operation.endswith("i1") else names
        a, b = values[-1 - step.a % len(values)], values[step.b % len(values)]
        if step.operation in COMPARISONS:
            lines.append(f"%p{index} = arith.cmpi {step.operation}, {a}, {b} : i32")
        else:
            lines.append(f"%p{index} = arith.{step.operation.split()[0]} {a}, {b} : i1")
        conditions.append(f"%p{index}")
        lines.append(f"%s{index} = arith.select %p{index}, {names[-1]}, {names[0]} : i32")
        names.append(f"%s{index}")
    body = "\n  ".join(lines)
    return f"""
ptx.kernel @k(%out : i64, %n : i32) attributes {{reqntid = array<i32: {THREADS // 4}, 4, 1>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c15 = arith.constant 15 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c-1 = arith.constant -1 : i32
  %yes = arith.constant true
  %x = ptx.special_register tid.x
  %row = ptx.special_register tid.y
  %width = ptx.special_register ntid.x
  %thread = ptx.mad u32 %row, %width, %x
  %lane = ptx.special_register laneid
  %index = arith.divui %thread, %c32 : i32
  %warp, %in_range = ptx.shfl.sync idx %index, %c0, %c31, %c-1
  %leader, %elected = ptx.elect.sync %c-1
  {body}
  %flag = arith.extui {conditions[-1]} : i1 to i32
  %to = ptx.mad.wide u32 %thread, %c8, %out
  ptx.st global b32 [%to], {{{names[-1]}, %flag}}
  ptx.ret
}}
"""


def warps(numbers: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    return [numbers[first : first + WARP_LANES] for first in range(0, THREADS, WARP_LANES)]


def check(value: Value, computed: npt.NDArray[np.uint32]) -> None:
    """Check that the threads agree as the value says."""
    rest = (computed.astype(np.int64) - np.array(value.known)) % (1 << 32)
    match value.shared:
        case Shared.KNOWN:
            assert not rest.any()
        case Shared.CTA:
            assert (rest == rest[0]).all()
        case Shared.WARP:
            assert all((warp == warp[0]).all() for warp in warps(rest))
        case Shared.NONE:
            pass


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
@given(
    steps(OPERATIONS),
    steps((*COMPARISONS, "andi i1", "ori i1", "xori i1")),
    st.integers(0, 40),
)
def test_what_is_known_is_what_a_run_computes(
    numbers: list[Step], predicates: list[Step], n: int
) -> None:
    text = kernel(numbers, predicates)
    out = np.zeros((THREADS, 2), np.uint32)
    assert simulate(text, [out, n]).findings == ()
    module = lower_source(Source("k.mlir", text)).module
    (op,) = (each for each in module.body.block.ops if isinstance(each, KernelOp))
    (store,) = (each for each in op.walk() if isinstance(each, StOp))
    flag = store.values[1].owner
    conditions = [flag.condition] if isinstance(flag, SelpOp) else []
    uniformity = Uniformity(op, [*store.values, *conditions])
    for index, stored in enumerate(store.values):
        check(uniformity.value(stored), out[:, index])
    for condition, expected in product(conditions, (True, False)):
        if differs(uniformity.value(condition), expected):
            for warp in warps(out[:, 1] == expected):
                assert not warp.all()


@pytest.mark.slow
@settings(max_examples=part(100), deadline=None)
@given(PROGRAMS, st.integers(0, MASK))
def test_arguments_of_blocks(program: Block, n: int) -> None:
    """Programs of branches and loops; a thread computes the value of its program."""
    result, text = program.ir(["%thread", "%n", "%warp", "%bit"], count())
    module = lower_source(
        Source(
            "k.mlir",
            f"""
ptx.kernel @k(%n : i32, %out : i64) attributes {{reqntid = array<i32: {THREADS}, 1, 1>}} {{
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %bit = arith.andi %n, %c1 : i32
  {text}
  ptx.st global b32 [%out], {{{result}}}
  ptx.ret
}}""",
        )
    ).module
    (op,) = (each for each in module.body.block.ops if isinstance(each, KernelOp))
    (store,) = (each for each in op.walk() if isinstance(each, StOp))
    computed = [
        program.value([thread, n, thread // WARP_LANES, n & 1]) for thread in range(THREADS)
    ]
    value = Uniformity(op, store.values).value(store.values[0])
    event(value.shared.name)
    check(value, np.array(computed, np.uint32))
