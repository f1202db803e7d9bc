"""Tests of kernels whose control depends on loaded data: the runs choose what loads read."""

import re

import pytest

from tcgen05_dialect.verification.execution import rule_of
from tcgen05_dialect.verification.verdict import Verdict

from .test_pairs import verdict

_FLAG = """
ptx.shared_memory @b size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k(%p : i64) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %thread = ptx.special_register tid.x
  %b = ptx.address_of @b
  %slot = ptx.address_of @slot
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_second = arith.cmpi eq, %thread, %c32 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%b], %c1
  }
  ptx.bar.sync %c0
  scf.if %is_first {
    %x = ptx.ld global b32 [%p] -> i32
    STORE
    %arrives = arith.cmpi eq, %x, %c3 : i32
    scf.if %arrives {
      ptx.mbarrier.arrive [%b]
    }
  }
  BETWEEN
  scf.if %is_second {
    %y = ptx.ld SECOND -> i32
    %waits = arith.cmpi CONDITION, %y, %c3 : i32
    scf.if %waits {
      ptx.mbarrier.wait [%b], %c0
    }
  }
  ptx.ret
}
"""


def flag(second: str = "global b32 [%p]", condition: str = "eq", by_slot: bool = False) -> Verdict:
    """The verdict on a kernel where a thread arrives and another one waits if a number is 3."""
    store = 'ptx.st "shared::cta" b32 [%slot], {%x}' if by_slot else ""
    between = "ptx.bar.sync %c0" if by_slot else ""
    text = _FLAG.replace("SECOND", second).replace("CONDITION", condition)
    return verdict(text.replace("STORE", store).replace("BETWEEN", between), "thorough")


@pytest.mark.parametrize("by_slot", [False, True])
def test_threads_agree(by_slot: bool) -> None:
    """Both threads read the same number, also if one of them passes it on."""
    found = flag('"shared::cta" b32 [%slot]' if by_slot else "global b32 [%p]", by_slot=by_slot)
    assert found.findings == ()
    assert re.fullmatch(
        r"not decided: control depends on %[xy] loaded at line \d+; "
        r"runs with the value 0, 1, 2, 3 or 4 found no error",
        found.sentence,
    )


def test_guarded_loads_are_data() -> None:
    text = _FLAG.replace("STORE", "").replace("BETWEEN", "").replace("CONDITION", "eq")
    load = "ptx.ld global b32 [%p] -> i32"
    text = text.replace("ptx.ld SECOND -> i32", load)
    for condition in ("%is_first", "%is_second"):
        guard = f"ptx.guard {condition} else (%c3 : i32) {{\n%z = ptx.LD\nptx.yield %z : i32\n}}"
        text = text.replace(load, guard, 1)
    found = verdict(text.replace("ptx.LD", load), "thorough")
    assert found.findings == ()
    assert found.sentence.endswith("runs with the value 0, 1, 2, 3 or 4 found no error")


_HANDED_ON = """
!w = !ws.smem<8x4xi32, k_major, no_swizzle>
!t = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @k(%lengths : i64, %map : !ptx.tensor_map<64x64xbf16, swizzle_128b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %work = ws.ring 1 : !w
  %tiles = ws.ring 2 : !t
  ws.warp_specialize {
    ws.role @plan warps(1) threads(%t) {
      %v = ws.global_load %lengths[0, 0] of (%c1, %c1) -> vector<1xi32>
      %n = vector.extract %v[0] : i32 from vector<1xi32>
      %all = vector.broadcast %n : i32 to vector<4xi32>
      %is = arith.cmpi slt, %t, %c8 : i32
      ws.produce %work by threads (%w) {
        scf.if %is { ws.local_store %all to %w[%t, 0] }
      }
    }
    ws.role @load warps(1) {
      %n = ws.consume %work by threads (%w) -> i32 {
        %v = ws.local_load %w[0, 0] -> vector<4xi32>
        %n = vector.extract %v[0] : i32 from vector<4xi32>
        ws.yield %n
      }
      scf.for %i = %c0 to %n step %c1 : i32 {
        ws.produce %tiles by tma (%s) { ws.tma_load %map[%i, 0] to %s }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %n = ws.consume %work by threads (%w) -> i32 {
        %v = ws.local_load %w[0, 0] -> vector<4xi32>
        %n = vector.extract %v[0] : i32 from vector<4xi32>
        ws.yield %n
      }
      scf.for %i = %c0 to %n step %c1 : i32 {
        ws.consume %tiles by threads (%s) { %v = ws.local_load %s[%t, 0] -> vector<8xbf16> }
      }
    }
  }
  ptx.ret
}
"""


