"""Tests of the order of tiles."""

from itertools import product

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Run, simulate

Extents = tuple[int, int, int]

TEXT = """
ptx.kernel @order(%counter : i64, %out : i64, %m : i32, %n : i32, %l : i32)
    attributes {cluster_dims = array<i32: CLUSTER>} {
  ws.warp_specialize tiles(%i, %j, %k) of (%m by 1, %n by 1, %l by 1) ORDER {
    ws.role @mark warps(1) {
      ws.elected {
        %one = arith.constant 1 : i32
        %four = arith.constant 4 : i32
        %number = ptx.atom global add u32 [%counter], %one -> i32
        %inside_i = arith.cmpi ult, %i, %m : i32
        %inside_j = arith.cmpi ult, %j, %n : i32
        %inside = arith.andi %inside_i, %inside_j : i1
        %column = ptx.mad u32 %k, %n, %j
        %at = ptx.mad u32 %column, %m, %i
        %to = ptx.mad.wide u32 %at, %four, %out
        scf.if %inside {
          ptx.st global b32 [%to], {%number}
        }
      }
    }
  }
  ptx.ret
}
"""
"""Writes to the place of each tile how many tiles were begun before."""


def numbers(order: str, size: Extents, cluster: Extents, grid: Extents) -> np.ndarray:
    """The numbers of the tiles, if CTAs run one after the other."""
    text = TEXT.replace("ORDER", order).replace("CLUSTER", ", ".join(map(str, cluster)))
    counter, out = np.zeros(1, np.uint32), np.zeros(size[::-1], np.uint32)
    report = simulate(text, [counter, out, *size], Launch(grid), Run("eager", 0))
    assert report.findings == ()
    return out.transpose()


def grouped(size: Extents, group: int) -> list[Extents]:
    """The tiles in groups along the first dimension."""
    rows, columns, planes = map(range, size)
    firsts = rows[::group]
    return [
        (i, j, k)
        for k, first, j in product(planes, firsts, columns)
        for i in rows[first : first + group]
    ]


@pytest.mark.parametrize("order", ["group(3)", "persistent group(3)", "persistent"])
def test_order(order: str) -> None:
    size = (7, 4, 2)
    found = numbers(order, size, (1, 1, 1), (1, 1, 1) if "persistent" in order else size)
    group = 3 if "group" in order else size[0]
    assert sorted(np.ndindex(*size), key=lambda at: found[at]) == grouped(size, group)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["group(4)", "persistent group(4)", "persistent", ""])
def test_blocks_of_a_cluster(order: str) -> None:
    size, cluster = (7, 5, 2), (2, 2, 1)
    blocks = (4, 3, 2)
    found = numbers(order, size, cluster, cluster if "persistent" in order else (8, 6, 2))
    group = 2 if "group" in order else blocks[0]
    for x, y in np.ndindex(2, 2):
        tiles = [(2 * i + x, 2 * j + y, k) for i, j, k in grouped(blocks, group)]
        own = [(i, j, k) for i, j, k in tiles if i < size[0] and j < size[1]]
        assert sorted(own, key=lambda at: found[at]) == own
