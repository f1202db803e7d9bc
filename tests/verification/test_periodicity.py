"""Tests of how far a verdict on a loop goes: for any number of iterations, or up to a number."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from xdsl.dialects.builtin import StringAttr, i32
from xdsl.ir import Block

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source, read_kernels
from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification import Effort
from tcgen05_dialect.verification.execution import Skeleton
from tcgen05_dialect.verification.runs import Runs
from tcgen05_dialect.verification.static.courses import Course, Courses
from tcgen05_dialect.verification.static.loops import MOST_STAGES
from tcgen05_dialect.verification.static.periodicity import extent
from tcgen05_dialect.verification.static.prepared import verifiable
from tcgen05_dialect.verification.verdict import verdict_of

from ..support import attention_styles, other_styles, persistent_styles, ring_styles
from ..support.effort import sampled
from ..ws.test_gemm import narrow
from .test_pairs import verdict
from .test_sizes import ring
from .test_styles import replaced

EVERY = "for any number of iterations"


def loops_in(text: str, effort: Effort = "thorough") -> str:
    """What the verdict says of loops."""
    sentence = verdict(text, effort).sentence
    found = re.fullmatch(r"verified(, but for[^;]*)?; loops: ([^;]*)(; .*)?", sentence)
    assert found, sentence
    return found[2]


@pytest.mark.slow
@pytest.mark.parametrize("stages", sampled([1, 2, 3, 8, 12, MOST_STAGES], 2))
def test_rings(stages: int) -> None:
    text = ring(stages)
    assert re.fullmatch(rf"lines \d+ and \d+ {EVERY}", loops_in(text))


def test_first_iterations_are_not_run() -> None:
    assert re.fullmatch(r"lines \d+ and \d+ for 9 iterations and more", loops_in(ring(4), "quick"))


def test_ring_with_too_many_stages() -> None:
    """The loops run fewer times than the ring has stages."""
    assert re.fullmatch(r"lines \d+ and \d+ for up to \d+ iterations", loops_in(ring(40)))


@pytest.mark.slow
@pytest.mark.parametrize("stages", sampled([1, 3], 1))
def test_unrolled_ring(stages: int) -> None:
    """A loop over whole rounds, and one over the rest; a predicate is false only at first."""
    assert re.fullmatch(rf"lines \d+ and \d+ {EVERY}", loops_in(narrow(stages)))


STYLES = ("counted", "toggled", "bits", "rotated", "mask", "polled_do_while", "polled_carried")
OTHER_STYLES = ("bar_sync_only", "a_by_threads", "named_barriers", "nine_lanes")


@pytest.mark.slow
@pytest.mark.parametrize("style", sampled([*STYLES, *OTHER_STYLES], 3))
def test_styles(style: str) -> None:
    assert EVERY in loops_in({**ring_styles.KERNELS, **other_styles.KERNELS}[style])


_SLOT = "      %slot = arith.addi %slots, %offset : i32\n"
_STORE = '      ptx.st "shared::cta" b32 [%slot], {%i}\n'
_LATE = "      %c100 = arith.constant 100 : i32\n      %is_late = arith.cmpi CONDITION : i32\n"


def late(condition: str, body: str) -> str:
    """A ring of 4 stages, with more operations in each iteration of the producer."""
    text = ring(4).replace("size 32 alignment 8", "size 4096 alignment 8")
    return replaced(text, _STORE, _LATE.replace("CONDITION", condition) + body + _STORE)


_ARRIVE = "        ptx.mbarrier.arrive [%stage_full]\n"
NOT_PERIODIC = {
    "arrival at iteration 100": late(
        "eq, %i, %c100",
        "      scf.if %is_late {\n        ptx.mbarrier.arrive [%stage_full]\n      }\n",
    ),
    "guarded arrival from iteration 100 on": late(
        "uge, %i, %c100",
        "      ptx.guard %is_late {\n        ptx.mbarrier.arrive [%stage_full]\n      }\n",
    ),
    "a selected address from iteration 100 on": late(
        "ult, %i, %c100",
        "      %place = arith.select %is_late, %slot, %slots : i32\n"
        '      ptx.st "shared::cta" b32 [%place], {%i}\n',
    ),
    "growing address": late(
        "eq, %n, %n",
        "      %grown = arith.shli %i, %c3 : i32\n      %place = arith.addi %slots, %grown : i32\n"
        '      ptx.st "shared::cta" b32 [%place + 1024], {%i}\n',
    ),
    "address that grows with the number of iterations": late(
        "eq, %n, %n",
        "      %grown = arith.shli %n, %c3 : i32\n      %place = arith.addi %slots, %grown : i32\n"
        '      ptx.st "shared::cta" b32 [%place + 1024], {%i}\n',
    ),
    "address of a square": late(
        "eq, %n, %n",
        "      %square = arith.muli %i, %i : i32\n      %c127 = arith.constant 127 : i32\n"
        "      %low = arith.andi %square, %c127 : i32\n      %at = arith.shli %low, %c3 : i32\n"
        "      %place = arith.addi %slots, %at : i32\n"
        '      ptx.st "shared::cta" b32 [%place + 1024], {%i}\n',
    ),
    "long period": late(
        "eq, %n, %n",
        "      %c127 = arith.constant 127 : i32\n      %low = arith.andi %i, %c127 : i32\n"
        "      %at = arith.shli %low, %c3 : i32\n      %place = arith.addi %slots, %at : i32\n"
        '      ptx.st "shared::cta" b32 [%place + 1024], {%i}\n',
    ),
    "parity of another round": replaced(
        late("eq, %n, %n", ""),
        "      %round_before = arith.addi %round, %c1 : i32\n",
        "      %c6 = arith.constant 6 : i32\n      %often = arith.shrui %i, %c6 : i32\n"
        "      %wrong_round = arith.addi %round, %often : i32\n"
        "      %round_before = arith.addi %wrong_round, %c1 : i32\n",
    ),
    "another parameter": replaced(
        late("eq, %i, %last", "      ptx.guard %is_late {\n        ptx.nanosleep %c1\n      }\n"),
        "(%n : i32,",
        "(%n : i32, %last : i32,",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", NOT_PERIODIC)
def test_not_periodic(kernel: str) -> None:
    assert re.fullmatch(
        r"lines \d+ and \d+ for up to \d+ iterations", loops_in(NOT_PERIODIC[kernel])
    )


def test_comparison_with_a_small_constant() -> None:
    """The iterations after the comparison repeat each other: those before count in addition."""
    body = """
      %place = arith.select %is_late, %slots, %full : i32
      ptx.st "shared::cta" b32 [%place + 1024], {%i}
