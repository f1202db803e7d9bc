"""Tests of the launches that the verifier invents: clusters, and clusters that wait."""

import re

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support.practice_kernels import ptx_of
from .test_shipped_bugs import SHIPPED_BUGS

_HEADER = ".version 8.7\n.target sm_100a\n.address_size 64\n"
_NEIGHBOUR = """.visible .entry k() .reqntid 32 {
.reg .b32 %r<9>; .reg .pred %p<4>; .shared .align 8 .b64 bar;
mov.b32 %r1, bar; mov.u32 %r2, %tid.x; setp.ne.u32 %p2, %r2, 0;
@%p2 bra READY;
mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster;
READY: barrier.cluster.arrive.release; barrier.cluster.wait.acquire; @%p2 bra END;
mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, RANK;
mapa.shared::cluster.u32 %r3, %r1, %r5;
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3], 1;
WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0;
@!%p3 bra WAIT;
END: barrier.cluster.arrive; barrier.cluster.wait;
ret; }
"""
_TILES = """.visible .entry k(.param .u64 out) .reqntid 64 {
.reg .b32 %r<9>; .reg .b64 %d<5>; .reg .b128 %q; .reg .pred %p<6>;
.shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;
ld.param.b64 %d1, [out]; mov.u32 %r3, %ctaid.x; mov.b32 %r4, 0;
mov.u32 %r2, %tid.x; setp.ne.u32 %p2, %r2, 0;
@%p2 bra READY;
mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster;
READY: bar.sync 0;
TILE: @%p2 bra WAIT;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
    [answer], [bar];
WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [bar], %r4; @!%p3 bra WAIT;
xor.b32 %r4, %r4, 1;
ld.shared.v2.b64 {%d3, %d4}, [answer]; mov.b128 %q, {%d3, %d4};
mad.lo.s32 %r5, %r3, 64, %r2; mad.wide.u32 %d2, %r5, 4, %d1; st.global.b32 [%d2], %r5;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p4, %q;
clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r3, %q;
fence.proxy.async.shared::cta;
bar.sync 0;
@%p4 bra TILE;
ret; }
"""


def _findings(text: str) -> list[Finding]:
    return check_source(Source("kernel.ptx", _HEADER + text), verify="thorough")


@pytest.mark.parametrize(("rank", "ctas"), [(0, "1 CTA"), (1, "2 CTAs"), (3, "4 CTAs")])
def test_a_cluster_is_assumed(rank: int, ctas: str) -> None:
    """A kernel that does not tell its cluster is right if it is right with some cluster."""
    (remark,) = _findings(_NEIGHBOUR.replace("RANK", str(rank)))
    assert remark.verdict == "verified"
    assert remark.message.endswith(f"; assumes clusters of {ctas}")


def test_no_cluster_may_fit() -> None:
    (remark,) = _findings(_NEIGHBOUR.replace("RANK", "7"))
    assert remark.verdict == "not decided"


def test_a_mistake_in_every_cluster_is_a_warning() -> None:
    """With a cluster of one CTA, the wait is for two arrivals; with others, as well."""
    text = _NEIGHBOUR.replace("RANK", "0").replace("[bar], 1;", "[bar], 2;")
    remark, warning = _findings(text)
    assert remark.verdict == "not decided"
    assert "no cluster_dims, but mapa, line 11, needs a cluster" in remark.message
    assert (warning.severity, warning.rule) == ("warning", "T5-SIM-005")


def test_a_cluster_takes_over_the_work_of_others() -> None:
    (remark,) = _findings(_TILES)
    assert remark.verdict == "verified"
    assert remark.message.endswith("; up to 4 clusters taken over")


def test_requests_are_ordered() -> None:
    """Of two requests at once, either may get the last tile."""
    request = _TILES[_TILES.index("clusterlaunchcontrol.try") : _TILES.index("WAIT:")]
    text = _TILES.replace(request, request + request.replace("[answer]", "[answer+16]"))
    text = text.replace("answer[16]", "answer[32]").replace("[bar], 16;", "[bar], 32;")
    (remark,) = _findings(text)
    assert remark.verdict == "not decided"
    assert "nothing orders clusterlaunchcontrol.try_cancel" in remark.message


