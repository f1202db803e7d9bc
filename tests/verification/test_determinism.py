"""Tests of kernels whose behaviour depends on the schedule: the verdict names the place."""

import pytest

from tcgen05_dialect.simulator import Run, simulate
from tcgen05_dialect.verification.execution import rule_of
from tcgen05_dialect.verification.verdict import Verdict

from ..support import kernel_text, other_styles, ring_styles
from .test_pairs import verdict
from .test_styles import replaced


def kernel(body: str, threads: int = 128) -> str:
    """A kernel with a body that each warp executes."""
    return f"""
ptx.shared_memory @slots size 64 alignment 16
ptx.shared_memory @first size 8 alignment 8
ptx.shared_memory @second size 8 alignment 8
ptx.kernel @k(%a : i64) attributes {{reqntid = array<i32: {threads}>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c512 = arith.constant 512 : i32
  %thread = ptx.special_register tid.x
  %warp = arith.divui %thread, %c32 : i32
  %is_first = arith.cmpi eq, %warp, %c0 : i32
  %is_second = arith.cmpi eq, %warp, %c1 : i32
  %is_low = arith.cmpi ult, %warp, %c2 : i32
  %slots = ptx.address_of @slots
  %first = ptx.address_of @first
  %second = ptx.address_of @second
{body}
  ptx.ret
}}
"""


def sentence(text: str) -> str:
    found = verdict(text)
    assert found.findings == ()
    return found.sentence


MEETING = "and which threads meet at barrier 1 depends on the schedule"
COLUMNS = "and the columns that are allocated depend on the schedule"


def test_warps_that_meet() -> None:
    """Any two of four warps may meet first."""
    found = sentence(kernel("  ptx.bar.sync %c1 threads(%c64)"))
    sync = "ptx.bar.sync, line 21"
    assert found == f"not decided: nothing orders {sync}, after {sync}, {MEETING}"
    ordered = """
  scf.if %is_low {
    ptx.bar.sync %c1 threads(%c64)
  }
  ptx.bar.sync %c0
  %is_high = arith.cmpi uge, %warp, %c2 : i32
  scf.if %is_high {
    ptx.bar.sync %c1 threads(%c64)
  }"""
    assert sentence(kernel(ordered)) == "verified"


def test_arrivals_that_do_not_wait() -> None:
    """A warp arrives again before the barrier was used, or after."""
    text = """
  scf.if %is_first {
    ptx.bar.arrive %c1, %c64
    BACK
    ptx.bar.arrive %c1, %c64
  }
  scf.if %is_second {
    ptx.bar.sync %c1 threads(%c64)
    BACK
    ptx.bar.sync %c1 threads(%c64)
  }"""
    assert verdict(kernel(text.replace("BACK", ""), 64)).word in ("not decided", "not verified")
    back = text.replace("BACK", "ptx.bar.sync %c2 threads(%c64)")
    assert sentence(kernel(back, 64)) == "verified"


_IN_ADVANCE = """
  %c4 = arith.constant 4 : i32
  %c96 = arith.constant 96 : i32
  %offset = arith.muli %thread, %c4 : i32
  %slot = arith.addi %slots, %offset : i32
  scf.if %is_first {
    ptx.bar.arrive %c1, %c96
  }
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    scf.if %is_low {
      ptx.bar.sync %c1 threads(%c96)
      ptx.st "shared::cta" b32 [%slot], {%thread}
      ptx.bar.arrive %c2, %c96
    } else {
      ptx.bar.sync %c2 threads(%c96)
      READ
      ptx.bar.arrive %c1, %c96
    }
  }"""
"""The first warp arrives in advance in place of the reader, and then waits in the same use."""
_READ = '%word = ptx.ld "shared::cta" b32 [%slots] -> i32'


@pytest.mark.parametrize(
    "right, wrong, rule",
    [
        ("READ", _READ, None),
        (
            "READ\n      ptx.bar.arrive %c1, %c96",
            f"ptx.bar.arrive %c1, %c96\n{_READ}",
            "T5-SIM-014",
        ),
        ("READ\n      ptx.bar.arrive %c1, %c96", _READ, "T5-SIM-005"),
        ("scf.if %is_first {", "scf.if %is_low {", "T5-SIM-005"),
    ],
)
def test_a_warp_that_arrives_and_waits_in_one_use(right: str, wrong: str, rule: str | None) -> None:
    body = _IN_ADVANCE.replace(right, wrong).replace("READ", _READ)
    text = kernel(body, 96).replace("@slots size 64", "@slots size 256")
    found = verdict(text)
    assert [rule_of(each).id for each in found.findings] == [rule][: rule is not None]
    assert found.word == ("verified" if rule is None else "not verified")


_ALLOCATIONS = """
  %offset = arith.muli %warp, %c32 : i32
  %slot = arith.addi %slots, %offset : i32
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c32
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  BETWEEN
  ptx.tcgen05.dealloc cta_group_1 %t, %c32"""


