"""Tests of what a notebook shows of findings, reports and layouts."""

from operator import methodcaller

import numpy as np

from tcgen05_dialect import Layout, check_source, simulate
from tcgen05_dialect.tools.calc import main

_SHOWN = methodcaller("_repr_html_")
_KERNEL = """ptx.kernel @k(%a : i64) attributes {reqntid = array<i32: 32>} {
  %c1 = arith.constant 1 : i32
  ptx.st global b32 [%a], {%c1}
  ptx.ret
}"""


def test_findings_are_text_with_colours() -> None:
    found = check_source(_KERNEL, verify="quick")
    html = _SHOWN(found)
    assert html.count("<pre") == len(found) > 0
    assert "@k: verified" in html and "&lt;string&gt;:1:1" in html
    assert _SHOWN(check_source(_KERNEL)) == "<i>no finding</i>"


def test_a_report_has_its_findings_and_numbers() -> None:
    html = _SHOWN(simulate(_KERNEL, [np.zeros(1, np.int32)]))
    assert "instructions" in html and html.startswith("<pre")


def test_a_layout_is_that_of_the_calculator(capfdbinary: object) -> None:
    layout = Layout.of("D", "f16", n=8, through="32x32b.x8")
    assert _SHOWN(layout).startswith('<img alt="D of mma f16')
    assert main(["layout", "D", "--n", "8", "--through", "32x32b.x8"], "calc") == 0
    printed: bytes = methodcaller("readouterr")(capfdbinary).out
    assert printed.decode() == str(layout)
    assert str(layout.part(range(2), range(1))).splitlines()[-1] == "1        w0 t1 r0"
