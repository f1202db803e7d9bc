"""Tests of instructions whose text depends on the PTX version."""

import re

import pytest

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.assembler import assemble
from tcgen05_dialect.isa.targets import parse_version

from ..support.oldest_ptxas import RELEASES

_OMITTED = """
builtin.module attributes {{ptx.target = #ptx.target<"sm_100a", "{version}">}} {{
  ptx.kernel @test(%d : i32, %a : i64, %t : i32, %e : i32, %i : i32) {{
    %p = ptx.constant true
    ptx.tcgen05.mma.block_scale cta_group_1 mxf8f6f4 [%d], %a, %a, %i, [%t], [%t], %p
    ptx.tcgen05.mma.block_scale cta_group_1 mxf4 [%d], %a, %a, %i, [%t], [%t], %p
    ptx.tcgen05.mma.sp.block_scale cta_group_1 mxf4 [%d], %a, %a, [%e], %i, [%t], [%t], %p
    ptx.ret
  }}
}}
"""


@pytest.mark.parametrize(
    ("version", "sizes"),
    [("8.6", ["1X", "2X", "2X"]), ("8.7", ["1X", "2X", "2X"]), ("8.8", [])],
)
def test_every_assembler_takes_an_omitted_scale_vectorsize(version: str, sizes: list[str]) -> None:
    ptx = compile_to_ptx(_OMITTED.format(version=version))
    assert re.findall(r"\.block_scale\.scale_vec::(\w+)", ptx) == sizes
    assert ptx.count(".block_scale") == 3
    assemble(ptx, "sm_100a", ["-O0"])
    for release in RELEASES:
        if parse_version(version) <= parse_version(release.ptx_version):
            release.assemble(ptx, "sm_100a", "-O0")
