"""Tests of PTX text that is not legal: its import ends in errors with places in the text."""

import random
import re

import pytest

from tcgen05_dialect.assembler import assemble
from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import import_source, print_ptx
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.types import target_of
from tcgen05_dialect.reporting.diagnostics import CompileError, Source

from ..support.effort import part
from ..support.repository import LIT_TESTS

HEADER = ".version 8.8\n.target sm_100a\n.address_size 64\n"
HUGE = 1 << 70
INPUTS = [
    (LIT_TESTS / "tools" / "Inputs" / name).read_text() for name in ("edge_cases.ptx", "calls.ptx")
]


def errors(text: str) -> list[tuple[int, str]]:
    """The line and the rule of each error of an import."""
    try:
        import_source(Source("kernel.ptx", text))
    except CompileError as error:
        return [(each.line, each.rule) for each in error.findings]
    return []


def test_element_of_a_vector_register() -> None:
    body = ".reg .v4 .b32 v; mov.b32 v.x, 1; st.shared.b32 [0], v.x; ret;"
    module = import_source(Source("kernel.ptx", f"{HEADER}.visible .entry k() {{ {body} }}")).module
    target = target_of(module)
    assert target is not None
    assert "st.shared.b32" in print_ptx(module, target)


def test_vector_register() -> None:
    """The name of a vector stands for its elements, until its block ends."""
    sets = " ".join(f"mov.b32 v.{element}, {value};" for value, element in enumerate("xyzw"))
    inner = f"{{ .reg .v4 .b32 v; {sets} st.shared.v4.b32 [0], v; }}"
    outer = "{ .reg .b32 v; mov.b32 v, 7; st.shared.b32 [16], v; st.shared.b32 [20], v; }"
    around = inner.replace("}", f"{outer} st.shared.v4.b32 [32], v; }}")
    body = f"{inner} {outer} {around}"
    module = import_source(Source("kernel.ptx", f"{HEADER}.visible .entry k() {{ {body} }}")).module
    target = target_of(module)
    assert target is not None
    text = print_ptx(module, target)
    assert [text.count(each) for each in ("st.shared.v4.b32", "st.shared.b32")] == [3, 4]


@pytest.mark.parametrize(
    ("header", "body", "rule"),
    [
        (".param .u64 a x .param .u64 b", "", "T5-PTX-090"),
        (".param .u64 a .param .u64 b", "", "T5-PTX-090"),
        (".param .u64 a, b", "", "T5-PTX-090"),
        ("", ".shared r, 128;", "T5-PTX-090"),
        ("", ".shared .b8 r[4], 128;", "T5-PTX-090"),
        ("", ".shared .b8 128;", "T5-PTX-090"),
        (".param .u64 a, .param .u64 a", "", "T5-PTX-070"),
        (".param .u64 a", ".reg .b32 a;", "T5-PTX-070"),
        ("", ".reg .b32 a; .reg .b32 a;", "T5-PTX-070"),
        ("", ".reg .b32 a<4>; .reg .b32 a<8>;", "T5-PTX-070"),
        ("", ".reg .v2 .b32 a; .reg .v2 .b32 a;", "T5-PTX-070"),
    ],
)
def test_declaration_that_ptx_does_not_allow(header: str, body: str, rule: str) -> None:
    """ptxas refuses each of them."""
    text = f"{HEADER}.visible .entry k({header})\n{{\n{body}\nret;\n}}\n"
    found = errors(text)
    assert {each for _, each in found} == {rule}


KERNEL = ".visible .entry k() { ret; }"


