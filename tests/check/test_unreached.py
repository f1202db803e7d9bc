"""Tests of the field of a finding that has the lines of operations that no run reached."""

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

_BRANCH = """
  %v{0} = arith.constant {1} : i32
  %p{0} = arith.cmpi eq, %n, %v{0} : i32
  scf.if %p{0} {{
    ptx.bar.sync %c0
  }}"""


def test_the_field_has_all_lines_of_which_the_message_names_some() -> None:
    head = "ptx.kernel @k(%n : i32) attributes {reqntid = array<i32: 32>} {"
    branches = "".join(_BRANCH.format(each, 70 + each) for each in range(7))
    text = f"{head}\n  %c0 = arith.constant 0 : i32{branches}\n  ptx.ret\n}}\n"
    (found,) = check_source(Source("k.mlir", text), verify="quick")
    assert found.message.endswith("lines 6, 11, 16, 21, 26 and 2 more")
    assert found.unreached == (6, 11, 16, 21, 26, 31, 36)
