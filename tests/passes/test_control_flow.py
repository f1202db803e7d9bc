"""Tests of lowered control flow: structured programs and branches, run by an interpreter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.reporting.diagnostics import CompileError

from ..support.effort import part
from ..support.lowering import lowered
from ..support.ptx_interpreter import run
from ..support.structured_programs import MASK, PROGRAMS, Block, kernel


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
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


_CONSTANTS = {
    "given": "%c = arith.constant {n} : {type}",
    "computed": "%c0 = arith.constant {half} : {type}\n  %c = arith.addi %c0, %c0 : {type}",
    "selected": "%c0 = arith.constant {n} : {type}\n  %holds = arith.constant true\n"
    "  %c = arith.select %holds, %c0, %c0 : {type}",
    "cast": "%c0 = arith.constant {n} : {other}\n  %c = arith.index_cast %c0 : {other} to {type}",
}
"""Ways to come to a constant of a type other than i1."""
_CONDITIONS = {
    "given": "%c = arith.constant {flag}",
    "compared": "%c0 = arith.constant {n} : i32\n  %c1 = arith.constant 0 : i32\n"
    "  %c = arith.cmpi ne, %c0, %c1 : i32",
    "negated": "%c0 = arith.constant {flag}\n  %c1 = arith.constant false\n"
    "  %c = arith.xori %c0, %c1 : i1",
    "truncated": "%c0 = arith.constant {n} : i64\n  %c = arith.trunci %c0 : i64 to i1",
}
_BY_INDEX = {
    "scf.index_switch": (
        "index",
        """
  %result = scf.index_switch %c -> i32
  case 0 { scf.yield %v0 : i32 }
  case 2 { scf.yield %v1 : i32 }
  default { scf.yield %v2 : i32 }""",
    ),
    "nested": (
        "index",
        """
  %result = scf.index_switch %c -> i32
  case 2 {
    %inner = scf.index_switch %c -> i32 case 2 { scf.yield %v1 : i32 } default {
      scf.yield %v2 : i32
    }
    scf.yield %inner : i32
  }
  default { scf.yield %v2 : i32 }""",
    ),
    "cf.switch": (
        "i32",
        """
  cf.switch %c : i32, [ default: ^end(%v2 : i32), 0: ^end(%v0 : i32), 2: ^end(%v1 : i32) ]
^end(%result : i32):""",
    ),
    "cf.switch of index": (
        "index",
        """
  cf.switch %c : index, [ default: ^end(%v2 : i32), 0: ^end(%v0 : i32), 2: ^end(%v1 : i32) ]
^end(%result : i32):""",
    ),
    "scf.for": (
        "index",
        """
  %from = arith.constant 0 : index
  %result = scf.for %i = %from to %c step %c iter_args(%sum = %v0) -> (i32) {
    scf.yield %v1 : i32
  }""",
    ),
}
_BY_CONDITION = {
    "scf.if": """
  %result = scf.if %c -> (i32) { scf.yield %v1 : i32 } else { scf.yield %v0 : i32 }""",
    "cf.cond_br": """
  cf.cond_br %c, ^end(%v1 : i32), ^end(%v0 : i32)
^end(%result : i32):""",
    "scf.while": """
  %no = arith.constant false
  %result, %last = scf.while (%x = %v0, %again = %c) : (i32, i1) -> (i32, i1) {
    scf.condition(%again) %x, %again : i32, i1
  } do {
  ^body(%x : i32, %y : i1):
    scf.yield %v1, %no : i32, i1
  }""",
    "scf.while without end": """
  %result = scf.while (%x = %v0) : (i32) -> i32 {
    %no = arith.constant false
    %goes_on = arith.andi %c, %no : i1
    %y = arith.select %c, %v1, %x : i32
    scf.condition(%goes_on) %y : i32
  } do {
  ^body(%x : i32):
    scf.yield %x : i32
  }""",
}


def _chosen(constant: str, body: str) -> int:
    """What a kernel stores that chooses between 10, 11 and 12."""
    text = f"""
ptx.kernel @k(%out : i64) {{
  %v0 = arith.constant 10 : i32
  %v1 = arith.constant 11 : i32
  %v2 = arith.constant 12 : i32
  {constant}{body}
  ptx.st global b32 [%out], {{%result}}
  ptx.ret
}}"""
    assemble(compile_to_ptx(text), "sm_100a")
    (stored,) = run(lowered(text), [0])
    return stored


@pytest.mark.slow
@pytest.mark.parametrize("way", _CONSTANTS)
@pytest.mark.parametrize("operation", _BY_INDEX)
def test_index_that_is_a_constant(operation: str, way: str):
    type_, body = _BY_INDEX[operation]
    other = "index" if type_ == "i32" else "i32"
    results = {
        number: _chosen(
            _CONSTANTS[way].format(n=number, half=number // 2, type=type_, other=other), body
        )
        for number in (2, 4)
    }
    assert results == ({2: 11, 4: 11} if operation == "scf.for" else {2: 11, 4: 12})


@pytest.mark.slow
@pytest.mark.parametrize("way", _CONDITIONS)
@pytest.mark.parametrize("operation", _BY_CONDITION)
def test_condition_that_is_a_constant(operation: str, way: str):
    results = [
        _chosen(_CONDITIONS[way].format(n=n, flag=flag), _BY_CONDITION[operation])
        for n, flag in ((0, "false"), (1, "true"))
    ]
    assert results == [10, 11]
