"""
Tests of verdicts on the warp-specialised GEMM as other compilers write it: ring index and parity
carried from iteration to iteration, parities as bits of a register, waits as loops around try_wait.
"""

import re
from collections.abc import Iterator, Mapping

import pytest

from tcgen05_dialect.verification.execution import rule_of

from ..support.effort import sampled
from ..support.repository import EXAMPLES
from .test_pairs import check_more_sizes, verdict

EXAMPLE = re.sub("//.*", "", (EXAMPLES / "gemm_warp_specialized.mlir").read_text())
_LOOP = "scf.for %block = %c0 to %blocks step %c1 : i32 {"
_INDEX = re.compile(r"\s*%stage = arith.remui .*\n\s*%round = .*\n")
_NEXT_STAGE = """
  %next = arith.addi %stage, %c1 : i32
  %wraps = arith.cmpi eq, %next, %stages : i32
  %next_stage = arith.select %wraps, %c0, %next : i32
"""


def replaced(text: str, old: str | re.Pattern[str], new: str, count: int = 1) -> str:
    """The text with `count` replacements. Fails if there are fewer or more."""
    pattern = old if isinstance(old, re.Pattern) else re.compile(re.escape(old))
    result, found = pattern.subn(lambda _: new, text)
    assert found == count
    return result


def _loops(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of the loops of the producer and of the consumer."""
    for match in re.finditer(re.escape(_LOOP), text):
        end = text.index("\n" + " " * 6 + "}", match.end())
        yield match.start(), end


def carried(parity: str, first: tuple[str, str], before: str, flip: str) -> str:
    """The kernel with a stage and a `parity` of the two loops that are carried."""
    text = EXAMPLE
    for (start, end), value, uses in reversed(
        [*zip(_loops(text), first, ("parity_before", "parity"), strict=True)]
    ):
        loop = text[start:end]
        head = f"%ends:2 = {_LOOP.removesuffix(' : i32 {')} "
        head += f"iter_args(%stage = %c0, %{parity} = {value}) -> (i32, i32) : i32 {{"
        loop = replaced(loop, _LOOP, head + before.replace("PARITY", uses))
        loop = replaced(loop, _INDEX, "\n")
        loop = re.sub(rf"\s*%(round_before|{uses}) = arith\.(addi|andi) %round.*", "", loop)
        flipped = flip.replace("PARITY", uses)
        loop += f"{_NEXT_STAGE}{flipped}\n  scf.yield %next_stage, %next_parity : i32, i32"
        text = text[:start] + loop + text[end:]
    return text


def _styles() -> Mapping[str, str]:
    toggle = """
  %flip = arith.extui %wraps : i1 to i32
  %next_parity = arith.xori %carried, %flip : i32"""
    bits = """
  %bit = arith.shli %c1, %stage : i32
  %next_parity = arith.xori %carried, %bit : i32"""
    of_bits = """
  %shifted = arith.shrui %carried, %stage : i32
  %PARITY = arith.andi %shifted, %c1 : i32"""
    same = "\n  %PARITY = arith.addi %carried, %c0 : i32"
    polled = """
  %polls = scf.while (%poll = %c0) : (i32) -> i32 {
    %done = ptx.mbarrier.try_wait.parity [%stage_loaded], %parity
    %again = arith.xori %done, %true : i1
    scf.condition(%again) %poll : i32
  } do {
  ^bb0(%poll : i32):
    scf.yield %poll : i32
  }
"""
    wait = "ptx.mbarrier.wait [%stage_loaded], %parity"
    return {
        "parity toggled": carried("carried", ("%c1", "%c0"), same, toggle),
        "parities in a register": carried("carried", ("%last_lane", "%c0"), of_bits, bits),
        "polled": replaced(EXAMPLE, wait, polled),
        "whole blocks only": replaced(EXAMPLE, "arith.ceildivui %k", "arith.divui %k"),
        "without remainder": replaced(
            EXAMPLE, "arith.minsi %columns_left, %tile_n", "arith.addi %c0, %tile_n"
        ),
    }


STYLES = _styles()
STEPS = (
    "ptx.mbarrier.wait [%stage_free], %parity_before",
    "tcgen05.commit %stage_free",
    "ptx.mbarrier.wait [%all_multiplied], %c0",
    "tcgen05.commit %all_multiplied",
    "ptx.fence.mbarrier_init",
)
MISTAKES = {
    **{f"without {step}": (step, "") for step in STEPS[:-1]},
    "wrong first parity": ("[%stage_free], %parity_before", "[%stage_free], %c0"),
    "a stage too many": ("%next, %stages", "%next, %mma_warp"),
}


WRONG = [
    (style, mistake)
    for style, text in STYLES.items()
    for mistake, (old, _) in MISTAKES.items()
    if old in text
]
"""A style, and a mistake that it can make."""


@pytest.mark.slow
@pytest.mark.parametrize("style", dict.fromkeys((*sampled(STYLES, 1), "without remainder")))
def test_right(style: str) -> None:
    """Without remainder, rows that are not aligned run only at sizes of which rows meet: these are
    tried again with longer rows."""
    found = verdict(STYLES[style], "thorough")
    assert [str(each) for each in found.findings] == []
    assert found.sentence.startswith("verified; loops: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "mistake"), sampled(sampled(WRONG, 1, of=lambda each: each[1]), 3)
)
def test_wrong(style: str, mistake: str) -> None:
    old, new = MISTAKES[mistake]
    text = STYLES[style].replace(old, new)
    found = verdict(text, "quick")
    assert found.findings
    check_more_sizes(text, found)


def test_each_mistake_is_made() -> None:
    """A step that the example no longer has would leave its mistake out."""
    assert {mistake for _, mistake in WRONG} == {*MISTAKES}


@pytest.mark.slow
def test_trips_from_memory() -> None:
    text = replaced(
        EXAMPLE, re.compile(r"arith\.ceildivui %k, %tile_k : i32"), "ptx.ld global b32 [%c] -> i32"
    )
    sentence = r"not decided: control depends on %blocks loaded at line \d+; runs with .*"
    found = verdict(text, "quick")
    assert re.fullmatch(sentence, found.sentence) and not found.findings
    wrong = verdict(replaced(text, "ptx.mbarrier.wait [%stage_free], %parity_before", ""), "quick")
    assert wrong.word == "not decided"
    (finding,) = wrong.findings
    assert rule_of(finding).severity == "warning"
    assert re.search(r"%blocks = \d+ loaded at line \d+", str(finding))
