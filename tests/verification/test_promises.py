"""
Tests that what `verified` promises is true: kernels that hang, or go wrong, only at some sizes, for
some numbers of iterations, or in some CTAs. Each wrong kernel is a right one with an edit.
"""

import gzip
import re
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.verification.execution import rule_of

from ..support.effort import sampled
from ..support.golden_tables import DATA
from .test_pairs import verdict
from .test_styles import EXAMPLE, replaced


class Judged(NamedTuple):
    """The rules of errors, the word of the verdict, and the remark."""

    rules: set[str]
    word: str
    remark: str


def judged(text: str) -> Judged:
    if text.lstrip().startswith(".version"):
        remark, *findings = sorted(
            check_source(text, verify="thorough"), key=lambda each: each.severity != "remark"
        )
        rules = {each.rule for each in findings if each.severity == "error"}
        return Judged(rules, remark.verdict, remark.message)
    found = verdict(text, "thorough")
    rules = {rule.id for each in found.findings if (rule := rule_of(each)).severity == "error"}
    return Judged(rules, found.word, found.sentence)


def read(name: str, language: str = "ptx") -> str:
    """The text of a right kernel."""
    with gzip.open(DATA / "verdict" / f"{name}.{language}.gz", "rt", encoding="ascii") as file:
        return file.read()


_LOOP = "scf.for %block = %c0 to %blocks step %c1 : i32 {"
_BLOCKS = "%blocks = arith.ceildivui %k, %tile_k : i32"
_LAST_STAGE = """
      %last = arith.subi %blocks, %c1 : i32
      %last_stage = arith.remui %last, %stages : i32
      %last_offset = arith.muli %last_stage, %barrier_bytes : i32
      %last_free = arith.addi %free, %last_offset : i32
      ptx.mbarrier.wait [%last_free], %c0
"""
"""The wait for the last stage has the right parity for 1 to 4 and for 9 to 12 blocks."""
_COMMIT = "tcgen05.commit %stage_free"
_ALL_MULTIPLIED = "ptx.mbarrier.wait [%all_multiplied], %c0"
_BEFORE_COMMIT = "scf.if %elected {\n        \n        tcgen05.commit %all_multiplied"
_PARITY = "%parity = arith.andi %round, %c1 : i32"
_BYTES = "ptx.mbarrier.arrive.expect_tx [%stage_loaded], %stage_bytes"


def _second_loop(text: str, loop: str) -> str:
    """The text with another loop of the consumer."""
    first, second, third = text.split(_LOOP)
    return first + _LOOP + second + loop + third


WRONG: Mapping[str, tuple[str, set[str]]] = {
    "last_stage_wait_const": (
        replaced(EXAMPLE, _BEFORE_COMMIT, _LAST_STAGE + _BEFORE_COMMIT),
        {"T5-SIM-022"},
    ),
    "last_stage_wait_after": (
        replaced(EXAMPLE, _ALL_MULTIPLIED, _ALL_MULTIPLIED + _LAST_STAGE),
        {"T5-SIM-005"},
    ),
    "floor_blocks_consumer": (
        _second_loop(
            replaced(EXAMPLE, _BLOCKS, f"{_BLOCKS}\n%floor = arith.divui %k, %tile_k : i32"),
            _LOOP.replace("%blocks", "%floor"),
        ),
        {"T5-SIM-018"},
    ),
    "tail_bytes": (
        replaced(
            EXAMPLE,
            _BYTES,
            """
            %done = arith.muli %block, %tile_k : i32
            %left = arith.subi %k, %done : i32
            %here = arith.minui %left, %tile_k : i32
            %row_bytes = arith.constant 768 : i32
            %bytes = arith.muli %here, %row_bytes : i32
            ptx.mbarrier.arrive.expect_tx [%stage_loaded], %bytes
            """,
        ),
        {"T5-SIM-005"},
    ),
    "k_mod_64_24": (
        replaced(
            EXAMPLE,
            _PARITY,
            """
            %c24 = arith.constant 24 : i32
            %rest = arith.remui %k, %tile_k : i32
            %is_24 = arith.cmpi eq, %rest, %c24 : i32
            %more = arith.extui %is_24 : i1 to i32
            %other_round = arith.addi %round, %more : i32
            %parity = arith.andi %other_round, %c1 : i32
            """,
        ),
        {"T5-SIM-014"},
    ),
}
"""Wrong kernel -> its text, and the rules of its errors."""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(WRONG, 1))
def test_wrong_at_some_sizes(kernel: str) -> None:
    text, rules = WRONG[kernel]
    assert judged(text).rules == rules


