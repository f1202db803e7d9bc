"""Tests of the sizes at which kernels run, and of verdicts on errors that only some sizes show."""

from itertools import product

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.isa.practice import ALIGNMENT
from tcgen05_dialect.reporting.diagnostics import Source, rule_of
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification import Effort
from tcgen05_dialect.verification.execution import Skeleton
from tcgen05_dialect.verification.sizes import Chooser
from tcgen05_dialect.verification.static.loops import MOST_ITERATIONS, MOST_STAGES, loops_of

from ..support.effort import sampled
from ..support.kernel_text import kernel
from .test_pairs import check_more_sizes, verdict
from .test_styles import EXAMPLE, STEPS, replaced

EFFORTS: tuple[Effort, ...] = ("quick", "thorough")
GLOBAL_RACE = """
ptx.kernel @k(%p : i64, %q : i64, %n : i32) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %warp_size = arith.constant 32 : i32
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %slot = ptx.cvta.to global %p
  %copies = ptx.cvta.to global %q
  %copy = ptx.mad.wide u32 %thread, %c4, %copies
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %is_first {
      ptx.st global b32 [%slot], {%i}
    }
    ptx.bar.sync %c0
    %x = ptx.ld global b32 [%slot] -> i32
    ptx.st global b32 [%copy], {%x}
    AFTER
  }
  ptx.ret
}
"""
"""Without a second barrier, the store of an iteration races with the loads of the one before."""

MASKED = """
ptx.kernel @k(%n : i32, %p : i64) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  scf.for %i = %c0 to %n step %c1 iter_args(%stage = %c0) -> (i32) : i32 {
    %left = arith.subi %n, %i : i32
    %is_far = arith.cmpi slt, %c31, %left : i32
    %x = arith.select %is_far, %c1, %c0 : i32
    ptx.st global b32 [%p], {%x}
    %next = arith.addi %stage, %c1 : i32
    %is_last = arith.cmpi eq, %next, %c3 : i32
    %wrapped = arith.select %is_last, %c0, %next : i32
    scf.yield %wrapped : i32
  }
  ptx.ret
}
"""


def test_bounds_of_masks_are_no_stages() -> None:
    """What is left of a number of rows is compared with columns, but is no index of a ring."""
    module = lower_source(Source("", MASKED)).module
    assert [loop.stages for loop in loops_of(kernel_of(module, None))] == [3]


RING = """
ptx.shared_memory @slots size SIZE alignment 8
ptx.shared_memory @full size SIZE alignment 8
ptx.shared_memory @free size SIZE alignment 8
ptx.kernel @k(%n : i32, %out : i64) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %warp_size = arith.constant 32 : i32
  %stages = arith.constant STAGES : i32
  %thread = ptx.special_register tid.x
  %slots = ptx.address_of @slots
  %full = ptx.address_of @full
  %free = ptx.address_of @free
  %produces = arith.cmpi eq, %thread, %c0 : i32
  %consumes = arith.cmpi eq, %thread, %warp_size : i32
  scf.if %produces {
    scf.for %stage = %c0 to %stages step %c1 : i32 {
      %offset = arith.shli %stage, %c3 : i32
      %stage_full = arith.addi %full, %offset : i32
      %stage_free = arith.addi %free, %offset : i32
      ptx.mbarrier.init [%stage_full], %c1
      ptx.mbarrier.init [%stage_free], %c1
    }
  }
  ptx.bar.sync %c0
  scf.if %produces {
    scf.for %i = %c0 to %n step %c1 : i32 {
      %stage = arith.remui %i, %stages : i32
      %round = arith.divui %i, %stages : i32
      %round_before = arith.addi %round, %c1 : i32
      %parity = arith.andi %round_before, %c1 : i32
      %offset = arith.shli %stage, %c3 : i32
      %slot = arith.addi %slots, %offset : i32
      %stage_full = arith.addi %full, %offset : i32
      %stage_free = arith.addi %free, %offset : i32
      ptx.mbarrier.wait [%stage_free], %parity
      ptx.st "shared::cta" b32 [%slot], {%i}
      ptx.mbarrier.arrive [%stage_full]
    }
  }
  scf.if %consumes {
    %to = ptx.cvta.to global %out
    scf.for %i = %c0 to %n step %c1 : i32 {
      %stage = arith.remui %i, %stages : i32
      %round = arith.divui %i, %stages : i32
      %parity = arith.andi %round, %c1 : i32
      %offset = arith.shli %stage, %c3 : i32
      %slot = arith.addi %slots, %offset : i32
      %stage_full = arith.addi %full, %offset : i32
      %stage_free = arith.addi %free, %offset : i32
      ptx.mbarrier.wait [%stage_full], %parity
      %x = ptx.ld "shared::cta" b32 [%slot] -> i32
      ptx.st global b32 [%to], {%x}
      ptx.mbarrier.arrive [%stage_free]
    }
  }
  ptx.ret
}
"""
"""A ring between two threads."""


