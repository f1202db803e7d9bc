"""Tests of verdicts on kernels with operations that no run reaches."""

import pytest

from tcgen05_dialect.check import check_source

from ..support.effort import sampled
from ..support.practice_kernels import ptx_of
from ..support.repository import EXAMPLES
from .test_pairs import verdict

_BARRIER = "    ptx.bar.sync %c0\n"


def kernel(body: str, places: int = 1, condition: str = "eq, %n, %c7") -> str:
    """A kernel with bodies of scf.if, on every third line from line 7."""
    branches = f"  scf.if %is_7 {{\n{body}  }}\n" * places
    return (
        "ptx.kernel @k(%n : i32) attributes {reqntid = array<i32: 32>} {\n"
        "  %c0 = arith.constant 0 : i32\n"
        "  %c7 = arith.constant 7 : i32\n"
        "  %cta = ptx.special_register ctaid.x\n"
        f"  %is_7 = arith.cmpi {condition} : i32\n"
        f"{branches}  ptx.ret\n}}\n"
    )


@pytest.mark.parametrize("condition", ["eq, %n, %c7", "ne, %cta, %c0"])
def test_one_operation(condition: str) -> None:
    text = kernel(_BARRIER, condition=condition)
    found = verdict(text)
    assert found.word == "verified in part"
    sentence = "verified, but for 1 operation that no run reached: line 7"
    assert (found.findings, found.sentence) == ((), sentence)
    clusters = "; run in 2 other clusters" if "cta" in condition else ""
    assert verdict(text, "thorough").sentence == f"verified{clusters}"


def test_operations_that_follow_each_other() -> None:
    found = verdict(kernel(3 * _BARRIER))
    assert found.sentence == "verified, but for 3 operations that no run reached: lines 7 to 9"


@pytest.mark.parametrize(
    ("places", "lines"),
    [
        (2, "7 and 10"),
        (5, "7, 10, 13, 16 and 19"),
        (6, "7, 10, 13, 16, 19 and 1 more"),
    ],
)
def test_places(places: int, lines: str) -> None:
    found = verdict(kernel(_BARRIER, places))
    expected = f"verified, but for {places} operations that no run reached: lines {lines}"
    assert found.sentence == expected


@pytest.mark.parametrize("before", ["", _BARRIER])
def test_trap_need_not_be_reached(before: str) -> None:
    branch = f"cf.cond_br %is_7, ^wrong, ^right\n^wrong:\n{before}  ptx.trap\n^right:\n"
    found = verdict(kernel("").replace("scf.if %is_7 {\n  }\n", branch))
    assert (found.word, found.sentence) == ("verified", "verified")


def test_guarded_trap_need_not_be_reached() -> None:
    text = kernel("").replace("scf.if %is_7 {\n  }", "ptx.guard %is_7 {\n    ptx.trap\n  }")
    assert "ptx.guard" in text
    assert verdict(text).sentence == "verified"


def test_all_reached() -> None:
    assert verdict(kernel(_BARRIER, condition="ne, %n, %c7")).sentence == "verified"


def test_loop_that_no_run_reaches_has_no_count() -> None:
    loop = f"    scf.for %i = %c0 to %n step %c7 : i32 {{\n{_BARRIER}    }}\n"
    found = verdict(kernel(loop, condition="ne, %cta, %c0"))
    assert found.word == "verified in part" and "loops" not in found.sentence
    assert "; loops: line 7 for " in verdict(kernel(loop, condition="eq, %cta, %c0")).sentence