@pytest.mark.slow
def test_hidden_count() -> None:
    """A barrier object that counts 100 iterations ends a phase after the 100th."""
    text = replaced(
        EXAMPLE,
        "ptx.shared_memory @accumulator_slot",
        "ptx.shared_memory @count size 8 alignment 8\nptx.shared_memory @accumulator_slot",
    )
    text = replaced(
        text,
        "ptx.mbarrier.init [%all_multiplied], %c1",
        "ptx.mbarrier.init [%all_multiplied], %c1\n%c100 = arith.constant 100 : i32\n"
        "%count = ptx.address_of @count\nptx.mbarrier.init [%count], %c100",
    )
    text = replaced(
        text,
        _COMMIT,
        f"{_COMMIT}\n%counted = ptx.address_of @count\nptx.mbarrier.arrive [%counted]",
    )
    text = replaced(
        text,
        _ALL_MULTIPLIED,
        f"{_ALL_MULTIPLIED}\n%all = ptx.address_of @count\nptx.mbarrier.wait [%all], %c1",
    )
    found = judged(text)
    assert "for any number of iterations" not in found.remark
    assert found.rules or "for up to 13 iterations" in found.remark


RIGHT_PTX: Mapping[str, str] = {
    "block2d": "lines 111 and 151 for any number of iterations",
    "causal": "lines 114 and 154 for up to 10 iterations",
    "mc2x2": "lines 128 and 170 for any number of iterations",
    "spin_trap": "lines 119 and 166 for any number of iterations",
    "two_latches": "lines 112 and 152 for up to 13 iterations",
    "persist2acc": "lines 88, 139, 147, 192 and 203 for any number of iterations",
}
"""Right kernel -> the loops in its remark."""
_FREE_WAIT = """$W44:
	mbarrier.try_wait.parity.shared::cta.b64 %pw, [%r34+41024], %r33;
	@!%pw bra $W44;
"""
_FREE_WAIT_2D = _FREE_WAIT.replace("W44", "W28")
_Mistake = tuple[str, str, str, set[str]]
_PRODUCER = "mov.b32 %r33, 1;\n"
_DRAINED = "$MD:\n"


def _skipping(condition: str) -> _Mistake:
    """The producer does not wait for a free stage under a condition."""
    wait = f"{condition}\n@%p45 bra $SKIP;\n{_FREE_WAIT_2D}$SKIP:\n"
    return "block2d", _FREE_WAIT_2D, wait, {"T5-SIM-008"}


def _counting(number: str) -> _Mistake:
    """The producer loads another number of blocks."""
    return "block2d", _PRODUCER, f"{_PRODUCER}{number}\n", {"T5-SIM-005"}


def _drain(wait: str) -> _Mistake:
    """The consumer waits after its loop, and may be late."""
    wait = f"$W99: mbarrier.try_wait.parity.shared::cta.b64 %pw, {wait};\n@!%pw bra $W99;\n"
    return "block2d", _DRAINED, _DRAINED + wait, {"T5-SIM-022"}


