"""Tests of state spaces of generic addresses, and of discarded cache lines."""

import numpy as np

from tcgen05_dialect.simulator import Launch, simulate

SPACES = ("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param::entry")
ASK = """
ptx.shared_memory @own size 8 alignment 8
ptx.kernel @kernel(%out : i64)
    attributes {reqntid = array<i32: 1>, cluster_dims = array<i32: 2>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %rank = ptx.special_register cluster_ctarank
  %peer = ptx.xor b32 %rank, %c1
  %own = ptx.address_of @own
  %narrow = ptx.mapa %own, RANK
  %wide = ptx.cvt u64 u32 %narrow
  %shared = ptx.cvta shared %wide
  BODY
  ptx.ret
}
"""


def spaces_of(address: str, rank: str = "%rank") -> set[str]:
    """The state spaces that contain an address, as a kernel finds them."""
    body: list[str] = []
    for index, space in enumerate(SPACES):
        body += [
            f'%p{index} = ptx.isspacep "{space}" {address}',
            f"%w{index} = ptx.selp b32 %c1, %c0, %p{index}",
            # Both CTAs write the same.
            f"ptx.st relaxed gpu global b32 [%out + {4 * index}], {{%w{index}}}",
        ]
    out = np.zeros(len(SPACES), np.uint32)
    text = ASK.replace("BODY", "\n  ".join(body)).replace("RANK", rank)
    assert simulate(text, [out], Launch(grid=(2,))).findings == ()
    return {space for space, found in zip(SPACES, out.tolist(), strict=True) if found}


def test_state_spaces() -> None:
    assert spaces_of("%out") == {"global"}
    assert spaces_of("%shared") == {"shared", "shared::cta", "shared::cluster"}
    assert spaces_of("%shared", "%peer") == {"shared::cluster"}


DISCARD = """
ptx.kernel @kernel(%line : i64, %out : i64) attributes {reqntid = array<i32: 1>} {
  ptx.prefetchu [%line]
  ptx.applypriority global [%line]
  ptx.discard global [%line]
  %c7 = ptx.constant 7 : i32
  ptx.st global b32 [%line + 64], {%c7}
  %v = ptx.ld global b32 [%line + PLACE] -> i32
  ptx.st global b32 [%out], {%v}
  ptx.ret
}
"""


def test_discarded_bytes_are_unwritten() -> None:
    line, out = np.zeros(64, np.uint32), np.zeros(1, np.uint32)
    for place, rules in ((64, []), (128, []), (60, ["T5-SIM-013"])):
        found = simulate(DISCARD.replace("PLACE", str(place)), [line, out]).findings
        assert [str(each.rule) for each in found] == rules
