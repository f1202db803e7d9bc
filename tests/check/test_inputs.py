"""Tests of the recognition of PTX and IR: `check` reads both, the other commands only IR."""

from pathlib import Path
from typing import Any

import pytest

from tcgen05_dialect import CompileError, Source, check_source, compile_to_ptx
from tcgen05_dialect.language import language_of
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
IR_ONLY = (
    "// .version 8.6;\nptx.kernel @k() {\n  ptx.ret\n}\n",
    "builtin.module {}",
    '"tcgen05.wait"() : () -> ()',
    "!d = !tcgen05.tmem<128x32xf32>\n",
    "#i = #tcgen05.idesc<f16, f16 x f16 -> f32, 128x64>\n",
    "%0 = arith.constant 1 : i32",
    "%0, %1 = arith.addui_extended %a, %b : i32, i1",
    "%0:2 = arith.addui_extended %a, %b : i32, i1",
)
"""IR that no PTX begins like."""


@pytest.mark.parametrize("name", ["<stdin>", "kernel", "kernel.txt", "dir.ptx/kernel"])
def test_texts_without_suffix(name: str) -> None:
    assert [text for text in PTX if language_of(name, text) != "PTX"] == []
    assert [text for text in IR if language_of(name, text) != "IR"] == []


@pytest.mark.parametrize("text", [*PTX, *IR])
def test_the_suffix_comes_first(text: str) -> None:
    assert language_of("kernel.PTX", text) == "PTX"
    assert language_of("kernel.mlir", text) == "IR"


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples_are_known_for_what_they_are(example: Path) -> None:
    text = example.read_text()
    assert language_of("<stdin>", text) == "IR"
    assert language_of("<stdin>", compile_to_ptx(text, target="sm_100a")) == "PTX"


def test_ptx_without_suffix_is_checked() -> None:
    (finding,) = check_source(Source("<stdin>", PTX[-1]))
    assert finding.rule == "T5-ALLOC-001"


def test_a_misnamed_file_does_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kernel.mlir"
    path.write_text(PTX[0])
    assert main(["sim", str(path)]) == 2
    assert "the text is PTX, but the suffix .mlir is that of IR" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["k.ptx", "k.mlir"])
@pytest.mark.parametrize(("target", "version"), [("sm_90", None), (None, "1.0.0")])
def test_an_unknown_target_or_version_is_a_compile_error(
    name: str, target: str | None, version: str | None
) -> None:
    with pytest.raises(CompileError):
        check_source(Source(name, ""), target, version)


@pytest.mark.parametrize(
    ("name", "text", "found", "suffix"),
    [
        *(("k.mlir", text, "PTX", ".ptx") for text in PTX),
        *(("k.ptx", text, "IR", ".mlir") for text in IR_ONLY),
    ],
)
def test_a_wrong_suffix_is_the_only_error(name: str, text: str, found: str, suffix: str) -> None:
    (finding,) = check_source(Source(name, text))
    assert finding.message.startswith(f"the text is {found}, but the suffix ")
    assert finding.help == f"let the name of the file end in {suffix}"
    assert finding.excerpt


@pytest.mark.parametrize("command", ["compile", "opt", "sim"])
def test_ir_with_the_suffix_of_ptx_is_refused(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "kernel.ptx"
    path.write_text("ptx.kernel @k() {\n  ptx.ret\n}\n")
    assert main([command, str(path)]) == 2
    assert "; let the name of the file end in .mlir" in capsys.readouterr().err


@pytest.mark.parametrize("text", [PTX[-1], "ptx.shared_memory @x size 8 alignment 3"])
def test_text_without_a_file_is_checked(text: str) -> None:
    (finding,) = check_source(text)
    assert finding == check_source(Source("<string>", text))[0]
    assert finding.rule
    assert finding.line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Path("kernel.mlir"),), "source must be a Source, a str of text, or a module; found"),
        (("", 100), "target must be a str such as 'sm_100a', or None; found 100 of type int"),
        (("", None, 8.8), "ptx_version must be a str such as '8.8', or None; found 8.8"),
        (
            ("", None, None, "off", False, False, (), "128"),
            "block must be a list such as [128],",
        ),
        (
            ("", None, None, "off", False, False, (), ["a"]),
            "each extent of block must be an int;",
        ),
    ],
)
def test_arguments_of_other_types_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        check_source(*arguments)
    assert str(caught.value).startswith(message)
