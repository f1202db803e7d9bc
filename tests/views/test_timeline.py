"""Tests of timelines."""

import json
from pathlib import Path
from typing import Any

import pytest

from tcgen05_dialect.tools.sim import main

from ..support.repository import EXAMPLES


def _trace(path: Path, *arguments: str, file: str = "ws/gemm.mlir") -> dict[str, Any]:
    out = path / "out.json"
    command = [str(EXAMPLES / file), *arguments, "--no-cache", "--timeline", str(out)]
    assert main(command, "sim") in (0, 1)
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
    assert [each["name"] for each in copies[:2]] == ["a_map -> ab[0].sa", "b_map -> ab[0].sb"]
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
    assert [each["name"] for each in products] == [f"acc += ab[{at}]" for at in stages]
    assert {each["args"]["operations"] for each in products} == {4}
    commits = [each["name"] for each in bars if each["cat"] == "commit"]
    assert commits == [*(f"commit ab_empty[{at}]" for at in stages), "commit acc_full"]


def test_an_arrow_leads_from_the_last_copy_to_the_wait(gemm: dict[str, Any]) -> None:
    """The arrow to each wait for a full stage begins at the end of the copy of B."""
    waits = [e for e in _bars(gemm, "warp 5 (mma)") if e["name"].startswith("ab_full")]
    assert [each["name"] for each in waits[:5:4]] == ["ab_full[0] parity 0", "ab_full[0] parity 1"]
    ends = {e["ts"]: e["id"] for e in gemm["traceEvents"] if e["ph"] == "f"}
    starts = {e["id"]: e["ts"] for e in gemm["traceEvents"] if e["ph"] == "s"}
    copies = [each for each in _bars(gemm, "TMA") if each["name"].endswith(".sb")]
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
    (first, second) = (e for e in copies if e["name"].endswith("-> ab[0].sa"))
    # 128 rows of 64 bf16 at 64 bytes in a cycle; the stage is free again after its product.
    assert (first["ts"], first["dur"], second["dur"]) == (0, 256, 256)
    assert second["ts"] >= 4 * 768
