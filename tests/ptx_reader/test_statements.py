"""Tests of statements of PTX text: reading, locations of errors, printing."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.isa.targets import TARGETS
from tcgen05_dialect.ptx_reader import Lines, read_statements
from tcgen05_dialect.ptx_reader.tokens import (
    Close,
    Directive,
    InstructionStatement,
    Label,
    Open,
    Operand,
    PtxLexer,
    Statement,
    statement_text,
)
from tcgen05_dialect.reporting.diagnostics import CompileError, Source

from ..support.effort import part, sampled
from ..support.ptx_text import print_statements
from ..support.repository import EXAMPLE_KERNELS
from ..support.timing import seconds_of

TARGET = "sm_100a"

PROGRAM = """
.version 8.6 .target sm_100a, debug .address_size 64   // three directives
.file 1 "a.c", 12, 13
.visible .func (.param .b32 r) f (.param .align 8 .b8 a[16], .reg .b32 q) .noreturn;
.global .align 4 .u64 x[2][2] = {{generic(y)+4, 1}, {0xff(y), -2}};
.global .f32 z = 0f3F800000;
.visible .entry k(.param .u64 .ptr .global .align 16 p);
.entry k2() .maxntid 128, 1, 1 .pragma "nounroll";
{
  .reg .b32 %r<5>, w; .reg .pred %p<3>;
$L1: .loc 1 2 3, function_name $info + 4, inlined_at 1 2 3
  add.u32 %r1, %r2, -5; @%p1 bra $L1; @!%p2 tcgen05.mma.cta_group::1.kind::f16 [%r0+-4], %rd0,
    /* on the next line */ %rd1, %r2, {%r1, %r2}, %p1;
  mov.u32 %r1, %tid.x; mov.u32 %r1, (1+2)*3 % 4; ld.b32 %r1, x[4];
  call.uni (%r1), f, (%r2, 5);
  tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}|%p1, [t, {%f1, %f2}];
  shfl.sync.down.b32 %r1|%p1, %r2, 0x1f, 0d3FF0000000000000, .5;
  setp.eq.and.u32 %p1|%p2, %r1, 0, !%p0;
  { { } }
  ret;
}
.section .debug_abbrev { .b8 1,2
  .b64 f+8 }
