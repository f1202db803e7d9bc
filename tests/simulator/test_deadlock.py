"""Tests of the report of a deadlock: what is stuck, the cause first."""

import json
from pathlib import Path

import pytest

from tcgen05_dialect.simulator import Launch, Report, Run, simulate
from tcgen05_dialect.tools.main import main

RING = """
ptx.shared_memory @full size 16 alignment 8
ptx.shared_memory @empty size 16 alignment 8
ptx.kernel @ring() attributes {reqntid = array<i32: 96, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c3 = ptx.constant 3 : i32
  %c32 = ptx.constant 32 : i32
  %c64 = ptx.constant 64 : i32
  %c96 = ptx.constant 96 : i32
  %full = ptx.address_of @full
  %empty = ptx.address_of @empty
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %produces = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first {
    ptx.mbarrier.init [%full + 8], %c32
    ptx.mbarrier.init [%empty + 8], %c64
  }
  ptx.bar.sync %c0
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %parity = arith.andi %i, %c1 : i32
    %other = arith.xori %parity, %c1 : i32
    scf.if %produces {
      ptx.mbarrier.wait [%empty + 8], %other
      ptx.mbarrier.arrive [%full + 8]
    } else {
      ptx.mbarrier.wait [%full + 8], %parity
      CONSUMED
    }
  }
  ptx.bar.sync %c0
  ptx.ret
}
"""
END = "ptx.bar.sync %c0\n  ptx.ret"
ARRIVE = "ptx.mbarrier.arrive [%empty + 8]"
LINE = {text: at for at, text in enumerate((line.strip() for line in RING.split("\n")), 1)}


def run(consumed: str, ctas: int = 1) -> Report:
    return simulate(RING.replace("CONSUMED", consumed), [], Launch((ctas,)), Run("lazy"))


def test_right() -> None:
    report = run(ARRIVE)
    assert report.findings == report.deadlock == ()


def test_the_cause_comes_first() -> None:
    """Only the first consumer frees the stage."""
    consumed = f"%w = arith.cmpi ult, %thread, %c64 : i32\nscf.if %w {{ {ARRIVE} }}"
    report = run(consumed)
    empty, full = report.deadlock
    assert (empty.name, empty.phase) == ("the mbarrier @empty[1]", 0)
    assert (empty.arrivals, empty.expected_arrivals) == (32, 64)
    assert [(part.arrivals, part.warps) for part in empty.came] == [(32, (1,))]
    assert [part.warps for part in empty.waiting] == [(0,)]
    assert (full.name, full.phase, full.arrivals) == ("the mbarrier @full[1]", 1, 32)
    (missing,) = full.missing
    assert (missing.operation, missing.warps) == ("ptx.mbarrier.arrive", (0,))
    at = LINE["ptx.mbarrier.wait [%empty + 8], %other"]
    assert missing.state == f"waiting at line {at}"
    assert [part.warps for part in full.waiting] == [(1, 2)]
    assert report.findings[0].line == at


def test_nothing_brings_what_is_missing() -> None:
    report = run("")
    assert report.deadlock[0].name == "the mbarrier @empty[1]"
    assert report.deadlock[0].reason == "no instruction of the kernel provides them"
    assert not report.deadlock[0].came


@pytest.mark.parametrize(
    "address",
    [
        '%at = ptx.ld "shared::cta" b32 [%slot] -> i32',
        "%at = arith.addi %empty, %parameter : i32",
        '%zero = ptx.ld "shared::cta" b32 [%slot] -> i32\n%at = arith.addi %full, %zero : i32',
        "%at = arith.select %is_first, %empty, %parameter : i32",
    ],
)
def test_an_unknown_address_may_bring_what_is_missing(address: str) -> None:
    """The run computes the address of an arrival, which no thread executes."""
    arrival = (
        f"%no = arith.constant false\n{address}\nptx.guard %no {{ ptx.mbarrier.arrive [%at] }}"
    )
    text = RING.replace("CONSUMED", arrival)
    text = text.replace("@ring()", "@ring(%parameter : i32)")
    text = text.replace("ptx.kernel", "ptx.shared_memory @slot size 4 alignment 4\nptx.kernel")
    text = text.replace("%thread =", "%slot = ptx.address_of @slot\n  %thread =")
    stores = 'ptx.st "shared::cta" b32 [%slot], {%c0}\n    ptx.mbarrier.init [%full + 8]'
    text = text.replace("ptx.mbarrier.init [%full + 8]", stores)
    report = simulate(text, [0], run=Run("lazy"))
    assert report.deadlock[0].name == "the mbarrier @empty[1]"
    assert all(not each.reason for each in report.deadlock)


def test_arrivals_at_other_objects_of_a_variable_are_no_candidates() -> None:
    """PTX text of compilers has one variable for all barrier objects."""
    other = "%no = arith.constant false\nscf.if %no { ptx.mbarrier.arrive [%empty] }"
    stuck, *_ = run(other).deadlock
    assert stuck.name == "the mbarrier @empty[1]" and not stuck.missing
    assert stuck.reason == "no instruction of the kernel provides them"
    near = other.replace("[%empty]", "[%stage]").replace(
        "scf.if", "%o = arith.shli %i, %c3 : i32\n%stage = arith.addi %empty, %o : i32\nscf.if"
    )
    stuck, *_ = run(near).deadlock
    assert [each.operation for each in stuck.missing] == ["ptx.mbarrier.arrive"]


