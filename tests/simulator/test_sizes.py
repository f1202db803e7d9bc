"""Tests of the sizes of a launch, and of the options of a run."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.isa.targets import MULTIPROCESSORS, SHARED_BYTES
from tcgen05_dialect.reporting.diagnostics import CompileError
from tcgen05_dialect.simulator import Launch, Run, simulate
from tcgen05_dialect.simulator.machine.errors import LaunchError

KERNEL = """
ptx.kernel @kernel() attributes {{{}}} {{
  ptx.ret
}}
"""
REQNTID = "reqntid = array<i32: 32, 2>"
MAXNTID = "maxntid = array<i32: 8, 8>"
CLUSTER = "reqntid = array<i32: 32>, cluster_dims = array<i32: 2>"


@pytest.mark.parametrize(
    ("attributes", "launch", "message"),
    [
        (REQNTID, Launch(block=(32,)), "the block must be 32 x 2 x 1, the kernel's reqntid; found"),
        (REQNTID, Launch(block=(64, 1)), "found 64 x 1 x 1"),
        (REQNTID, Launch(block=(2, 32)), "found 2 x 32 x 1"),
        (MAXNTID, Launch(block=(65,)), "at most 64, the product of the kernel's maxntid; found 65"),
        (MAXNTID, Launch(), "the launch must give the block, because the kernel has no reqntid"),
        (CLUSTER, Launch(cluster=(1,)), "cluster must be 2 x 1 x 1, the kernel's cluster_dims; fo"),
        (CLUSTER, Launch(grid=(3,)), "the grid must be a multiple of the cluster, 2 x 1 x 1, alo"),
        ("", Launch(block=(1, 1, 128)), "the block must be one to three extents of 1 or more, at"),
        ("", Launch(block=(2048,)), "found 2048"),
        ("", Launch(block=(1, 1, 1, 1)), "found 1 x 1 x 1 x 1"),
        ("", Launch(block=()), "found no extent"),
        (REQNTID, Launch(cluster=(17,)), "the cluster must be one to three extents of 1 or more"),
        (REQNTID, Launch(cluster=(4, 4, 2)), "found 4 x 4 x 2"),
        (REQNTID, Launch(grid=(0,)), "the grid must be one to three extents of 1 or more, with a"),
        (REQNTID, Launch(grid=(1 << 30,)), "with a product of at most 1048576; found 1073741824"),
        (REQNTID, Launch(dynamic_shared_memory=-1), "0 to 232448 bytes; found -1"),
    ],
)
def test_sizes_that_the_kernel_or_the_hardware_forbids(
    attributes: str, launch: Launch, message: str
) -> None:
    with pytest.raises(LaunchError, match=re.escape(message)):
        simulate(KERNEL.format(attributes), [], launch)


@pytest.mark.parametrize("value", [5, "1", (1.5,), (None,), [[1]]])
@pytest.mark.parametrize("size", ["grid", "block", "cluster"])
def test_sizes_that_are_no_integers(size: str, value: Any) -> None:
    with pytest.raises(LaunchError, match=f"the {size} must be one to three integers; found "):
        simulate(KERNEL.format(REQNTID), [], Launch(**{size: value}))


@pytest.mark.parametrize(
    ("attributes", "launch"),
    [
        (REQNTID, {"block": (32, 2, 1)}),
        (REQNTID, {"grid": np.array([3, 1]), "block": [np.int64(32), 2]}),
        (MAXNTID, {"block": (64,)}),
        (MAXNTID, {"block": (1, 1, 64)}),
        (CLUSTER, {"grid": (4,), "cluster": (2, 1, 1)}),
        (CLUSTER, {"dynamic_shared_memory": np.int32(64)}),
    ],
)
def test_sizes_that_agree_with_the_kernel(attributes: str, launch: dict[str, Any]) -> None:
    assert simulate(KERNEL.format(attributes), [], Launch(**launch)).findings == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_steps": 0}, "the largest number of steps must be 1 or more; found 0"),
        ({"max_steps": 1.5}, "the largest number of steps must be an integer; found 1.5"),
        ({"seed": -1}, "the seed must be 0 or more; found -1"),
        ({"schedule": "early"}, "the schedule must be eager, lazy or random; found early"),
        ({"trace": "yes"}, "trace must be a function; found 'yes'"),
    ],
)
def test_options_of_a_run_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(LaunchError, match=re.escape(message)):
        simulate(KERNEL.format(REQNTID), [], run=Run(**options))


def test_a_run_that_reaches_its_limit_has_executed_that_many_instructions() -> None:
    endless = """
    ptx.kernel @endless() attributes {reqntid = array<i32: 96>} {
      cf.br ^again
    ^again:
      %clock = ptx.special_register.volatile clock
      cf.br ^again
    }
    """
    for most in (1, 100, 1000):
        report = simulate(endless, [], run=Run(max_steps=most))
        assert f"the kernel has not ended after {most} instructions" in report.findings[0].message
        assert report.statistics.instructions.total() == most


NESTED = """
ptx.kernel @nested(%n : i32) attributes {reqntid = array<i32: 1>} {
  %c1 = arith.constant 1 : i32
  cf.br ^outer(%n : i32)
^outer(%i : i32):
  ptx.nanosleep %i
  scf.for %j = %c1 to %n step %c1 : i32 {
    ptx.nanosleep %j
  }
  scf.for %j = %c1 to %n step %c1 : i32 {
    ptx.nanosleep %j
  }
  %next = arith.addi %i, %c1 : i32
  cf.br ^outer(%next : i32)
}
"""


@pytest.mark.parametrize(
    ("n", "places"),
    [(9, {"line 6", "lines 6 and 7", "lines 6 and 10"}), (10**6, {"lines 6 and 7"})],
)
def test_a_run_that_reaches_its_limit_names_the_loops(n: int, places: set[str]) -> None:
    found: set[str] = set()
    for steps in range(100, 200, 9):
        report = simulate(NESTED, [n], run=Run(max_steps=steps))
        found |= set(re.findall(r"is still in the loops? at (.*)", report.findings[0].message))
    assert found == places


PLACES = """
ptx.kernel @places(%out : i64)
    attributes {{reqntid = array<i32: 1>, cluster_dims = array<i32: {}>}} {{
  %cta = ptx.special_register ctaid.x
  %smid = ptx.special_register.volatile smid
  %nsmid = ptx.special_register.volatile nsmid
  %eight = ptx.constant 8 : i32
  %at = ptx.mad.wide u32 %cta, %eight, %out
  ptx.st global b32 [%at], {{%smid, %nsmid}}
  ptx.ret
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("cluster", [1, 4])
@pytest.mark.parametrize("schedule", ["eager", "random"])
def test_ctas_run_on_different_multiprocessors(cluster: int, schedule: str) -> None:
    ctas = 200
    out = np.zeros((ctas, 2), np.uint32)
    report = simulate(PLACES.format(cluster), [out], Launch(grid=(ctas,)), Run(schedule))
    assert report.findings == ()
    assert (out[:, 1] == MULTIPROCESSORS).all()
    assert (out[:, 0] < MULTIPROCESSORS).all()
    assert sorted(out[:MULTIPROCESSORS, 0]) == list(range(MULTIPROCESSORS))
    assert (out[:, 0].reshape(-1, cluster) % cluster == np.arange(cluster)).all()


VARIABLES = """
ptx.shared_memory @used size 1024 alignment 4
ptx.shared_memory @unused size 232448 alignment 4
ptx.kernel @kernel() attributes {reqntid = array<i32: 1>} {
  %used = ptx.address_of @used
  ptx.st "shared::cta" b32 [%used], {%used}
  ptx.ret
^unreachable:
  %unused = ptx.address_of @unused
  ptx.st "shared::cta" b32 [%unused], {%unused}
  ptx.ret
}
"""


def test_only_variables_that_the_kernel_uses_take_shared_memory() -> None:
    assert simulate(VARIABLES, []).findings == ()


@pytest.mark.parametrize(
    ("type_", "address", "found"),
    [
        ("b32", 1, "4 bytes at 0x1 are"),
        ("b64", 3, "8 bytes at 0x3 are"),
        ("b8", 3, "1 byte at 0x3 is"),
        ("b32", -4, "4 bytes at 0xfffffffffffffffc are"),
        ("b32", -3, "4 bytes at 0xfffffffffffffffd are"),
    ],
)
def test_accesses_outside_memory_have_their_size(type_: str, address: int, found: str) -> None:
    result = {"b32": "i32", "b64": "i64", "b8": "i16"}[type_]
    kernel = f"""
    ptx.kernel @k(%p : i64) attributes {{reqntid = array<i32: 1>}} {{
      %x = ptx.ld global {type_} [%p] -> {result}
      ptx.ret
    }}
    """
    (finding,) = simulate(kernel, [address]).findings
    assert finding.rule == "T5-SIM-002"
    assert finding.message == f"ptx.ld: {found} not in global memory"


def test_pairs_need_clusters_of_pairs() -> None:
    text = """
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @pairs() {
  %slot = ptx.address_of @slot
  %columns = ptx.constant 32 : i32
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.tcgen05.alloc cta_group_2 shared_cta [%slot], %columns
  %taddr = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.tcgen05.dealloc cta_group_2 %taddr, %columns
  ptx.ret
}
"""
    assert not simulate(text, [], Launch((2,), (32,), (2,))).findings
    for cluster in (1, 3):
        (finding,) = simulate(text, [], Launch((cluster,), (32,), (cluster,))).findings
        assert finding.rule == "T5-CTA_GROUP-003"
        assert finding.line == 8


def test_shared_memory_is_limited_as_a_whole() -> None:
    kernel = """
        ptx.shared_memory @fixed size 1024 alignment 4
        ptx.shared_memory @of_another_kernel size 4096 alignment 4
        ptx.kernel @other() {
          %address = ptx.address_of @of_another_kernel
          ptx.st "shared::cta" b32 [%address], {%address}
          ptx.ret
        }
        ptx.kernel @shared() attributes {reqntid = array<i32: 32, 1, 1>} {
          %address = ptx.address_of @fixed
          ptx.st "shared::cta" b32 [%address], {%address}
          ptx.ret
        }
    """
    most = max(SHARED_BYTES.values())
    launch = Launch(kernel="shared", dynamic_shared_memory=most - 1024)
    assert simulate(kernel, [], launch).findings == ()
    with pytest.raises(CompileError, match=f"at most {most} bytes; found {most + 1} bytes"):
        simulate(kernel, [], replace(launch, dynamic_shared_memory=most - 1023))


def test_needed_shared_memory_is_given() -> None:
    """The launch is refused if the kernel says what it needs, and else the first access outside."""
    kernel = """
        ptx.shared_memory @tiles NEEDS alignment 16
        ptx.kernel @shared() attributes {reqntid = array<i32: 32, 1, 1>} {
          %address = ptx.address_of @tiles
          ptx.st "shared::cta" b32 [%address + 96], {%address}
          ptx.ret
        }
    """
    known, unknown = (kernel.replace("NEEDS", needs) for needs in ("needs 100", ""))
    assert simulate(known, [], Launch(dynamic_shared_memory=100)).errors == ()
    with pytest.raises(CompileError, match="at least 100 bytes, which the kernel needs; found 99"):
        simulate(known, [], Launch(dynamic_shared_memory=99))
    (error,) = simulate(unknown, [], Launch(dynamic_shared_memory=64)).errors
    assert "needs 100 bytes of dynamic shared memory, and the launch gives 64" in error.help


def test_threads_must_be_known() -> None:
    with pytest.raises(CompileError, match="must give the block, because the kernel has"):
        simulate("ptx.kernel @kernel() {\n  ptx.ret\n}\n", [])