@pytest.mark.parametrize(
    ("removed", "rule"),
    [
        ("bar.sync 0;\n@%p4", "T5-SIM-014"),
        ("xor.b32 %r4, %r4, 1;", "T5-SIM-014"),
        ("@!%p3 bra WAIT;", "T5-SIM-013"),
    ],
)
def test_a_mistake_around_the_answer_is_found(removed: str, rule: str) -> None:
    assert removed in _TILES
    remark, *errors = _findings(_TILES.replace(removed, "@%p4" * removed.endswith("@%p4")))
    assert remark.verdict == "not verified"
    assert {each.severity for each in errors} == {"error"}
    assert rule in [each.rule for each in errors]


_THREADS = """.visible .entry k(.param .u64 y) .maxntid 64 {
.reg .b32 %r<4>; .reg .b64 %d<2>; .shared .align 8 .b8 word[8];
ld.param.b64 %d1, [y]; mov.u32 %r2, %tid.x;
st.shared.b32 [word], %r2;
bar.sync 0;
ld.shared.b32 %r3, [word]; st.global.b32 [%d1], %r3;
ret; }
"""


@pytest.mark.parametrize(
    ("directive", "block", "verdict", "severity"),
    [
        (".maxntid 64", None, "not verified", "error"),
        (".maxntid 64", (64,), "not verified", "error"),
        (".maxntid 64", (1,), "verified", ""),
        ("", None, "not decided", "warning"),
        ("", (1,), "verified", ""),
        (".reqntid 64", (1,), "not verified", "error"),
    ],
)
def test_a_block_is_given(
    directive: str, block: tuple[int, ...] | None, verdict: str, severity: str
) -> None:
    """Threads of one warp write different values to one word."""
    text = _HEADER + _THREADS.replace(".maxntid 64", directive)
    remark, *errors = check_source(text, verify="thorough", block=block)
    assert remark.verdict == verdict
    assert [(each.rule, each.severity) for each in errors] == [("T5-SIM-014", severity)] * bool(
        severity
    )


_ROLES = """.visible .entry k(.param .u64 y) {
.reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>; .shared .align 8 .b8 word[8];
ld.param.b64 %d1, [y]; mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, LAST;
@%p1 bra READ;
st.shared.b32 [word], %r2;
READ: bar.sync 0, COUNT; ld.shared.b32 %r3, [word];
@!%p1 st.global.b32 [%d1], %r3;
ret; }
"""


@pytest.mark.parametrize("threads", [128, 160, 192, 256, 384, 512])
def test_a_number_of_threads_is_tried(threads: int) -> None:
    """The last thread has a role, and a barrier has all of them."""
    text = _ROLES.replace("LAST", str(threads - 1)).replace("COUNT", str(threads))
    (remark,) = _findings(text)
    assert remark.verdict == "verified"
    assert f"; assumes CTAs of {threads} x 1 x 1 threads, because" in remark.message
    wrong, *warnings = _findings(text.replace(f"bar.sync 0, {threads};", ""))
    assert wrong.verdict == "not decided"
    assert [each.severity for each in warnings] == ["warning"]


def test_the_last_warp_with_a_role_tells_the_number_of_threads() -> None:
    """Seven warps are among no usual numbers."""
    text = _ROLES.replace("setp.ne.u32 %p1, %r2, LAST;", "shr.u32 %r3, %r2, 5; ROLE")
    text = text.replace("ROLE", "setp.ne.u32 %p1, %r3, 6;").replace("COUNT", "224")
    (remark,) = _findings(text.replace("st.shared.b32 [word], %r2;", "st.shared.b32 [word], 1;"))
    assert remark.verdict == "verified"
    assert "; assumes CTAs of 224 x 1 x 1 threads, because" in remark.message


