"""Tests of `tcgen05 calc launch`: what it prints agrees with the launch files of the examples."""

import json
import tomllib
from pathlib import Path

import pytest

from tcgen05_dialect import Launch, parse_module
from tcgen05_dialect.proposal.launch_facts import FORMATS, grid_mismatch, launch_facts
from tcgen05_dialect.simulator.launch.expected import PreparedLaunch
from tcgen05_dialect.simulator.launch.launch import kernel_of

from ..support.repository import EXAMPLES

KERNELS = sorted((EXAMPLES / "ws").glob("*.mlir"))


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.stem)
def test_facts_are_those_of_the_launch_file(file: Path) -> None:
    facts = launch_facts(kernel_of(parse_module(file.read_text()), None))
    launch = tomllib.loads(file.with_suffix(".toml").read_text())
    printed = tomllib.loads(FORMATS["toml"](facts))
    assert printed["dynamic_shared_memory"] == launch["dynamic_shared_memory"]
    assert len(printed["args"]) == len(launch["args"])
    if not facts.is_persistent:
        assert printed["grid"] == launch["grid"]


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.stem)
def test_formats_say_the_same(file: Path) -> None:
    facts = launch_facts(kernel_of(parse_module(file.read_text()), None))
    printed = tomllib.loads(FORMATS["toml"](facts))
    found = json.loads(FORMATS["json"](facts))
    assert found.pop("persistent") == facts.is_persistent
    assert {name: each for name, each in found.items() if each is not None} == printed


def test_a_grid_of_computed_sizes_is_not_given() -> None:
    text = (EXAMPLES / "ws" / "gemm.mlir").read_text().replace("(%m by 128,", "(%blocks by 128,")
    assert launch_facts(kernel_of(parse_module(text), None)).grid is None


def test_a_constant_size_gives_a_number() -> None:
    text = (EXAMPLES / "ws" / "gemm.mlir").read_text().replace("(%m by 128,", "(%c256 by 128,")
    assert launch_facts(kernel_of(parse_module(text), None)).grid == ("2", "ceildiv(n, 256)")


GRIDS: list[tuple[str, tuple[int, ...] | None, str]] = [
    ("gemm", (2, 2), ""),
    ("gemm", None, "the grid is 1; the tiles of ws.warp_specialize need 2 x 2"),
    ("gemm", (2, 3), "the grid is 2 x 3; the tiles of ws.warp_specialize need 2 x 2"),
    ("gemm_pair", (2,), ""),
    ("gemm_pair", (6,), "is 6; the tiles of ws.warp_specialize need at most 4"),
]


@pytest.mark.parametrize(("name", "grid", "message"), GRIDS)
def test_a_grid_has_the_tiles(name: str, grid: tuple[int, ...] | None, message: str) -> None:
    text = (EXAMPLES / "ws" / f"{name}.mlir").read_text()
    facts = launch_facts(kernel_of(parse_module(text), None))
    numbers = {"m": 200, "n": 300, "k": 64}
    arguments = [numbers.get(each) for each in facts.parameters]
    prepared = PreparedLaunch(Launch(grid), [*arguments], {}, {}, 0, {})
    found = grid_mismatch(facts, prepared)
    assert found.endswith(message) and bool(found) == bool(message)


def test_a_persistent_grid_is_of_clusters() -> None:
    text = (EXAMPLES / "ws" / "gemm_multicast.mlir").read_text()
    text = text.replace("by 256)", "by 256) persistent")
    grid = launch_facts(kernel_of(parse_module(text), None)).grid
    assert grid == ("2 * ceildiv(m, 256) * ceildiv(n, 512)", "2")
