"""Tests of kernels that need more shared memory than a CTA has."""

import pytest

from tcgen05_dialect import check_source
from tcgen05_dialect.isa.targets import SHARED_BYTES
from tcgen05_dialect.reporting.diagnostics import Source

MOST = max(SHARED_BYTES.values())
IR = """
ptx.shared_memory @unused size 65536 alignment 16
ptx.shared_memory @dynamic needs NEEDS alignment 128
ptx.shared_memory @static size SIZE alignment 128
ptx.kernel @kernel(%v : i32) attributes {reqntid = array<i32: 32>} {
  %static = ptx.address_of @static
  %dynamic = ptx.address_of @dynamic
  ptx.st shared b32 [%static], {%v}
  ptx.st shared b32 [%dynamic], {%v}
  ptx.ret
}
"""
PTX = """.version 8.8
.target sm_100a
.address_size 64
.shared .align 16 .b8 unused[65536];
.shared .align 128 .b8 tile[SIZE];
.visible .entry kernel(.param .u64 p) .reqntid 32
{
  .reg .b32 %r<2>;
  mov.u32 %r1, tile;
  ret;
}
"""


def _errors(name: str, text: str) -> list[str]:
    found = check_source(Source(name, text), verify="quick")
    assert not any("not decided" in each.message for each in found)
    return [f"{each.rule}: {each.message}" for each in found if each.severity == "error"]


@pytest.mark.parametrize(
    ("size", "needs", "found"),
    [
        (1024, MOST - 1024, ""),
        (1024, MOST - 1023, f"{MOST + 1}, of which {MOST - 1023} are"),
        # The dynamic variable begins at a multiple of its alignment.
        (1025, MOST - 1151, f"{MOST + 1}, of which {MOST - 1151} are"),
        (1025, MOST - 1152, ""),
    ],
)
def test_dynamic_bytes_count(size: int, needs: int, found: str) -> None:
    text = IR.replace("SIZE", str(size)).replace("NEEDS", str(needs))
    errors = _errors("kernel.mlir", text)
    assert len(errors) == bool(found)
    for error in errors:
        assert error.startswith("T5-PTX-085")
        assert f"at most {MOST}; found {found}" in error


@pytest.mark.parametrize("size", [MOST, MOST + 1, 1 << 20])
def test_variables_of_ptx_text(size: int) -> None:
    errors = _errors("kernel.ptx", PTX.replace("SIZE", str(size)))
    assert len(errors) == (size > MOST)
    for error in errors:
        assert error.endswith(f"must be at most {MOST}; found {size}")
