"""The language of a text: IR or PTX, by the name of its file or by its first words."""

import re
from pathlib import PurePath
from typing import Literal

from xdsl.utils.lexer import Input, Span

from .dialects import DIALECTS
from .isa.ptx.ptx_text import FAMILY
from .reporting.diagnostics import CompileError, Source, TextError, parse_error

Language = Literal["PTX", "IR"]
SUFFIXES: dict[str, Language] = {".ptx": "PTX", ".mlir": "IR"}
"""Suffix of a file -> language of its text."""
_SOURCES = {
    ".cu": ("CUDA C++", "give the PTX that nvcc -ptx -arch=sm_100a makes of it"),
    ".py": ("Python", "give the IR or PTX that the program makes"),
}
"""Suffix of a file from which other programs make IR or PTX -> its language, and what to do."""
_FIRST = re.compile(
    rf"""
    (?: \s++ | //[^\n]*+ | /\*.*?\*/ )*+
    (?: (?P<IR> [!#][\w$.]++\s*= | %[\w$.-]++(?:\s*:\s*\d++)?\s*[,=] | "\w++\.[\w.]++"\s*[(<]
          | (?:{"|".join(sorted(DIALECTS.keys() - {FAMILY}))})\.\w++ )
      | (?P<PTX> \.\w++ )
      | (?P<either> @ | {FAMILY}\. )
    )
    """,
    re.DOTALL | re.VERBOSE,
)
"""The beginning of a text, up to the first words that only one of the languages may begin with."""


def language_of(name: str, text: str = "") -> Language:
    """The language of a file, by the suffix of its name or, if that is unknown, by its text."""
    named = SUFFIXES.get(PurePath(name).suffix.lower())
    return named or _language_of_text(text) or "IR"


def _language_of_text(text: str) -> Language | None:
    """
    The language in which a text begins, if that is clear.

    PTX begins with a directive, or with an instruction, which ends with a semicolon. IR has no
    semicolons.
    """
    match = _FIRST.match(text)
    if match is None or (match["either"] and not _has_semicolon(text)):
        return None
    return "IR" if match["IR"] else "PTX"


def _has_semicolon(text: str) -> bool:
    """Whether there is a semicolon among the tokens of PTX that a text begins with."""
    from .ptx_reader.tokens import PtxLexer

    lexer = PtxLexer(text)
    token = lexer.next()
    while token.text != ";" and token.kind not in ("bad", "end"):
        token = lexer.next()
    return token.text == ";"


_LAUNCH_FILE = re.compile(
    r"(?:\s++|\#(?![\w$])[^\n]*+)*+(?P<first>\[\[?[\w.\"-]++\]|[\w-]++\s*=(?!=))"
)
"""The beginning of a text in TOML: the header of a table, or a key; a comment is no alias."""
_PATH = re.compile(rf"[^\n{{}};]+(?:{'|'.join(map(re.escape, SUFFIXES))})", re.IGNORECASE)
"""A text that is the name of a file. Programs end in a bracket, a semicolon or an operation."""


def text_source(text: str) -> Source:
    """The source for a text without a file. Raises ValueError for the name of a file."""
    if _PATH.fullmatch(text) is not None:
        raise ValueError(
            f"text of IR or PTX was expected; found {text!r}, the name of a file: "
            f"pass Path({text!r}).read_text()"
        )
    return Source("<string>", text)


def misnamed(source: Source) -> CompileError | None:
    """The error of a text in another language than the suffix of its file says, in TOML, the
    language of launch files, or in a language of which other programs make IR or PTX."""
    suffix = PurePath(source.name).suffix.lower()
    named, found = SUFFIXES.get(suffix), _language_of_text(source.text)
    if found is None and suffix in _SOURCES:
        language, help_ = _SOURCES[suffix]
        span = Span(0, 0, Input(source.text, source.name))
        message = f"the suffix {suffix} is that of {language}, not of IR or PTX"
        return parse_error(TextError(span, message, help_), source.lines_before)
    if (toml := _LAUNCH_FILE.match(source.text)) is not None:
        span = Span(*toml.span("first"), Input(source.text, source.name))
        message = "the text looks like a launch file, not like IR or PTX"
        help_ = "give the file with the kernel; tcgen05 sim takes its launch file with --launch"
        return parse_error(TextError(span, message, help_), source.lines_before)
    if named is None or found in (None, named):
        return None
    match = _FIRST.match(source.text)
    assert match is not None
    start, end = match.span(match.lastgroup or 0)
    suffixes = {language: suffix for suffix, language in SUFFIXES.items()}
    message = f"the text is {found}, but the suffix {suffixes[named]} is that of {named}"
    span = Span(start, end, Input(source.text, source.name), source.lines_before)
    return parse_error(
        TextError(span, message, f"let the name of the file end in {suffixes[found]}")
    )