@pytest.mark.parametrize(
    "text",
    [
        *(f".entry k({each}) {{ ret; }}" for each in (",", ",.param .b64 p", ".param .b64 p,")),
        *(
            f".entry k(.param {each}) {{ ret; }}"
            for each in ("", ",.b64 p", ".b64, p", ".b64 p[,]")
        ),
        ".entry k(.param .b64 p,,.param .b64 q) { ret; }",
        ".entry k(.param .align , 8 .b8 p[4]) { ret; }",
        ".entry k(p) { ret; }",
        ".entry k, () { ret; }",
        ".entry k() () { ret; }",
        *(f".entry k() .maxntid {each} {{ ret; }}" for each in ("1,", ",1", "1,,1", "1 1")),
        ".entry k() ,.reqntid 1 { ret; }",
        ".entry k() .explicitcluster, { ret; }",
        *(f".entry k() {{ .reg {each}; ret; }}" for each in (",.b32 a", ".b32, a", ".b32 ,a")),
        *(
            f".entry k() {{ .reg .b32 a{each}; ret; }}"
            for each in (",", ",,b", "<>", "<,>", "<4>>")
        ),
        *(
            f".entry k() {{ .reg .b32 a{each}; ret; }}"
            for each in ("<<4>", "<4 ", "<-4>", "<4>[2]")
        ),
        *(f".shared .b8 a[{each}]; {KERNEL}" for each in (",4", "4,", "[4]", "{4}", "4][,")),
        *(f".shared {each}; {KERNEL}" for each in (".b8 ,a", ".b8 a,", ".align .b8 a", ".b8 a,,b")),
        *(
            f".global .b32 a[2] = {each}; {KERNEL}"
            for each in ("{1,}", "{,1}", "{1,,2}", "", "= 1")
        ),
        *(f".global .b32 a[2] = {each}; {KERNEL}" for each in ("1 2", "{{1},}", "(1", "(1,)", "-")),
        *(f".pragma {each}; {KERNEL}" for each in ('"a",', ',"a"', '"a",,"b"', "", ",", '"a" "b"')),
        *(f".entry k() {{ L: .branchtargets {each}; ret; }}" for each in (",", "L,", ",L")),
        *(f".entry k() {{ L: .callprototype {each}; ret; }}" for each in ("_ (,)", "(,) _ ()")),
        *(f".func {each} {{ ret; }} {KERNEL}" for each in ("f(,)", "(,) f()", ", f()", "f,()")),
        f".func f(.reg .b32 r,) {{ ret; }} {KERNEL}",
        f".alias a,; {KERNEL}",
        f".section .debug {{ .b8 1,\n }} {KERNEL}",
        ".func f() { ret; } .entry k() { call f,(,); ret; }",
        ".func f() { ret; } .entry k() { call (,),f,(); ret; }",
    ],
)
def test_misplaced_punctuation(text: str) -> None:
    """ptxas refuses each of them."""
    assert {rule for _, rule in errors(f"{HEADER}{text}")} == {"T5-PTX-090"}


@pytest.mark.parametrize(
    "text",
    [
        *(f".entry k() .reqntid 1{each}" for each in ("; { ret; }", ";")),
        *(f".shared .b8 a[{each}]; {KERNEL}" for each in ("(4)", "4+4", "1 << 3", "!0", "1.0")),
        *(f".shared .b8 {each}; {KERNEL}" for each in ("a[]", "a[4][]", "a = 3", ".b8 a")),
        *(f".extern .global .b8 {each}; {KERNEL}" for each in ("a[4][]", "a = 3")),
        *(f"{each} .visible .entry k() {{ ret; }}" for each in (".visible", ".weak", ".extern")),
        *(f"{each} .entry k() {{ ret; }}" for each in (".common", ".visible .weak")),
        *(f".visible {each} {KERNEL}" for each in ('.pragma "a";', ".section .s { .b8 1 }")),
        *(f".common {each} .b32 a; {KERNEL}" for each in (".shared", ".const")),
        *(f"{each} .b32 a; {KERNEL}" for each in (".visible .reg", ".global .reg")),
        *(f"{each} .pred a; {KERNEL}" for each in (".shared", ".global")),
        *(f".entry k({each}) {{ ret; }}" for each in (".reg .b32 a", ".param .b32 a[]")),
        *(f".entry k(.param {each}) {{ ret; }}" for each in ("a", ".b32 .b32 a", ".pred a")),
        *(
            f".entry k() {{ {each}; ret; }}"
            for each in (".visible .shared .b8 a[4]", ".reg .b32 a[4]", ".reg .reg .b32 a")
        ),
        *(f".entry k() {{ .reg .v2 {each} a; ret; }}" for each in (".pred", ".b128")),
        *(f".shared .v4 {each} a[2]; {KERNEL}" for each in (".f64", ".b64")),
        *(f".entry k() {{ {each}; ret; }}" for each in (".sync 0", ".b32 %r2, %r1", ".u32 1")),
    ],
)
def test_wrong_declaration(text: str) -> None:
    """ptxas refuses each of them."""
    assert {rule for _, rule in errors(f"{HEADER}{text}")} == {"T5-PTX-090"}