def test_a_role_hands_on_what_it_has_loaded() -> None:
    found = verdict(_HANDED_ON, "quick")
    assert found.findings == ()
    assert found.sentence.endswith("runs with the value 0, 1 or 5 found no error")


@pytest.mark.parametrize(("condition", "value"), [("ne", 1), ("ult", 1), ("uge", 4)])
def test_wrong_way(condition: str, value: int) -> None:
    found = flag(condition=condition)
    assert found.word == "not decided"
    (finding,) = found.findings
    assert rule_of(finding).severity == "warning"
    assert f"found with %x = {value}, %y = {value} loaded at lines 19 and 28" in str(finding)


def test_addresses_are_not_chosen() -> None:
    text = """
ptx.kernel @k(%p : i64) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %x = ptx.ld global b32 [%p] -> i32
  ptx.bar.sync %x
  ptx.ret
}
"""
    expected = "not decided: an operand of ptx.bar.sync, line 5, depends on %x loaded at line 4"
    assert verdict(text).sentence == expected


def test_prefetch_at_loaded_coordinates() -> None:
    """A prefetch changes caches only."""
    found = verdict("""
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b>, %p : i64)
    attributes {reqntid = array<i32: 32>} {
  %x = ptx.ld global b32 [%p] -> i32
  ptx.cp.async.bulk.prefetch.tensor %map, {%x, %x}
  ptx.ret
}
""")
    assert found.word == "verified"


@pytest.mark.parametrize("decides", [False, True])
def test_exchange_of_data_in_a_warp(decides: bool) -> None:
    """A reduction of data matters only if something depends on its result."""
    use = "ptx.bar.sync %sum" if decides else "ptx.st global b32 [%p], {%sum}"
    found = verdict(f"""
ptx.kernel @k(%p : i64) attributes {{reqntid = array<i32: 32>}} {{
  %all = arith.constant -1 : i32
  %x = ptx.ld global b32 [%p] -> i32
  %sum = ptx.redux.sync add s32 %x, %all
  ptx.bar.warp.sync %all
  %lane = ptx.special_register laneid
  %c0 = arith.constant 0 : i32
  %is_first = arith.cmpi eq, %lane, %c0 : i32
  scf.if %is_first {{
    {use}
  }}
  ptx.ret
}}
""")
    assert found.word == ("not decided" if decides else "verified")


@pytest.mark.parametrize(
    ("register", "type_"), [(".volatile clock", "i32"), (".b64 clock64", "i64")]
)
def test_clocks_are_unknown(register: str, type_: str) -> None:
    text = f"""
ptx.kernel @k() attributes {{reqntid = array<i32: 32>}} {{
  %c0 = arith.constant 0 : i32
  %limit = arith.constant 1000 : {type_}
  %time = ptx.special_register{register}
  %early = arith.cmpi ult, %time, %limit : {type_}
  scf.if %early {{
    ptx.bar.sync %c0
  }}
  ptx.ret
}}
"""
    found = verdict(text)
    assert "control depends on %time read at line 5" in found.sentence


_GATHER = """
ptx.kernel @k(%p : i64, %q : i64) attributes {reqntid = array<i32: 64>} {
  %thread = ptx.special_register tid.x
  %c4 = arith.constant 4 : i32
  %here = ptx.mad.wide u32 %thread, %c4, %p
  %x = ptx.ld global b32 [%here] -> i32
  %there = ptx.mad.wide u32 %x, %c4, %q
  ptx.st global b32 [%there], {%thread}
  ptx.ret
}
"""


def test_places_in_global_memory_cause_no_findings() -> None:
    """The elements of an index may be different, which chosen numbers are not."""
    found = verdict(_GATHER)
    assert (found.word, found.findings) == ("not decided", ())
    assert found.sentence.endswith("the address of ptx.st, line 8, depends on %x loaded at line 6")


