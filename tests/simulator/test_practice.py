"""Tests of steps that compilers leave out: a warning in PTX text, an error in IR."""

import re

import numpy as np
import pytest

from tcgen05_dialect.simulator import TensorMap

from ..support.practice_kernels import ALLOC, FREE, SLOT, kernel_of, ptx_of, rules_of
from . import test_changed_maps as changed_maps
from .test_pairs import check_results, launch_of, steps_of

_LANE = SLOT + kernel_of(
    f"""{ALLOC}
  ptx.tcgen05.st shape_32x32b x1 [%base], {{%thread}}
  tcgen05.wait st
  %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
  tcgen05.wait ld
  ptx.st global b32 [%to], {{%value}}
{FREE}""",
    64,
)
_READ = SLOT + kernel_of(
    f"""{ALLOC}
  ptx.tcgen05.st shape_32x32b x1 [%base], {{%thread}}
  tcgen05.wait st
  %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
  ptx.st global b32 [%to], {{%value}}
{FREE}""",
    32,
)
_RELAXED = SLOT + kernel_of(
    """
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first { ptx.st "shared::cta" b32 [%slot], {%c4} }
  ptx.barrier.cluster.arrive relaxed aligned
  ptx.barrier.cluster.wait aligned
  %value = ptx.ld "shared::cta" b32 [%slot] -> i32
  %sum = arith.subi %value, %c4 : i32
  %number = arith.addi %sum, %thread : i32
  ptx.st global b32 [%to], {%number}
""",
    64,
    cluster=2,
)
_END = SLOT + kernel_of(
    """
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %is_last = arith.cmpi uge, %thread, %c32 : i32
  cf.cond_br %is_last, ^last, ^first
^last:
  ptx.st "shared::cta" b32 [%slot], {%c4}
  ptx.st global b32 [%to], {%thread}
  ptx.ret
^first:
  ptx.bar.sync %c0
  %value = ptx.ld "shared::cta" b32 [%slot] -> i32
  %sum = arith.subi %value, %c4 : i32
  %number = arith.addi %sum, %thread : i32
  ptx.st global b32 [%to], {%number}
""",
    64,
)
_GENERIC = SLOT + kernel_of(
    """
  %c4 = arith.constant 4 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %wide = arith.extui %slot : i32 to i64
  %generic = ptx.cvta shared %wide
  ptx.st "shared::cta" b32 [%generic], {%thread}
  ptx.st global b32 [%to], {%thread}
""",
    1,
)
_REGISTERS = kernel_of(
    """
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %is_half = arith.cmpi ult, %thread, %c64 : i32
  scf.if %is_half { ptx.setmaxnreg dec 40 } else { ptx.setmaxnreg dec 24 }
  ptx.st global b32 [%to], {%thread}
""",
    128,
)
_INIT = """
ptx.shared_memory @done size 8 alignment 8
""" + kernel_of(
    """
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %done = ptx.address_of @done
  ptx.mbarrier.init [%done], %c1
  ptx.st global b32 [%to], {%thread}
""",
    32,
)
_RELAXED_INIT = """
ptx.shared_memory @done size 8 alignment 8
""" + kernel_of(
    """
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first { ptx.mbarrier.init [%done], %c1 }
  ptx.barrier.cluster.arrive relaxed aligned
  ptx.barrier.cluster.wait aligned
  %other = arith.cmpi eq, %thread, %c32 : i32
  scf.if %other { ptx.mbarrier.arrive [%done] }
  ptx.mbarrier.wait [%done], %c0
  ptx.st global b32 [%to], {%thread}
""",
    64,
    cluster=2,
)
_REMOTE_RELAXED_INIT = _RELAXED_INIT.replace(
    "ptx.mbarrier.arrive [%done]",
    """
    %rank = ptx.special_register cluster_ctarank
    %peer = arith.xori %rank, %c1 : i32
    %its = ptx.mapa %done, %peer
    ptx.mbarrier.arrive.remote [%its]""",
)
_CASES = (
    ("T5-SIM-036", _LANE, "T5-SIM-002", 64),
    ("T5-SIM-037", _RELAXED, "T5-SIM-014", 64),
    ("T5-SIM-037", _RELAXED_INIT, "T5-SIM-017", 64),
    ("T5-SIM-037", _REMOTE_RELAXED_INIT, "T5-SIM-017", 64),
    ("T5-SIM-057", _END, "T5-SIM-014", 64),
    ("T5-SIM-039", _GENERIC, "T5-SIM-002", 1),
    ("T5-SIM-040", _READ, "T5-SIM-014", 32),
    ("T5-SIM-051", _INIT, "T5-SIM-008", 32),
    ("T5-SIM-050", _REGISTERS, "T5-SIM-024", 128),
)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: f"{case[0]}, {case[2]}")
def test_ptx_gets_a_warning_and_ir_an_error(case: tuple[str, str, str, int]) -> None:
    rule, text, strict, threads = case
    out = np.full(threads, -1, np.int32)
    errors, _ = rules_of(text, "k.mlir", [out])
    assert errors == [strict]
    out[:] = -1
    errors, warnings = rules_of(ptx_of(text), "k.ptx", [out])
    assert errors == []
    assert rule in warnings
    assert out.tolist() == [*range(threads)]