@pytest.mark.parametrize(
    "text",
    [
        ".entry k(.param .u64 .ptr .global .align 16 p, .param .b8 .align 8 q[4]) { ret; }",
        '.entry k() .maxnreg 32 .pragma "nounroll"; .reqntid 32 { ret; }',
        f".func (.reg .b32 r) f(.reg .pred a, .param .b8 b[]) {{ ret; }} {KERNEL}",
        f".extern .func f() .noreturn; .func g(); .func g() {{ ret; }} {KERNEL}",
        f".global .attribute(.managed) .align 8 .b32 a[4]; .common .global .b32 z; {KERNEL}",
        f".global .u64 b[4]; .global .u64 a[] = {{generic(b), b+4}}; {KERNEL}",
        f".weak .global .u8 x[] = {{1,2,3}}; .visible .const .f32 y = 1.0; {KERNEL}",
        f".extern .shared .align 16 .b8 dyn[][4]; .shared .b8 a[WARP_SZ]; {KERNEL}",
        ".entry k() { .global .b32 a = 3; { .param .align 8 .b8 q[16]; } ret; }",
        ".shared .v2 .f64 a[2]; .global .v4 .b16 b; .entry k() { .reg .v2 .b64 w; ret; }",
        '.entry k() { .reg .v4 .f32 v; .pragma "nounroll"; L: .branchtargets L; ret; }',
        ".entry k() { p: .callprototype (.param .b32 _) _ (.param .align 4 .b8 _[8]); ret; }",
    ],
)
def test_declaration_that_ptxas_takes(text: str) -> None:
    assert errors(f"{HEADER}{text}") == []
    assemble(f"{HEADER}{text}", "sm_100a")


def test_size_by_initial_value() -> None:
    text = f"{HEADER}.global .u16 x[] = {{1, 2, 3}}; {KERNEL}"
    printed = print_ptx(*import_source(Source("kernel.ptx", text)))
    assert "x[6] = {1, 0, 2, 0, 3}" in printed


def test_names_in_other_scopes() -> None:
    body = ".reg .b32 a; .reg .b32 a<4>; { .reg .b32 a; { .reg .b32 a; } } { .reg .b32 a; }"
    text = f"{HEADER}.visible .entry k() {{ {body} ret; }} .visible .entry l() {{ {body} ret; }}"
    assert errors(text) == []
    assert check_source(Source("kernel.ptx", text)) == []


@pytest.mark.parametrize(
    ("directive", "body", "rule"),
    [
        (f".reqntid {HUGE}", "", "T5-PTX-074"),
        (f".maxntid 1, {HUGE}", "", "T5-PTX-074"),
        (f".maxnreg {HUGE}", "", "T5-PTX-076"),
        (f".reqntid 32 .minnctapersm {HUGE}", "", "T5-PTX-077"),
        ("", f".shared .align {HUGE} .b8 a[4];", "T5-PTX-071"),
        ("", f".shared .b8 a[{1 << 40}];", "T5-PTX-072"),
    ],
)
def test_large_integer(directive: str, body: str, rule: str) -> None:
    text = f"{HEADER}.visible .entry k()\n{directive}\n{{\n{body}\nret;\n}}\n"
    assert [each for _, each in errors(text)] == [rule]


@pytest.mark.slow
@pytest.mark.parametrize("text", INPUTS)
def test_damaged_text(text: str) -> None:
    """Tokens are removed, repeated and exchanged: the import gives errors or a module."""
    tokens = re.findall(r"\s+|[.%\w$]+|.", text, re.DOTALL)
    words = [each for each in tokens if not each.isspace()]
    chance = random.Random(7)
    refused = 0
    for _ in range(part(150)):
        damaged = list(tokens)
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.randrange(len(damaged))
            instead = chance.choice(([], [damaged[at]] * 2, [f" {chance.choice(words)} "]))
            damaged[at : at + 1] = instead
        found = errors("".join(damaged))
        refused += bool(found)
    assert refused


def test_guarded_addresses_and_parameters() -> None:
    """A guard may hold every instruction that is an operation without effects elsewhere."""
    body = (
        ".reg .b32 %r<3>; .reg .b64 %d; .reg .pred %p; .shared .b32 s[4]; setp.ne.b32 %p, 1, 0;\n"
        "@%p mov.u32 %r1, s+4; @!%p ld.param.u32 %r2, [a]; @%p mov.b64 %d, a; ret;"
    )
    text = f"{HEADER}.visible .entry k(.param .u32 a) {{ {body} }}"
    assert check_source(Source("kernel.ptx", text)) == []
    printed = print_ptx(*import_source(Source("kernel.ptx", text)))
    assert "@!%p1 mov.b32" in printed


