"""Tests of the completion scripts, run by the shells."""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import cast

import pytest

from tcgen05_dialect.reporting.formats import FORMATS
from tcgen05_dialect.tools.command import ArgumentParser
from tcgen05_dialect.tools.commands import COMMANDS, PROGRAMS, command_parser
from tcgen05_dialect.tools.completion import SHELLS, completion

BASH = """
{script}
COMP_WORDS=({words})
COMP_CWORD={last}
_tcgen05
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
compdef() {{ }}
compadd() {{ shift; for each in $@; do [[ $each == $PREFIX* ]] && print -r -- $each; done }}
compset() {{ PREFIX=${{PREFIX#*=}} }}
_files() {{ }}
{script}
words=({words})
CURRENT=$((1 + {last}))
PREFIX=${{words[CURRENT]}}
_tcgen05
"""
FISH = """
{script}
complete -C {line}
"""
CASES: list[tuple[str, list[str]]] = [
    ("tcgen05 comp", ["compile", "completion"]),
    ("tcgen05 compile --em", ["--emit"]),
    ("tcgen05 compile --emit c", ["cubin"]),
    ("tcgen05 compile k.mlir --emit=c", ["cubin"]),
    ("tcgen05 compile --ptx-version 8.", ["8.6", "8.7", "8.8"]),
    ("tcgen05 explain T5-ALLOC-001", ["T5-ALLOC-001"]),
    ("tcgen05 check a.ptx b.ptx --format j", ["json"]),
    ("tcgen05 calc idesc d", ["decode"]),
    ("tcgen05 calc placement D --major m", ["mn_major"]),
    ("tcgen05 sim k.mlir --schedule l", ["lazy"]),
    ("tcgen05 opt k.mlir -p tcgen05-lower-t", ["tcgen05-lower-to-ptx"]),
    ("tcgen05-opt --split", ["--split-input-file"]),
    ("/usr/bin/tcgen05 completion z", ["zsh"]),
]
EACH = pytest.mark.parametrize(("line", "expected"), CASES, ids=[line for line, _ in CASES])


def words(line: str, breaks: str = " ") -> Sequence[str]:
    """The words of a line as a shell gives them to a completion."""
    for character in breaks:
        line = line.replace(character, f" {character} ")
    return line.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(shell: str) -> None:
    assert f"tcgen05 completion {shell}" in script_for(shell)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_parser_of_one_command_is_that_of_all(command: str) -> None:
    """The others are left out."""
    alone, whole = _sub_commands(command_parser(command)), _sub_commands(command_parser())
    assert list(alone) == [command]
    assert alone[command].format_help() == whole[command].format_help()


def test_check_offers_every_format() -> None:
    offered = [each.choices for each in _sub_commands(command_parser())["check"].actions()]
    assert tuple(FORMATS) in offered


def _sub_commands(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    choices = [cast("object", each.choices) for each in parser.actions()]
    (found,) = [
        cast("dict[str, ArgumentParser]", each) for each in choices if isinstance(each, dict)
    ]
    return found


@cache
def script_for(shell: str) -> str:
    return completion(shell, command_parser(), PROGRAMS)


def run(shell: str, script: str) -> list[str]:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    result = subprocess.run([program], input=script, capture_output=True, text=True, check=False)
    assert result.stderr == ""
    return sorted(result.stdout.split())


@EACH
def test_bash(line: str, expected: list[str]) -> None:
    given = words(line, "=")
    listed = " ".join(f"'{word}'" for word in given)
    script = BASH.format(script=script_for("bash"), words=listed, last=len(given) - 1)
    assert run("bash", script) == expected


@EACH
def test_zsh(line: str, expected: list[str]) -> None:
    given = words(line)
    listed = " ".join(f"'{word}'" for word in given)
    script = ZSH.format(script=script_for("zsh"), words=listed, last=len(given) - 1)
    assert run("zsh", script) == expected


@pytest.mark.slow
def test_zsh_without_its_completion_system_is_told_what_to_run() -> None:
    program = shutil.which("zsh")
    if program is None:
        pytest.skip("zsh is not installed")
    command = [program, "-f", "-c", script_for("zsh")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (
        result.stderr == "tcgen05: zsh completes after compinit only: run it before this script\n"
    )
    after = [program, "-f", "-c", f"autoload -U compinit; compinit -D; {script_for('zsh')}"]
    assert subprocess.run(after, capture_output=True, text=True, check=True).stderr == ""


@EACH
def test_fish(line: str, expected: list[str]) -> None:
    found = run("fish", FISH.format(script=script_for("fish"), line=f"'{line}'"))
    assert [each.rpartition("=")[2] for each in found] == expected
