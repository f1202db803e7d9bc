"""Tests of functions: the same PTX as without them, and findings that name their lines."""

import sys

import pytest
from tcgen05_dialect.passes.inline_functions import inline_functions

from tcgen05_dialect import compile_to_ptx, parse_module
from tcgen05_dialect.check import check_source

_FUNCTIONS = """\
func.func private @least(%x : i32, %most : i32) -> i32 {
  %is_more = arith.cmpi ugt, %x, %most : i32
  cf.cond_br %is_more, ^high, ^low
^high:
  func.return %most : i32
^low:
  func.return %x : i32
}
func.func private @store(%p : i64, %x : i32, %count : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %count step %c1 : i32 {
    %y = func.call @least(%x, %i) : (i32, i32) -> i32
    ptx.st global b32 [%p], {%y}
  }
  func.return
}
"""
_KERNEL = """\
ptx.kernel @k(%p : i64, %n : i32) attributes {reqntid = array<i32: 1>} {
  %c3 = arith.constant 3 : i32
  func.call @store(%p, %n, %c3) : (i64, i32, i32) -> ()
  ptx.ret
}
"""
_WITHOUT = """\
ptx.kernel @k(%p : i64, %n : i32) attributes {reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  cf.br ^head(%c0 : i32)
^head(%i : i32):
  %is_less = arith.cmpi slt, %i, %c3 : i32
  cf.cond_br %is_less, ^body, ^end
^body:
  %is_more = arith.cmpi ugt, %n, %i : i32
  cf.cond_br %is_more, ^high, ^low
^high:
  cf.br ^join(%i : i32)
^low:
  cf.br ^join(%n : i32)
^join(%y : i32):
  ptx.st global b32 [%p], {%y}
  %next = arith.addi %i, %c1 : i32
  cf.br ^head(%next : i32)
^end:
  ptx.ret
}
"""

_LOST_WAIT = """\
!cells = !tcgen05.tmem<128x32xf32>
!column = !tcgen05.tmem<32x1xf32>
func.func private @keep(%column : !column, %x : f32) {
  tcgen05.st shape_32x32b x1 %column, (%x) : !column
  func.return
}
func.func private @read(%column : !column) {
  %y = tcgen05.ld shape_32x32b x1 %column : !column
  tcgen05.wait ld
  func.return
}
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k(%x : f32) attributes {reqntid = array<i32: 32>} {
  %slot = ptx.address_of @slot
  %columns = arith.constant 32 : i32
  tcgen05.alloc %slot, %columns
  %cells = tcgen05.load_address %slot : !cells
  %column = tcgen05.slice %cells[0, 5] : !cells to !column
  func.call @keep(%column, %x) : (!column, f32) -> ()
  func.call @read(%column) : (!column) -> ()
  func.call @keep(%column, %x) : (!column, f32) -> ()
  func.call @read(%column) : (!column) -> ()
  tcgen05.dealloc %cells, %columns : !cells
  ptx.ret
}
"""


def _lines(ptx: str) -> list[str]:
    """The lines of a program without labels, whose numbers depend on empty blocks."""
    return [line for line in ptx.splitlines() if "$L__" not in line]


def test_ptx_is_that_without_functions() -> None:
    assert _lines(compile_to_ptx(_FUNCTIONS + _KERNEL)) == _lines(compile_to_ptx(_WITHOUT))


def test_module_keeps_its_functions() -> None:
    module = parse_module(_FUNCTIONS + _KERNEL)
    before = str(module)
    compile_to_ptx(module)
    assert check_source(module) == []
    assert str(module) == before


def test_findings_of_runs_are_in_functions() -> None:
    """Two calls lack the same wait; the fix is in the function."""
    found = [each for each in check_source(_LOST_WAIT, verify="quick") if each.rule]
    assert [(each.rule, each.line) for each in found] == [("T5-SIM-014", 4)]
    assert "tcgen05.wait st` after line 4" in str(found[0])


def test_calls_of_unreadable_functions_are_not_reported() -> None:
    text = (_FUNCTIONS + _KERNEL).replace("func.return\n", "func.return )\n")
    assert [(each.line, each.rule) for each in check_source(text)] == [(16, "")]


_ERRORS = """\
func.func private @sync(%barrier : i32) {
  ptx.bar.sync %barrier
  func.return
}
ptx.kernel @calls() {
  %c40 = arith.constant 40 : i32
  func.call @sync(%c40) : (i32) -> ()
  %c41 = arith.constant 41 : i32
  ptx.bar.sync %c41
  ptx.ret
}
ptx.kernel @does_not() {
  %c42 = arith.constant 42 : i32
  ptx.bar.sync %c42
  ptx.ret
}
"""


