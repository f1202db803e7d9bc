"""Tests of timelines."""

import json
import re
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect import Timeline
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.tools.main import main

from ..support.repository import EXAMPLES

_STORES = """
ptx.kernel @k(%a : i64) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %x = ptx.ld "global" b32 [%a] -> i32
  ptx.bar.sync %c0
  ptx.st global b32 [%a], {%x}
  ptx.ret
}
"""


def _trace(path: Path, *arguments: str, file: str = "ws/gemm.mlir") -> dict[str, Any]:
    out = path / "out.json"
    command = [str(EXAMPLES / file), *arguments, "--no-cache", "--timeline", str(out)]
    assert main(["sim", *command]) in (0, 1)
    return json.loads(out.read_text())


def _bars(trace: dict[str, Any], row: str) -> list[dict[str, Any]]:
    """The bars of a row in the order of the emulator."""
    events = trace["traceEvents"]
    threads = {
        each["tid"]
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == row and each["pid"] == 1
    }
    return [e for e in events if e["ph"] == "X" and e["pid"] == 1 and e["tid"] in threads]


@pytest.fixture(scope="module")
def gemm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A product with six blocks of K in four stages."""
    sizes = [f"--size={each}" for each in ("m=64", "n=64", "k=384")]
    return _trace(tmp_path_factory.mktemp("gemm"), *sizes, "--schedule", "lazy")


def test_rows_have_the_names_of_roles(gemm: dict[str, Any]) -> None:
    names = [e["args"]["name"] for e in gemm["traceEvents"] if e["name"] == "thread_name"]
    assert {"warp 0 (epilogue)", "warp 4 (load)", "warp 5 (mma)", "TMA", "tensor core"} < {*names}


def test_copies_overlap_as_far_as_there_are_stages(gemm: dict[str, Any]) -> None:
    copies = _bars(gemm, "TMA")
    assert [each["name"] for each in copies[:2]] == ["ab[0].sa <- a_map", "ab[0].sb <- b_map"]
    assert len(copies) == 2 * 6
    in_flight = [
        sum(other["ts"] <= each["ts"] < other["ts"] + other["dur"] for other in copies)
        for each in copies
    ]
    assert max(in_flight) == 2 * 4


def test_a_bar_has_the_products_of_a_stage(gemm: dict[str, Any]) -> None:
    bars = _bars(gemm, "tensor core")
    stages = [0, 1, 2, 3, 0, 1]
    products = [each for each in bars if each["cat"] == "product"]
    assert [each["name"] for each in products] == [f"ab[{at}] -> acc" for at in stages]
    assert {each["args"]["operations"] for each in products} == {4}
    commits = [each["name"] for each in bars if each["cat"] == "commit"]
    assert commits == [*(f"commit ab_empty[{at}]" for at in stages), "commit acc_full"]


def test_an_arrow_leads_from_the_last_copy_to_the_wait(gemm: dict[str, Any]) -> None:
    """The arrow to each wait for a full stage begins at the end of the copy of B."""
    waits = [e for e in _bars(gemm, "warp 5 (mma)") if e["name"].startswith("ab_full")]
    assert [each["name"] for each in waits[:5:4]] == ["ab_full[0] parity 0", "ab_full[0] parity 1"]
    ends = {e["ts"]: e["id"] for e in gemm["traceEvents"] if e["ph"] == "f"}
    starts = {e["id"]: e["ts"] for e in gemm["traceEvents"] if e["ph"] == "s"}
    copies = [each for each in _bars(gemm, "TMA") if ".sb <-" in each["name"]]
    for wait, copy in zip(waits, copies, strict=True):
        arrow = ends[wait["ts"] + wait["dur"] - 0.5]
        assert starts[arrow] == copy["ts"] + copy["dur"] - 0.5


def test_the_estimate_is_apart_and_says_so(gemm: dict[str, Any]) -> None:
    names = {
        e["pid"]: e["args"]["name"] for e in gemm["traceEvents"] if e["name"] == "process_name"
    }
    assert "steps, not time" in names[1]
    assert "estimate" in names[2]
    copies = [e for e in gemm["traceEvents"] if e["ph"] == "X" and e["pid"] == 2]
    (first, second) = (e for e in copies if e["name"].startswith("ab[0].sa <-"))
    # 128 rows of 64 bf16 at 64 bytes in a cycle; the stage is free again after its product.
    assert (first["ts"], first["dur"], second["dur"]) == (0, 256, 256)
    assert second["ts"] >= 4 * 768


def test_a_race_ends_the_timeline_and_is_marked(tmp_path: Path) -> None:
    """The consumer does not wait for the stage that TMA fills."""
    kernel = tmp_path / "race.mlir"
    text = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
    kernel.write_text(text.replace("ptx.mbarrier.wait [%stage_loaded], %parity\n", "\n"))
    launch = ["--launch", str(EXAMPLES / "gemm_warp_specialized.toml"), "--size", "k=64"]
    for out in ("out.json", "out.html"):
        options = ["--schedule", "lazy", "--no-cache", "--timeline", str(tmp_path / out)]
        assert main(["sim", str(kernel), *launch, *options]) == 1
    trace = json.loads((tmp_path / "out.json").read_text())
    (mark,) = (e for e in trace["traceEvents"] if e["ph"] == "i")
    assert mark["cat"] == "error" and "no wait for the mbarrier" in mark["name"]
    last = _bars(trace, "warp 5 (tensor core)")[-1]
    assert (last["ts"], last["cat"]) == (mark["ts"], "issue")
    page = (tmp_path / "out.html").read_text()
    assert 'class="b issue bad"' in page
    # The earlier of the two accesses.
    assert page.count('class="b copy open paired"') == 1
    assert '<b>error[T5-SIM-014]</b> <a href="#b' in page


def test_an_instruction_that_no_lane_executes_has_no_bar() -> None:
    guarded = (
        "%no = arith.constant false\n  ptx.guard %no { ptx.st global b32 [%a], {%x} }\n  ptx.ret"
    )
    timeline = Timeline.of(_STORES.replace("ptx.ret", guarded), [np.zeros(1, np.int32)])
    assert [bar.name for bar in timeline.bars] == ["ld a", "bar.sync", "st a"]


def test_a_timeline_in_python() -> None:
    """A warp loads an array, waits and stores it."""
    array = np.arange(32, dtype=np.float32)
    timeline = Timeline.of(_STORES, [array])
    assert [bar.name for bar in timeline.bars] == ["ld a", "bar.sync", "st a"]
    assert not timeline.report.findings
    assert json.loads(timeline.json())["otherData"]["title"] == "kernel"
    assert "<iframe" in methodcaller("_repr_html_")(timeline)
    timeline.title = "BODY"
    assert "<title>Timeline of BODY</title>" in timeline.html()
    with pytest.raises(LaunchError, match=re.escape("the launch has no CTA (1, 0, 0)")):
        Timeline.of(_STORES, [array], cta=(1,))


def test_a_page_needs_no_network(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    sizes = ["--size=m=64", "--size=n=64", "--size=k=64"]
    main(["sim", str(EXAMPLES / "ws/gemm.mlir"), *sizes, "--no-cache", "--timeline", str(out)])
    page = out.read_text()
    assert "http" not in page and "src=" not in page
    assert "order of the emulator (steps, not time)" in page.lower()


@pytest.mark.slow
def test_the_other_cta_of_a_pair(tmp_path: Path) -> None:
    """The second CTA of a pair waits for what the first one does."""
    trace = _trace(tmp_path, "--timeline-cta", "1", "--size=k=64", file="ws/gemm_pair.mlir")
    assert trace["otherData"]["cta"] == "CTA (1, 0, 0)"
    assert trace["otherData"]["left out"] == ["3 other CTAs"]
    assert {"wait", "arrive"} <= {e["cat"] for e in trace["traceEvents"] if "cat" in e}
    assert _bars(trace, "other CTAs")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["out.txt"], "--timeline must be - or a file with the suffix .html or .json; found out."),
        (["out.json", "--timeline-cta", "7"], "--timeline-cta: the launch has no CTA (7, 0, 0)"),
        (["out.json", "--timeline-cta", "a"], "--timeline-cta must be one to three numbers"),
    ],
)
def test_refused_options(
    options: list[str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, *rest = options
    sizes = ["--size=m=64", "--size=n=64", "--size=k=64"]
    command = [str(EXAMPLES / "ws/gemm.mlir"), *sizes, "--no-cache", "--timeline"]
    assert main(["sim", *command, str(tmp_path / out) if "json" in out else out, *rest]) == 2
    assert message in capfd.readouterr().err
    assert not [*tmp_path.iterdir()]