@pytest.mark.parametrize("between", ["", "ptx.bar.sync %c0"])
def test_allocations_of_two_warps(between: str) -> None:
    found = sentence(kernel(_ALLOCATIONS.replace("BETWEEN", between), 64))
    assert found.startswith("not decided: nothing orders ptx.tcgen05.alloc, line 24, after ptx.")
    assert found.endswith(COLUMNS)


@pytest.mark.parametrize("between, rules", [("ptx.bar.sync %c0", []), ("", ["T5-SIM-014"])])
def test_another_warp_deallocates(between: str, rules: list[str]) -> None:
    """One warp of the CTA performs each of the two (9.7.16.7.1); DeepGEMM lets two warps do so."""
    text = f"""
  scf.if %is_first {{
    ptx.tcgen05.alloc cta_group_1 shared_cta [%slots], %c32
  }}
  {between}
  scf.if %is_second {{
    %t = ptx.ld "shared::cta" b32 [%slots] -> i32
    ptx.tcgen05.dealloc cta_group_1 %t, %c32
  }}"""
    found = verdict(kernel(text, 64))
    assert [rule_of(each).id for each in found.findings] == rules


def test_allocation_of_all_columns() -> None:
    """Each warp waits until the other one frees the columns, so both get the same."""
    text = kernel(_ALLOCATIONS.replace("BETWEEN", "").replace("%c32\\n", "%c512\\n"), 64)
    text = text.replace("[%slot], %c32", "[%slot], %c512").replace("%t, %c32", "%t, %c512")
    assert sentence(text) == "verified"


_ASKING = """
  scf.if %is_first {
    %leader, %elected = ptx.elect.sync %all
    scf.if %elected {
      ptx.mbarrier.init [%first], %c1
      ptx.mbarrier.init [%second], %c1
    }
  }
  ptx.bar.sync %c0
  scf.if %is_first {
    %leader, %elected = ptx.elect.sync %all
    scf.if %elected {
      ptx.mbarrier.arrive [%first]
    }
  }
  scf.if %is_second {
    %done = ptx.mbarrier.try_wait.parity [%first], %c0
    USE
  }"""


def asking(use: str) -> str:
    text = kernel(_ASKING.replace("USE", use), 64)
    return text.replace("%c0 =", "%all = arith.constant -1 : i32\n  %c0 =")


_ARRIVES = """scf.if %done {
      %leader, %elected = ptx.elect.sync %all
      scf.if %elected {
        ptx.mbarrier.arrive [%second]
      }
    }
    ptx.mbarrier.wait [%first], %c0"""
_WAITS = """
    scf.if %done {
    } else {
      ptx.mbarrier.wait [%first], %c0
    }"""


_POLLS = """
    %true = arith.constant true
    scf.while () : () -> () {
      %asked = ptx.mbarrier.try_wait.parity [%first], %c0
      %again = arith.xori %asked, %true : i1
      %leader, %elected = ptx.elect.sync %all
      %mine = arith.andi %asked, %elected : i1
      GUARD
      scf.condition(%again)
    } do {
      scf.yield
    }"""


@pytest.mark.parametrize(
    "use", [_ARRIVES, _POLLS.replace("GUARD", "ptx.guard %mine { ptx.mbarrier.arrive [%second] }")]
)
def test_result_that_decides_an_arrival(use: str) -> None:
    found = sentence(asking(use))
    assert found.startswith("not decided: the result of ptx.mbarrier.try_wait.parity, line ")
    assert found.endswith("decides more than whether to wait")


@pytest.mark.parametrize(
    "use", [_WAITS, _POLLS.replace("GUARD", "ptx.guard %again { ptx.nanosleep %c1 }")]
)
def test_result_that_decides_whether_to_wait(use: str) -> None:
    assert sentence(asking(use)).startswith("verified")


@pytest.mark.slow
@pytest.mark.parametrize("style", ["speculative", "polled_carried", "polled_if_first"])
def test_speculative_waits(style: str) -> None:
    assert sentence(ring_styles.KERNELS[style]).startswith("verified")


@pytest.mark.parametrize("result", ["arith.ori %done, %done", "arith.xori %done, %true"])
def test_speculative_wait_that_is_not_repeated(result: str) -> None:
    """Without the second wait, the error shows only if the first one gives up, or succeeds."""
    text = asking(_WAITS).replace("%c0, %done", "%c0")
    text = replaced(text, "    scf.if %done {", f"    %skips = {result} : i1\n    scf.if %skips {{")
    data = 'ptx.st "shared::cta" b32 [%slots], {%c1}\n      ptx.mbarrier.arrive [%first]'
    text = replaced(text, "ptx.mbarrier.arrive [%first]", data)
    last = "ptx.mbarrier.wait [%first], %c0\n    }"
    text = replaced(text, last, f'{last}\n    %x = ptx.ld "shared::cta" b32 [%slots] -> i32')
    text = text.replace("%c0 =", "%true = arith.constant true\n  %c0 =", 1)
    found = verdict(text)
    if "xori" not in result:
        assert found.sentence.startswith("verified")
    else:
        assert {rule_of(each).id for each in found.findings} == {"T5-SIM-013"}