"""
    assert "for up to 13 iterations" in loops_in(late("ult, %i, %c100", body))
    text = late("ult, %i, %c100", body).replace("constant 100", "constant 3")
    assert "for up to 9 iterations" in loops_in(text, "quick")
    assert EVERY in loops_in(text)


def ended(index: str) -> str:
    """A ring of 4 stages, after which the producer writes to a place with an index."""
    text = ring(4).replace("size 32 alignment 8", "size 4096 alignment 8")
    after = f"""    }}
    %c127 = arith.constant 127 : i32
    %last = arith.subi %n, %c1 : i32
    %index = {index} : i32
    %place_offset = arith.shli %index, %c3 : i32
    %place = arith.addi %slots, %place_offset : i32
    ptx.st "shared::cta" b32 [%place + 1024], {{%n}}
  }}
  scf.if %consumes {{"""
    return replaced(text, "    }\n  }\n  scf.if %consumes {", after)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("index", "extent"),
    [
        ("arith.andi %last, %c1", EVERY),
        ("arith.remui %last, %stages", EVERY),
        ("arith.andi %last, %c127", "for up to 13 iterations"),
        ("arith.addi %last, %c1", "for up to 13 iterations"),
    ],
)
def test_places_after_the_loop(index: str, extent: str) -> None:
    """All remainders of the number of iterations are run, if there are few."""
    assert extent in loops_in(ended(index))


REST = """.version 8.7
.target sm_100a
.address_size 64
.visible .entry rest(.param .u32 n)
.reqntid 32
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .shared .align 16 .b8 buffer[16];
  ld.param.u32 %r1, [n];
  and.b32 %r2, %r1, MASK;
  mov.u32 %r3, 0;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra DONE;
LOOP:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, %r2;
  @%p2 bra LOOP;
DONE:
  setp.eq.u32 %p3, %r3, COUNT;
  selp.b32 %r4, 1000000, 0, %p3;
  mov.u32 %r5, buffer;
  add.u32 %r6, %r5, %r4;
  st.shared.u32 [%r6], 0;
  ret;
}
"""


@pytest.mark.parametrize(
    ("mask", "count", "sentence"),
    [
        (7, 9, f"verified; loops: line 18 {EVERY}"),
        (7, 1, "not decided: st, line 24"),
        (7, 5, "not decided: st, line 24"),
        (7, 7, "not decided: st, line 24"),
        (15, 13, "verified; loops: line 18 for up to 3 iterations"),
    ],
)
def test_count_that_a_loop_passes_on(mask: int, count: int, sentence: str) -> None:
    """What follows depends on how often the loop has run: each number of iterations matters."""
    text = REST.replace("MASK", str(mask)).replace("COUNT", str(count))
    (found,) = check_source(Source("kernel.ptx", text), verify="thorough")
    assert sentence in found.message


_SAWTOOTHS = {
    "remainder": "      %s = arith.remui %i, %stages : i32\n",
    "difference": "      %q = arith.divui %i, %stages : i32\n"
    "      %m = arith.muli %q, %stages : i32\n      %s = arith.subi %i, %m : i32\n",
    "narrow number": "      %short = arith.trunci %i : i32 to i16\n"
    "      %wide = arith.extui %short : i16 to i32\n"
    "      %s = arith.remui %wide, %stages : i32\n",
}


def slots(index: str, count: int = 60) -> str:
    """A loop that writes to slots of 16 bytes."""
    return f"""
ptx.shared_memory @ring size {16 * count - 16} alignment 16
ptx.kernel @k(%n : i32) attributes {{reqntid = array<i32: 32>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %stages = arith.constant {count} : i32
  %base = ptx.address_of @ring
  %t = ptx.special_register tid.x
  %first = arith.cmpi eq, %t, %c0 : i32
  scf.if %first {{
    scf.for %i = %c0 to %n step %c1 : i32 {{
{index}      %o = arith.muli %s, %c16 : i32
      %a = arith.addi %base, %o : i32
      ptx.st "shared::cta" b32 [%a], {{%i}}
    }}
  }}
  ptx.ret
}}
"""


@pytest.mark.parametrize("form", _SAWTOOTHS)
def test_slots_beyond_the_memory(form: str) -> None:
    """The last slot is outside: no verdict holds for any number of iterations."""
    assert "for up to" in loops_in(slots(_SAWTOOTHS[form]))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("op", ["div", "rem"])
@pytest.mark.parametrize(("start", "stop"), [(-7, 40), (0, 40), (3, 40)])
@pytest.mark.parametrize("divisor", [2, 3, 8])
def test_courses_of_quotients(op: str, signed: bool, start: int, stop: int, divisor: int) -> None:
    """A course holds for all iterations but those that it leaves out."""
    block = Block(arg_types=[i32])
    type_ = "s32" if signed else "u32"
    operation = instructions.DivOp if op == "div" else instructions.RemOp
    computed = operation.create(
        operands=[block.args[0], block.args[0]],
        properties={"type": StringAttr(type_)},
        result_types=[i32],
    )
    dividend = Course(rate=Fraction(1), start={None: Fraction(start)})
    course = Courses(None).result(computed, [dividend, Course(start={None: Fraction(divisor)})])
    assert course is not None

    def value(iteration: int) -> int:
        number = start + iteration
        if not signed:
            number %= 1 << 32
        quotient = abs(number) // divisor * (1 if number >= 0 else -1)
        return quotient if op == "div" else number - quotient * divisor

    for i in range(course.after, stop):
        assert value(i + course.period) - value(i) == course.rate * course.period
        if course.start is not None:
            line = course.start[None] + course.rate * i
            assert abs(value(i) - line) <= course.spread


@pytest.mark.slow
def test_wait_after_the_loop() -> None:
    """The wait for the last product has the parity of its number."""
    assert EVERY in loops_in(attention_styles.KERNELS["attention"])


@pytest.mark.slow
def test_loop_with_an_unknown_number_of_iterations() -> None:
    """The tiles come from memory: the loops over them end at a parameter."""
    found = loops_in(persistent_styles.KERNELS["work_fetched"])
    tiles, blocks = (r"lines \d+, \d+, \d+ and \d+", r"lines \d+ and \d+")
    assert re.fullmatch(rf"{tiles} for up to \d iterations, {blocks} {EVERY}", found)


@pytest.mark.slow
def test_a_loop_that_never_ends_is_not_decided() -> None:
    """At other sizes than 0, the runs do not end: they are not long because of their size."""
    text = (
        REST.replace("MASK", "-1")
        .replace("COUNT", "-1")
        .replace("add.u32 %r3, %r3, 1", "add.u32 %r3, %r3, 0")
    )
    (found,) = check_source(Source("kernel.ptx", text), verify="thorough")
    assert "not decided: the kernel has not ended" in found.message


_COPIES = """
.version 8.8
.target sm_100a
.address_size 64
.visible .entry copies(.param .u64 x, .param .u64 y, .param .u32 n)
.reqntid 32
{
    .shared .align 16 .b8 tile[1024];
    .shared .align 8 .b64 barrier;
    .reg .pred %p<5>;
    .reg .b32 %r<10>;
    .reg .b64 %d<10>;
    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    mov.b32 %r3, tile;
    shl.b32 %r4, %r2, 2;
    add.s32 %r4, %r3, %r4;
    setp.ne.u32 %p1, %r2, 0;
    st.shared.b32 [%r4], %r2;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @%p1 bra END;
    mov.b32 %r6, barrier;
    mbarrier.init.shared.b64 [%r6], 1;
    mov.b32 %r5, 0;
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra END;
NEXT:
    COPY
    add.s64 %d2, %d2, 256;
    add.s64 %d1, %d1, 128;
    add.s32 %r5, %r5, 1;
    setp.lt.u32 %p3, %r5, %r1;
    @%p3 bra NEXT;
END:
    cp.async.bulk.wait_group 0;
    cp.async.wait_all;
    ret;
}
"""
_BULK = "cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r3], 128;"
_OTHER = _BULK.replace("%d2", "%d2+128")
_PTX_ARRIVE = "mbarrier.arrive.shared.b64 %d5, [%r6];"
_WAIT = """
    and.b32 %r7, %r5, 1;
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p4, [%r6], %r7;
    @!%p4 bra WAIT;
"""
_COMMIT = "cp.async.bulk.commit_group;"


@pytest.mark.parametrize(
    ("copy", "is_every"),
    [
        (f"{_BULK} {_COMMIT}", False),
        (_PTX_ARRIVE, False),
        (f"{_PTX_ARRIVE} {_WAIT}", True),
        (_BULK, False),
        (f"{_BULK} {_COMMIT} cp.async.bulk.wait_group.read 0;", True),
        (f"{_BULK} {_COMMIT} cp.async.bulk.wait_group 1;", True),
        (f"{_BULK} {_COMMIT} {_OTHER} {_COMMIT} cp.async.bulk.wait_group 1;", True),
        ("cp.async.ca.shared.global [%r3+512], [%d1], 4; cp.async.wait_all;", True),
    ],
)
def test_pending_copies_and_phases(copy: str, is_every: bool) -> None:
    """A larger number of iterations leaves more pending than the runs show."""
    text = _COPIES.replace("COPY", copy)
    (prepared,) = verifiable(read_kernels(Source("kernel", text)).module)
    found = verdict_of(prepared.kernel, "thorough")
    assert found.word == "verified"
    assert (EVERY in found.sentence) == is_every


@pytest.mark.parametrize("source", ["u8", "s8", "u16"])
def test_course_of_the_low_bits_of_a_register(source: str) -> None:
    """A conversion from a narrow type reads a part of a register, which wraps."""
    block = Block(arg_types=[i32])
    computed = instructions.CvtOp.create(
        operands=[block.args[0]],
        properties={"type": StringAttr(source[0] + "32"), "source": StringAttr(source)},
        result_types=[i32],
    )
    course = Courses(None).result(computed, [Course(rate=Fraction(1), start={None: Fraction(0)})])
    assert course is not None
    assert not course.rate
    assert course.period == 1 << int(source[1:])


def test_sizes_that_are_too_large_leave_out_none() -> None:
    """If a kernel is not made for the longest loop, a verdict holds up to the longest that ran."""
    text = """ptx.kernel @k(%n : i32) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    ptx.bar.sync %c0
  }
  ptx.ret
}
"""
    (kernel,) = lower_source(Source("<string>", text)).module.ops
    assert isinstance(kernel, KernelOp)
    skeleton = Skeleton(kernel)
    runs = Runs(skeleton, skeleton.launches()[0], "quick")
    most = max(each.iterations[0] for each in runs.passed)
    large = replace(runs.passed[0], values={0: 1 << 20}, iterations=(1 << 20,))
    small = replace(runs.passed[0], values={0: -1}, iterations=(0,))
    said = [
        extent(runs.passed, [excluded], runs.needs, {}, (), frozenset(), frozenset(), ())
        for excluded in (large, small)
    ]
    assert said[0] == f"; loops: line 4 for up to {most} iterations"
    assert said[1] != said[0]
