"""Tests of the barriers of the CTA at which the warps of a role wait for each other."""

import re

from tcgen05_dialect import check_source, compile_to_ptx


def _kernel(*roles: tuple[int, str]) -> str:
    bodies = "".join(
        f"    ws.role @role{at} warps({warps}) {{ {body} }}\n"
        for at, (warps, body) in enumerate(roles)
    )
    return f"ptx.kernel @k() {{\n  ws.warp_specialize {{\n{bodies}  }}\n  ptx.ret\n}}\n"


def _barriers(text: str) -> list[int]:
    ptx = compile_to_ptx(text)
    return [int(each) for each in re.findall(r"bar\.sync (\d+)(?:, \d+)?;", ptx)]


def test_only_roles_that_need_a_barrier_have_one() -> None:
    roles = [*[(1, "ws.role_barrier")] * 20, (4, "ws.role_barrier"), (4, "")]
    assert sorted(_barriers(_kernel(*roles))) == [0, 0, 1]


def test_raw_operations_keep_their_barriers() -> None:
    numbers = "%n = arith.constant 1 : i32\n %all = arith.constant 64 : i32"
    raw = f"{numbers}\n ptx.bar.sync %n threads(%all)"
    assert sorted(_barriers(_kernel((2, "ws.role_barrier"), (2, raw)))) == [0, 0, 1, 2]


def test_more_roles_than_barriers_are_refused() -> None:
    (finding,) = check_source(_kernel(*[(2, "ws.role_barrier")] * 16), verify="off")
    assert (finding.line, finding.rule) == (18, "T5-WS-017")
