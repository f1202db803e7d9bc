"""The pages of docs/ are current, and what they show of programs is true."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tcgen05_dialect import CompileError, assemble, compile_to_ptx
from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tcgen05.dialect import TCGEN05

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SCRIPTS = sorted(DOCS.glob("generate_*.py"))
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.fixture(autouse=True)
def docs_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripts share modules that lie beside them."""
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_page_is_current(script: Path) -> None:
    """`make docs` writes them."""
    page = runpy.run_path(str(script))
    assert page["FILE"].read_text() == page["text"](), "run make docs"
    pictures: dict[Path, str] = page["pictures"]() if "pictures" in page else {}
    assert all(file.read_text() == text for file, text in pictures.items()), "run make docs"
    assert set(pictures) == {each for file in pictures for each in file.parent.iterdir()}


class Block(NamedTuple):
    """
    A fenced block of a page.

    `mlir` is a program; `mlir part` is a part of the program that all of them make together, and
    `mlir wrong` is one with an error. `ptx` are lines that the program before it becomes, and
    `console` are commands on a file that holds it, with what they print; `...` ends it early.
    """

    language: str
    word: str
    text: str
    line: int
    program: str
    """The program that it is or is about."""


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text()
    found = re.compile(r"^```(\w*) ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    parts = "".join(match[3] for match in found.finditer(text) if match[2] == "part")
    program = ""
    for match in found.finditer(text):
        if match[1] == "mlir":
            program = parts if match[2] == "part" else match[3]
        line = text.count("\n", 0, match.start()) + 1
        yield Block(match[1], match[2], match[3], line, program)


def programs(page: Path) -> dict[str, int]:
    """The programs of a page that are right, with the line where each begins."""
    shown = [block for block in blocks(page) if block.language == "mlir" and block.word != "wrong"]
    return {block.program: block.line for block in reversed(shown)}


@each_page
def test_programs_compile(page: Path) -> None:
    for program, line in programs(page).items():
        try:
            compile_to_ptx(program)
        except CompileError as error:
            pytest.fail(f"{page.name}:{line}: {error}")


@pytest.mark.slow
@each_page
def test_ptxas_has_nothing_to_say(page: Path) -> None:
    for program, line in programs(page).items():
        ptx = compile_to_ptx(program)
        target = re.search(r"^\.target (\w+)", ptx, re.MULTILINE)
        assert target is not None
        assert assemble(ptx, target[1]).messages == "", f"{page.name}:{line}"


@each_page
def test_programs_become_what_is_shown(page: Path) -> None:
    for block in blocks(page):
        if block.language == "ptx":
            actual = iter(line.strip() for line in compile_to_ptx(block.program).splitlines())
            for line in filter(None, map(str.strip, block.text.splitlines())):
                assert line in actual, f"{page.name}:{block.line}: {line}"


@pytest.mark.slow
@each_page
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.language != "console":
            continue
        for shown in block.text.split("$ ")[1:]:
            command, _, expected = shown.partition("\n")
            program, *arguments = command.split()
            assert program == "tcgen05"
            for file in (each for each in arguments if each.endswith(".mlir")):
                (tmp_path / file).write_text(block.program)
            run = [sys.executable, "-m", "tcgen05_dialect.tools.main", *arguments]
            done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
            if expected.endswith("...\n"):
                assert done.stdout.startswith(expected.removesuffix("...\n"))
            else:
                assert done.stdout + done.stderr == expected


def headings(page: Path) -> set[str]:
    """The ends of links to the headings of a page."""
    anchor = runpy.run_path(str(DOCS / "pages.py"))["anchor"]
    return {anchor(line) for line in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        path, _, end = link.partition("#")
        if "://" not in link:
            target = page.parent / path if path else page
            assert target.exists(), link
            assert not end or end in headings(target), link


PIECES = {
    r"type\(%\w+\)": r"!tcgen05\.\w+<[^>]*>",
    r"attr-dict": r"(\{.*\})?",
    r"%\w+": r"%[\w#]+(, %[\w#]+)*",
    r"<\w+>": r"[%\w-]+",
    r" +": r"\s*",
    r"\((?P<inner>([^()]|\([^()]*\))*)\)\?": "",
    r".": "",
}
"""Parts of a syntax of dialect.md, and what they match; without an entry, themselves."""


def pattern(syntax: str) -> str:
    """The texts that a syntax stands for, as a regular expression."""
    text, at = "", 0
    while at < len(syntax):
        tried = ((re.match(each, syntax[at:]), piece) for each, piece in PIECES.items())
        found, piece = next((match, piece) for match, piece in tried if match)
        inner = found.groupdict().get("inner")
        text += piece or (re.escape(found[0]) if inner is None else f"({pattern(inner)})?")
        at += found.end()
    return text


@pytest.mark.slow
def test_syntax_is_what_is_printed() -> None:
    """And each operation has an example."""
    page = DOCS / "dialect.md"
    found = re.findall(r"^### `(tcgen05\..*)`\n\n    (.*)$", page.read_text(), re.MULTILINE)
    syntaxes = {name: re.compile(pattern(syntax)) for name, syntax in found}
    files = [*ROOT.glob("examples/*.mlir"), *ROOT.glob("lit-tests/tcgen05/*.mlir")]
    texts = [file.read_text() for file in files if not file.stem.endswith("_invalid")]
    seen: set[str] = set()
    for number, text in enumerate([*programs(page), *texts]):
        for op in parse(Source("example", text))[0].walk():
            if op.name in syntaxes:
                assert syntaxes[op.name].fullmatch(str(op)), f"{op} as {syntaxes[op.name].pattern}"
                seen |= {op.name} if number < len(programs(page)) else set()
    assert seen == syntaxes.keys() == {op.name for op in TCGEN05.operations}
