"""Tests of the language server with a real process: what an editor shows, and when."""

import re
from collections.abc import Iterator

import pytest
from lsprotocol import types as lsp
from pygls.workspace import TextDocument

from tcgen05_dialect.compiler import compile_to_ptx
from tcgen05_dialect.language_server.definitions import Text

from ..support.editor import Editor, editor
from ..support.repository import EXAMPLES, RING

pytestmark = pytest.mark.slow
GEMM = (EXAMPLES / "ws" / "gemm.mlir").read_text()
TILE = (EXAMPLES / "gemm_single_tile.mlir").read_text()
LONG = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
LOST_WAIT = "tcgen05.wait ld\n"
LOST_BARRIER = "  ptx.bar.sync %c0\n"


@pytest.fixture(scope="module")
def client() -> Iterator[Editor]:
    with editor() as made:
        yield made


@pytest.fixture
def opened(client: Editor) -> Iterator[Editor]:
    yield client
    client.close()


def _rules(found: list[lsp.Diagnostic]) -> list[object]:
    return [each.code for each in found if each.code]


def _verdict(found: list[lsp.Diagnostic]) -> str:
    return next((each.message for each in found if each.message.startswith("@")), "")


def test_race_is_shown_and_fixed(opened: Editor) -> None:
    opened.open("kernel.mlir", TILE.replace(LOST_WAIT, "", 1))
    found = opened.published(lambda found: bool(_rules(found)))
    (race,) = (each for each in found if each.code)
    assert race.code == "T5-SIM-014"
    assert race.severity == lsp.DiagnosticSeverity.Error
    assert race.code_description is not None
    assert race.code_description.href.endswith("/rules/T5-SIM-014.mlir")
    line = opened.text.split("\n")[race.range.start.line]
    assert line[race.range.start.character : race.range.end.character] == "tcgen05.ld"
    assert race.related_information and "replay" not in race.message

    opened.fix(race, "insert `tcgen05.wait ld`")
    assert _rules(opened.published()) == []
    opened.save()
    verified = opened.published(lambda found: bool(_verdict(found)))
    assert _rules(verified) == [] and ": verified" in _verdict(verified)
    assert opened.text.count(LOST_WAIT) == TILE.count(LOST_WAIT)


INIT = """\
.version 8.6
.target sm_100a
.address_size 64
.entry k()
.reqntid 32
{
	.shared .align 8 .b64 full;
	.reg .b32 %r<3>;
	mov.u32 %r1, full;
	mbarrier.init.shared.b64 [%r1], 1;
	ret;
}
"""


def test_a_warning_is_allowed_in_its_line(opened: Editor) -> None:
    opened.open("kernel.ptx", INIT)
    (warning,) = opened.published(lambda found: "T5-SIM-051" in _rules(found))[1:]
    assert warning.severity == lsp.DiagnosticSeverity.Warning
    opened.fix(warning, "Allow T5-SIM-051 in this line")
    assert opened.text == INIT.replace("1;\n", "1;  // tcgen05: allow T5-SIM-051\n")
    opened.save()
    assert _rules(opened.published(lambda found: bool(_verdict(found)))) == []


def test_comments_of_llvm_ir() -> None:
    document = TextDocument("file:///nowhere/kernel.ll", "")
    assert Text(document).comment("tcgen05: allow X") == "; // tcgen05: allow X"


def test_commands(opened: Editor) -> None:
    opened.open("kernel.mlir", RING.read_text().replace(LOST_BARRIER, "", 1))
    (fixed,) = opened.command("tcgen05.fixAll")
    assert fixed == RING.read_text()
    opened.change(fixed)
    assert opened.published() == []
    opened.command("tcgen05.check")
    assert ": verified" in _verdict(opened.published(lambda found: bool(found)))
    opened.command("tcgen05.check", "file:///nowhere/closed.mlir")
    (message,) = (each.message for each in opened.client.log_messages)
    assert message == "file:///nowhere/closed.mlir is not open"
    opened.client.log_messages.clear()


def test_errors_appear_while_typing(opened: Editor) -> None:
    """Columns are those of the client, which counts some characters twice."""
    opened.open("kernel.mlir", LONG)
    opened.published()
    marked = "%c0 = arith.constant 0 : i32"
    wrong = '%x = arith.constant {a = "\N{GRINNING FACE}"} %nothing : i32'
    opened.change(LONG.replace(marked, f"{marked}\n  {wrong}", 1))
    (error,) = opened.published()
    assert error.message.startswith("expected")
    assert error.range.start == opened.position("|%nothing")
    assert error.range.end == opened.position("%nothing|")
    opened.change(LONG.replace(marked, f"{marked}\n  %x = arith.addi %c0", 1))
    (error,) = opened.published()
    assert error.message == "expected ','; found the end of the line"
    assert error.range.end == opened.position("%x = arith.addi %c0|")
    opened.change(LONG)
    assert opened.published() == []


