"""Tests of errors that every use of an alias has: they are reported once, at the alias."""

from pathlib import Path

import pytest

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source
from tcgen05_dialect.tools.main import main

BEGIN = """\
// #idesc is no use of it.
!a = !tcgen05.smem_descriptor<128x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x128xf32>
#idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, {}x128> // M x N
#idesc2 = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128>
ptx.kernel @k(%slot : i32, %tile : i32) {{
  %p = arith.constant true
  %d = tcgen05.load_address %slot : !d
  %a = tcgen05.descriptor %tile : !a
"""
MMA = "  tcgen05.mma %d, %a, %a accumulate %p {{idesc = {}}} : !d, !a, !a\n"
END = "  ptx.ret\n}\n"
FIRST = BEGIN.count("\n") + 1
"""The line of the first use."""


def _text(*used: str, m: int = 96) -> str:
    return "".join((BEGIN.format(m), *map(MMA.format, used), END))


def _check(text: str) -> list[Finding]:
    return check_source(Source("k.mlir", text))


@pytest.mark.parametrize("count", [2, 3, 7])
def test_an_error_of_every_use_is_one_of_the_alias(count: int) -> None:
    (finding,) = _check(_text(*["#idesc"] * count, "#idesc2"))
    assert (finding.rule, finding.line, finding.column) == ("T5-SHAPE-002", 4, 10)
    line, carets, note, *use = finding.excerpt.splitlines()
    assert line[carets.index("^") : len(carets)] == line[9:].partition(" //")[0]
    assert note == f"k.mlir:{FIRST}:41: note: the first of {count} uses of #idesc"
    assert "^^^^^^^^^^^^^^" in use[1]


def test_an_error_of_a_single_use_stays_there() -> None:
    (finding,) = _check(_text("#idesc", "#idesc2"))
    assert finding.line == FIRST
    assert "note" not in finding.excerpt


def test_an_error_of_some_uses_stays_there() -> None:
    wrong = MMA.format("#idesc2").replace("!d, !a, !a", "!d, !a, !b")
    other = "!b = !tcgen05.smem_descriptor<64x64xbf16, k_major, swizzle_128b>\n"
    second = "  %b = tcgen05.descriptor %tile : !b\n"
    both = wrong.replace("%a, %a", "%a, %b") * 2
    text = _text("#idesc2", m=128).replace(END, f"{second}{both}{END}")
    found = _check(other + text)
    assert len(found) == 2
    assert all(finding.line > FIRST for finding in found)


def test_an_error_without_an_alias_stays_there() -> None:
    value = "#tcgen05.idesc<f16, bf16 x bf16 -> f32, 96x128>"
    assert [finding.line for finding in _check(_text(value, value))] == [FIRST, FIRST + 1]


def test_other_errors_stay() -> None:
    text = f"{_text('#idesc', '#idesc')}ptx.shared_memory @x size 8 alignment 3\n"
    assert [finding.line for finding in _check(text)] == [4, text.count("\n")]


@pytest.mark.parametrize("command", ["compile", "opt"])
def test_the_commands_report_the_alias(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "k.mlir"
    file.write_text(_text("#idesc", "#idesc"))
    assert main([command, str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"{file}:4:10: error[T5-SHAPE-002]: tcgen05.mma: ")


def test_the_exception_names_the_alias() -> None:
    with pytest.raises(CompileError) as caught:
        compile_to_ptx(_text("#idesc", "#idesc"))
    assert str(caught.value.location) == "<string>:4:10"
    assert caught.value.rules == ("T5-SHAPE-002",)