WRONG_PTX: Mapping[str, _Mistake] = {
    "CTA 77": _skipping("setp.eq.u32 %p45, %r13, 77;"),
    "CTAs above the diagonal": _skipping("setp.lt.u32 %p45, %r13, %r14;"),
    "other CTAs of the diagonal": _skipping(
        "setp.eq.u32 %p45, %r13, %r14; setp.gt.and.u32 %p45, %r13, 0, %p45;"
    ),
    "CTAs in odd places": _skipping(
        "mov.u32 %r121, %nctaid.x; mad.lo.s32 %r121, %r121, %r14, %r13; and.b32 %r121, %r121, 1; "
        "setp.eq.u32 %p45, %r121, 1;"
    ),
    "large grids": _skipping("mov.u32 %r121, %nctaid.x; setp.gt.u32 %p45, %r121, 16;"),
    "last rows": _skipping("add.s32 %r121, %r15, 128; setp.gt.u32 %p45, %r121, %r3;"),
    "large numbers of rows": _skipping("setp.gt.u32 %p45, %r3, 1000000;"),
    "one remainder": _skipping("and.b32 %r121, %r3, 127; setp.eq.u32 %p45, %r121, 77;"),
    "address by bits of the place": (
        "block2d",
        _FREE_WAIT_2D,
        "bfe.u32 %r120, %r14, 1, 1; mad.lo.s32 %r120, %r120, 8, %r34;\n"
        + _FREE_WAIT_2D.replace("%r34", "%r120"),
        {"T5-SIM-008"},
    ),
    "no block for one column": _counting("add.s32 %r17, %r5, 30; shr.u32 %r17, %r17, 5;"),
    "blocks to the nearest": _counting("add.s32 %r17, %r5, 16; shr.u32 %r17, %r17, 5;"),
    "wait with a constant parity": _drain("[%r18+41024], 0"),
    "wait of the first phase that is late": _drain("[%r18+41024], 1"),
    "axis of the stride": (
        "persist2acc",
        "add.s32 %r70, %r70, %r63;\n\tbra $ET;",
        "mov.u32 %r78, %nctaid.y; add.s32 %r70, %r70, %r78;\n\tbra $ET;",
        {"T5-SIM-014", "T5-SIM-018"},
    ),
    "tiles that round down": (
        "persist2acc",
        "mov.b32 %r33, 1;\n\tmov.b32 %r70, %r13;",
        "mov.b32 %r33, 1;\n\tmov.b32 %r70, %r13;\n\t"
        "shr.u32 %r61, %r4, 5; mul.lo.s32 %r62, %r60, %r61;",
        {"T5-SIM-005"},
    ),
    "arrivals of rows in the array": (
        "persist2acc",
        "mbarrier.arrive.shared::cta.b64 _, [%r75+30864];",
        "@%p50 mbarrier.arrive.shared::cta.b64 _, [%r75+30864];",
        {"T5-SIM-005"},
    ),
    "no wait for a free stage, in later CTAs": ("causal", _FREE_WAIT, "", {"T5-SIM-008"}),
    "stride of one role": (
        "persist2acc",
        "bra $MT;\n$JM",
        "sub.s32 %r70, %r70, %r63;\nadd.s32 %r70, %r70, 1;\nbra $MT;\n$JM",
        {"T5-SIM-005"},
    ),
    "consumer that rounds down": (
        "two_latches",
        "mov.b64 %rd11, {%r41, -2147467232};",
        "mov.b64 %rd11, {%r41, -2147467232};\nshr.u32 %r17, %r5, 5;",
        {"T5-SIM-018"},
    ),
    "rank from ctaid": ("mc2x2", "%cluster_ctaid.", "%ctaid.", {"T5-PTX-079"}),
}
"""Mistake -> the right kernel, an edit, and the rules of the errors."""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(RIGHT_PTX, 1))
def test_right_ptx(kernel: str) -> None:
    found = judged(read(kernel))
    assert (found.rules, found.word) == (set(), "verified")
    assert RIGHT_PTX[kernel] in found.remark


@pytest.mark.slow
@pytest.mark.parametrize("mistake", sampled(WRONG_PTX, 1))
def test_wrong_ptx(mistake: str) -> None:
    kernel, old, new, rules = WRONG_PTX[mistake]
    found = judged(read(kernel).replace(old, new))
    assert old in read(kernel)
    assert found.rules == rules
    assert found.word == "not verified"