def ring(stages: int) -> str:
    return RING.replace("SIZE", str(8 * stages)).replace("STAGES", str(stages))


@pytest.mark.slow
@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("stages", sampled([2, 3, 9, 12, MOST_STAGES], 2))
def test_rings_wrap(stages: int, effort: Effort) -> None:
    text = ring(stages)
    right = verdict(text, effort)
    assert (right.findings, right.sentence[:8]) == ((), "verified")
    for wait in ("[%stage_free], %parity", "[%stage_full], %parity"):
        assert verdict(replaced(text, f"ptx.mbarrier.wait {wait}", ""), effort).findings


@pytest.mark.parametrize(
    ("index", "stages"),
    [
        ("arith.andi %i, %c3", 4),
        ("arith.remui %i, %c3", 3),
        ("arith.remui %i, %warp_size", 32),
        ("arith.remui %i, %thread", 1),
        ("arith.andi %n, %c3", 1),
        ("arith.remui %thread, %warp_size", 1),
    ],
)
def test_only_changing_indices_make_a_ring(index: str, stages: int) -> None:
    """Lane numbers are remainders too, but they do not change in a loop."""
    text = GLOBAL_RACE.replace("AFTER", f"%index = {index} : i32\nptx.bar.sync %index")
    (loop,) = loops_of(kernel_of(lower_source(Source("kernel", text)).module, None))
    assert loop.stages == stages


_PRODUCER_BOUND = "scf.for %block = %c0 to %blocks step %c1 : i32 {"
_OF_K = "%k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}"


@pytest.mark.slow
@pytest.mark.parametrize(("multiple", "effort"), sampled(product([8, 128, 192], EFFORTS), 1))
def test_numbers_of_one_ring_stay_consistent(multiple: int, effort: Effort) -> None:
    """The producer counts blocks, the consumer divides K by their size."""
    first, _, second = EXAMPLE.partition(_PRODUCER_BOUND)
    text = f"{first}{_PRODUCER_BOUND.replace('%blocks', '%k_blocks')}{second}"
    contract = f"{{ptx.at_least = 1, ptx.multiple_of = {multiple}}}"
    text = replaced(text, _OF_K, f"%k_blocks : i32, %k : i32 {contract}")
    right = verdict(text, effort)
    assert [str(error) for error in right.findings] == []
    assert right.sentence.startswith("verified; loops")
    assert verdict(replaced(text, STEPS[0], ""), effort).findings


WIDE_ROWS = """
ptx.kernel @k(%p : i64, %n : i32, %stride : i32) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c15 = arith.constant 15 : i32
  %width = arith.constant 256 : i32
  %thread = ptx.special_register tid.x
  %tiles = arith.ceildivui %n, %width : i32
  %out = ptx.cvta.to global %p
  %row = arith.muli %thread, %stride : i32
  scf.for %i = %c0 to %tiles step %c1 : i32 {
    %stage = arith.andi %i, %c15 : i32
    %is = arith.cmpi eq, %stage, %c15 : i32
    scf.if %is {
      ptx.bar.warp.sync %all
    }
    %column = arith.muli %i, %width : i32
    %at = arith.addi %row, %column : i32
    %address = ptx.mad.wide u32 %at, %c2, %out
    %h = arith.trunci %at : i32 to i16
    %v = ptx.ld global b16 [%address] -> i16
    ptx.st global b16 [%address], {%h}
  }
  ptx.ret
}
"""
"""Each thread updates its own row of %n elements."""


