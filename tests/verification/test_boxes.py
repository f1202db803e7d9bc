"""Tests of boxes of tensor maps that the verifier infers without their types."""

import re

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import TensorMap
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.execution import Skeleton

from ..simulator.test_pairs import NAMES, launch_of, text_of

_BOX = re.compile("!ptx.tensor_map<[^>]*>")
WITH_MAPS = [name for name in NAMES if "!ptx.tensor_map" in text_of(name)]


@pytest.mark.parametrize("kernel", WITH_MAPS)
def test_boxes(kernel: str) -> None:
    text = _BOX.sub("!ptx.tensor_map", text_of(kernel))
    skeleton = Skeleton(kernel_of(lower_source(Source(kernel, text)).module, None))
    found = skeleton.infer_boxes({}, skeleton.launches()[0])
    expected = {
        index: argument.tile_bytes
        for index, argument in enumerate(launch_of(kernel).arguments)
        if isinstance(argument, TensorMap)
    }
    assert {index: box.bytes for index, box in found.items()} == expected


def test_with_maps_there_are_kernels() -> None:
    assert len(WITH_MAPS) > 10