@pytest.mark.slow
@pytest.mark.parametrize("most", sampled([64, 1000], 1))
def test_most_blocks(most: int) -> None:
    """The producer loads no more blocks than a number that is larger than all that are run."""
    _, old, new, _ = _counting(f"min.u32 %r17, %r17, {most};")
    found = judged(read("block2d").replace(old, new))
    assert "for up to 13 iterations; other values of k may have outcomes at" in found.remark


@pytest.mark.slow
def test_tiles_that_overlap_in_part() -> None:
    """The rows of a CTA begin in the middle of those of another one."""
    row = "add.s32 %r151, %r151, %r15;"
    found = judged(read("block2d").replace(row, f"shr.u32 %r15, %r15, 1; {row}"))
    assert found.word == "verified in part"
    assert "but CTAs store different values in one place at line" in found.remark


@pytest.mark.slow
def test_least_size() -> None:
    """The producer always loads 4 blocks: the kernel is not made for fewer, which the remark and
    the verdict say."""
    text = read("block2d").replace(
        "setp.ge.u32 %p3, %r31, %r17;\n\t@%p3 bra $JP",
        "max.u32 %r121, %r17, 4;\n\tsetp.ge.u32 %p3, %r31, %r121;\n\t@%p3 bra $JP",
    )
    found = judged(text)
    assert (found.rules, found.word) == (set(), "verified in part")
    assert "line 112 for 5 iterations and more, line 152 for 4 iterations" in found.remark
    assert re.search(r"but not for k = 64 or k = 32 \(T5-SIM-018\)", found.remark)


@pytest.mark.slow
def test_leader_of_the_first_cluster() -> None:
    """The CTA 0 of the grid leads the first pair only."""
    text = read("pair", "mlir")
    wrong = replaced(text, "register cluster_ctarank", "register ctaid.x")
    assert judged(wrong).rules == {"T5-SIM-005"}


_STAGES = "%k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}"


@pytest.mark.slow
@pytest.mark.parametrize("contract", sampled(["", " {ptx.at_least = 1, ptx.at_most = 4}"], 1))
def test_stages_from_a_parameter(contract: str) -> None:
    """A number of stages is small, whatever numbers a kernel of which nothing is known may get."""
    text = replaced(EXAMPLE, _STAGES, f"{_STAGES}, %stages : i32{contract}")
    text = replaced(text, "%stages = arith.constant 4 : i32", "%c4 = arith.constant 4 : i32")
    text = replaced(text, "%stage = %c0 to %stages step", "%stage = %c0 to %c4 step")
    found = judged(text)
    assert (found.rules, found.word) == (set(), "verified")
    assert f"run with %stages = {'1, 2, 3 or 4' if contract else '2'}" in found.remark


_WITH_ONE = ("[%r34+41024], %r33", "[%r34+41024], 1")


@pytest.mark.slow
def test_hidden_stages() -> None:
    """The index of the stage is a field of bits."""
    text = read("kb_and_k_bfe")
    found = judged(text)
    assert not found.rules
    assert "for up to 13 iterations" in found.remark
    assert judged(replaced(text, *_WITH_ONE)).rules == {"T5-SIM-008"}