def test_every_error_is_found_at_once() -> None:
    """Those of kernels with calls come with those of other kernels, each at its operand."""
    found = check_source(_ERRORS)
    assert [(each.line, each.column) for each in found] == [(2, 16), (9, 16), (14, 16)]


_USE = """\
func.func private @store(%n : i32, %p : i64, %is_wanted : i1) {
  cf.cond_br %is_wanted, ^store, ^end
^store:
  %x = ptx.load_parameter %n : i32 -> i32
  ptx.st global b32 [%p], {%x}
  func.return
^end:
  func.return
}
ptx.kernel @k(%n : i32, %p : i64) attributes {reqntid = array<i32: 1>} {
  %c4 = arith.constant 4 : i32
  %is_less = arith.cmpi ult, %n, %c4 : i32
  scf.if %is_less {
    func.call @store(%n, %p, %is_less) : (i32, i64, i1) -> ()
  }
  ptx.ret
}
"""


def test_parameters_in_functions_of_several_blocks() -> None:
    """Whether an argument is a parameter is known only in the place of the call."""
    assert check_source(_USE) == []
    found = check_source(_USE.replace("call @store(%n", "call @store(%c4"))
    assert [(each.rule, each.line) for each in found] == [("T5-PTX-113", 4)]


_BARRIER = """\
ptx.shared_memory @numbers size 256 alignment 4
func.func private @sync() {
  %c0 = arith.constant 0 : i32
  ptx.bar.sync %c0
  func.return
}
func.func private @sync_again() {
  %c0 = arith.constant 0 : i32
  ptx.bar.sync %c0
  func.return
}
ptx.kernel @a() attributes {reqntid = array<i32: 64>} {
  func.call @sync() : () -> ()
  func.call @sync_again() : () -> ()
  func.call @sync_again() : () -> ()
  ptx.ret
}
ptx.kernel @b(%p : i64) attributes {reqntid = array<i32: 64>} {
  %c4 = arith.constant 4 : i32
  %c252 = arith.constant 252 : i32
  %thread = ptx.special_register tid.x
  %numbers = ptx.address_of @numbers
  %offset = arith.muli %thread, %c4 : i32
  %own = arith.addi %numbers, %offset : i32
  ptx.st "shared::cta" b32 [%own], {%thread}
  func.call @sync() : () -> ()
  %other_offset = arith.subi %c252, %offset : i32
  %other = arith.addi %numbers, %other_offset : i32
  %x = ptx.ld "shared::cta" b32 [%other] -> i32
  %to = ptx.mad.wide u32 %thread, %c4, %p
  ptx.st global b32 [%to], {%x}
  func.call @sync() : () -> ()
  ptx.ret
}
"""


def test_redundant_steps_are_so_in_every_call() -> None:
    found = check_source(_BARRIER, verify="quick", redundant=True)
    assert [each.line for each in found if "may be removed" in each.message] == [9]


@pytest.mark.slow
def test_long_chain_of_calls() -> None:
    """Longer than Python's limit of recursion."""
    length = sys.getrecursionlimit() + 100
    functions = [
        f"func.func private @f{number}(%p : i64) {{\n"
        f"  func.call @f{number + 1}(%p) : (i64) -> ()\n  func.return\n}}"
        for number in range(length)
    ]
    last = (
        f"func.func private @f{length}(%p : i64) {{ ptx.st global b64 [%p], {{%p}} func.return }}"
    )
    kernel = "ptx.kernel @k(%p : i64) { func.call @f0(%p) : (i64) -> () ptx.ret }"
    module = parse_module("\n".join([*functions, last, kernel]))
    assert [each.name for each in inline_functions(module)] == ["ptx.st"]
    assert [op.name for op in module.ops] == ["ptx.kernel"]


@pytest.mark.slow
@pytest.mark.parametrize("last", [299, 0], ids=["last", "first"])
def test_recursion_at_the_end_of_a_long_chain_of_calls(last: int) -> None:
    """Of the last function, or of all: the callers of recursive functions are not recursive."""
    length = 300
    text = "ptx.kernel @k() {\n  func.call @f0() : () -> ()\n  ptx.ret\n}\n"
    for at in range(length):
        callee = at + 1 if at + 1 < length else last
        call = f"func.call @f{callee}() : () -> ()"
        text += f"func.func private @f{at}() {{\n  {call}\n  func.return\n}}\n"
    found = check_source(text)
    assert {each.rule for each in found} == {"T5-PTX-115"}
    assert len(found) == length - last