def test_no_number_of_threads_may_fit() -> None:
    remark, *warnings = _findings(_ROLES.replace("LAST", "95").replace("COUNT", "96"))
    assert remark.verdict == "not decided"
    assert {each.severity for each in warnings} == {"warning"}


def test_a_kernel_that_loads_sums_has_a_warpgroup() -> None:
    """One warp alone would race with nobody."""
    text = (SHIPPED_BUGS / "product_after_loads.wrong.mlir").read_text("utf-8")
    read = re.sub(r"\.reqntid .*", "", ptx_of(text))
    remark, *found = check_source(Source("kernel.ptx", read), verify="quick")
    assert "it has errors with CTAs of 128 x 1 x 1 threads" in remark.message
    assert {each.rule for each in found} == {"T5-SIM-014"}


def test_a_cluster_is_too_large_to_be_tried() -> None:
    text = (
        ".visible .entry k(.param .align 64 .b8 map[128]) .reqntid 32 {\n"
        ".reg .b16 %h; .reg .pred %p; .reg .b32 %r<3>; .shared .align 128 .b8 tile[128];\n"
        ".shared .align 8 .b64 bar; mov.b16 %h, 0x1111; mov.u32 %r1, %tid.x; mov.b32 %r2, 0;\n"
        ".reg .b64 %d; mov.b64 %d, map;\n"
        "setp.eq.u32 %p, %r1, 0; @!%p bra END; mbarrier.init.shared.b64 [bar], 1;\n"
        "fence.mbarrier_init.release.cluster;\n"
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".multicast::cluster [tile], [%d, {%r2}], [bar], %h;\nEND: ret; }\n"
    )
    (remark,) = _findings(text)
    assert remark.verdict == "not decided"
    assert "CTA mask in a cluster of 1 CTAs must be 0 or 1; found 4369" in remark.message
    assert "; give a larger cluster with --cluster" in remark.message


def test_a_given_block_is_too_large() -> None:
    (error,) = check_source(_HEADER + _THREADS, verify="thorough", block=(128,))
    assert (error.rule, error.line) == ("T5-PTX-074", 4)
    assert "the given block must be at most 64 threads; found 128" in error.message


@pytest.mark.parametrize(("cluster", "verdict"), [(None, "not decided"), ((8,), "verified")])
def test_a_cluster_is_given(cluster: tuple[int, ...] | None, verdict: str) -> None:
    text = _HEADER + _NEIGHBOUR.replace("RANK", "7")
    (remark,) = check_source(text, verify="thorough", cluster=cluster)
    assert remark.verdict == verdict


def test_findings_name_their_clusters() -> None:
    """Two CTAs write different values to one word; a cluster of one CTA has no other CTA."""
    access = "st.shared::cluster.u32 [%r3+8], %r5; st.shared.u32 [bar+8], 77;\n"
    text = _NEIGHBOUR.replace("RANK", "3").replace(".b64 bar;", ".b64 bar[2];")
    text = text.replace("mbarrier.arrive.rel", access + "mbarrier.arrive.rel")
    found = [each for each in _findings(text) if each.rule == "T5-SIM-014"]
    assert [each.severity for each in found] == ["warning"]
    assert "; found with clusters of 4 or 2 x 2 CTAs" in found[0].message
    (remark, error) = check_source(_HEADER + text, verify="thorough", cluster=(4,))
    assert (remark.verdict, error.rule) == ("not verified", "T5-SIM-014")
    assert "--cluster 4,1,1" in error.replay


def test_other_clusters_of_a_kernel_that_takes_over_work() -> None:
    """The parity of the first wait is right in the first CTA only."""
    remark, error = _findings(_TILES.replace("mov.b32 %r4, 0;", "and.b32 %r4, %r3, 1;"))
    assert (remark.verdict, error.severity) == ("not verified", "error")
    assert "found with a grid of 3 x 1 x 1 CTAs" in error.message
