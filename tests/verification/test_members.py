"""Tests of parameters in memory: members, and tensor maps at generic addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source
from tcgen05_dialect.verification.static.members import atoms_of

_HEADER = ".version 8.7\n.target sm_100a\n.address_size 64\n"
_COPY = """.visible .entry k(.param .align 64 .b8 maps[256], .param .align 4 .b8 s[12])
.reqntid 32 {
.reg .b32 %r<9>; .reg .b16 %h<4>; .reg .b64 %d<9>; .reg .pred %p<4>;
.shared .align 1024 .b8 tile[4096]; .shared .align 8 .b64 bar;
mov.b64 %d1, maps; cvta.param.u64 %d2, %d1; add.s64 %d3, %d2, 128;
ld.param.b8 %h1, [s+1]; ld.param.b32 %r1, [s]; ld.param.u16 %h2, [s+6];
and.b16 %h1, %h1, 1; setp.ne.b16 %p1, %h1, 0; selp.b64 %d4, %d2, %d3, %p1;
mov.u32 %r2, %tid.x; setp.ne.u32 %p2, %r2, 0; mov.b32 %r5, 0;
@%p2 bra READY;
mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster;
READY: bar.sync 0; @%p2 bra WAIT;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], 4096;
cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
    [tile], [%d4, {%r5, %r5}], [bar];
WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra WAIT;
cvt.u32.u16 %r6, %h2;
L: ld.shared.b32 %r3, [tile]; bar.sync 0;
add.s32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, %r6; @%p3 bra L;
ret; }
"""
_ARRAY = """
ptx.shared_memory @word size 4 alignment 4
ptx.kernel @members(%args : !ptx.param_array<16, 8>) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %word = ptx.address_of @word
  %thread = ptx.special_register tid.x
  %first = arith.cmpi eq, %thread, %c0 : i32
  %count = ptx.ld param b32 [%args + 8] -> i32
  scf.for %i = %c0 to %count step %c1 : i32 {
    scf.if %first { ptx.st "shared::cta" b32 [%word], {%i} }
    ptx.bar.sync %c0
    %value = ptx.ld "shared::cta" b32 [%word] -> i32
    ptx.bar.sync %c0 // after the read
  }
  ptx.ret
}
"""


def _findings(text: str) -> list[Finding]:
    name = "kernel.ptx" if text.startswith(".version") else "kernel.mlir"
    return check_source(Source(name, text), verify="thorough")


def test_a_map_may_be_selected_by_a_member() -> None:
    """The loop runs as often as a member of 16 bits says; two loads overlap."""
    (remark,) = _findings(_HEADER + _COPY)
    assert remark.verdict == "verified"
    assert "line 21 for any number of iterations" in remark.message


@pytest.mark.parametrize(
    "selection",
    [
        "selp.b64 %d4, 0, 128, %p1; add.s64 %d4, %d2, %d4;",
        "add.s64 %d3, %d1, 128; selp.b64 %d4, %d1, %d3, %p1; cvta.param.u64 %d4, %d4;",
    ],
    ids=["of the distance", "before the conversion"],
)
def test_a_map_may_be_at_a_selected_place(selection: str) -> None:
    text = _COPY.replace("selp.b64 %d4, %d2, %d3, %p1;", selection)
    (remark,) = _findings(_HEADER + text)
    assert remark.verdict == "verified"


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra", "WAIT: //", "014"),
        ("mbarrier.init.shared.b64 [bar], 1;", "mbarrier.init.shared.b64 [bar], 2;", "005"),
    ],
)
def test_a_mistake_with_a_selected_map_is_found(old: str, new: str, rule: str) -> None:
    assert old in _COPY
    _, error = _findings(_HEADER + _COPY.replace(old, new))
    assert (error.severity, error.rule) == ("error", f"T5-SIM-{rule}")
    assert "param" not in error.message and "found with %s_byte1 = 0, %s_byte6 = " in error.message


def test_members_of_an_array_are_parameters() -> None:
    (remark,) = _findings(_ARRAY)
    assert remark.verdict == "verified" and "for any number of iterations" in remark.message
    _, error = _findings(_ARRAY.replace("ptx.bar.sync %c0 // after", "// after"))
    assert (error.severity, error.rule) == ("error", "T5-SIM-014")
    assert "found with %args_byte8 = " in error.message
    assert "insert `ptx.bar.sync %c0`" in error.fix


def test_the_number_of_threads_of_ir_may_be_a_limit() -> None:
    text = _ARRAY.replace("reqntid", "maxntid")
    (remark,) = _findings(text)
    assert remark.verdict == "verified"
    assert remark.message.endswith("assumes CTAs of 64 threads, as .maxntid allows")
    remark, error = _findings(text.replace("ptx.bar.sync %c0 // after", "// after"))
    assert remark.verdict == "not verified"
    assert (error.severity, error.rule) == ("error", "T5-SIM-014")


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        ("%thread", "depends on %count loaded at line 12"),
        ("%number", "ptx.ld, line 12, loads a parameter that no run knows"),
    ],
)
def test_a_load_at_an_unknown_address_decides_nothing(index: str, reason: str) -> None:
    array, load = "!ptx.param_array<256, 8>", "%count = ptx.ld param b32 [%args + 8] -> i32"
    assert load in _ARRAY
    text = _ARRAY.replace(
        load,
        f"""%base = ptx.parameter_address %args : {array} -> i64
  %c4 = arith.constant 4 : i32
  %place = ptx.mad.wide u32 {index}, %c4, %base
  %count = ptx.ld param b32 [%place] -> i32""",
    )
    text = text.replace("%args : !ptx.param_array<16, 8>", f"%args : {array}, %number : i32")
    (remark,) = _findings(text)
    assert remark.verdict == "not decided"
    assert reason in remark.message


def test_a_load_past_the_end_of_a_parameter_decides_nothing() -> None:
    old = "ld.param.b32 %r1, [s];"
    assert old in _COPY
    (remark,) = _findings(_HEADER + _COPY.replace(old, "ld.param.b32 %r1, [s+12];"))
    assert remark.verdict == "not decided"
    assert "ld, line 9, loads a parameter that no run knows: 4 bytes at" in remark.message


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from([1, 2, 4, 8])), max_size=8))
def test_atoms_make_up_all_loads(loads: list[tuple[int, int]]) -> None:
    ranges = [range(start, start + size) for start, size in loads]
    atoms = atoms_of(ranges)
    covered = [byte for atom in atoms for byte in atom]
    assert sorted(covered) == sorted({byte for each in ranges for byte in each})
    for atom in atoms:
        assert len(atom) in (1, 2, 4, 8) and atom.start % len(atom) == 0
        for each in ranges:
            inside = [byte in each for byte in atom]
            assert all(inside) or not any(inside)