@pytest.mark.slow
@pytest.mark.parametrize("effort", EFFORTS)
def test_rows_do_not_overlap(effort: Effort) -> None:
    right = verdict(WIDE_ROWS, effort)
    assert [str(error) for error in right.findings] == []
    assert "but not for" not in right.sentence
    assert verdict(replaced(WIDE_ROWS, "%thread, %stride", "%thread, %width"), effort).findings


def test_nested_loops_are_independent() -> None:
    """Two loops over a ring of 4 stages, one in the other, would run 81 times together."""
    text = GLOBAL_RACE.replace("%n : i32", "%m : i32, %n : i32")
    text = text.replace("AFTER", "ptx.bar.sync %c0\n%s = arith.andi %i, %c3 : i32").replace(
        "  scf.for", "  scf.for %tile = %c0 to %m step %c1 : i32 {\n  scf.for"
    )
    text = text.replace("  ptx.ret", "%t = arith.andi %tile, %c3 : i32\n}\n  ptx.ret")
    kernel = kernel_of(lower_source(Source("kernel", text)).module, None)
    skeleton = Skeleton(kernel)
    for scenario in Chooser(skeleton, skeleton.launches()[0]).scenarios(thorough=True):
        outer, inner = scenario.iterations
        assert min(outer, inner) <= 2
    assert verdict(text, "thorough").sentence.startswith("verified; loops")


_TILES = """
scf.for %tile = %c0 to %tiles step %c1 : i32 {
  %t = arith.remui %tile, %c4 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %s = arith.remui %i, %c4 : i32
    %offset = arith.addi %s, %t : i32
    %shared = ptx.mad u32 %offset, %c8, %slots
    ptx.st "shared::cta" b32 [%shared], {%i}
  }
}
"""


def test_loops_over_tiles_and_over_blocks_are_independent() -> None:
    """One role finds the number of tiles in shared memory; its blocks are no tiles of the other."""
    body = f"""
scf.if %is_first {{ ptx.st "shared::cta" b32 [%slots], {{%tiles}} }}
ptx.bar.sync %c0
%loads = arith.cmpi eq, %warp, %c0 : i32
scf.if %loads {{{_TILES}}} else {{
  %bound = ptx.ld "shared::cta" b32 [%slots] -> i32 {_TILES.replace("%tiles", "%bound")}
}}
"""
    text = kernel("tiles", body, {"tiles": "i32", "n": "i32"}, {"slots": 64}, 64)
    skeleton = Skeleton(kernel_of(lower_source(Source("kernel", text)).module, None))
    scenarios = Chooser(skeleton, skeleton.launches()[0]).scenarios(thorough=True)
    assert all(min(scenario.iterations) <= 2 for scenario in scenarios)


def test_a_grid_of_tiles_is_small() -> None:
    """A loop over the product of two extents does not end if one has the usual large value."""
    text = GLOBAL_RACE.replace("%n : i32", "%m : i32, %heads : i32").replace(
        "  %thread", "  %n = arith.muli %m, %heads : i32\n  %thread"
    )
    kernel = kernel_of(lower_source(Source("kernel", text.replace("AFTER", ""))).module, None)
    skeleton = Skeleton(kernel)
    scenarios = Chooser(skeleton, skeleton.launches()[0]).scenarios(thorough=True)
    assert max(scenario.iterations[0] for scenario in scenarios) < MOST_ITERATIONS
    assert verdict(text.replace("AFTER", "ptx.bar.sync %c0"), "thorough").word == "verified"


def test_a_grid_of_whole_tiles_runs() -> None:
    """A loop over the tiles of a matrix, whose rows and columns each have a tile or more."""
    text = GLOBAL_RACE.replace("%n : i32", "%rows : i32, %columns : i32")
    count = """
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  %m = ptx.shr s32 %rows, %eight
  %w = ptx.shr s32 %columns, %seven
  %n = arith.muli %m, %w : i32
  %thread"""
    text = text.replace("\n  %thread", count).replace("AFTER", "ptx.bar.sync %c0")
    skeleton = Skeleton(kernel_of(lower_source(Source("kernel", text)).module, None))
    scenarios = Chooser(skeleton, skeleton.launches()[0]).scenarios(thorough=False)
    assert [scenario.iterations for scenario in scenarios] == [(3,), (2,)]