_OF_TENSOR_MEMORY = """
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k() attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %is_first = arith.cmpi eq, %warp, %c0 : i32
  %slot = ptx.address_of @slot
  scf.if %is_first {
    ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c32
    ptx.tcgen05.relinquish_alloc_permit cta_group_1
    %t = ptx.ld "shared::cta" b32 [%slot] -> i32
    ptx.tcgen05.st shape_32x32b x1 [%t], {%thread}
    ptx.tcgen05.wait st
    %v = ptx.tcgen05.ld shape_32x32b x1 [%t] -> i32
    ptx.tcgen05.wait ld
    %is_zero = ptx.setp eq u32 %v, %thread
    scf.if %is_zero {
      ptx.bar.sync %c0 threads(%c64)
    }
    ptx.tcgen05.dealloc cta_group_1 %t, %c32
  }
  ptx.ret
}
"""


def test_data_of_tensor_memory() -> None:
    found = verdict(_OF_TENSOR_MEMORY)
    assert found.word == "not decided"
    assert "control depends on %v loaded at line 17" in found.sentence
    (finding,) = found.findings
    assert rule_of(finding).id == "T5-SIM-005" and rule_of(finding).severity == "warning"


def test_a_number_wider_than_what_holds_it() -> None:
    """Tensor memory has cells of 32 bits, and the kernel compares with a number of 33 bits."""
    wide = "%w = arith.extui %v : i32 to i64\n    %big = arith.constant 4294967296 : i64\n"
    text = _OF_TENSOR_MEMORY.replace(
        "%is_zero = ptx.setp eq u32 %v, %thread",
        f"{wide}    %is_zero = ptx.setp eq u64 %w, %big",
    )
    assert verdict(text).word == "not decided"


_LONG = """
ptx.kernel @k(%p : i64) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %most = arith.constant 99999 : i32
  %x = ptx.ld global b32 [%p] -> i32
  %fits = arith.cmpi ule, %x, %most : i32
  scf.if %fits {
    scf.for %i = %c0 to %x step %c1 : i32 {
      ptx.bar.sync %c0
    }
  }
  ptx.ret
}
"""


@pytest.mark.slow
def test_the_limit_of_the_verifier_is_no_finding() -> None:
    found = verdict(_LONG)
    assert (found.word, found.findings) == ("not decided", ())
    assert found.sentence.endswith(
        "with the value 99999, the kernel has not ended after 50000 instructions; warp 0 of CTA "
        "(0, 0, 0) is still in the loop at line 9"
    )


_COPY_AT = """
ptx.shared_memory @tile size 8192 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @k(%map : !ptx.tensor_map<64x64xbf16, swizzle_128b> LABEL, %p : i64 LABEL,
              %out : i64) attributes {reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %bytes = arith.constant 8192 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.fence.proxy.async "shared::cta"
  %x = ptx.ld global b32 [%p] -> i32
  %known = arith.cmpi ult, %x, %c8 : i32
  ptx.assume %known
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %x}, [%loaded]
  WAIT
  %y = ptx.ld "shared::cta" b32 [%tile] -> i32
  ptx.st global b32 [%out], {%y}
  STORE
  ptx.ret
}
"""
_WAIT = "ptx.mbarrier.wait [%loaded], %c0"
_STORE = (
    "ptx.cp.async.bulk.tensor.store %map, {%c0, %c0}, [%tile]\n"
    "  ptx.cp.async.bulk.commit_group\n  ptx.cp.async.bulk.wait_group 0"
)


@pytest.mark.parametrize(
    ("wait", "store", "label", "word"),
    [
        (_WAIT, "", "", "verified"),
        ("", "", "", "not verified"),
        (_WAIT, _STORE, "", "not decided"),
        (_WAIT, "", '{ptx.same_array = "a"}', "not decided"),
    ],
)
def test_load_at_loaded_coordinates(wait: str, store: str, label: str, word: str) -> None:
    """The box of a tensor that nothing writes may lie anywhere, and an assumption may restrict it.
    Otherwise the place matters."""
    text = _COPY_AT.replace("WAIT", wait).replace("STORE", store).replace("LABEL", label)
    assert verdict(text).word == word
