"""Tests of messages about accesses outside memory."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import simulate

COPY = """
ptx.shared_memory @first size 1024 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.kernel @copy(%source : !ptx.tensor_map<8x64xbf16>, %distance : i32)
    attributes {cluster_dims = array<i32: CTAS>, reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = ptx.address_of @first
  %tile = arith.addi %first, %distance : i32
  %own = ptx.address_of @loaded
  %loaded = ptx.mapa %own, %c0
  ptx.mbarrier.init [%own], %c1
  ptx.fence.mbarrier_init
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  %there = ptx.mapa %tile, %c1
  ptx.cp.async.bulk.tensor.load [PLACE], %source, {%c0, %c0}, [%loaded]
  ptx.ret
}
"""


def message_of_copy(distance: int, place: str = "%tile", ctas: int = 1) -> str:
    source = np.zeros((8, 64), np.uint16)
    kernel = COPY.replace("PLACE", place).replace("CTAS", str(ctas))
    (finding,) = simulate(kernel, [source, distance]).findings
    return f"{finding.message}; {finding.help}"


@pytest.mark.parametrize(
    ("distance", "text"),
    [
        (
            128,
            "1024 bytes at 0x480 are not in shared memory: they begin at @first+128 in shared "
            "memory of CTA (0, 0, 0) and pass the end of shared memory of CTA (0, 0, 0) (1040 "
            "bytes)",
        ),
        (
            2048,
            "1024 bytes at 0xc00 are not in shared memory: they begin 1008 bytes after shared "
            "memory of CTA (0, 0, 0) (1040 bytes), which ends with @loaded",
        ),
        (-1024, "they begin 1024 bytes before shared memory of CTA (0, 0, 0); "),
        (
            1 << 30,
            "and no array or variable is near; compute the address from an argument or a variable",
        ),
    ],
)
def test_copy_outside_shared_memory(distance: int, text: str) -> None:
    assert text in message_of_copy(distance)


@pytest.mark.parametrize("ctas", [2, 4])
def test_copy_to_one_cta_that_signals_another(ctas: int) -> None:
    """Only the CTAs of a pair may signal each other."""
    text = message_of_copy(0, "%there", ctas)
    found = "the copy goes to CTA (1, 0, 0), but its mbarrier is in CTA (0, 0, 0); "
    help = 'add "cta_group::2" to signal the other CTA of the pair, or signal the CTA of the copy'
    assert text.endswith(found + help)


LOAD = """
ptx.kernel @load(%a : i64) attributes {reqntid = array<i32: 1>} {
  %x = ptx.ld global TYPE [%a + 64] -> RESULT
  ptx.ret
}
"""


@pytest.mark.parametrize(
    ("kind", "result", "text"),
    [
        ("u8", "i32", "1 byte at 0x7f0000000040 is not in global memory: it begins directly after"),
        ("b32", "i32", "4 bytes at 0x7f0000000040 are not in global memory: they begin directly"),
    ],
)
def test_load_outside_an_array(kind: str, result: str, text: str) -> None:
    kernel = LOAD.replace("TYPE", kind).replace("RESULT", result)
    (finding,) = simulate(kernel, [np.zeros(64, np.uint8)]).findings
    assert text in finding.message
    assert finding.message.endswith(" argument 0 %a (64 bytes)")
    (finding,) = simulate(kernel, [3 << 6]).findings
    assert "not in global memory" in finding.message
    assert "before" not in finding.message