_EMPTY = SLOT + kernel_of(
    f"""{ALLOC}
  ptx.tcgen05.st shape_16x64b x1 [%base], {{%thread}}
  tcgen05.wait st
  %value = ptx.tcgen05.ld shape_32x32b x2 [%base] -> i32, i32
  tcgen05.wait ld
  %c16 = arith.constant 16 : i32
  %is_written = arith.cmpi ult, %thread, %c16 : i32
  scf.if %is_written {{ ptx.st global b32 [%to], {{%value#0}} }}
{FREE}""",
    32,
).replace("%value = ", "%value:2 = ")


def test_lanes_that_nothing_has_written() -> None:
    """The store writes 16 of the 32 lanes that the load reads."""
    out = np.full(32, -1, np.int32)
    assert rules_of(_EMPTY, "k.mlir", [out])[0] == ["T5-SIM-013"]
    errors, warnings = rules_of(ptx_of(_EMPTY), "k.ptx", [out])
    assert errors == []
    assert "T5-SIM-048" in warnings
    assert (out[:16] >= 0).all()
    assert (out[16:] == -1).all()


def test_a_kernel_may_wait_for_one_load_and_rely_on_registers_of_another() -> None:
    """As block-scaled kernels of CuTe DSL do: they wait only where they free columns early."""
    text = _READ.replace(
        "  ptx.st global",
        """  ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
  tcgen05.wait ld
  %more = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
  %value = arith.addi %more, %c0 : i32
  ptx.st global""",
    ).replace("  %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32\n  ptx", "  ptx", 1)
    text = text.replace("  ptx.tcgen05.ld", "  %once = ptx.tcgen05.ld", 1)
    errors, warnings = rules_of(ptx_of(text), "k.ptx", [np.zeros(32, np.int32)])
    assert errors == []
    assert "T5-SIM-040" in warnings


_STORE = """
ptx.shared_memory @tile size 128 alignment 128
""" + kernel_of(
    """
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %tile = ptx.address_of @tile
  %thread = ptx.special_register tid.x
  %to = ptx.mad u32 %thread, %c4, %tile
  ptx.st "shared::cta" b32 [%to], {%thread}
  ptx.fence.proxy.async shared::cta
  ptx.bar.sync %c0
  STORE
""",
    32,
    "%map : !ptx.tensor_map",
).replace("proxy.async shared::cta", 'proxy.async "shared::cta"')
_COPY = "ptx.cp.async.bulk.tensor.store %map, {%c0, %c0}, [%tile]"
_GROUP = "ptx.cp.async.bulk.commit_group"
_WAIT = "ptx.cp.async.bulk.wait_group read 0"


@pytest.mark.parametrize(
    ("steps", "rule", "strict"),
    [
        ([_COPY, _GROUP, _WAIT], "T5-SIM-038", "T5-SIM-014"),
        (["scf.if %first {", _COPY, _GROUP, "}"], "T5-SIM-041", "T5-SIM-018"),
    ],
)
def test_stores_of_compilers(steps: list[str], rule: str, strict: str) -> None:
    first = "%first = arith.cmpi eq, %thread, %c0 : i32"
    text = _STORE.replace("STORE", "\n  ".join([first, *steps]))
    for name in ("k.mlir", "k.ptx"):
        out = np.full((1, 32), -1, np.int32)
        given = text if name == "k.mlir" else ptx_of(text)
        errors, warnings = rules_of(given, name, [TensorMap.of(out, (32, 1))])
        if name == "k.mlir":
            assert errors == [strict]
        else:
            assert (errors, warnings) == ([], [rule])
            assert out.tolist() == [[*range(32)]]