_FLAG = """
ptx.kernel @flag(%x : i64, %f : i64, %y : i64) attributes {reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = ptx.special_register ctaid.x
  %stores = arith.cmpi CONDITION, %cta, %c0 : i32
  scf.if %stores {
    ptx.st global b32 [%x], {%cta}
    ptx.st release gpu global b32 [%f], {%c1}
  } else {
    scf.while () : () -> () {
      %flag = ptx.ld acquire gpu global b32 [%f] -> i32
      %again = arith.cmpi eq, %flag, %c0 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %v = ptx.ld global b32 [%x] -> i32
    ptx.st global b32 [%y], {%v}
  }
  ptx.ret
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("condition", sampled(["eq", "ne"], 1))
def test_flag_of_another_cluster(condition: str) -> None:
    """One of the roles needs a second cluster."""
    text = _FLAG.replace("CONDITION", condition)
    together = "; clusters may pass flags to each other, and 2 ran together"
    assert verdict(text).sentence == f"verified{together}"
    wrong = text.replace("ptx.st release gpu", "ptx.st")
    assert verdict(wrong).word == "not verified"


def test_flag_that_no_cluster_reads() -> None:
    """A run of one cluster shows nothing of what others do with its flags."""
    text = """
ptx.kernel @flag(%f : i64) attributes {reqntid = array<i32: 1>} {
  %cta = ptx.special_register ctaid.x
  %c4 = arith.constant 4 : i32
  %place = ptx.mad.wide u32 %cta, %c4, %f
  ptx.st release gpu global b32 [%place], {%c4}
  ptx.ret
}
"""
    alone = "; clusters may pass flags to each other, and each ran alone"
    assert verdict(text).sentence == f"verified{alone}"
    assert verdict(text.replace("release gpu ", "")).sentence == "verified"


def test_instruction_that_the_emulator_does_not_support() -> None:
    text = """
ptx.kernel @k(%n : i32) attributes {reqntid = array<i32: 32>} {
  %d = ptx.inline "bfind.u32 $0, $1;" (%n : i32) -> i32
  ptx.ret
}
"""
    found = verdict(text)
    assert found.word == "not decided"
    assert found.sentence == "not decided: the emulator does not support ptx.inline, line 3"


@pytest.mark.parametrize(
    ("before", "is_dead"),
    [
        ("%rest = arith.remui %n, %c7 : i32\n%is_7 = arith.cmpi uge, %rest, %c7 : i32", True),
        ("%rest = arith.remui %n, %c8 : i32\n%is_7 = arith.cmpi uge, %rest, %c7 : i32", False),
        # There are 32 threads.
        ("%is_7 = arith.cmpi ugt, %thread, %c32 : i32", True),
        ("%is_7 = arith.cmpi ugt, %cta, %c32 : i32", False),
        # Words that were stored.
        (
            'ptx.st "shared::cta" b32 [%own], {%c7}\n'
            '%x = ptx.ld "shared::cta" b32 [%own] -> i32\n'
            "%is_7 = arith.cmpi ugt, %x, %c8 : i32",
            True,
        ),
        (
            'ptx.st "shared::cta" b32 [%own], {%n}\n'
            '%x = ptx.ld "shared::cta" b32 [%own] -> i32\n'
            "%is_7 = arith.cmpi eq, %x, %c7 : i32",
            False,
        ),
    ],
)
def test_dead_operations(before: str, is_dead: bool) -> None:
    constants = "".join(f"%c{n} = arith.constant {n} : i32\n" for n in (8, 32))
    head = f"{constants}%thread = ptx.special_register tid.x\n%word = ptx.address_of @word\n"
    head += "%bytes = arith.muli %thread, %c8 : i32\n%own = arith.addi %word, %bytes : i32\n"
    text = kernel(_BARRIER).replace("%is_7 = arith.cmpi eq, %n, %c7 : i32", head + before)
    found = verdict("ptx.shared_memory @word size 256 alignment 8\n" + text)
    assert (found.word, found.findings) == ("verified" if is_dead else "verified in part", ())


@pytest.mark.slow
def test_rows_that_are_not_aligned() -> None:
    """PTX text does not tell that the rows of C are aligned, and has another path for others."""
    text = ptx_of((EXAMPLES / "ws" / "gemm.mlir").read_text())
    (remark,) = check_source(text, verify="thorough")
    assert remark.verdict == "verified"