def test_flag_that_is_read_once() -> None:
    text = """
  %flag = ptx.ld acquire gpu global b32 [%a] -> i32
  %is_set = arith.cmpi ne, %flag, %c0 : i32
  scf.if %is_set {
    ptx.bar.sync %c0
  }"""
    expected = "not decided: control depends on a flag that ptx.ld, line 22, reads only once"
    assert verdict(kernel(text)).sentence.startswith(expected)


_COUNTED = kernel_text.kernel(
    "counted",
    """
%place = ptx.mad u32 %thread, %c4, %tile
%is_lane_0 = arith.cmpi eq, %lane, %c0 : i32
%polls = arith.cmpi eq, %warp, %c2 : i32
scf.if %is_first {
  ptx.st volatile "shared::cta" b32 [%flag], {%c0}
}
ptx.bar.sync %c0
scf.if %polls {
  scf.while () : () -> () {
    %seen = ptx.ld acquire cta "shared::cta" b32 [%flag] -> i32
    %again = arith.cmpi ult, %seen, %c2 : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  %row = ptx.mad u32 %lane, %c4, %tile
  %first = ptx.ld "shared::cta" b32 [%row] -> i32
  %second = ptx.ld "shared::cta" b32 [%row + 128] -> i32
  %sum = arith.addi %first, %second : i32
  %to = ptx.mad.wide u32 %lane, %c4, %out
  ptx.st global b32 [%to], {%sum}
} else {
  ptx.st "shared::cta" b32 [%place], {%thread}
  ptx.bar.warp.sync %all_lanes
  scf.if %is_lane_0 {
    ptx.red release cta "shared::cta" add u32 [%flag], %c1
  }
}
""",
    {"out": "i64"},
    {"tile": 256, "flag": 4},
    96,
)


def _counted(condition: str) -> Verdict:
    return verdict(_COUNTED.replace("ult, %seen, %c2", condition))


@pytest.mark.parametrize("condition", ["ult, %seen, %c2", "ne, %seen, %c2"])
def test_polls_until_all_have_counted(condition: str) -> None:
    found = _counted(condition)
    assert (found.word, found.findings) == ("verified", ())


@pytest.mark.parametrize("condition", ["ult, %seen, %c1", "eq, %seen, %c0"])
def test_polls_until_one_has_counted(condition: str) -> None:
    """Both may have counted before the first poll."""
    assert [rule_of(each).id for each in _counted(condition).findings] == ["T5-SIM-014"]


_ADDING = kernel_text.kernel(
    "adding",
    """
ptx.st volatile "shared::cta" b32 [%sum], {%c0}
scf.while () : () -> () {
  ptx.red relaxed cta "shared::cta" add u32 [%sum], %c1
  %high = ptx.ld volatile "shared::cta" u8 [%sum + 1] -> i32
  %again = arith.cmpi eq, %high, %c0 : i32
  scf.condition(%again)
} do {
  scf.yield
}
""",
    {},
    {"sum": 4},
    1,
)


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
def test_a_thread_that_polls_may_change_memory(schedule: str) -> None:
    assert not simulate(_ADDING, [], run=Run(schedule)).findings


@pytest.mark.parametrize("condition", ["ne, %seen, %c1", "ule, %seen, %c2"])
def test_polls_of_what_nothing_changes(condition: str) -> None:
    """The run ends when the polls repeat, not at the limit of instructions."""
    found = _counted(condition).sentence
    assert found.startswith("not decided: the kernel does not end: threads poll what nothing chang")


@pytest.mark.parametrize("is_flag", [False, True])
def test_volatile_load_of_shared_memory(is_flag: bool) -> None:
    """Users read the address that alloc has stored by a volatile load; no thread writes it by a
    strong store, so that each write is ordered, or there is a race."""
    store = "ptx.st volatile shared b32 [%slots + 16], {%c1}" if is_flag else ""
    text = f"""
  scf.if %is_first {{
    tcgen05.alloc %slots, %c32
  }}
  ptx.bar.sync %c0
  {store}
  %address = ptx.ld volatile shared b32 [%slots] -> i32
  ptx.bar.sync %c0
  scf.if %is_first {{
    ptx.tcgen05.dealloc cta_group_1 %address, %c32
  }}"""
    found = verdict(kernel(text)).sentence
    assert found.startswith("not decided" if is_flag else "verified")


@pytest.mark.parametrize("register", ["clock", "smid"])
def test_time_and_place(register: str) -> None:
    text = f"""
  %x = ptx.special_register.volatile {register}
  %is_zero = arith.cmpi eq, %x, %c0 : i32
  scf.if %is_zero {{
    ptx.bar.sync %c0
  }}"""
    assert sentence(kernel(text)) == "not decided: control depends on %x read at line 22"


@pytest.mark.slow
@pytest.mark.parametrize("style", ["named_barriers", "flags", "two_allocations"])
def test_right(style: str) -> None:
    kernels = {**ring_styles.KERNELS, **other_styles.KERNELS}
    assert verdict(kernels[style]).word.startswith("verified")
