"""Tests of `tcgen05 calc`: its examples, its messages and its start."""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import cast

import pytest

from tcgen05_dialect.tools import calc
from tcgen05_dialect.tools.calc.answers import extents, integer
from tcgen05_dialect.tools.command import ArgumentParser

from ..support.repository import EXAMPLES

PROGRAM = "tcgen05 calc"
EXAMPLE = re.compile(rf"^  {PROGRAM} (.*)$", re.MULTILINE)


def parsers(parser: argparse.ArgumentParser) -> Generator[argparse.ArgumentParser]:
    """The parsers that have no sub-commands."""
    actions = parser._actions  # pyright: ignore[reportPrivateUsage]
    found = [cast("object", action.choices) for action in actions]
    commands = [cast("dict[str, ArgumentParser]", each) for each in found if isinstance(each, dict)]
    for command in (command for each in commands for command in each.values()):
        yield from parsers(command)
    if not commands:
        yield parser


LEAVES = list(parsers(calc.parser(PROGRAM)))


@pytest.mark.parametrize("group", ["idesc", "sdesc", "mask"])
def test_the_help_of_a_group_has_an_example_of_each_command(
    group: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        calc.main([group, "--help"], PROGRAM)
    shown = EXAMPLE.findall(capfd.readouterr().out)
    own = [parser for parser in LEAVES if parser.prog.startswith(f"{PROGRAM} {group} ")]
    assert shown == [EXAMPLE.findall(parser.epilog or "")[0] for parser in own]


@pytest.mark.slow
@pytest.mark.parametrize("parser", LEAVES, ids=lambda parser: parser.prog)
def test_examples_of_help(
    parser: ArgumentParser,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    examples = EXAMPLE.findall(parser.epilog or "")
    assert examples
    for example in examples:
        arguments = shlex.split(example)
        assert calc.main(arguments, PROGRAM) == 0, example
        shown = capfdbinary.readouterr()
        written = [Path(arguments[-1])] if "-o" in arguments else []
        assert not shown.err, example
        assert shown.out or all(file.stat().st_size for file in written), example


def test_all_commands_have_a_parser() -> None:
    names = {name.split()[0] for name in calc.COMMANDS}
    assert {parser.prog.split()[2] for parser in LEAVES} == names
    for name in names:
        alone = parsers(calc.parser(PROGRAM, name))
        assert any(parser.prog.split()[2] == name for parser in alone)


USAGE = [
    ("", "give a command: .*list, .*idesc, "),
    ("lst", "invalid choice: 'lst'"),
    ("list --target sm100a", "sm_100a, .*; found sm100a; did you mean sm_100a"),
    ("detail fp16", "kind must be f16, .*; found fp16; did you mean f16"),
    ("detail f16 --format xml", "; found xml"),
    ("idesc decode", "the following arguments are required: VALUE"),
    ("idesc decode 12z", "a number .*; found 12z"),
    (f"idesc decode {'9' * 5000}", r"a number .*; found 9{40}\.\.\."),
    ("idesc decode -0x5", "the following arguments are required: VALUE"),
    ("idesc decode 0 --kind f32", "; found f32; did you mean tf32"),
    ("sdesc derive --element bf16 --tile 128", "two extents, such as 128x64; found 128"),
    ("sdesc derive --element bf16 --tile 0x8x8", "two extents.*; found 0x8x8"),
    ("sdesc derive --element fp16 --tile 128x64", "found fp16; .*did you mean f16"),
    ("mask encode --first-span 2", "0 or 1; found 2"),
    ("tmem", "number of matrices must be 1 or more; found 0"),
    ("tmem --accumulator 128x256:0", "1 to 512; found 0"),
    ("mask encode --start-count 1 2 3 4 5", "up to 4; found 5"),
    ("mask decode 0 --m 32", "; found only one of --m and --n"),
    ("locate D 3", "a matrix and two indices, such as D 3 17; found D 3"),
    ("locate Z 3 4", "matrix must be A, .*; found Z"),
    ("locate D 3 17 --through 32x32", "such as 32x32b.x8; found 32x32"),
    ("locate D 3 17 --swizzle swizzle_64b", "--swizzle of D in tensor memory must be none"),
    ("element D --lane 3", "; found lane"),
    ("element A --byte 0 --output-calculation", "--output-calculation must be D; found A"),
    ("list -o /", "cannot write /: Is a directory"),
]
"""Arguments that cannot be used, and what the message says."""
REFUSED = [
    ("locate D 300 0", "0, 1, ... 127; found 300"),
    ("detail mxf4 --ws", r"\[T5-SHAPE-001\]"),
    ("detail f16 --n -8", "8, 16, ... 256; found -8"),
    ("detail f16 --cta-group 3", "1 or 2; found 3"),
    ("idesc decode 0x1_0000_0000", "0 to 0xffffffff; found 0x100000000"),
    ("idesc decode -5", "0 to 0xffffffff; found -0x5"),
    ("idesc encode --kind f16 --a f16 --b f16 --d f32 --m 64 --n 7", "8, 16, ... 256; found 7"),
    (
        "idesc encode --kind f16 --a f16 --b f16 --d f32 --m 128 --n 8 --cta-group 2",
        r"16, 32.*; found 8 \[T5-SHAPE-002\]",
    ),
    (
        "idesc encode --kind f16 --a f16 --b f16 --d f32 --m 128 --n 8 --transpose-a "
        "--a-memory tensor",
        r"\[T5-IDESC-002\]",
    ),
    ("sdesc encode --start-address 17 --leading-byte-offset 0 --stride-byte-offset 0", "17"),
    ("sdesc derive --element f32 --tile 128x64", r"\[T5-TYPE-003\]"),
    ("sdesc derive --element bf16 --tile 128x60", r"k of the tile .*; found 60 \[T5-DESC-007\]"),
    ("mask decode 0 --m 16 --n 64", "32, 64 or 128; found 16"),
    ("tmem --accumulator 128x256:3", "1 to 512; found 768: D 256, D 256, D 256"),
    ("tmem --scale-a 128x64", "mxf8f6f4, mxf4 or mxf4nvf4; found f16"),
]
"""Questions that have no answer."""


@pytest.mark.parametrize(
    ("status", "arguments", "message"),
    [*((2, *each) for each in USAGE), *((1, *each) for each in REFUSED)],
)
def test_messages(
    status: int, arguments: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """One line that says what is legal, and the status."""
    try:
        found = calc.main(arguments.split(), PROGRAM)
    except SystemExit as end:
        found = end.code
    shown = capfd.readouterr()
    assert found == status
    assert shown.out == ""
    assert re.fullmatch(rf"{PROGRAM}[a-z ]*: error: .*\n", shown.err)
    assert re.search(message, shown.err)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0x820_0490", 0x8200490),
        ("0b1010", 10),
        ("0o17", 15),
        ("1_000", 1000),
        ("007", 7),
        ("-3", -3),
        (" 12 ", 12),
    ],
)
def test_integers(text: str, number: int) -> None:
    assert integer(text) == number


@pytest.mark.parametrize(("text", "found"), [("128x64", (128, 64)), ("1_28x8", (128, 8))])
def test_extents(text: str, found: tuple[int, int]) -> None:
    assert extents(text) == found


@pytest.mark.slow
@pytest.mark.parametrize("question", ["idesc decode 0x8200490 --kind f16", "detail f16", "list"])
def test_starts_without_what_compiles(question: str) -> None:
    """A question loads neither xDSL nor numpy."""
    program = (
        "import sys\n"
        "from tcgen05_dialect.tools.main import main\n"
        f"main({['calc', *question.split()]})\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'xdsl', 'numpy'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_calculator_is_not_started_with() -> None:
    program = (
        "import sys\n"
        "from tcgen05_dialect.tools.main import main\n"
        "main(['explain', 'T5-ALLOC-001'])\n"
        "print([name for name in sys.modules if 'calc' in name])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "[]"
