"""Tests of tensor maps whose type gives the box, in launches."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, TensorMap, simulate
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.tools.main import main

KERNEL = """
ptx.shared_memory @tile size 4096 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @copy(%source : MAP, %target : MAP) attributes {reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 4096 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.fence.proxy.async "shared::cta"
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %source, {%c0, %c0}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  ptx.cp.async.bulk.tensor.store %target, {%c0, %c0}, [%tile]
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
  ptx.ret
}
"""
TYPE = "!ptx.tensor_map<32x64xbf16, swizzle_128b>"
TYPED = KERNEL.replace("MAP", TYPE)
MAP: dict[str, Any] = {"box": (64, 32), "element": "bf16", "swizzle": "swizzle_128b"}


def values() -> np.ndarray[Any, np.dtype[np.uint16]]:
    return np.arange(32 * 64, dtype=np.uint16).reshape(32, 64)


@pytest.mark.parametrize("whole", [False, True])
def test_type_gives_the_box(whole: bool) -> None:
    source, target = values(), np.zeros((32, 64), np.uint16)
    arguments = [TensorMap.of(each, **MAP) if whole else each for each in (source, target)]
    assert not simulate(TYPED, arguments, Launch()).findings
    assert np.array_equal(source, target)


def test_untyped_map_needs_a_box() -> None:
    with pytest.raises(LaunchError, match="must be a tensor map; found an array of uint16"):
        simulate(KERNEL.replace("MAP", "!ptx.tensor_map"), [values(), values()], Launch())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"box": (64, 16)}, "the box must be 64 x 32, as in its type"),
        ({"element": "f16"}, "the element type must be bf16, as in its type"),
        ({"swizzle": "no_swizzle"}, "the swizzle mode must be swizzle_128b, as in its type"),
        ({"element_strides": (1, 2)}, "the element strides must be 1 x 1, as in its type"),
    ],
)
def test_map_contradicts_its_type(change: dict[str, Any], text: str) -> None:
    wrong = TensorMap.of(values(), **{**MAP, **change})
    with pytest.raises(LaunchError) as caught:
        simulate(TYPED, [values(), wrong], Launch())
    assert f"argument 1 %target: {text} {TYPE} at <string>:4; found" in str(caught.value)


LAUNCH = """
args = ["source_map", "target_map"]
[arrays.source]
shape = [32, 64]
type = "bf16"
fill = "random"
[arrays.target]
shape = [32, 64]
type = "bf16"
[maps.source_map]
array = "source"
{extra}
[maps.target_map]
array = "target"
[expected]
target = "source"
"""


def launched(tmp_path: Path, launch: str, kernel: str = TYPED) -> int:
    (tmp_path / "copy.mlir").write_text(kernel)
    (tmp_path / "copy.toml").write_text(launch)
    return main(["sim", str(tmp_path / "copy.mlir")])


@pytest.mark.parametrize(
    "launch",
    [
        LAUNCH.format(extra=""),
        LAUNCH.format(extra='swizzle = "swizzle_128b"\nelement = "bf16"\nfill = "nan"'),
        LAUNCH.format(extra='box = [64, 32]\nswizzle = "swizzle_128b"'),
        LAUNCH.format(extra="").replace("source_map", "source", 1),
    ],
)
def test_launch_file_may_leave_the_box_out(launch: str, tmp_path: Path) -> None:
    assert launched(tmp_path, launch) == 0


@pytest.mark.parametrize(
    ("extra", "place", "text"),
    [
        ("box = [64, 32]", "[maps.source_map]", "the swizzle mode must be swizzle_128b"),
        ('swizzle = "swizzle_64b"', "swizzle", "the swizzle mode must be swizzle_128b"),
        ('element = "u8"', "element", "the element type must be bf16"),
        ('box = [64, 16]\nswizzle = "swizzle_128b"', "box", "the box must be 64 x 32"),
    ],
)
def test_message_names_the_launch_file_and_the_kernel(
    extra: str, place: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    launch = LAUNCH.format(extra=extra)
    assert launched(tmp_path, launch) == 2
    error = capsys.readouterr().err
    lines = launch.split("\n")
    line = 1 + next(number for number, each in enumerate(lines) if each.startswith(place))
    assert error.startswith(f"{tmp_path / 'copy.toml'}:{line}:")
    assert f"error: argument 0 %source: {text}, as in its type {TYPE}" in error
    assert f"at {tmp_path / 'copy.mlir'}:4; found" in error


def test_neither_gives_the_box(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = KERNEL.replace("MAP", "!ptx.tensor_map")
    assert launched(tmp_path, LAUNCH.format(extra=""), kernel) == 2
    assert "which neither the launch nor the type gives" in capsys.readouterr().err


def test_array_must_hold_the_elements_of_the_type() -> None:
    with pytest.raises(LaunchError, match="argument 0 %source: the element type of the array"):
        simulate(TYPED, [np.zeros((32, 64), np.float32), values()], Launch())
