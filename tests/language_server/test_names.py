"""Tests of names and their places in texts, also in half-typed ones."""

import pytest

from tcgen05_dialect.compiler import compile_to_ptx
from tcgen05_dialect.language import Language
from tcgen05_dialect.language_server.definitions import Names, names_of

from ..support.repository import EXAMPLE_KERNELS, EXAMPLES

GEMM = (EXAMPLES / "ws" / "gemm.mlir").read_text()


def _lines(text: str, names: Names, use: str) -> list[int]:
    """The lines that define the name at the first bar in a part of the text, or write it."""
    before, _, after = use.partition("|")
    found = names.at(text.index(before + after) + len(before))
    assert found is not None
    places = found[0].writes or found[0].definitions
    return [text.count("\n", 0, start) + 1 for start, _ in places]


@pytest.mark.parametrize(
    ("use", "definition"),
    [
        ("ws.mma %|d, %sa", "ws.produce %acc by mma (%d)"),
        ("ws.tmem_load %|d[", "ws.consume %acc by threads (%d)"),
        ("%first_row, %|t", "ws.role @epilogue warps(4) threads(%t)"),
        ("muli %|i, %c128", "ws.warp_specialize tiles(%i, %j)"),
        ("ws.tma_load %|a_map", "ptx.kernel @gemm(%a_map"),
        ("of (%m, %|n)", "%m : i32 {ptx.at_least"),
        ("= %c0 to %c256 step %|c32", "%c32 ="),
        (": !a, !|b", "!b ="),
    ],
)
@pytest.mark.parametrize("is_cut", [False, True])
def test_values_of_ir(use: str, definition: str, is_cut: bool) -> None:
    """A name of a region is not that of another region, with and without the end of the text."""
    after = GEMM.index(use.replace("|", "")) + len(use)
    text = GEMM[:after] if is_cut else GEMM
    line = text.count("\n", 0, text.index(definition)) + 1
    assert _lines(text, names_of(text, "IR"), use) == [line]


def test_blocks_and_symbols_of_ir() -> None:
    text = """\
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k(%n : i32) {
  %a = ptx.address_of @slot : i32  // %later @slot
  cf.br ^loop(%a : i32)
^loop(%i : i32):
  %b = arith.addi %i, %later : i32
  cf.br ^loop(%b : i32)
^other:
  %later = arith.constant 1 : i32
  ptx.ret
}
"""
    names = names_of(text, "IR")
    for use, line in (
        ("address_of @|slot", 1),
        ("br ^|loop(%a", 5),
        ("addi %|i", 5),
        ("%i, %|later", 9),
    ):
        assert _lines(text, names, use) == [line]
    assert [each.text for each in names.symbols] == ["@slot", "@k"]


@pytest.mark.parametrize("language", ["IR", "PTX"])
def test_every_name_of_the_examples_is_defined(language: Language) -> None:
    for file in EXAMPLE_KERNELS:
        text = file.read_text()
        text = compile_to_ptx(text) if language == "PTX" else text
        names = names_of(text, language)
        undefined = {each.text for each in names.all if not each.definitions}
        assert undefined <= {"%tid", "%ctaid", "_"}


def test_names_of_ptx() -> None:
    text = """\
.version 8.6
.target sm_100a
.shared .align 8 .b8 full[8];
.visible .entry k(.param .u64 p)
{
\t.reg .b32 %r<4>;
\t.reg .pred %p1;
\tld.param.b32 %r1, [p];
\t@%p1 bra LATER;
{\t.reg .pred %done;
%wait:
\tmbarrier.try_wait.parity.shared::cta.b64 %done, [full], %r1; // %r2
\t@!%done bra %wait;
}
LATER:
\tadd.s32 %r1, %r1,
\tret;
}
"""
    names = names_of(text, "PTX")
    assert _lines(text, names, "], %|r1; //") == [8, 16]
    for use, line in (
        ("bra LAT|ER", 15),
        ("@!%|done", 12),
        ("bra %|wait", 11),
        ("[|full]", 3),
        ("[|p]", 4),
        ("@%|p1", 7),
    ):
        assert _lines(text, names, use) == [line]
    assert [each.text for each in names.symbols] == ["full", "k"]