@pytest.mark.parametrize(
    "product",
    [
        "%tiles = ptx.mul lo s32 %ab, %c",
        "%tiles = ptx.mad s32 %ab, %c, %c0",
        "%tiles = ptx.shl b32 %ab, %c8",
        "%tiles = ptx.mad s32 %ab, %c256, %c0",
    ],
)
def test_a_product_of_numbers_does_not_overflow(product: str) -> None:
    """Large numbers of tiles would make a product of 0, and no run would reach the store."""
    text = """
ptx.kernel @k(%p : i64, %a : i32, %b : i32, %c : i32) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %lane = ptx.special_register tid.x
  %ab = ptx.mul lo s32 %a, %b
  %c8 = arith.constant 8 : i32
  %c256 = arith.constant 256 : i32
  TILES
  %place = ptx.mad.wide u32 %lane, %c4, %p
  %any = ptx.setp gt s32 %tiles, %c0
  ptx.guard %any {
    ptx.st global b32 [%place], {%lane}
  }
  ptx.ret
}
"""
    found = verdict(text.replace("TILES", product), "quick")
    assert (found.word, found.unreached) == ("verified", ())


STORED_TILE = """
ptx.shared_memory @tile size 4 alignment 4
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @k(%p : i64) attributes {reqntid = array<i32: 32>, cluster_dims = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %slot = ptx.address_of @tile
  %full = ptx.address_of @full
  %lane = ptx.special_register tid.x
  %is_first = ptx.setp eq u32 %lane, %c0
  %place = ptx.mad.wide u32 %lane, %c4, %p
  VALUE
  ptx.guard %is_first {
    ptx.mbarrier.init [%full], %c1
    ptx.fence.mbarrier_init
    ptx.mbarrier.arrive.expect_tx [%full], %c4
    ptx.st.async b32 [%slot], {%number}, [%full]
  }
  ptx.bar.sync %c0
  ptx.mbarrier.wait [%full], %c0
  %read = ptx.ld "shared::cta" b32 [%slot] -> i32
  %more = ptx.setp gt s32 %read, %c0
  ptx.guard %more {
    ptx.st global b32 [%place], {%lane}
  }
  ptx.ret
}
"""


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("%number = ptx.mov b32 %c1", "verified"),
        (
            "%number = ptx.ld global b32 [%place] -> i32",
            "verified; run with both results of the branch on data at line 24",
        ),
    ],
)
def test_a_number_stored_asynchronously_decides(value: str, sentence: str) -> None:
    assert verdict(STORED_TILE.replace("VALUE", value), "quick").sentence == sentence


def test_a_parameter_stored_asynchronously_decides() -> None:
    text = STORED_TILE.replace("%p : i64", "%p : i64, %n : i32")
    text = text.replace("VALUE", "%number = ptx.mov b32 %n")
    text = text.replace("ptx.st global b32 [%place], {%lane}", "ptx.bar.sync %c0")
    skeleton = Skeleton(kernel_of(lower_source(Source("kernel", text)).module, None))
    assert skeleton.kernel.body.blocks[0].args[1] in skeleton.decisive


@pytest.mark.parametrize("effort", EFFORTS)
def test_sizes_without_iterations_excuse_no_race(effort: Effort) -> None:
    assert verdict(GLOBAL_RACE.replace("AFTER", ""), effort).findings
    right = verdict(GLOBAL_RACE.replace("AFTER", "ptx.bar.sync %c0"), effort)
    assert (right.findings, right.sentence[:8]) == ((), "verified")


def test_more_sizes_find_more() -> None:
    """The tests of pairs, styles and examples check this, too."""
    text = GLOBAL_RACE.replace("AFTER", "")
    check_more_sizes(text, verdict(text))


