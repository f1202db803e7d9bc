"""Tests of reductions of boxes of tensors by the tensor memory accelerator, against numpy."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, TensorMap, simulate

KERNEL = """
ptx.shared_memory @tile size 2048 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @kernel(%source : !ptx.tensor_map, %target : !ptx.tensor_map)
    attributes {reqntid = array<i32: 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %column = ptx.constant 8 : i32
  %row = ptx.constant 2 : i32
  %bytes = ptx.constant 1024 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %source, {%c0, %c0}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  ptx.cp.reduce.async.bulk.tensor OPERATION %target, {%column, %row}, [%tile]
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
"""
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
CASES: list[tuple[str, Any]] = [
    *(("add", dtype) for dtype in (np.uint32, np.int32, np.uint64, np.float32, np.float16)),
    *(("max", dtype) for dtype in (np.int64, np.int32, np.float16, ml_dtypes.bfloat16)),
    *(("min", dtype) for dtype in (np.uint64, np.uint32, ml_dtypes.bfloat16)),
    *((name, dtype) for name in ("and", "or", "xor") for dtype in (np.uint32, np.int64)),
]


def arrays(dtype: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """A tile of 8 rows and 128 bytes in each, and a tensor that it does not fit into."""
    chance, columns = np.random.default_rng(3), 128 // np.dtype(dtype).itemsize
    source, target = (chance.integers(0, 100, (8, columns)).astype(dtype) for _ in range(2))
    return source, target


def maps(*tensors: npt.NDArray[Any]) -> list[TensorMap]:
    return [TensorMap.of(each, (each.shape[1], 8), swizzle="swizzle_128b") for each in tensors]


@pytest.mark.parametrize(("operation", "dtype"), CASES)
def test_elements_inside_the_tensor_are_combined(operation: str, dtype: Any) -> None:
    source, target = arrays(dtype)
    expected = target.copy()
    inside = FUNCTIONS[operation](target[2:, 8:], source[:-2, :-8])
    expected[2:, 8:] = inside.astype(dtype)
    text = KERNEL.replace("OPERATION", operation)
    assert simulate(text, maps(source, target)).findings == ()
    assert (target == expected).all()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_reductions_of_several_ctas_do_not_race(schedule: str) -> None:
    source, target = np.ones((8, 32), np.float32), np.zeros((8, 32), np.float32)
    text = KERNEL.replace("OPERATION", "add")
    report = simulate(text, maps(source, target), Launch(grid=(5,)), run=Run(schedule))
    assert report.findings == ()
    assert (target[2:, 8:] == 5).all()


def test_a_copy_races_with_a_reduction() -> None:
    text = KERNEL.replace("OPERATION", "add").replace(
        "  ptx.cp.async.bulk.commit_group",
        "  ptx.cp.async.bulk.tensor.store %target, {%column, %row}, [%tile]\n"
        "  ptx.cp.async.bulk.commit_group",
    )
    (finding,) = simulate(text, maps(*arrays(np.float32))).findings
    assert finding.rule == "T5-SIM-014"


def test_the_element_type_must_have_the_operation() -> None:
    text = KERNEL.replace("OPERATION", "max")
    (finding,) = simulate(text, maps(*arrays(np.float32))).findings
    assert finding.rule == "T5-PTX-205"
