"""Golden tables: numbers from implementations that are not ours (see tests/data/README.md)."""

import gzip
import json
import re
from typing import Any

from .repository import ROOT

DATA = ROOT / "tests" / "data"

Json = dict[str, Any]


def golden(name: str) -> list[Json]:
    """All rows of a golden table."""
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="ascii") as lines:
        return [json.loads(line) for line in lines]


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


SPLIT_OFFSET = 256
"""As many columns as the widest store writes at each half."""


def forms() -> list[Json]:
    """The golden forms, with split offsets at which the halves of no store overlap.

    The table has an offset of 16 columns in each form of shape 16x32bx2: ptxas takes it."""
    pattern = re.compile(r"(\.16x32bx2\..*\], )16\b")
    return [
        row | {"ptx": pattern.sub(rf"\g<1>{SPLIT_OFFSET}", row["ptx"])} for row in golden("forms")
    ]