def test_cluster_that_a_launch_may_give_again() -> None:
    text = f"{HEADER}.visible .entry k() .reqnctapercluster 0x2, 1 {{ ret; }}"
    module, target = import_source(Source("kernel.ptx", text))
    (kernel,) = module.ops
    assert isinstance(kernel, KernelOp)
    assert kernel.extents("cluster_dims") == (2, 1)
    assert print_ptx(module, target).count("cluster") == 1


@pytest.mark.parametrize(
    ("statement", "rule", "column", "said"),
    [
        ("tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %r2, %r3, %p1;", "T5-PTX-080", 48, "%r2"),
        ("add.s32 %r1, %r2;", "T5-PTX-093", 9, "found 2"),
        ("add.s32 %r1, %r77, 4;", "T5-PTX-094", 14, "%r77"),
        ("foo.bar %r77, 4;", "T5-PTX-094", 9, "%r77"),
        ("add.s32 %r1, %d1, 4;", "T5-PTX-080", 14, "%d1"),
        ("add.s32 %r1, r2, 4;", "T5-PTX-094", 14, "r2"),
        ("tcgen5.wait::ld.sync.aligned;", "T5-PTX-091", 1, "tcgen5"),
        ("bra L;", "T5-PTX-094", 5, "L"),
        ("@%p8 ret;", "T5-PTX-094", 1, "%p8"),
        ("@%r1 ret;", "T5-PTX-080", 1, "%r1"),
        (f".shared .b8 big[{HUGE}];", "T5-PTX-072", 1, str(HUGE)),
        ("foo.bar %r1, 4; foo.bar %r2, 4;", "T5-PTX-091", 1, "not understood: foo.bar"),
        (".foo 3;", "T5-PTX-251", 1, "PTX has no directive .foo"),
    ],
)
def test_wrong_statement(statement: str, rule: str, column: int, said: str) -> None:
    """ptxas refuses each of them. One finding marks the place, and others are not hidden."""
    declared = ".reg .b32 %r<5>; .reg .b64 %d<3>; .reg .pred %p<3>;"
    wrong = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 33;"
    text = f"{HEADER}.visible .entry k() {{ {declared}\n{statement}\n{wrong}\nret; }}"
    first, second = check_source(Source("kernel.ptx", text))
    assert (first.line, first.column, first.rule) == (5, column, rule)
    assert said in first.message and first.excerpt
    is_unknown = said.startswith(("not understood", "PTX has no"))
    assert first.severity == ("warning" if is_unknown else "error")
    assert (second.line, second.rule) == (6, "T5-ALLOC-001")


def test_a_kernel_with_a_wrong_header_and_descriptors() -> None:
    """Its instructions are in no function, so nothing is known of their registers."""
    text = f"{HEADER}.visible .entry k(.param .pred p)\n{{ tcgen05.wait::ld.sync.aligned; ret; }}\n"
    (found,) = check_source(Source("kernel.ptx", text))
    assert (found.line, found.rule) == (4, "T5-PTX-090")


def test_a_misspelt_name_has_a_hint() -> None:
    body = ".reg .b32 %r1;\nmbarier.init.shared::cta.b64 [%r1], 1;\nret;"
    (found,) = check_source(Source("k.ptx", f"{HEADER}.visible .entry k() {{ {body} }}"))
    assert found.help == "did you mean mbarrier?"


def test_zero_behind_the_text() -> None:
    text = f"{HEADER}.visible .entry k() {{ ret; }}\n"
    assert check_source(Source("k.ptx", f"{text}\0")) == []
    assert check_source(Source("k.ptx", f"{text}\0ret;")) != []


@pytest.mark.parametrize(
    "directives",
    [
        ".minnctapersm 2",
        ".minnctapersm 33 .maxntid 32",
        ".reqntid 32 .minnctapersm 4294967295",
        ".minnctapersm 2 .maxnreg 64",
    ],
)
def test_ptxas_ignores_minnctapersm(directives: str) -> None:
    text = f"{HEADER}.visible .entry k()\n{directives}\n{{\nret;\n}}\n"
    assert check_source(Source("k.ptx", text)) == []
    (number,) = re.findall(r"\.minnctapersm \d+", directives)
    printed = print_ptx(*import_source(Source("k.ptx", text)))
    assert number in printed
    assemble(printed, "sm_100a")
