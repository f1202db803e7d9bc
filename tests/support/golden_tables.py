"""
The golden tables: numbers from other implementations, which lie beside the repository.

They are not part of it, nor is the text of the manual, so where the folder of both is absent the
tests that compare with them are skipped; pytest's summary names each. Where it is there, a table
that is missing is an error. What needs ptxas is also tested without them, on forms made
from the dialect's own definitions (test_ptx_instructions.py).
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"

Json = dict[str, Any]


def golden(name: str, rows: int) -> list[Json]:
    """All rows of a golden table; `rows` is their known number, so that none is lost silently.

    Skips the test, or the module that reads it for its tests, where the tables are absent."""
    _need_shared(f"golden table {name}.jsonl")
    text = (SHARED / "data" / f"{name}.jsonl").read_text()
    table = [json.loads(line) for line in text.splitlines()]
    assert len(table) >= rows
    return table


def manual() -> str:
    """The text of the manual's chapter on tcgen05. Skips the test where it is absent."""
    _need_shared("text of the manual")
    (chapter,) = (SHARED / "spec").glob("004_*.txt")
    return chapter.read_text()


def _need_shared(what: str) -> None:
    if not SHARED.exists():
        pytest.skip(f"no {what} beside the repository", allow_module_level=True)


_BITS = {"%gsmem": 64, "%gmbar": 64, "%adesc": 64, "%bdesc": 64, "%sdesc": 64, "%zmask": 64}
"""The placeholders of the tables that are not of 32 bits."""


def _declaration(name: str) -> str:
    if name == "%p":
        return ".reg .pred %p;"
    bits = 16 if name == "%cmask" else _BITS.get(name, 32)
    return f".reg .b{bits} {name};"


def declarations(instructions: str) -> str:
    """The declarations of the placeholders in the text of instructions, on one line."""
    return " ".join(map(_declaration, sorted(set(re.findall(r"%\w+", instructions)))))
