"""Tests of characters that belong to no token of PTX, against ptxas 13.5."""

import subprocess
from pathlib import Path

import pytest

from tcgen05_dialect.assembler import find_tool
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tools.main import main

from ..support.ptxas_verdicts import HEADER, TARGET

_TEXT = (
    f'{HEADER}.visible .entry kernel()\n{{\n// a comment\n/* another */ .pragma "a";\nret;\n}}\n'
)


def ptxas_takes(text: bytes, folder: Path) -> bool:
    path = folder / "kernel.ptx"
    path.write_bytes(text)
    command = [find_tool("ptxas"), f"-arch={TARGET}", "-o", folder / "kernel.cubin", path]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("character", "white", "comment", "string"),
    [
        ("\ufeff", False, True, False),
        ("\0", False, False, False),
        ("\x01", False, True, True),
        ("\t", True, True, True),
        ("\v", False, True, True),
        ("\f", True, True, True),
        ("\r", True, True, True),
        ("\x1b", False, True, True),
        ("\x1c", False, True, True),
        ("\x7f", False, True, True),
        ("\x85", False, True, False),
        ("\xa0", False, True, False),
        ("é", False, True, False),
        ("あ", False, True, False),
    ],
    ids=ascii,
)
def test_where_a_character_may_stand(
    character: str, white: bool, comment: bool, string: bool, tmp_path: Path
) -> None:
    """A byte order mark is an error, and NUL is one even in a comment (4.1: ASCII text)."""
    for before, legal in (
        (".version", white),
        ("ret", white),
        ("comment", comment),
        ("another", comment),
        ('a";', string),
    ):
        text = _TEXT.replace(before, f"{character}{before}", 1)
        assert ptxas_takes(text.encode(), tmp_path) == legal, before
        found = check_source(Source("kernel.ptx", text))
        assert (found == []) == legal, before
        assert all(each.message.isprintable() for each in found)


def test_comments_in_any_encoding(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """ptxas takes bytes in comments that are not UTF-8, and nowhere else."""
    path = tmp_path / "latin.ptx"
    for before, status in (("comment", 0), ("ret", 1), ('a";', 1)):
        text = _TEXT.replace(before, f"é{before}", 1).encode("latin-1")
        assert ptxas_takes(text, tmp_path) == (status == 0)
        path.write_bytes(text)
        assert main(["check", "--verify=off", str(path)]) == status
        output = capfdbinary.readouterr().out
        for command in (["import"], ["compile"], ["opt"], ["opt", "--split-input-file"]):
            assert main([*command, str(path)]) == status
        assert output.decode().replace("\N{REPLACEMENT CHARACTER}", "").isascii()
        assert bool(output) == (status == 1)


def test_all_errors_are_given() -> None:
    found = check_source(Source("many.ptx", "?;\n" * 5000))
    assert [finding.line for finding in found] == list(range(1, 5001))


def test_a_binary_file_is_one_error() -> None:
    """Even if it begins with what might be a statement."""
    text = ".version 8.8\nab: 1 \1\2;" + "?;\0\x7f;\n" * 500
    (finding,) = check_source(Source("binary.ptx", text))
    assert "the text must be PTX; found U+0001" in finding.message
    assert (finding.line, finding.column) == (2, 7)
