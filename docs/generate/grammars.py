"""The TextMate grammars of IR and PTX, with the words of the tables and dialects."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from tcgen05_dialect.dialects import DIALECTS, OWN
from tcgen05_dialect.isa.element import ELEMENTS
from tcgen05_dialect.isa.mma.shapes import KINDS
from tcgen05_dialect.isa.ptx import ptx_text
from tcgen05_dialect.isa.ptx.opcodes import OPCODES
from tcgen05_dialect.isa.shared_memory.descriptor import SWIZZLES
from tcgen05_dialect.isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from tcgen05_dialect.language_server.words import directives, operations
from tcgen05_dialect.ptx_reader.tokens import numbers

from .shown import ROOT

FOLDER = ROOT / "docs" / "editor" / "vscode" / "syntaxes"
_CONTROL = ("bar", "barrier", "bra", "brx", "call", "exit", "ret", "trap")
_COMMENT = ("comment.line.double-slash", "//.*$")
_STRING = ("string.quoted.double", r'"(?:[^"\\]|\\.)*"')


def _words(names: Iterable[str]) -> str:
    """A pattern for some words, longest first, because the first match is taken."""
    return "|".join(map(re.escape, sorted({*names}, key=lambda each: (-len(each), each))))


def _grammar(name: str, suffix: str, patterns: Iterable[tuple[str, str]]) -> str:
    scope = suffix.removeprefix(".")
    rules: list[dict[str, str]] = [
        {"name": f"{each}.{scope}", "match": pattern} for each, pattern in patterns
    ]
    if suffix == ".ptx":
        rules.insert(0, {"name": f"comment.block.{scope}", "begin": r"/\*", "end": r"\*/"})
    grammar = {
        "name": name,
        "scopeName": f"source.{scope}",
        "fileTypes": [scope],
        "patterns": rules,
    }
    return json.dumps(grammar, indent=2) + "\n"


def _ir() -> str:
    constants = *SWIZZLES, *MAJORS, *ATOM_ORDERS, *KINDS
    own = (each for each in operations() if each.partition(".")[0] in OWN)
    others = rf"(?:{_words(DIALECTS.keys() - OWN)})\.\w[\w.]*"
    patterns = (
        _COMMENT,
        _STRING,
        ("entity.name.function", r"@[\w$.-]+"),
        ("entity.name.label", r"\^[\w$.-]+"),
        ("variable.other", r"%[\w$.-]+(?:#\d+)?"),
        ("support.type", r"![a-zA-Z_][\w$.]*"),
        ("support.constant", r"#[a-zA-Z_][\w$.]*"),
        ("keyword.other.operation", rf"(?<![\w.])(?:{_words(own)}|{others})(?![\w.])"),
        ("constant.language", rf"\b(?:true|false|unit|{_words(constants)})\b"),
        ("storage.type", rf"(?:(?<=x)|\b)(?:i\d+|index|{_words(ELEMENTS)})\b"),
        ("storage.type", r"\b(?:vector|tensor|memref)(?=<)"),
        ("constant.numeric", r"-?\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\b|x)"),
        ("keyword.operator", r"->|=|:"),
    )
    return _grammar("MLIR with tcgen05", ".mlir", patterns)


def _ptx() -> str:
    plain = _words(OPCODES - {*_CONTROL})
    patterns = (
        _COMMENT,
        _STRING,
        ("entity.name.label", r"^\s*[\w$%]+(?=\s*:(?!:))"),
        ("keyword.control.guard", r"@!?%?[\w$]+"),
        ("variable.language", rf"(?:{_words(ptx_text.NAMES)})(?![\w$])"),
        ("variable.other", r"%[\w$]+"),
        ("keyword.control", rf"(?<![\w$.%])(?:{_words(_CONTROL)})(?=[.;\s])"),
        (
            "keyword.other.instruction",
            rf"(?<![\w$.%])(?:{plain})(?=[.;\s])",
        ),
        ("storage.type", rf"(?<![\w$])(?:{_words(directives())})(?![\w$:.])"),
        ("storage.modifier", r"\.[a-zA-Z0-9_]+(?:::\w+)*"),
        ("constant.numeric", rf"(?<![\w$%])-?(?:{numbers()})(?![\w$])"),
    )
    return _grammar("PTX", ".ptx", patterns)


def grammars() -> dict[Path, str]:
    """Each grammar and its text."""
    return {FOLDER / "mlir.tmLanguage.json": _ir(), FOLDER / "ptx.tmLanguage.json": _ptx()}