P: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;
.alias a, b;
"""


def read_source(text: str) -> tuple[list[Statement], list[CompileError]]:
    """The statements of a text, and what is wrong with it."""
    statements, faults = read_statements(text)
    return statements, Lines(Source("kernel.ptx", text)).errors(faults)


def read(text: str) -> list[Statement]:
    statements, errors = read_source(text)
    assert [str(error) for error in errors] == []
    return statements


def errors_of(text: str) -> list[str]:
    return [str(error) for error in read_source(text)[1]]


def tokens(text: str) -> list[str]:
    lexer = PtxLexer(text)
    found: list[str] = []
    while (token := lexer.next()).kind != "end":
        found.append(token.text)
    return found


def test_reads_each_kind_of_statement() -> None:
    kinds = [type(statement) for statement in read(PROGRAM)]
    assert {Label, Open, Close, Directive, InstructionStatement} == set(kinds)
    assert kinds.count(InstructionStatement) == 11
    assert kinds.count(Open) == kinds.count(Close) == 3


def test_printing_gives_the_same_tokens_back() -> None:
    statements = read(PROGRAM)
    printed = print_statements(statements)
    assert tokens(printed) == tokens(PROGRAM)
    assert read(printed) == statements


def test_an_instruction_has_a_guard_an_opcode_and_operands() -> None:
    (statement,) = read("@!%p2 tcgen05.wait::ld .sync a, [%r1+-4], {%r2, 0f3F800000}, %p|_;")
    assert isinstance(statement, InstructionStatement)
    assert statement.guard is not None
    assert (statement.guard.name, statement.guard.negated) == ("%p2", True)
    assert [word.text for word in statement.opcode] == ["tcgen05", ".wait::ld", ".sync"]
    assert [operand.form for operand in statement.operands] == ["", "[", "{", "|"]
    assert statement.operands[1].parts == (Operand(0, 0, "", ("%r1", "+", "-", "4")),)


@pytest.mark.parametrize(
    ("text", "place", "found", "legal"),
    [
        ("add.u32 %r1, %r2\nret;", "1:17", "ret", "';'"),
        ("add.u32 %r1,, %r2;", "1:13", "','", "a register, a con"),
        ("mov.b32 %r1, [%r2;", "1:18", "';'", "']'"),
        ("mov.b32 %r1, {%r2 %r3};", "1:19", "%r3", "'}'"),
        ("mov.b32 %r1, 12ab;", "1:14", "12ab", "a register, a con"),
        ("mov.b32 %r1, (1;", "1:16", "';'", "')'"),
        ('.pragma "nounroll;', "1:9", '"nounroll;', "a value"),
        (".version;", "1:9", "';'", "a number"),
        (".loc 1 2 3, nowhere 4", "1:13", "nowhere", "function_name or inlined_at"),
        (".reg .b32 %r1\nret;", "1:14", "ret", "',' or ';'"),
        (".global .b8 x[] = {1, 2;", "1:24", "';'", "'}'"),
        (".section x ret;", "1:12", "ret", "'{'"),
        (".visible ret;", "1:10", "ret", ".entry, .func, .global"),
        ("\t}", "1:2", "'}'", "no block is open"),
        ("%r1: 5;", "1:6", "5", "an instruction, a directive"),
        ("@%p 5;", "1:5", "5", "a name"),
        ("ret /* never", "1:5", "/* never", "a register, a con"),
        ("add.u32 %r1, é;", "1:14", "U+00E9 LATIN SMALL LETTER E WITH ACUTE", "a register, a con"),
        ("\ufeffret;", "1:1", "U+FEFF ZERO WIDTH NO-BREAK SPACE", "an instruction"),
        ("ret; ret\0;", "1:9", "U+0000", "a register, a con"),
        ("PK\3\4; \0;", "1:3", "U+0003", "PTX"),
        ("ret; // \0.", "1:9", "U+0000", "an instruction"),
        ("\udce9", "1:1", "byte 0xE9, which is not UTF-8", "PTX"),
        ("\ud800", "1:1", "U+D800", "PTX"),
        ("\x7f", "1:1", "U+007F", "PTX"),
        ("\vret;", "1:1", "U+000B", "an instruction"),
        ('.pragma "é";', "1:9", '"é"', "a value"),
        ("ret", "1:4", "the end of the text", "';'"),
        ("add [[[[[[[[[[1]]]]]]]]]];", "1:13", "'['", "at most 8 deep"),
    ],
)
def test_errors_say_where_and_what(text: str, place: str, found: str, legal: str) -> None:
    error = errors_of(text)[0]
    first, *excerpt = error.split("\n")
    assert first.startswith(f"kernel.ptx:{place}: error[T5-PTX-090]: ")
    assert f"; found {found}" in first
    assert legal in first.partition(" must be ")[2]
    assert excerpt.pop() == "  (PTX ISA 4.2, 4.3; tcgen05 explain T5-PTX-090)"
    if len(excerpt) > 1:
        column = int(place.partition(":")[2])
        shown = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
        assert excerpt[0] == f"  {shown}" if "\n" not in text else excerpt[0]
        assert excerpt[1].index("^") == column + 1


@pytest.mark.parametrize(
    "bad",
    [
        "add.u32 %r1, %r2 5",
        "add.u32 %r1,, %r2;",
        "mov.b32 %r1, [%r2;",
        "mov.b32 %r1, {%r2, %r3",
        'mov.b32 "abc;',
        "? ? ?",
        "%r1",
        "12ab",
        ".reg .b32 %r1",
        ".version x",
        "@ add;",
        "tcgen05.ld {%r1,\n  {%r2}, é\n  {%r3}};",
    ],
)
def test_a_bad_statement_hides_no_other(bad: str) -> None:
    statements, errors = read_source(
        f".entry k()\n{{\nbar;\n{bad}\nexit;\nret;\n}}\n.entry l() {{ }}\n"
    )
    assert len(errors) == 1
    texts = [statement_text(statement) for statement in statements]
    assert texts == [".entry k()", "{", "bar;", "exit;", "ret;", "}", ".entry l()", "{", "}"]


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples_come_back_and_assemble_the_same(path: Path) -> None:
    version = str(TARGETS[TARGET].first)
    ptx = compile_to_ptx(path.read_text(), target=TARGET, ptx_version=version)
    printed = print_statements(read(ptx))
    assert read(printed) == read(ptx)
    assert tokens(printed) == tokens(ptx)
    assert assemble(printed, TARGET).cubin == assemble(ptx, TARGET).cubin


@pytest.mark.slow
@pytest.mark.parametrize(
    ("piece", "count"),
    sampled(
        [
            ("{", 10_000),
            ("{}", 10_000),
            ("}", 10_000),
            ("[({", 10_000),
            ("x([", 10_000),
            ("/*", 50_000),
            ('"', 50_000),
            ("a ", 50_000),
            ("@", 50_000),
            (".", 50_000),
            ("1,", 50_000),
            ("é\n", 20_000),
            ("add.u32 %r1, %r2, -5; ", 20_000),
            (".global .b8 x[] = {", 10_000),
        ],
        6,
    ),
)
def test_time_is_linear(piece: str, count: int) -> None:
    def seconds(text: str) -> float:
        return seconds_of(lambda: print_statements(read_source(text)[0]))

    assert seconds(piece * count) < 0.1 + 40 * seconds(piece * (count // 10))


WORDS = [
    *("{", "}", "[", "]", "(", ")", "<", ">", ",", ";", ":", "|", "@", "!", "=", "-", "+", "%"),
    *("/*", "*/", "//", "\n", '"', '"s"', "%r1", "x", "tcgen05.mma", ".reg", ".b32", ".entry"),
    *(".version", ".loc", ".section", "8.6", "0f3F800000", "0x1", ".5", "::", "é", "/", "*", "<<"),
]


@pytest.mark.slow
@settings(max_examples=part(300), deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40), st.booleans())
def test_any_words_are_read_and_come_back(words: list[str], spaced: bool) -> None:
    statements, _ = read_source((" " if spaced else "").join(words))
    again, errors = read_source(print_statements(statements))
    balanced = sum((type(s) is Open) - (type(s) is Close) for s in statements) == 0
    assert again == statements
    assert not balanced or errors == []


@pytest.mark.slow
@settings(max_examples=part(200), deadline=None)
@given(st.text(max_size=100))
def test_any_text_is_read(text: str) -> None:
    _, errors = read_source(text)
    assert all(str(error).startswith("kernel.ptx:") for error in errors)


def test_truncated_and_shuffled_programs_are_read() -> None:
    chance = random.Random(5)
    pieces = tokens(PROGRAM)
    for _ in range(100):
        read_source(PROGRAM[: chance.randrange(len(PROGRAM))])
        chance.shuffle(pieces)
        statements, _ = read_source(" ".join(pieces))
        again, _ = read_source(print_statements(statements))
        assert again == statements