_STORES = "".join(
    f'  ptx.st "shared::cta" b32 [%place + {4 * word}], {{%thread}}\n' for word in range(32)
)
_PEER = (
    SLOT
    + """
ptx.shared_memory @tile size 4096 alignment 1024
ptx.shared_memory @done size 8 alignment 8
"""
    + kernel_of(
        f"""
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %slot = ptx.address_of @slot
  %tile = ptx.address_of @tile
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %rank = ptx.special_register cluster_ctarank
  %first = arith.cmpi eq, %thread, %c0 : i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %place = ptx.mad s32 %thread, %c128, %tile
{_STORES}
  ptx.fence.proxy.async
  scf.if %first {{
    ptx.mbarrier.init [%done], %c1
    ptx.fence.mbarrier_init
  }}
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  ptx.tcgen05.alloc cta_group_2 shared_cta [%slot], %c32
  ptx.tcgen05.relinquish_alloc_permit cta_group_2
  // peer
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  %leader = arith.cmpi eq, %rank, %c0 : i32
  %copies = arith.andi %leader, %first : i1
  %rows = tcgen05.descriptor %tile : !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
  scf.if %copies {{
    tcgen05.cp %cells, %rows {{shape = "shape_128x256b", cta_group = 2 : i32}} :
        !tcgen05.tmem<128x32xf32>, !tcgen05.smem_descriptor<128x16xbf16, k_major, no_swizzle>
    ptx.tcgen05.commit cta_group_2 shared_cluster [%done]
    ptx.mbarrier.wait [%done], %c0
  }}
  ptx.st global b32 [%to], {{%thread}}
  ptx.barrier.cluster.arrive aligned
  ptx.barrier.cluster.wait aligned
  ptx.tcgen05.dealloc cta_group_2 %base, %c32
""",
        32,
        cluster=2,
    ).replace(
        "%base = ptx.ld",
        "%cells = tcgen05.load_address %slot : !tcgen05.tmem<128x32xf32>\n  %base = ptx.ld",
    )
)


def test_a_pair_may_rely_on_the_alloc_of_one_cta() -> None:
    out = np.full(32, -1, np.int32)
    assert rules_of(_PEER, "k.mlir", [out])[0] == ["T5-SIM-014"]
    barrier = "ptx.barrier.cluster.arrive aligned\n  ptx.barrier.cluster.wait aligned"
    right = _PEER.replace("// peer", barrier)
    for text, name in ((right, "k.mlir"), (ptx_of(_PEER), "k.ptx")):
        errors, warnings = rules_of(text, name, [out])
        assert errors == [] and out.tolist() == [*range(32)]
        assert ("T5-SIM-045" in warnings) is (name == "k.ptx")


_PEER_READS = "ptx.shared_memory @freed size 8 alignment 8\n" + _PEER.replace(
    "  // peer", "  ptx.barrier.cluster.arrive aligned\n  ptx.barrier.cluster.wait aligned"
).replace(
    "ptx.mbarrier.init [%done], %c1",
    "ptx.mbarrier.init [%done], %c1\n    ptx.mbarrier.init [%freed], %c64",
).replace(
    "  %c1 =", "  %freed = ptx.address_of @freed\n  %c64 = arith.constant 64 : i32\n  %c1 ="
).replace(
    "  %leader =",
    """  ptx.tcgen05.st shape_32x32b x1 [%base], {%thread}
  tcgen05.wait st
  %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
  ptx.st global b32 [%to], {%value}
  tcgen05.fence before_thread_sync
  %leaders = ptx.mapa %freed, %c0
  ptx.mbarrier.arrive.remote release cluster [%leaders]
  %leader =""",
).replace(
    "    tcgen05.cp",
    """    ptx.mbarrier.wait [%freed], %c0
    tcgen05.fence after_thread_sync
    tcgen05.cp""",
)


@pytest.mark.parametrize("reads", [True, False])
def test_a_peer_may_read_registers_before_it_arrives(reads: bool) -> None:
    """As in kernels of CuTe DSL for pairs, whose wait also has the scope of its CTA."""
    text = _PEER_READS if reads else _PEER_READS.replace("{%value}", "{%thread}")
    out = np.full(32, -1, np.int32)
    assert "T5-SIM-014" in rules_of(text, "k.mlir", [out])[0]
    errors, warnings = rules_of(ptx_of(text), "k.ptx", [out])
    assert errors == ([] if reads else ["T5-SIM-014"])
    assert ("T5-SIM-040" in warnings) is reads


@pytest.mark.parametrize("waits", [True, False])
def test_a_peer_may_wait_for_its_loads_before_it_arrives(waits: bool) -> None:
    """As in kernels of Mojo for pairs, which have no tcgen05 fences, and whose wait has the scope
    of its CTA."""
    text = re.sub(r" *tcgen05\.fence .*\n", "", _PEER_READS.replace("{%value}", "{%thread}"))
    if waits:
        text = text.replace("-> i32\n  ptx.st", "-> i32\n  tcgen05.wait ld\n  ptx.st")
    out = np.full(32, -1, np.int32)
    assert ("T5-SIM-016" if waits else "T5-SIM-014") in rules_of(text, "k.mlir", [out])[0]
    errors, warnings = rules_of(ptx_of(text), "k.ptx", [out])
    assert errors == ([] if waits else ["T5-SIM-014"])
    assert ("T5-SIM-055" in warnings) is waits


