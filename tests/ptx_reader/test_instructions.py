"""Tests of instructions read from PTX text: each is the one that was printed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import pytest
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Attribute
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.isa.targets import TARGETS
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.instructions import TrapHereOp, TrapOp
from tcgen05_dialect.ptx.register_types import register_class
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.ptx.tcgen05 import AllocOp, LdOp
from tcgen05_dialect.ptx.tcgen05_mma import MmaOp
from tcgen05_dialect.ptx.text.register_names import KernelNames
from tcgen05_dialect.ptx.types import CarryType
from tcgen05_dialect.ptx_reader import Lines, match_statements, read_statements, read_text
from tcgen05_dialect.ptx_reader.match import Matched, match_block
from tcgen05_dialect.ptx_reader.scope import Scope
from tcgen05_dialect.reporting.diagnostics import CompileError, Source

from ..support.effort import part, sampled
from ..support.golden_tables import forms, golden
from ..support.ptx_instances import INSTRUCTIONS, VARIABLE, Values, is_legal, points, variants
from ..support.ptx_text import read_instruction
from ..support.repository import EXAMPLE_KERNELS
from ..support.timing import seconds_of

_READ_AS: Mapping[type[Instruction], type[Instruction]] = {TrapOp: TrapHereOp}
"""An instruction that ends a block -> the one with the same text at any other place; a statement
does not say where it is."""


def read(text: str) -> Matched:
    return read_instruction(Source("bare.ptx", text))


def error_of(text: str) -> str:
    with pytest.raises(CompileError) as raised:
        read(text)
    return str(raised.value)


def instances(op_type: type[Instruction]) -> Iterator[Instruction]:
    """Legal forms of an instruction, with registers, constants and variables for operands."""
    values = Values()
    every = random.Random(1).sample(points(op_type), len(points(op_type)))
    legal = (op for point in every if is_legal(op := point.build(values)))
    for op in islice(legal, part(10)):
        yield op
        if not op.has_trait(IsTerminator):
            yield from variants(op, values)


def _classes(types: Sequence[Attribute]) -> list[tuple[str, str] | CarryType]:
    return [t if isinstance(t, CarryType) else register_class(t) for t in types]


@pytest.mark.slow
@pytest.mark.parametrize("op_type", INSTRUCTIONS, ids=lambda op_type: op_type.name)
def test_reads_what_is_printed(op_type: type[Instruction]) -> None:
    names = KernelNames(lambda line: None)
    printed = [(op, syntax_of(op_type).ptx(op, names)) for op in instances(op_type)]
    assert printed
    scope = scope_of("\n".join([f".shared .b8 {VARIABLE}[1024];", *names.declarations()]))
    for op, text in printed:
        bare = read(text)
        assert bare.text() == text
        declarations = read_statements(text if text[0] == "{" else f"{text};")
        declared = match_block(declarations[0], scope)
        assert declared.text() == text
        for found in (bare.op, declared.op):
            assert type(found) is _READ_AS.get(op_type, op_type)
            assert _offsets_folded(found) == _offsets_folded(op)
            assert len(found.operands) == len(op.operands)
            assert len(found.results) == len(op.results)
        assert _classes(declared.op.result_types) == _classes(op.result_types)
        # The text does not say how wide the constants of a vector are.
        if _classes(declared.op.operand_types) == _classes(op.operand_types):
            assert is_legal(declared.op) or not is_legal(op)
        else:
            assert any(isinstance(operand.owner, ConstantOp) for operand in op.operands)


def _offsets_folded(op: Instruction) -> dict[str, Attribute]:
    """The properties without offsets, which are printed together with those of variables."""
    return {name: value for name, value in op.properties.items() if not name.endswith("_offset")}


@pytest.mark.slow
def test_reads_every_form_of_the_golden_table() -> None:
    for row in sampled(forms(), 30, of=lambda row: row["group"]):
        matched = read(row["ptx"])
        assert f"{matched.text()};" == row["ptx"]
        matched.op.verify_()


def test_takes_qualifiers_in_any_order() -> None:
    chance = random.Random(2)
    for row in chance.sample(forms(), 200):
        mnemonic, space, operands = row["ptx"].rstrip(";").partition(" ")
        name = next(
            name
            for name in ("mma.ws.sp", "mma.sp", "mma.ws", "mma", "ld.red", row["group"])
            if mnemonic.startswith(f"tcgen05.{name}")
        )
        words = mnemonic.removeprefix(f"tcgen05.{name}").split(".")
        if "b8x16" in words or row["group"] in ("wait", "fence"):
            continue
        others = words[1:]
        chance.shuffle(others)
        shuffled = ".".join([f"tcgen05.{name}{words[0]}", *others])
        assert f"{read(shuffled + space + operands).text()};" == row["ptx"]


PLACEHOLDERS = """
.reg .b32 %smem, %mbar, %taddr, %dtmem, %atmem, %idesc, %spmeta, %sfa, %sfb, %ncols, %redval;
.reg .b32 %r<128>, %dol<8>; .reg .f32 %f<128>, %fredval;
.reg .b64 %gsmem, %gmbar, %adesc, %bdesc, %sdesc, %zmask; .reg .b16 %cmask; .reg .pred %p;
"""
"""What the names in the golden tables are."""


def scope_of(text: str) -> Scope:
    scope = Scope()
    for statement in read_statements(text)[0]:
        scope.see(statement)
    return scope


@pytest.mark.slow
def test_reads_every_form_with_declared_registers() -> None:
    scope = scope_of(PLACEHOLDERS)
    for row in sampled(forms(), 30, of=lambda row: row["group"]):
        matched = read_instruction(Source("golden.ptx", row["ptx"]), scope)
        assert f"{matched.text()};" == row["ptx"]
        matched.op.verify_()


@pytest.mark.slow
def test_negative_forms_are_refused() -> None:
    """Each is refused by the reader or the verifier."""
    scope = scope_of(PLACEHOLDERS)
    taken: list[str] = []
    for row in golden("negatives"):
        try:
            read_instruction(Source("golden.ptx", row["ptx"]), scope).op.verify_()
        except (CompileError, VerifyException):
            continue
        taken.append(row["ptx"])
    assert taken == []


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples_are_read(path: Path) -> None:
    ptx = compile_to_ptx(
        path.read_text(), target="sm_100a", ptx_version=str(TARGETS["sm_100a"].first)
    )
    source = read_text(Source("example.ptx", ptx))
    module = match_statements(source, source.statements)
    assert [str(error) for error in module.errors] == []
    assert len(module.read) == ptx.count("tcgen05.")
    lines, places = ptx.split("\n"), Lines(Source("example.ptx", ptx))
    for read_ in module.read:
        read_.matched.op.verify_()
        line = places.location(read_.statement.start).line
        assert f"{read_.matched.text()};" in lines[line - 1]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("tcgen05.nothing [%a];", 1, "; found tcgen05.nothing"),
        ("frobnicate %a;", 1, "; found frobnicate"),
        ("tcgen05.dealloc.cta_group::3.sync.aligned.b32 %a, 32;", 16, "found .cta_group::3"),
        (
            "tcgen05.dealloc.sync.aligned.b32 %a, 32;",
            16,
            "tcgen05.dealloc: cta_group must be .cta_group::1 or .cta_group::2; found none",
        ),
        (
            "tcgen05.dealloc.cta_group::1.sync.b32 %a, 32;",
            16,
            ".aligned; found none",
        ),
        (
            "tcgen05.dealloc.cta_group::1.cta_group::2.sync.aligned.b32 %a, 32;",
            29,
            "repeated qualifier must be left out; found .cta_group::2",
        ),
        ("tcgen05.wait.sync.aligned;", 8, ".wait::ld or .wait::st; found .wait"),
        (
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a;",
            47,
            "tcgen05.dealloc: number of operands must be 2 (taddr, columns); found 1",
        ),
        (
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32 [%a], 32;",
            47,
            "taddr must be a register or a constant; found [%a]",
        ),
        (
            "tcgen05.ld.sync.aligned.16x64b.x1.b32 %a, [%b];",
            39,
            "values must be a vector in braces; found %a",
        ),
        (
            "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%a}, [%b], %c;",
            53,
            "split_offset must be a constant; found %c",
        ),
        ("tcgen05.shift.cta_group::1.down [16];", 34, "address must be a register; found 16"),
        (
            "tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {%a, %b}, 64, [%c];",
            57,
            "reduced must be a register; found 64",
        ),
        ("tcgen05.shift.cta_group::1.down [%a-4];", 34, "must be an offset after +"),
        ("tcgen05.shift.cta_group::1.down [%a+x];", 34, "an immediate after +; found %a+x"),
        (
            "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%a+2147483648], 32;",
            46,
            "address_offset must be -2147483648, -2147483647, ... 2147483647; found %a+2147483648",
        ),
        (
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 1.5;",
            51,
            "columns must be i32; found 1.5",
        ),
        ("", 1, "must be an instruction"),
        ("ret; ret;", 1, "must be "),
        ("{ }", 1, "must be one instruction"),
        (".reg .b32 %r;", 1, "must be one instruction"),
    ],
)
def test_errors_name_the_fault(text: str, place: int, message: str) -> None:
    error = error_of(text)
    assert error.startswith(f"bare.ptx:1:{place}: error[T5-PTX-")
    assert message in error


MODULE = """.version 8.6
.target sm_100a
.address_size 64
.shared .align 16 .b8 slot[64];
.visible .entry k(.param .b64 p)
{{
.reg .b32 %r<5>;
.reg .b64 %rd<5>, far;
.reg .f32 %f<5>;
.reg .v2 .b32 pair; .reg .v4 .b32 %v<2>;
.reg .pred %p<2>;
{{
.reg .b64 %r1;
}}
{statement}
}}
"""


def in_module(statement: str) -> list[str]:
    source = read_text(Source("kernel.ptx", MODULE.format(statement=statement)))
    module = match_statements(source, source.statements)
    assert len(module.read) + len(module.errors) == 1
    return [str(error) for error in module.errors]


@pytest.mark.parametrize(
    "statement",
    [
        "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd0], 32;",
        "tcgen05.alloc.cta_group::1.sync.aligned.b32 [far+16], 8*4;",
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 0x20;",
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0+-4], 32;",
        "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%f0}, [%r1];",
        "tcgen05.ld.sync.aligned.16x64b.x2.b32 {pair.x, pair.y}, [%r1+4];",
        "tcgen05.ld.sync.aligned.16x64b.x2.b32 pair, [%r1+4];",
        "tcgen05.ld.sync.aligned.16x64b.x4.b32 %v1, [%r1+4];",
        "@!%p1 tcgen05.mma.cta_group::1.kind::f16 [%r0], %rd0, %rd1, %r2, !%p1;",
        "tcgen05.mma.kind::f16.cta_group::1 [%r0], [%r1], %rd1, 5, 1;",
    ],
)
def test_registers_are_those_declared(statement: str) -> None:
    assert in_module(statement) == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%f0], 32;",
            ".b32, .b64, .s32, .s64, .u32 or .u64; found %f0, a .f32 register",
        ),
        ("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd9], 32;", "; found %rd9"),
        ("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd01], 32;", "; found %rd01"),
        ("tcgen05.shift.cta_group::1.down [slot];", "; found slot, a variable"),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r0], %r0, %rd1, %r2, %p1;",
            "a must be .b64, .s64 or .u64; found %r0, a .b32 register",
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r0], [%rd0], %rd1, %r2, %p1;",
            "a must be .b32; found %rd0, a .b64 register",
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r0], %rd0, %rd1, %r2, %r1;",
            "enable_input_d must be .pred; found %r1, a .b32 register",
        ),
    ],
)
def test_registers_of_other_types_are_refused(statement: str, message: str) -> None:
    (error,) = in_module(statement)
    assert error.startswith("kernel.ptx:15:")
    assert message in error


def test_operands_have_the_types_of_their_places() -> None:
    alloc = read("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%a], 32").op
    assert isinstance(alloc, AllocOp)
    assert alloc.address.type == alloc.columns.type == i32
    alloc = read("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%a], %n").op
    assert isinstance(alloc, AllocOp)
    assert alloc.address.type == i64
    mma = read("tcgen05.mma.cta_group::1.kind::f16 [%d], [%a], %b, %i, {%l, %l, %l, %l}, %p").op
    assert isinstance(mma, MmaOp)
    assert [mma.d.type, mma.a.type, mma.b.type, mma.idesc.type] == [i32, i32, i64, i32]
    assert mma.enable_input_d.type == i1
    assert len(mma.disable_output_lane) == 4
    load = read("tcgen05.ld.sync.aligned.16x64b.x2.b32 {%x, %y}, [%a+4]")
    assert isinstance(load.op, LdOp)
    assert [load.names[value] for value in load.op.values] == ["%x", "%y"]
    assert load.op.address_offset is not None


def test_a_wait_of_another_block_is_not_the_wait() -> None:
    name = next(op for op in INSTRUCTIONS if syntax_of(op).is_block)
    text = syntax_of(name).ptx(next(iter(instances(name))), KernelNames(lambda line: None))
    assert "must be " in error_of(text.replace("bra %wait", "bra %done"))
    assert read(text).op.name == name.name


PIECES = (
    *("tcgen05", ".mma", ".ld", ".wait::ld", ".sync", ".aligned", ".b32", ".x1", ".16x64b", "::ld"),
    *(".cta_group::1", ".kind::f16", ".collector::a::fill", " [%a]", " %a", " {%a, %b}", " 5"),
    *(", %a", ", [%a+4]", ", {%a}", ", 0f3F800000", ", !%p", ", (1+", ")", "|", ";", "\n", "é"),
)


@pytest.mark.slow
def test_mangled_instructions_are_refused_or_read() -> None:
    chance = random.Random(3)
    for _ in range(2000):
        text = "tcgen05" + "".join(chance.choices(PIECES, k=chance.randrange(12)))
        try:
            matched = read(text)
        except CompileError as error:
            assert str(error).startswith("bare.ptx:")
        else:
            assert read(matched.text()).text() == matched.text()


def test_truncated_and_shuffled_forms_are_refused_or_read() -> None:
    chance = random.Random(4)
    for row in chance.sample(forms(), 300):
        text = row["ptx"]
        words = text.replace(",", " , ").replace(".", " .").split()
        chance.shuffle(words)
        for mangled in (text[: chance.randrange(len(text))], " ".join(words)):
            try:
                read(mangled).op.verify_()
            except (CompileError, VerifyException) as error:
                assert str(error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "piece", "after"),
    sampled(
        [
            ("tcgen05.alloc", ".x", " [%a], 32;"),
            ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 ", "%a, ", "32;"),
            ("tcgen05.st.sync.aligned.16x64b.x1.b32 [%a], {", "%a, ", "%a};"),
            ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, ", "(", "32;"),
            ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, ", "-", "32;"),
            ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 1", "*99999", ";"),
            ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, ", "1", ";"),
            ("add.f32 %a, %b, 1", "0", ".0;"),
            ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a", "1", ", 32;"),
        ],
        5,
    ),
)
def test_long_instructions_are_read_or_refused_in_linear_time(
    before: str, piece: str, after: str
) -> None:
    def seconds(count: int) -> float:
        def run() -> None:
            try:
                read(before + piece * count + after)
            except CompileError as error:
                assert len(str(error)) < 4000

        return seconds_of(run)

    assert seconds(10_000) < 0.1 + 40 * seconds(1_000)
