"""Tests of the pages of docs/: current text, and programs, commands and links that work."""

import re
from itertools import chain
from pathlib import Path
from shutil import which
from types import ModuleType

import pytest

import tcgen05_dialect
from docs.generate import dialect, effects, isa, layouts, rules, ws_reference
from docs.generate.markdown import anchor
from docs.generate.shown import PAGES, ROOT, blocks, commands, refreshed
from docs.generate.stubs import stubs
from tcgen05_dialect import CompileError, assemble, compile_to_ptx
from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.project import HOME
from tcgen05_dialect.simulator.launch import arrays, expression, tables
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.universe import TCGEN05_UNIVERSE
from tcgen05_dialect.ws.dialect import WS

from ..support.preloaded import preloaded

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: "/".join(page.parts[-2:]))
REPOSITORY = re.compile(rf"{re.escape(HOME)}/(?:blob|raw)/main/")
"""How the README links to files and pictures, so that its links also work on PyPI."""
COMMANDS = ("tcgen05", "tcgen05-opt", "python", "sed", "gunzip", "mlir-opt-22")
"""Programs that pages show."""
OF_MLIR = ("mlir",)
"""Pages whose commands run programs of MLIR and LLVM."""
MLIR_OPT = which("mlir-opt-22")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [rules, isa, effects, dialect, layouts, ws_reference],
    ids=lambda page: page.__name__,
)
def test_reference_page_is_current(page: ModuleType) -> None:
    assert page.FILE.read_text() == page.text(), "run make docs"


@each_page
def test_page_has_no_marks_of_a_merge(page: Path) -> None:
    assert not re.findall(r"^(?:<{7}|={7}|>{7})(?: |$)", page.read_text(encoding="utf-8"), re.M)


@pytest.mark.slow
@each_page
def test_page_shows_no_traceback(page: Path) -> None:
    assert "Traceback (most recent call last)" not in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_pictures_are_current() -> None:
    pictures = layouts.pictures()
    assert all(file.read_text() == text for file, text in pictures.items()), "run make docs"
    assert set(pictures) == {each for file in pictures for each in file.parent.iterdir()}


def test_stubs_are_current() -> None:
    assert all(file.read_text() == text for file, text in stubs().items()), "run make docs"


@pytest.mark.slow
@each_page
def test_commands_print_what_is_shown(page: Path) -> None:
    if page.stem in OF_MLIR and MLIR_OPT is None:
        pytest.skip("mlir-opt-22 (Debian: mlir-22-tools) is not installed")
    assert page.read_text() == refreshed(page, preloaded()), "run make docs"


@each_page
def test_commands_are_those_of_a_reader(page: Path) -> None:
    """A page shows commands that run here, and runs or imports each Python file that it shows."""
    shown = list(blocks(page))
    lines = [
        command for each in shown if each.language == "console" for command, _ in commands(each)
    ]
    assert {line.split()[0] for line in lines} <= {*COMMANDS}
    scripts = {each.name: each.text for each in shown if each.language == "python"}
    uses = [*lines, *scripts.values()]
    for name in scripts:
        importing = f"from {Path(name).stem} import"
        assert any(name in use or importing in use for use in uses), name


def programs(page: Path) -> dict[str, int]:
    """The programs of a page that are right, with the line where each begins."""
    shown = [each for each in blocks(page) if each.language == "mlir" and not each.is_wrong]
    return {block.program: block.line for block in reversed(shown)}


@pytest.mark.slow
@each_page
def test_programs_compile_and_ptxas_has_nothing_to_say(page: Path) -> None:
    for program, line in programs(page).items():
        try:
            ptx = compile_to_ptx(program)
        except CompileError as error:
            pytest.fail(f"{page.name}:{line}: {error}")
        target = re.search(r"^\.target (\w+)", ptx, re.MULTILINE)
        assert target is not None
        assert assemble(ptx, target[1]).messages == "", f"{page.name}:{line}"


@each_page
def test_wrong_programs_are_refused(page: Path) -> None:
    for block in blocks(page):
        if block.is_wrong:
            with pytest.raises(CompileError):
                compile_to_ptx(block.program)


@each_page
def test_programs_become_what_is_shown(page: Path) -> None:
    for block in blocks(page):
        if block.language == "ptx":
            actual = iter(line.strip() for line in compile_to_ptx(block.program).splitlines())
            for line in filter(None, map(str.strip, block.text.splitlines())):
                assert line in actual, f"{page.name}:{block.line}: {line}"


def headings(page: Path) -> set[str]:
    """The ends of links to the headings of a page."""
    return {anchor(line) for line in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    defined = dict(re.findall(r"^\[([^]]+)\]: (\S+)$", text, re.MULTILINE))
    prose = re.sub(r"(?s)```.*?```|`.*?`|^    .*?$", "", text, flags=re.MULTILINE)
    used = re.findall(r"(?<!!)\[([A-Za-z ]+)\](?![(:])", prose)
    assert set(used) <= defined.keys() or not defined
    for link in [*re.findall(r"\]\(([^)]+)\)", text), *defined.values()]:
        path, _, end = REPOSITORY.sub("", link).partition("#")
        if "://" not in path:
            target = (ROOT if REPOSITORY.match(link) else page.parent) / path if path else page
            assert target.exists(), link
            assert not end or end in headings(target), link


def test_files_that_are_named_exist() -> None:
    """The steps of CONTRIBUTING.md; a word in capitals stands for a name."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = re.findall(r"`((?:tcgen05_dialect|passes|docs|tests|lit-tests)/[\w/.-]*)`", text)
    assert named
    assert [
        name for name in named if not re.search("[A-Z]", name) and not (ROOT / name).exists()
    ] == []


def test_every_pass_is_listed() -> None:
    text = (ROOT / "docs" / "writing_kernels.md").read_text()
    assert [name for name in TCGEN05_UNIVERSE.all_passes if f"`{name}`" not in text] == []


def test_launch_files_are_described() -> None:
    """Each key, type, fill and function has its name on the page."""
    text = (ROOT / "docs" / "launch_files.md").read_text()
    names = {*chain.from_iterable(tables.KEYS.values()), *arrays.TYPES}
    names |= {*arrays.FILLS}
    assert [name for name in names if f"`{name}`" not in text and f"[{name}" not in text] == []
    assert [name for name in expression.FUNCTIONS if f"`{name}(" not in text] == []
    assert [symbol for symbol in expression.SYMBOLS if f"`{symbol}`" not in text] == []


PIECES = {
    r"type\(%\w+\)": r"!tcgen05\.\w+<[^>]*>",
    r"attr-dict": r"(\{.*\})?",
    r"%\w+": r"%[\w#]+(, %[\w#]+)*",
    r"<\w+>": r"([%\w-]+|#[\w.]+<[^>]*>)",
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
    page = dialect.FILE
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


def test_every_operation_of_ws_has_a_syntax_line() -> None:
    for op in WS.operations:
        lines = [line.strip() for line in (op.__doc__ or "").splitlines()]
        shown = [line for line in lines if line.partition(" = ")[2].startswith(op.name)]
        assert shown or any(line.startswith(op.name) for line in lines), op.name


def test_every_public_name_is_described() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = page.partition("\n## ")[0]
    assert [name for name in tcgen05_dialect.__all__ if f"`{name}`" not in table] == []
