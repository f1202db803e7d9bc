"""Tests of the locations of imported instructions."""

from tcgen05_dialect.compiler import errors_of
from tcgen05_dialect.ptx_import import import_ptx
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.repository import LIT_TESTS

TEXT = (LIT_TESTS / "tools" / "Inputs" / "locations.ptx").read_text()
ORIGINS = [
    "",
    ", from kernel.py:66:9",
    # Line 0 is no line.
    ", from kernel.py:66:9",
    ", from library.py:10:5, inlined at kernel.py:161:1",
    ", from library.py:20:7, inlined at library.py:10:5, inlined at kernel.py:161:1",
    # The line inside inline assembly is wrong.
    ", from kernel.py:70:1",
]
"""What an error says of the origin of each instruction."""


def errors(text: str) -> list[str]:
    source = Source("kernel.ptx", text)
    return [str(error) for error in errors_of(import_ptx(source).module, source)]


def test_origins() -> None:
    found = errors(TEXT)
    expected = [f": ptx.mbarrier.init{origin}: " for origin in ORIGINS]
    assert all(each in error for each, error in zip(expected, found, strict=True))


def test_place_in_the_text() -> None:
    lines = TEXT.splitlines()
    for error in errors(TEXT):
        number = int(error.split(":")[1])
        assert "mbarrier.init" in lines[number - 1]
        assert lines[number - 1].strip() in error


def test_without_comments_the_braces_tell() -> None:
    stripped = "\n".join(line for line in TEXT.splitlines() if "//" not in line)
    assert ORIGINS[-1] in errors(stripped)[-1]


def test_line_ends_of_another_system() -> None:
    found = errors(TEXT.replace("\n", "\r\n"))
    assert all(origin in error for origin, error in zip(ORIGINS, found, strict=True))