@pytest.mark.parametrize(
    ("step", "acquires", "rule"),
    [
        ("tcgen05.wait ld\n  ", "acquire", "T5-SIM-058"),
        ("tcgen05.wait ld\n  ", "relaxed", "T5-SIM-016"),
        ("", "acquire", "T5-SIM-014"),
    ],
)
def test_an_arrival_after_a_wait_for_loads_may_be_relaxed(
    step: str, acquires: str, rule: str
) -> None:
    """As in kernels of cuDNN, which have no tcgen05 fences, and whose waits acquire."""
    text = re.sub(r" *tcgen05\.fence .*\n", "", _PEER_READS.replace("{%value}", "{%thread}"))
    text = text.replace("remote release cluster", "remote relaxed cluster")
    text = text.replace("wait [%freed]", f"wait {acquires} cluster [%freed]")
    text = text.replace("-> i32\n  ptx.st", f"-> i32\n  {step}ptx.st")
    out = np.full(32, -1, np.int32)
    assert ("T5-SIM-016" if step else "T5-SIM-014") in rules_of(text, "k.mlir", [out])[0]
    errors, warnings = rules_of(ptx_of(text), "k.ptx", [out])
    is_habit = rule == "T5-SIM-058"
    assert errors == ([] if is_habit else [rule])
    assert (rule in warnings) is is_habit


def test_a_cluster_barrier_may_follow_the_init_for_other_ctas() -> None:
    kernel = "multicast_load"
    text = steps_of(kernel)["fence behind mbarrier.init"].text
    launch = launch_of(kernel)
    assert rules_of(text, "k.mlir", launch.arguments)[0] == ["T5-SIM-017"]
    launch = launch_of(kernel)
    errors, warnings = rules_of(ptx_of(text), "k.ptx", launch.arguments)
    assert errors == [] and "T5-SIM-046" in warnings
    check_results(launch)


def test_half_of_a_tensor_map() -> None:
    """A warp copies and changes 64 bytes of a map, as TensorMapManager of CuTe DSL does."""
    given, source = changed_maps.arrays()
    half = '  %half = ptx.setp lt u32 %lane, %c16\n  ptx.guard %half { ptx.st "shared'
    text = changed_maps.KERNEL.replace("CHANGE", changed_maps.CHANGE)
    text = text.replace('  ptx.st "shared', half).replace("{%word}\n", "{%word} }\n")
    to = np.zeros((8, 32), np.float32)
    template, place = TensorMap.of(given, (32, 8)), np.zeros(128, np.uint8)
    assert rules_of(text, "k.mlir", [template, place, source, to]) == (["T5-SIM-013"], [])
    assert rules_of(ptx_of(text), "k.ptx", [template, place, source, to]) == ([], ["T5-SIM-056"])
    assert (to[:5, :24] == source).all()


_RELAXED_END = (
    SLOT
    + """
ptx.shared_memory @done size 8 alignment 8
"""
    + kernel_of(
        """
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first { ptx.mbarrier.init [%done], %c32 }
  ptx.bar.sync %c0
  %is_last = arith.cmpi uge, %thread, %c32 : i32
  cf.cond_br %is_last, ^last, ^wait
^last:
  ptx.st "shared::cta" b32 [%slot], {%c4}
  ptx.st global b32 [%to], {%thread}
  ptx.mbarrier.arrive relaxed cta [%done]
  ptx.ret
^wait:
  %is_done = ptx.mbarrier.try_wait.parity relaxed cta [%done], %c0
  cf.cond_br %is_done, ^read, ^wait
^read:
  BARRIER
  %value = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.st global b32 [%to], {%value}
""",
        64,
    )
)


@pytest.mark.parametrize(
    ("barrier", "errors", "warnings"),
    [("", ["T5-SIM-014"], []), ("ptx.bar.sync %c0", [], ["T5-SIM-057"])],
)
def test_the_end_of_threads_counts_only_at_a_barrier(
    barrier: str, errors: list[str], warnings: list[str]
) -> None:
    text = ptx_of(_RELAXED_END.replace("BARRIER", barrier))
    assert rules_of(text, "k.ptx", [np.zeros(64, np.int32)]) == (errors, warnings)