_SPILL = """	st.local.b32 [dep], %r30;
	st.local.b32 [dep+4], %r33;
	ld.local.b32 %r30, [dep];
	ld.local.b32 %r33, [dep+4];
"""
_STAGE_ADDRESS = "\tmad.lo.s32 %r34, %r30, 8, %r18;\n"
_STORED, _LOADED = _SPILL[: len(_SPILL) // 2], _SPILL[len(_SPILL) // 2 :]
_IN_LOOP = re.sub(
    r"(?<=mov.b32 %r33, [01];\n)|(?<=xor.b32 %r33, %r33, %r39;\n)",
    _STORED,
    read("local_spill").replace(_SPILL, "").replace(_STAGE_ADDRESS, _LOADED + _STAGE_ADDRESS),
)
SPILLS: Mapping[str, tuple[str, tuple[str, str]]] = {
    # The stage and the parity are in local memory from one iteration to the next.
    "carried": (
        _IN_LOOP,
        ("\tst.local.b32 [dep+4], %r33;\n\tadd.s32 %r31", "\tadd.s32 %r31"),
    ),
    "in one block": (read("local_spill"), _WITH_ONE),
    "bytes": (
        _IN_LOOP.replace("local.b32", "local.u8"),
        ("\tst.local.u8 [dep+4], %r33;\n\tadd.s32 %r31", "\tadd.s32 %r31"),
    ),
}
"""Where a stage and a parity are spilled -> a right kernel, and an edit that breaks it."""


@pytest.mark.slow
@pytest.mark.parametrize("where", sampled(SPILLS, 1))
def test_spilled_stages(where: str) -> None:
    right, (old, new) = SPILLS[where]
    found = judged(right)
    assert (found.rules, found.word) == (set(), "verified")
    assert re.search(r"loops: lines \d+ and \d+ for any number of iterations", found.remark)
    assert old in right
    assert judged(right.replace(old, new, 1)).rules == {"T5-SIM-008"}


@pytest.mark.slow
def test_stage_as_shifted_bits() -> None:
    """The stage of the consumer is a field of bits, and another parameter gives the number of
    blocks of the producer."""
    text = replaced(EXAMPLE, _STAGES, f"{_STAGES}, %kb : i32 {{ptx.at_least = 1}}")
    text = text.replace(_LOOP, _LOOP.replace("%blocks", "%kb"), 1)
    first, second, third = text.partition(_LOOP)
    third = third.replace(
        "%stage = arith.remui %block, %stages : i32",
        "%c30 = arith.constant 30 : i32\n%high = arith.shli %block, %c30 : i32\n"
        "%stage = arith.shrui %high, %c30 : i32",
        1,
    )
    found = judged(first + second + third)
    assert (found.rules, found.word) == (set(), "verified")
    assert "for up to 13 iterations" in found.remark


def test_tiles_that_overlap() -> None:
    """The reason says which bytes do not fit."""
    found = judged(read("block2d").replace(", 32768;", ", 31744;"))
    assert found.word == "not decided"
    assert "expects 10240 bytes, but its tiles have room for 9216 bytes" in found.remark


@pytest.mark.slow
def test_relation_of_two_numbers() -> None:
    """Two iterations of the producer fill one stage, which no number tells."""
    text = read("kb_and_k_bfe").replace("ge.u32 %p3, %r31, %r6;", "ge.u32 %p3, %r31, %r120;")
    text = text.replace("mov.b32 %r18, smem;", "mov.b32 %r18, smem;\nadd.s32 %r120, %r6, %r6;")
    assert judged(text).word == "verified"


def test_too_few_expected_bytes() -> None:
    """The reason names the barrier object, and the line with the number."""
    found = judged(read("block2d").replace(", 10240;", ", 8192;"))
    assert found.word == "not decided"
    where = "a phase of the mbarrier smem+40960 in shared memory of CTA (0, 0, 0), line 116, "
    assert f"{where}expects 8192 bytes, but 10240 bytes are read in its tiles" in found.remark


def test_too_many_expected_bytes() -> None:
    """More bytes cannot come, because tiles of other copies in flight lie behind these."""
    found = judged(read("block2d").replace(", 10240;", ", 12288;"))
    assert (found.rules, found.word) == ({"T5-SIM-005"}, "not verified")


_SKIPPED = """
ptx.shared_memory @words size 256 alignment 4
ptx.kernel @k(%out : i64, %n : i32 {{ptx.at_least = 1}}, %m : i32 {{ptx.at_least = 1}})
    attributes {{reqntid = array<i32: 64>}} {{
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %c63 = arith.constant 63 : i32
  %c200 = arith.constant 200 : i32
  %thread = ptx.special_register tid.x
  %x = ptx.special_register ctaid.x
  %count = ptx.special_register nctaid.x
  %words = ptx.address_of @words
  %mine = ptx.mad u32 %thread, %c4, %words
  %other_thread = arith.subi %c63, %thread : i32
  %other = ptx.mad u32 %other_thread, %c4, %words
  ptx.st shared b32 [%mine], {{%c0}}
  ptx.bar.sync %c0
  ptx.st shared b32 [%mine], {{%thread}}
  {condition}
  scf.if %meets {{
    ptx.bar.sync %c0
  }}
  %word = ptx.ld shared b32 [%other] -> i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {{%word}}
  ptx.ret
}}
"""
"""Threads read what others have written; without a meeting there is a race."""
_CONDITIONS = {
    "two numbers": """
  %a = arith.remui %n, %c7 : i32
  %b = arith.remui %m, %c5 : i32
  %is_a = arith.cmpi ne, %a, %c3 : i32
  %is_b = arith.cmpi ne, %b, %c2 : i32
  %meets = arith.ori %is_a, %is_b : i1""",
    "relation": "%d = arith.xori %n, %m : i32 %meets = arith.cmpi ne, %d, %c200 : i32",
    "number and place": "%meets = arith.cmpi ne, %x, %m : i32",
    "place from the last": "%d = arith.subi %count, %x : i32 %meets = arith.cmpi ne, %d, %c7 : i32",
    "far place": "%d = arith.divui %x, %c200 : i32 %meets = arith.cmpi ne, %d, %c3 : i32",
}


@pytest.mark.parametrize("condition", _CONDITIONS)
def test_rare_conditions(condition: str) -> None:
    """Conditions that no number, and no place near the first CTA, decides alone."""
    found = judged(_SKIPPED.format(condition=_CONDITIONS[condition]))
    assert found.rules == {"T5-SIM-014"}


def test_barrier_numbered_by_a_remainder() -> None:
    """Each remainder is the number of a barrier; the number itself would have to be one of them."""
    meeting = "ptx.bar.sync {} %meets = arith.cmpi uge, %x, %c0 : i32"
    last_bits = _SKIPPED.format(condition=f"%d = arith.andi %n, %c3 : i32 {meeting.format('%d')}")
    assert judged(last_bits).word == "verified"
    whole = _SKIPPED.format(condition=meeting.format("%n"))
    assert "ptx.bar.sync, line 23, uses parameter %n" in judged(whole).remark


_TURNS = """
ptx.kernel @k(%lock : i64, %sums : i64) attributes {{reqntid = array<i32: 64>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %thread = ptx.special_register tid.x
  %part = ptx.special_register ctaid.y
  %my_sum = ptx.mad.wide u32 %thread, %c4, %sums
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {{
    %turn = scf.while (%last = %c0) : (i32) -> i32 {{
      %now = ptx.ld acquire gpu global b32 [%lock] -> i32
      %waits = arith.cmpi ne, %now, %part : i32
      scf.condition(%waits) %now : i32
    }} do {{
    ^bb0(%now : i32):
      scf.yield %now : i32
    }}
  }}
  {meeting}
  %has_others = arith.cmpi ne, %part, %c0 : i32
  %old = scf.if %has_others -> (i32) {{
    %loaded = ptx.ld global b32 [%my_sum] -> i32
    scf.yield %loaded : i32
  }} else {{
    scf.yield %c0 : i32
  }}
  %sum = arith.addi %old, %thread : i32
  ptx.st global b32 [%my_sum], {{%sum}}
  ptx.bar.sync %c0
  scf.if %is_first {{
    %next = arith.addi %part, %c1 : i32
    ptx.st release gpu global b32 [%lock], {{%next}}
  }}
  ptx.ret
}}
"""
"""CTAs along an axis add to the same sums, one after the other."""


@pytest.mark.slow
@pytest.mark.parametrize("meeting", ["ptx.bar.sync %c0", ""])
def test_clusters_that_wait_for_each_other(meeting: str) -> None:
    """Two clusters run together along the axis along which they wait."""
    found = judged(_TURNS.format(meeting=meeting))
    assert found.rules == (set() if meeting else {"T5-SIM-014"})
    assert found.word == ("verified" if meeting else "not verified")
