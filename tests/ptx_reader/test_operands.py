"""Tests of the operands of tcgen05 instructions in PTX text, against ptxas 13.5."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.ptx import ptx_text
from tcgen05_dialect.ptx.analysis.known_values import constant_bits
from tcgen05_dialect.ptx.instructions import NotOp, TensormapCpFenceproxyOp
from tcgen05_dialect.ptx.tcgen05_mma import MmaOp
from tcgen05_dialect.ptx_reader import match_statements, read_text
from tcgen05_dialect.reporting.diagnostics import CompileError, Source

from ..support.effort import sampled
from ..support.ptx_text import read_instruction
from ..support.ptxas_verdicts import HEADER, refused

_ALLOC = "tcgen05.alloc.cta_group::1.sync.aligned"
_DEALLOC = "tcgen05.dealloc.cta_group::1.sync.aligned.b32"
_LD = "tcgen05.ld.sync.aligned.16x64b"
_RED = "tcgen05.ld.red.sync.aligned.32x32b.x2.min"
_ST = "tcgen05.st.sync.aligned.16x64b"
_COMMIT = "tcgen05.commit.cta_group::1.mbarrier::arrive::one"
_MMA = "tcgen05.mma.cta_group::1.kind::f16"
_SP = "tcgen05.mma.sp.cta_group::1.kind::f16"
_SCALED = "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale"
_WS = "tcgen05.mma.ws.cta_group::1.kind::f16"

ADDRESSES = {
    "alloc, generic": f"{_ALLOC}.b32 [@], 32;",
    "alloc": f"{_ALLOC}.shared::cta.b32 [@], 32;",
    "ld": f"{_LD}.x1.b32 {{%r0}}, [@];",
    "ld.red": f"{_RED}.f32 {{%r0, %r1}}, %r2, [@];",
    "st": f"{_ST}.x1.b32 [@], {{%r0}};",
    "cp": "tcgen05.cp.cta_group::1.128x256b [@], %rd0;",
    "shift": "tcgen05.shift.cta_group::1.down [@];",
    "commit, generic": f"{_COMMIT}.b64 [@];",
    "commit": f"{_COMMIT}.shared::cluster.b64 [@];",
    "commit, multicast": f"{_COMMIT}.multicast::cluster.b64 [@], %h0;",
    "mma d": f"{_MMA} [@], %rd0, %rd1, %r0, %p0;",
    "mma a": f"{_MMA} [%r0], [@], %rd0, %r0, %p0;",
    "mma.sp metadata": f"{_SP} [%r0], %rd0, %rd1, [@], %r0, %p0;",
    "mma scale_a": f"{_SCALED} [%r0], %rd0, %rd1, %r0, [@], [%r1], %p0;",
    "mma scale_b": f"{_SCALED} [%r0], %rd0, %rd1, %r0, [%r1], [@], %p0;",
    "mma.ws d": f"{_WS} [@], %rd0, %rd1, %r0, %p0;",
    "mma.ws a": f"{_WS} [%r0], [@], %rd0, %r0, %p0;",
}
VALUES = {
    "alloc columns": f"{_ALLOC}.shared::cta.b32 [slot], @;",
    "dealloc taddr": f"{_DEALLOC} @, 32;",
    "dealloc columns": f"{_DEALLOC} %r0, @;",
    "ld values": f"{_LD}.x2.b32 {{%r0, @}}, [%r1];",
    "ld values, packed": f"{_LD}.x1.pack::16b.b32 {{@}}, [%r1];",
    "ld.red values": f"{_RED}.u32 {{%r0, @}}, %r1, [%r2];",
    "ld.red reduced": f"{_RED}.u32 {{%r0, %r1}}, @, [%r2];",
    "ld.red reduced, signed": f"{_RED}.s32 {{%r0, %r1}}, @, [%r2];",
    "ld.red reduced, float": f"{_RED}.f32 {{%r0, %r1}}, @, [%r2];",
    "st values": f"{_ST}.x2.b32 [%r1], {{%r0, @}};",
    "st values, unpacked": f"{_ST}.x1.unpack::16b.b32 [%r1], {{@}};",
    "cp descriptor": "tcgen05.cp.cta_group::1.128x256b [%r0], @;",
    "commit multicast_mask": f"{_COMMIT}.shared::cluster.multicast::cluster.b64 [%r0], @;",
    "mma a descriptor": f"{_MMA} [%r0], @, %rd0, %r0, %p0;",
    "mma b": f"{_MMA} [%r0], %rd0, @, %r0, %p0;",
    "mma idesc": f"{_MMA} [%r0], %rd0, %rd1, @, %p0;",
    "mma enable_input_d": f"{_MMA} [%r0], %rd0, %rd1, %r0, @;",
    "mma disable_output_lane": f"{_MMA} [%r0], %rd0, %rd1, %r0, {{%r0, @, %r0, %r0}}, %p0;",
    "mma scaled idesc": f"{_SCALED} [%r0], %rd0, %rd1, @, [%r1], [%r2], %p0;",
    "mma scaled enable_input_d": f"{_SCALED} [%r0], %rd0, %rd1, %r0, [%r1], [%r2], @;",
    "mma.ws zero_column_mask": f"{_WS} [%r0], %rd0, %rd1, %r0, %p0, @;",
    "mma.ws enable_input_d": f"{_WS} [%r0], %rd0, %rd1, %r0, @;",
    "guard": "@@ tcgen05.wait::ld.sync.aligned;",
}
BEFORE = "\n".join(
    (
        ".shared .align 16 .b8 slot[64]; .shared .align 8 .b64 bar; .shared .b32 word;",
        ".global .align 8 .b64 outside; .const .b32 fixed;",
        ".func function() { ret; }",
        ".visible .entry kernel(.param .b64 wide, .param .b32 narrow)",
        "{",
        *(f".reg {type_} %{type_[1:]};" for type_ in ptx_text.REGISTER_BITS),
        ".reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .b16 %h0; .reg .pred %p0; .local .b32 own;",
        ".reg .v2 .b32 pair; .reg .v2 .b64 two;",
        "label:",
    )
)
AFTER = "ret;\n}\n"


def filled(template: str, operand: str) -> str:
    head, _, tail = (
        template.rpartition("@") if template.startswith("@@") else template.partition("@")
    )
    return f"{head}{operand}{tail}"


def disagreements(
    cases: dict[tuple[str, str], str], expected: Iterable[tuple[str, str]] = ()
) -> dict[tuple[str, str], bool]:
    """
    Where the verdict of the checker is not that of ptxas -> whether ptxas takes it. Of many cases,
    those that are expected, and a sample.

    ptxas does not know to which cells of tensor memory registers point.
    """
    some = {*sampled(cases, 25), *expected}
    cases = {case: statement for case, statement in cases.items() if case in some}
    statements = list(cases.values())
    not_taken = refused(BEFORE, statements, AFTER)
    found: dict[tuple[str, str], bool] = {}
    for index, (case, statement) in enumerate(cases.items()):
        text = f"{HEADER}{BEFORE}\n{statement}\n{AFTER}"
        found_in = check_source(Source("kernel.ptx", text))
        taken = all(each.rule.startswith("T5-TMEM-") for each in found_in)
        if taken == (index in not_taken):
            found[case] = not taken
    return found


@pytest.mark.slow
def test_registers_of_every_type() -> None:
    """
    ptxas takes the .f16x2 registers as addresses of cp and shift, and of no others; they are no
    integers (6.4.1).
    """
    cases = {
        (name, type_): filled(template, f"%{type_[1:]}")
        for name, template in (ADDRESSES | VALUES).items()
        for type_ in ptx_text.REGISTER_BITS
    }
    expected = {("cp", ".f16x2"): True, ("shift", ".f16x2"): True}
    assert disagreements(cases, expected) == expected


NAMES = ("slot", "bar", "word", "outside", "fixed", "own", "wide", "narrow")


@pytest.mark.slow
def test_names_of_variables_and_parameters() -> None:
    """
    In a vector of registers ptxas takes the names of variables of 32 bits, as no others do. It does
    not check that a barrier object fits into a variable.
    """
    cases = {
        (name, each): filled(template, each)
        for name, template in (ADDRESSES | VALUES).items()
        if name != "guard"
        for each in (*NAMES, "label", "%nothing", "pair", "two")
        # ptxas crashes on it.
        if (name, each) != ("shift", "%nothing")
    }
    lanes = {("mma disable_output_lane", each) for each in ("word", "fixed", "own", "narrow")}
    expected = dict.fromkeys({*lanes, ("commit", "word")}, True)
    assert disagreements(cases, expected) == expected


@pytest.mark.slow
def test_values_that_are_no_registers() -> None:
    """ptxas takes special registers in the lane mask of mma, as in no other operand."""
    operands = ("WARP_SZ", "32", "(32)", "0x20U", "1.5", "%tid.x", "pair.x", "pair.r", "two.g")
    cases = {
        (name, each): filled(template, each)
        for name, template in VALUES.items()
        # What descriptors hold is verified besides.
        if name != "guard"
        and not name.startswith(("cp", "mma a", "mma b", "mma idesc", "mma scaled"))
        for each in operands
    }
    expected = {("mma disable_output_lane", "%tid.x"): True}
    assert disagreements(cases, expected) == expected


_ELEMENTS = ("%b32", "%f32", "%u32", "%s32", "%f16x2", "5", "5U", "0f3F800000", "1.5", "-(3)")
"""A register of each type of 32 bits, and constants of each type."""


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_elements_of_short_vectors(count: int) -> None:
    template = f"tcgen05.st.sync.aligned.32x32b.x{count}.b32 [%r0], {{@}};"
    cases = {("", text): filled(template, text) for text in _vectors(count)}
    assert disagreements(cases) == {}


@pytest.mark.slow
def test_elements_of_vectors() -> None:
    """Neighbours agree in their types, and an integer takes the type of a register."""
    chosen = random.Random("elements").sample([*_vectors(4, _ELEMENTS[:8])], 200)
    templates = (
        "tcgen05.st.sync.aligned.32x32b.x4.b32 [%r0], {@};",
        VALUES["mma disable_output_lane"].replace("%r0, @, %r0, %r0", "@"),
    )
    for template in templates:
        cases = {("", text): filled(template, text) for text in chosen}
        assert disagreements(cases) == {}


@pytest.mark.slow
def test_destinations_in_vectors() -> None:
    registers = [f"{name}, {other}" for name, other in product(_ELEMENTS[:5], repeat=2)]
    distinct = [text for text in registers if len({*text.split(", ")}) == 2]
    templates = (
        "tcgen05.ld.sync.aligned.32x32b.x2.b32 {@}, [%r1];",
        f"{_RED}.f32 {{@}}, %r0, [%r1];",
    )
    for template in templates:
        assert disagreements({("", text): filled(template, text) for text in distinct}) == {}


def _vectors(count: int, elements: Sequence[str] = _ELEMENTS) -> Iterator[str]:
    return map(", ".join, product(elements, repeat=count))


@pytest.mark.slow
def test_vectors_of_one() -> None:
    """Only the reduced value of ld.red may stand in braces, as Gluon writes it."""
    cases: dict[tuple[str, str], str] = {}
    for name, template in VALUES.items():
        if name == "guard" or "{@}" in template:
            continue
        for type_ in (".b16", ".b32", ".b64", ".u32", ".s32", ".f32", ".f16x2", ".pred"):
            cases[name, type_] = filled(template, f"{{%{type_[1:]}}}")
        for element in ("32", "_", "%r0, %b32", ""):
            cases[name, element] = filled(template, f"{{{element}}}")
    assert disagreements(cases) == {}


@pytest.mark.slow
def test_masks_of_commit_are_constants() -> None:
    """ptxas 13.5 takes them; 13.0 and earlier do not."""
    numbers = (
        *("0", "1", "65535", "65536", "70000", "1+2", "WARP_SZ", "1.0", "0f3F800000"),
        *("-0", "-1", "-32768", "0-1", "0xffffffffffff0001", "65536-1"),
    )
    template = VALUES["commit multicast_mask"]
    assert disagreements({("", each): filled(template, each) for each in numbers}) == {}


def test_constants_keep_their_bits_in_a_vector() -> None:
    text = filled(f"{_MMA} [%r0], %rd0, %rd1, %r0, {{@}}, %p0;", "%r1, 0f7F800001, 0f3F800000, %r1")
    op = read_instruction(Source("bare.ptx", text)).op
    assert isinstance(op, MmaOp)
    known = [constant_bits(value) for value in op.disable_output_lane]
    assert known == [None, 0x7F800001, 0x3F800000, None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operand", "place"),
    [
        ("[pair.x]", "alloc"),
        ("[%tid.x]", "alloc"),
        ("[%r0-4]", "ld"),
        ("[slot[4]]", "alloc"),
        ("[4+%r0]", "ld"),
        ("[(%r0)]", "ld"),
        ("[%r0+%r1]", "ld"),
        ("[%r0+1.0]", "ld"),
        ("[16]", "alloc"),
        ("[slot-4]", "alloc"),
    ],
)
def test_addresses_that_ptxas_refuses(operand: str, place: str) -> None:
    statement = ADDRESSES[place].replace("[@]", operand)
    assert refused(BEFORE, [statement], AFTER) == {0}
    assert check_source(Source("kernel.ptx", f"{HEADER}{BEFORE}\n{statement}\n{AFTER}"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "offset",
    ["4", "-4", "1*4", "(1<2)", "1<2", "1?4:8", "WARP_SZ", "~3", "4|1", "(.s64)3", "4294967292"],
)
@pytest.mark.parametrize("place", ["ld", "mma d"])
def test_offsets_are_expressions(offset: str, place: str) -> None:
    statement = filled(ADDRESSES[place], f"%b32+{offset}")
    assert refused(BEFORE, [statement], AFTER) == set()
    assert check_source(Source("kernel.ptx", f"{HEADER}{BEFORE}\n{statement}\n{AFTER}")) == []


def test_a_negation_is_held() -> None:
    """ptxas takes `!%p` for enable-input-d."""
    text = filled(VALUES["mma enable_input_d"], "!%p0")
    assert refused(BEFORE, [text], AFTER) == set()
    matched = read_instruction(Source("bare.ptx", text))
    assert isinstance(matched.op, MmaOp)
    assert isinstance(matched.op.enable_input_d.owner, NotOp)
    assert f"{matched.text()};" == text
    source = read_text(Source("kernel.ptx", f"{HEADER}{BEFORE}\n{text}\n{AFTER}"))
    module = match_statements(source, source.statements)
    assert f"{module.read[0].matched.text()};" == text


@pytest.mark.parametrize("operand", ["!!%p0", "(%p0)", "!(%p0)", "-%p0", "!%r0"])
def test_other_negations_are_refused(operand: str) -> None:
    text = filled(VALUES["mma enable_input_d"], operand)
    assert refused(BEFORE, [text], AFTER) == {0}
    assert check_source(Source("kernel.ptx", f"{HEADER}{BEFORE}\n{text}\n{AFTER}"))


@pytest.mark.parametrize(("number", "value"), [("5", 1), ("0", 0), ("!5", 0), ("1 < 2", 1)])
def test_integers_are_predicates(number: str, value: int) -> None:
    """Other integers than 0 are true (4.5.1)."""
    text = filled(VALUES["mma enable_input_d"], number)
    assert refused(BEFORE, [text], AFTER) == set()
    op = read_instruction(Source("bare.ptx", text)).op
    assert isinstance(op, MmaOp)
    assert constant_bits(op.enable_input_d) == value


_COPY_MAP = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"


def test_a_number_that_an_instruction_asks_for() -> None:
    """Its spelling is free, and the source may be in a 64-bit register."""
    sizes = ("128", "0x80", "0200", "(64 + 64)", "129", "%r0")
    lines = [f"{_COPY_MAP} [%rd0], [%rd1+0], {size};" for size in sizes]
    begin = ".visible .entry k() {\n.reg .b64 %rd<2>;\n.reg .b32 %r<1>;"
    illegal = refused(begin, lines, "ret;\n}\n")
    assert illegal == {4, 5}
    for index, line in enumerate(lines):
        if index in illegal:
            with pytest.raises(CompileError, match="operand must be 128; found"):
                read_instruction(Source("k.ptx", line))
        else:
            op = read_instruction(Source("k.ptx", line)).op
            assert isinstance(op, TensormapCpFenceproxyOp)