def test_many_fast_changes(opened: Editor) -> None:
    opened.open("kernel.mlir", GEMM)
    opened.published()
    for count in range(50):
        opened.change(GEMM[: len(GEMM) - 20 * count])
    opened.change(GEMM.replace("%ab by mma", "%abc by mma"))
    (error,) = opened.published()
    assert error.message == "%abc is used but not defined before\nhelp: did you mean %ab?"


GARBAGE = {
    "kernel.mlir": (
        "",
        "ptx.kernel @k(%a : i32 {\n  %",
        "{" * 3000,
        "}{)(" * 9,
        '"',
        "%a, " * 5_000,
        "arith." * 20_000,
        "%a\r%b\x0b%c\u2028%d = \n^\n@",
    ),
    "kernel.ptx": (
        "",
        "\0\x01\ufffe\ud7ff" * 40,
        ".version 8.6\n.target sm_100a\n.entry k(.param",
        "{" * 3000,
        "@%p bra",
        "x" * 200_000,
        "/* " * 50_000,
        "/*",
    ),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage(opened: Editor, name: str) -> None:
    """Each feature answers, whatever the text is, and the server logs no internal error."""
    opened.open(name, "garbage")
    for text in GARBAGE[name]:
        opened.change(f"{text}\n%")
        found = opened.published()
        assert not any("internal error" in each.message for each in found)
        for at in (lsp.Position(10**6, 10**6), lsp.Position(0, 1), opened.position(text[:1])):
            here = opened.document, at
            opened.wait(opened.client.text_document_hover_async(lsp.HoverParams(*here)))
            opened.wait(opened.client.text_document_completion_async(lsp.CompletionParams(*here)))
            opened.wait(opened.client.text_document_definition_async(lsp.DefinitionParams(*here)))
            context = lsp.ReferenceContext(include_declaration=True)
            params = lsp.ReferenceParams(context, *here)
            opened.wait(opened.client.text_document_references_async(params))
        symbols = lsp.DocumentSymbolParams(opened.document)
        opened.wait(opened.client.text_document_document_symbol_async(symbols))
        opened.hints()
    assert opened.client.log_messages == []


def test_ir_is_explained(opened: Editor) -> None:
    opened.open("kernel.mlir", LONG)
    opened.published()
    mma = opened.hover("tcgen05.m|ma %acc, %a_0, %b_0")
    assert "Multiply a dense A by B" in mma and "9.7.16.10.9.1" in mma
    assert "bf16 x bf16 -> f32, 128x256" in mma
    assert "`tiles`, plus one of 0, 16384, 32768, 49152" in opened.hover("%a_t|ile = ")
    assert "!tcgen05.tmem<128x256xf32>" in opened.hover("mma %a|cc, %a_0[k = 16]")
    assert "data path layout" in opened.hover("!tcgen05.tm|em")
    assert opened.definition("mma %a|cc, %a_0, ") == [
        "%acc = tcgen05.load_address %slot : !accumulator"
    ]
    assert opened.definition("ptx.address_of @ti|les")[0].startswith("ptx.shared_memory @tiles")
    assert "tcgen05.relinquish_alloc_permit" in opened.completions("tcgen05.|mma %acc, %a_0, %b_0")
    assert "!tcgen05.tmem" in opened.completions("!tcg|en05")
    assert "%not_first_block" in opened.completions("accumulate %|not_first")


def test_rules_are_completed_and_explained(opened: Editor) -> None:
    opened.open("kernel.mlir", "// tcgen05: allow T5-SIM-03\n")
    opened.published()
    assert opened.completions("allow T5-SIM-03|") == [f"T5-SIM-03{n}" for n in range(10)]
    opened.change("// tcgen05: allow T5-SIM-030\n")
    assert "Fix:" in opened.hover("T5-SIM|-030")


def test_ptx_is_explained(opened: Editor) -> None:
    ptx = compile_to_ptx(LONG)
    opened.open("kernel.ptx", ptx)
    opened.published()
    hints = opened.hints()
    lines = [n for n, line in enumerate(ptx.split("\n"), 1) if "tcgen05.mma" in line]
    assert [hints[line] for line in lines] == [
        "f16, bf16 x bf16 -> f32, 128x256; a: swizzle_128b, stride 1024, leading 16; "
        "b: swizzle_128b, stride 1024, leading 16"
    ] * len(lines)
    assert "kind f16" in opened.hover("1384|13200")
    assert "Multiply a dense A by B" in opened.hover("tcgen05.m|ma.")
    (word,) = re.findall(r"add\.s32 (%r\d+), %r\d+, %r\d+;\n\tmbarrier\.init", ptx) or ["%r23"]
    assert "`stages_" in opened.hover(f"add.s32 {word[:2]}|{word[2:]}")
    assert opened.definition("bra $L_|_5")[0] == "$L__5:"
    assert opened.definition("bra %w|ait") == ["%wait:"]
    assert "kind::f16" in opened.completions("tcgen05.mma.cta_group::1.k|ind::f16")
    found = opened.published(lambda found: bool(_verdict(found)))
    assert ": verified" in _verdict(found)
    assert opened.hints()[11] == "verified"
