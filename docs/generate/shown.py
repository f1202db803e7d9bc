"""
Programs and commands in fenced blocks of Markdown pages.

The first word after the fence is the language; two other words are for this module:

- `NAME`: the block is a file. Blocks with the same name are the parts of one file.
- `wrong`: the program is wrong, on purpose.

A block `ptx` holds lines of the PTX of the program before it. A block `console` holds commands
after `$ `, with their output. They run in a folder with the files of the page so far, the examples
of the repository, and `tests/data/foreign` with kernels of other compilers. An output that ends
with a line `...` is shown up to that line.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
"""Every page, including those that the other modules write."""
_BLOCK = re.compile(r"^```(?P<info>\w[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_MORE = "...\n"
PROGRAMS = Path(sys.executable).parent
"""The folder of the commands of the project."""


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    name: str
    """The file of which it is a part; empty if none."""
    is_wrong: bool
    text: str
    start: int
    """Index of the block in the text of the page."""
    line: int
    program: str
    """The whole IR program of which the block is a part, or after which it comes."""


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    files: dict[str, str] = {}
    found: list[tuple[re.Match[str], str, str, bool]] = []
    for match in _BLOCK.finditer(text):
        language, *words = match["info"].split()
        name = next((word for word in words if word != "wrong"), "")
        found.append((match, language, name, "wrong" in words))
        files[name] = files.get(name, "") + match["text"]
    program = ""
    for match, language, name, is_wrong in found:
        if language == "mlir":
            program = files[name] if name else match["text"]
        line = text.count("\n", 0, match.start()) + 1
        yield Block(language, name, is_wrong, match["text"], match.start("text"), line, program)


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a block `console`, and the output that the page shows."""
    for match in _COMMAND.finditer(block.text):
        yield match["command"], match["output"]


def _output(command: str, folder: Path, programs: Path) -> str:
    """The output of a command in a folder, including errors."""
    path = os.pathsep.join(map(str, (programs, PROGRAMS, os.environ["PATH"])))
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout


def _cut(output: str, shown: str) -> str:
    """The part of an output that the page shows."""
    lines = shown.splitlines(keepends=True)
    if lines[-1:] != [_MORE]:
        return output
    return "".join([*output.splitlines(keepends=True)[: len(lines) - 1], _MORE])


def refreshed(page: Path, programs: Path = PROGRAMS) -> str:
    """The text of a page with the current output of each command, which `programs` holds."""
    text = page.read_text(encoding="utf-8")
    written, end = "", 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "examples").symlink_to(ROOT / "examples")
        (folder / "tests").mkdir()
        (folder / "tests" / "data").symlink_to(ROOT / "tests" / "data")
        for block in blocks(page):
            if block.name:
                with (folder / block.name).open("a", encoding="utf-8") as file:
                    file.write(block.text)
            if block.language == "console":
                written += text[end : block.start]
                for command, shown in commands(block):
                    written += f"$ {command}\n{_cut(_output(command, folder, programs), shown)}"
                end = block.start + len(block.text)
    return written + text[end:]
