"""
The golden tables: numbers from other implementations, which lie beside the repository.

They are not part of it, so where they are absent the tests that compare with whole tables are
skipped; pytest's summary names each. What needs ptxas is also tested without them, on forms made
from the dialect's own definitions (test_ptx_instructions.py).
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[1] / ".." / "shared"

Json = dict[str, Any]


def golden(name: str, rows: int) -> list[Json]:
    """All rows of a golden table; `rows` is their known number, so that none is lost silently.

    Skips the test, or the module that reads it for its tests, where the tables are absent."""
    path = SHARED / "data" / f"{name}.jsonl"
    if not path.exists():
        reason = f"no golden table {name}.jsonl beside the repository"
        pytest.skip(reason, allow_module_level=True)
    table = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(table) >= rows
    return table


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
