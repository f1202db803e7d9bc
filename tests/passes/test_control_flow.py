"""Structured control flow and branches, lowered and run, against what the program means."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.reporting.diagnostics import CompileError

from ..support.lowering import lowered
from ..support.ptx_interpreter import run
from ..support.structured_programs import MASK, PROGRAMS, Block, kernel


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(PROGRAMS, st.lists(st.tuples(*[st.integers(0, MASK)] * 2), min_size=1, max_size=5))
def test_programs_keep_their_meaning(program: Block, inputs: list[tuple[int, int]]):
    module = lowered(kernel(program))
    for x, y in inputs:
        assert run(module, [x, y, 0]) == [program.value([x, y])]


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(st.lists(PROGRAMS, min_size=5, max_size=20))
def test_programs_assemble(programs: list[Block]):
    text = "".join(kernel(program, f"kernel{index}") for index, program in enumerate(programs))
    assemble(compile_to_ptx(text), "sm_100a")


@pytest.mark.parametrize("type_", ["i1", "i16", "i32", "i64", "index"])
def test_switch(type_: str):
    """`cf.switch`, with values of the cases that need all bits of the flag."""
    cases = {"i1": [0], "i16": [-1, 7], "i32": [-1, 7]}.get(type_, [-1, 7, (1 << 32) + 7])
    convert = "%f = arith.index_cast %n : i64 to index" if type_ == "index" else ""
    if type_ not in ("i64", "index"):
        convert = f"%f = arith.trunci %n : i64 to {type_}"
    flag = "%n" if type_ == "i64" else "%f"
    labels = ", ".join(f"{case}: ^case(%v{i} : i32)" for i, case in enumerate(cases))
    constants = "\n".join(f"%v{i} = arith.constant {i} : i32" for i in range(len(cases)))
    module = lowered(f"""
ptx.kernel @k(%n : i64, %out : i64) {{
  {convert}
  {constants}
  %other = arith.constant 99 : i32
  cf.switch {flag} : {type_}, [ default: ^case(%other : i32), {labels} ]
^case(%result : i32):
  ptx.st global b32 [%out], {{%result}}
  ptx.ret
}}""")
    width = {"i1": 1, "i16": 16, "i32": 32}.get(type_, 64)
    for n in (0, 1, 7, (1 << 32) + 7, (1 << 64) - 1):
        found = [i for i, case in enumerate(cases) if (case - n) % (1 << width) == 0]
        assert run(module, [n, 0]) == [found[0] if found else 99]


def test_index_switch_looks_at_all_bits():
    module = lowered("""
ptx.kernel @k(%n : i64, %out : i64) {
  %i = arith.index_cast %n : i64 to index
  %r = scf.index_switch %i -> i32
  case 1 { %one = arith.constant 1 : i32  scf.yield %one : i32 }
  case 4294967297 { %two = arith.constant 2 : i32  scf.yield %two : i32 }
  default { %three = arith.constant 3 : i32  scf.yield %three : i32 }
  ptx.st global b32 [%out], {%r}
  ptx.ret
}""")
    assert [run(module, [n, 0]) for n in (1, (1 << 32) + 1, 1 << 32)] == [[1], [2], [3]]


def test_values_defined_in_later_text():
    """A block may stand before the one that dominates it."""
    module = lowered("""
ptx.kernel @k(%n : i64, %out : i64) {
  cf.br ^second
^third(%c : i32):
  %wide = arith.index_cast %b : index to i64
  %sum = arith.addi %wide, %n : i64
  %low = arith.trunci %sum : i64 to i32
  %total = arith.addi %low, %c : i32
  ptx.st global b32 [%out], {%total}
  ptx.ret
^second:
  %one = arith.constant 1 : index
  %a = arith.index_cast %n : i64 to index
  %b = arith.addi %a, %one : index
  %five = arith.constant 5 : i32
  cf.br ^third(%five : i32)
}""")
    assert run(module, [10, 0]) == [26]


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("%x, %x : i32, i32", "types of the arguments of a block"),
        ("%n : i64", "types of the arguments of a block"),
    ],
)
def test_arguments_that_a_block_does_not_take(condition: str, reason: str):
    text = f"""
ptx.kernel @k(%x : i32, %n : i64) {{
  cf.br ^end({condition})
^end(%a : i32):
  ptx.ret
}}"""
    with pytest.raises(CompileError, match=reason) as error:
        lowered(text)
    assert error.value.location is not None
