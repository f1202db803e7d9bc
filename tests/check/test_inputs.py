"""Tests of the recognition of PTX: `check` reads it, and the other commands refuse it."""

from pathlib import Path

import pytest

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.check import check_source, is_ptx
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tools.main import main

from ..support.repository import EXAMPLE_KERNELS

PTX = (
    ".version 8.6\n.target sm_100a\n",
    "// a comment; ptx.ret\n/* ; */ .target sm_100a",
    ".visible .entry k() { ret; }",
    ".entry k() { ret; }",
    ".reg .b32 %r1;",
    "tcgen05.wait::ld.sync.aligned;",
    "@%p tcgen05.wait::ld.sync.aligned;",
    "@!%p\ttcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r],\n48;",
)
IR = (
    "",
    "// .version 8.6;\nptx.kernel @k() {\n  ptx.ret\n}\n",
    "tcgen05.wait load // ;",
    'tcgen05.wait load {x = ";"}',
    "builtin.module {}",
    '"tcgen05.wait"() : () -> ()',
    "!d = !tcgen05.tmem<128x32xf32>\n",
    "%0 = arith.constant 1 : i32",
)


@pytest.mark.parametrize("name", ["<stdin>", "kernel", "kernel.txt", "dir.ptx/kernel"])
def test_texts_without_suffix(name: str) -> None:
    assert [text for text in PTX if not is_ptx(name, text)] == []
    assert [text for text in IR if is_ptx(name, text)] == []


@pytest.mark.parametrize("text", [*PTX, *IR])
def test_the_suffix_comes_first(text: str) -> None:
    assert is_ptx("kernel.PTX", text)
    assert not is_ptx("kernel.mlir", text)


@pytest.mark.parametrize("example", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples_are_known_for_what_they_are(example: Path) -> None:
    text = example.read_text()
    assert not is_ptx("<stdin>", text)
    assert is_ptx("<stdin>", compile_to_ptx(text, target="sm_100a"))


def test_ptx_without_suffix_is_checked() -> None:
    (finding,) = check_source(Source("<stdin>", PTX[-1]))
    assert finding.rule == "T5-ALLOC-001"


@pytest.mark.parametrize("command", ["compile", "opt"])
def test_ptx_is_no_ir(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gc.freeze", lambda: None)
    path = tmp_path / "kernel"
    path.write_text(PTX[0])
    assert main([command, str(path)]) == 1
    assert "is PTX, not IR; `tcgen05 check` checks PTX" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["k.ptx", "k.mlir"])
@pytest.mark.parametrize("arguments", [{"target": "sm_90"}, {"ptx_version": "1.0.0"}])
def test_an_unknown_target_or_version_is_a_compile_error(
    name: str, arguments: dict[str, str]
) -> None:
    with pytest.raises(CompileError):
        check_source(Source(name, ""), **arguments)
