"""Static verification of kernels that make their tensor maps, as Triton's do."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.practice_kernels import ptx_of

KERNEL = """
ptx.shared_memory @tile size 1024 alignment 1024
ptx.shared_memory @map size 128 alignment 128
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @kernel(%scratch : i64, %from : i64, %columns : i32, %rows : i32, %to : i64)
    attributes {reqntid = array<i32: 32>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c4 = ptx.constant 4 : i32
  %c8 = ptx.constant 8 : i32
  %c16 = ptx.constant 16 : i32
  %c32 = ptx.constant 32 : i32
  %c128 = ptx.constant 128 : i32
  %bytes = ptx.constant 1024 : i32
  %tile = ptx.address_of @tile
  %map = ptx.address_of @map
  %full = ptx.address_of @full
  %lane = ptx.special_register laneid
  %first = ptx.setp eq u32 %lane, %c0
  %cta = ptx.special_register ctaid.x
  %own_map = ptx.mad.wide u32 %cta, %c128, %scratch
  %stride = ptx.mul.wide u32 %columns, %c4
  %own = ptx.mad u32 %lane, %c4, %map
  ptx.st "shared::cta" b32 [%own], {%c0}
  %mask = ptx.constant -1 : i32
  ptx.bar.warp.sync %mask
  ptx.cond_bra %first, ^set, ^join
^set:
  ptx.tensormap.replace global_address "shared::cta" b64 [%map], %from
  ptx.tensormap.replace rank "shared::cta" b32 [%map], %c1
  ptx.tensormap.replace.dimension box_dim "shared::cta" b32 [%map], 0, %c32
  ptx.tensormap.replace.dimension box_dim "shared::cta" b32 [%map], 1, %c8
  ptx.tensormap.replace.dimension global_dim "shared::cta" b32 [%map], 0, %columns
  ptx.tensormap.replace.dimension global_dim "shared::cta" b32 [%map], 1, %rows
  ptx.tensormap.replace.dimension global_stride "shared::cta" b64 [%map], 0, %stride
  ptx.tensormap.replace.dimension element_stride "shared::cta" b32 [%map], 0, %c1
  ptx.tensormap.replace.dimension element_stride "shared::cta" b32 [%map], 1, %c1
  ptx.tensormap.replace.mode elemtype "shared::cta" [%map], 7
  ptx.tensormap.replace.mode swizzle_mode "shared::cta" [%map], 3
  ptx.mbarrier.init [%full], %c1
  ptx.fence.mbarrier_init
  ptx.bra ^join
^join:
  ptx.bar.warp.sync %mask
  ptx.tensormap.cp_fenceproxy gpu [%own_map], [%map]
  ptx.fence.proxy.tensormap.acquire acquire gpu [%own_map]
  ptx.cond_bra %first, ^copy, ^end
^copy:
  ptx.mbarrier.arrive.expect_tx [%full], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %own_map, {%c0, %c0}, [%full]
  ptx.mbarrier.wait [%full], %c0
  ptx.cp.async.bulk.store [%to], [%tile], %bytes
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.bra ^end
^end:
  ptx.ret
}
"""


def found(text: str) -> list[tuple[str, str]]:
    """The severities of the findings, with their rules, or the messages of remarks."""
    findings = check_source(Source("kernel.mlir", text), verify="quick")
    return [(each.severity, each.rule or each.message) for each in findings]


def test_the_kernel_is_verified() -> None:
    assert found(KERNEL) == [("remark", "@kernel: verified")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("ptx.constant 1024", "ptx.constant 512", "T5-SIM-005"),
        ("  ptx.fence.proxy.tensormap.acquire acquire gpu [%own_map]\n", "", "T5-SIM-047"),
        ("  ptx.mbarrier.wait [%full], %c0\n", "", "T5-SIM-014"),
    ],
)
def test_a_mistake_is_found(old: str, new: str, rule: str) -> None:
    assert old in KERNEL
    assert ("error", rule) in found(KERNEL.replace(old, new))


def test_a_map_whose_box_is_not_set_is_not_decided() -> None:
    without = "".join(line for line in KERNEL.splitlines(True) if "box_dim" not in line)
    ((severity, message),) = found(without)
    assert severity == "remark"
    assert "not decided: ptx.tensormap.replace" in message


def test_a_map_that_the_emulator_does_not_support_is_not_decided() -> None:
    """f32 without subnormal numbers is legal."""
    ((severity, message),) = found(
        KERNEL.replace('elemtype "shared::cta" [%map], 7', 'elemtype "shared::cta" [%map], 8')
    )
    assert severity == "remark"
    assert "does not support tensor maps of f32.ftz" in message


@pytest.mark.slow
@pytest.mark.parametrize("is_ptx", [False, True])
def test_a_map_that_changes_while_a_copy_uses_it(is_ptx: bool) -> None:
    wait = "  ptx.mbarrier.wait [%full], %c0\n"
    change = "  ptx.tensormap.replace.mode fill_mode global [%own_map], 1\n"
    for order, rules in ((wait + change, []), (change + wait, ["T5-SIM-014"])):
        text = KERNEL.replace(wait, order)
        source = Source("k.ptx", ptx_of(text)) if is_ptx else Source("k.mlir", text)
        findings = check_source(source, verify="quick")
        assert [each.rule for each in findings if each.severity == "error"] == rules