@pytest.mark.parametrize(("bytes_", "is_wrong"), [(16, False), (4, True)])
def test_smaller_sizes_excuse_no_misaligned_access(bytes_: int, is_wrong: bool) -> None:
    """The first element is aligned: only the loop without a second iteration is right."""
    found = verdict(
        f"""
ptx.kernel @k(%p : i64, %n : i32) attributes {{reqntid = array<i32: 1>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant {bytes_} : i32
  scf.for %i = %c0 to %n step %c1 : i32 {{
    %to = ptx.mad.wide u32 %i, %bytes, %p
    ptx.st global b32 [%to], {{%i, %i, %i, %i}}
  }}
  ptx.ret
}}
""",
        "thorough",
    )
    assert [rule_of(each) for each in found.findings] == [ALIGNMENT] * is_wrong


def _stage(block: str) -> str:
    return f"""
%stage = arith.remui {block}, %c2 : i32
%round = arith.divui {block}, %c2 : i32
%parity = arith.andi %round, %c1 : i32
%before = arith.xori %parity, %c1 : i32
%l = ptx.mad u32 %stage, %c8, %full
%f = ptx.mad u32 %stage, %c8, %free
"""


_FILLS = "ptx.mbarrier.wait [%f], %before\nptx.mbarrier.arrive [%l]"
_FREES = "ptx.mbarrier.wait [%l], %parity\nptx.mbarrier.arrive [%f]"
_IN_PARTS = kernel(
    "in_parts",
    f"""
scf.if %is_first {{
  ptx.mbarrier.init [%full], %c32
  ptx.mbarrier.init [%full + 8], %c32
  ptx.mbarrier.init [%free], %c32
  ptx.mbarrier.init [%free + 8], %c32
}}
ptx.bar.sync %c0
%fills = arith.cmpi eq, %warp, %c0 : i32
scf.if %fills {{
  scf.for %i = %c0 to %near step %c1 : i32 {{ {_stage("%i")} {_FILLS}
  }}
  scf.for %i = %c0 to %rest step %c1 : i32 {{
    %block = arith.addi %i, %near : i32 {_stage("%block")} {_FILLS}
  }}
}} else {{
  scf.for %i = %c0 to %all step %c1 : i32 {{ {_stage("%i")} {_FREES}
  }}
}}
""",
    {"near": "i32", "rest": "i32", "all": "i32"},
    {"full": 16, "free": 16},
    64,
)


def test_a_number_may_be_the_sum_of_others() -> None:
    found = verdict(_IN_PARTS)
    assert (found.word, found.findings) == ("not decided", ())
    assert "that %all gives as many iterations as %near and %rest together" in found.sentence
    lost = verdict(_IN_PARTS.replace("ptx.mbarrier.arrive [%f]", ""))
    assert [rule_of(each).id for each in lost.findings] == ["T5-SIM-005"]


_SHARED_OUT = """
ptx.shared_memory @sum size 4 alignment 4
ptx.kernel @k(%n : i32, %out : i64)
    attributes {reqntid = array<i32: 32>, cluster_dims = array<i32: 2>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %sum = ptx.address_of @sum
  %thread = ptx.special_register tid.x
  %rank = ptx.special_register cluster_ctarank
  %ctas = ptx.special_register cluster_nctarank
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.for %i = %rank to %n step %ctas : i32 {
    scf.if %is_first {
      ptx.st "shared::cta" b32 [%sum], {%i}
    }
    ptx.bar.sync %c0
  }
  scf.if %is_first {
    %x = ptx.ld "shared::cta" b32 [%sum] -> i32
    %to = ptx.cvta.to global %out
    %own = ptx.mad.wide u32 %rank, %c4, %to
    ptx.st global b32 [%own], {%x}
  }
  ptx.ret
}
"""
"""Two CTAs share out iterations: of one, the second CTA has none."""


def test_a_cta_of_a_cluster_may_have_no_iterations() -> None:
    found = verdict(_SHARED_OUT, "thorough")
    assert found.sentence.endswith("; but not for %n = 0 or %n = 1 (T5-SIM-013)")
    needs_two = _SHARED_OUT.replace("%n : i32", "%n : i32 {ptx.at_least = 2}")
    assert verdict(needs_two, "thorough").sentence.startswith("verified; loops: line ")