@pytest.mark.parametrize(("number", "more"), [(3, ""), (4, "or 1 more"), (5, "or one of 2 more")])
def test_a_text_names_three_candidates(number: int, more: str) -> None:
    """The data has all of them."""
    arrivals = "ptx.mbarrier.arrive [%empty + 8]\n" * number
    text = RING.replace("CONSUMED", f"%no = arith.constant false\nscf.if %no {{ {arrivals} }}")
    (stuck, *_) = simulate(text, [], run=Run("lazy")).deadlock
    assert len(stuck.missing) == number
    said = [line for line in str(stuck).splitlines() if "missing" in line]
    assert len(said) == min(number, 4)
    assert more in said[-1]


def test_a_warp_that_is_missing_has_ended() -> None:
    """The second consumer ends after the first round, and never frees the stage again."""
    consumed = f"{ARRIVE}\n%w = arith.cmpi uge, %thread, %c64 : i32\nptx.guard %w {{ ptx.exit }}"
    empty, *others = run(consumed).deadlock
    assert (empty.name, empty.phase) == ("the mbarrier @empty[1]", 1)
    assert [(part.warps, part.state) for part in empty.missing] == [((2,), "ended")]
    assert [part.warps for part in empty.came] == [(1,)]
    assert "phase 0 is over" in str(empty)
    assert "the mbarrier @full[1]" in {each.name for each in others}


def test_what_is_alike_in_several_ctas_is_listed_once() -> None:
    report = run("", ctas=3)
    assert [each.ctas for each in report.deadlock] == [
        ("CTA (0, 0, 0)", "CTA (1, 0, 0)", "CTA (2, 0, 0)")
    ] * len(report.deadlock)
    assert "in CTA (0, 0, 0), and in 2 more CTAs, needs" in report.findings[0].message


def ending(end: str) -> Report:
    """The report of a right ring with other instructions at its end."""
    text = RING.replace("CONSUMED", ARRIVE)
    return simulate(text.replace(END, f"{end}\n  {END}"), [], run=Run("lazy"))


def test_barrier_of_a_number_of_threads() -> None:
    """The producer ends without the barrier of 96 threads."""
    report = ending("ptx.guard %produces { ptx.exit }\n  ptx.bar.sync %c0 threads(%c96)")
    (stuck,) = report.deadlock
    assert (stuck.name, stuck.phase) == ("barrier 0", None)
    assert (stuck.arrivals, stuck.expected_arrivals) == (32, 96)
    assert [(part.warps, part.state) for part in stuck.missing] == [((0,), "ended")]
    assert [part.warps for part in stuck.came] == [(1, 2)]


def test_barrier_of_all_threads() -> None:
    """The producer ends without the barrier, and one consumer waits for something else."""
    last = "%last = arith.cmpi uge, %thread, %c64 : i32"
    wait = "scf.if %last { ptx.bar.sync %c1 threads(%c64) }"
    report = ending(f"ptx.guard %produces {{ ptx.exit }}\n  {last}\n  {wait}")
    stuck = next(each for each in report.deadlock if each.name == "barrier 0")
    assert (stuck.arrivals, stuck.expected_arrivals) == (32, 64)
    ((missing, state),) = [(part.warps, part.state) for part in stuck.missing]
    assert missing == (2,)
    assert state.startswith("waiting at line")
    assert [part.warps for part in stuck.came] == [(1,)]


def test_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kernel, launch = tmp_path / "ring.mlir", tmp_path / "ring.toml"
    kernel.write_text(RING.replace("CONSUMED", ""))
    launch.write_text("grid = [1]")
    assert main(["sim", str(kernel), "--format", "json", "--schedule", "lazy"]) == 1
    (outcome,) = json.loads(capfd.readouterr().out)["launches"]
    first, second = outcome["deadlock"]
    assert first["name"] == "the mbarrier @empty[1]"
    assert first["ctas"] == ["CTA (0, 0, 0)"]
    assert [part["warps"] for part in first["waiting"]] == [[0]]
    assert second["missing"][0]["operation"] == "ptx.mbarrier.arrive"


COUNTED = """
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @counted(%bytes : i32, %count : i32) attributes {reqntid = array<i32: 1>} {
  %c0 = ptx.constant 0 : i32
  %full = ptx.address_of @full
  ptx.mbarrier.init [%full], %count
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%full], %bytes
  ptx.mbarrier.wait [%full], %c0
  ptx.ret
}
"""
INIT, EXPECT = (
    next(at for at, line in enumerate(COUNTED.split("\n"), 1) if text in line)
    for text in ("mbarrier.init", "expect_tx")
)


@pytest.mark.parametrize(
    ("bytes_", "count", "needs", "help"),
    [
        (
            128,
            1,
            "has all arrivals and expects 128 bytes, but 0 came: 128 are missing",
            f"issue the copies of the bytes announced at line {EXPECT}",
        ),
        (
            0,
            4,
            f"needs 3 of 4 arrivals (the count of mbarrier.init, line {INIT})",
            f"add 3 more arrivals, or change the count of mbarrier.init, line {INIT}, to 1",
        ),
    ],
)
def test_numbers_that_do_not_agree(bytes_: int, count: int, needs: str, help: str) -> None:
    finding = simulate(COUNTED, [bytes_, count], run=Run("lazy")).findings[0]
    assert finding.rule == "T5-SIM-005"
    assert f"phase 0 of the mbarrier @full in CTA (0, 0, 0) {needs}" in finding.message
    assert finding.help == help


def test_no_numbers_after_a_right_phase() -> None:
    """A count that has ended a phase is right."""
    consumed = f"{ARRIVE}\n%w = arith.cmpi uge, %thread, %c64 : i32\nptx.guard %w {{ ptx.exit }}"
    (finding,) = run(consumed).findings
    assert "mbarrier.init" not in finding.message + finding.help
