"""All rows by the names of the operations in `ptx`, without `ptx.`; families are read by need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType

from tcgen05_dialect.isa.instructions.row import Row, read, texts

FAMILIES: Mapping[str, Sequence[str]] = {
    "arithmetic": (
        "abs",
        "add",
        "addc",
        "cos",
        "div",
        "ex2",
        "fma",
        "lg2",
        "mad",
        "mad24",
        "madc",
        "max",
        "max3",
        "min",
        "min3",
        "mul",
        "mul24",
        "neg",
        "rcp",
        "rem",
        "rsqrt",
        "sad",
        "sin",
        "sqrt",
        "sub",
        "subc",
        "tanh",
    ),
    "bits": (
        "and",
        "bfe",
        "bfi",
        "bfind",
        "bmsk",
        "brev",
        "clz",
        "cnot",
        "dp2a",
        "dp4a",
        "fns",
        "lop3",
        "not",
        "or",
        "popc",
        "prmt",
        "shf",
        "shl",
        "shr",
        "szext",
        "vabsdiff4",
        "xor",
    ),
    "comparison": ("copysign", "selp", "set", "setp", "slct", "testp"),
    "conversion": ("cvt", "cvta", "getctarank", "isspacep", "mapa", "mov", "pack", "unpack"),
    "memory": (
        "applypriority",
        "createpolicy",
        "discard",
        "ld",
        "multimem",
        "prefetch",
        "prefetchu",
        "st",
    ),
    "atomics": ("atom", "red", "st"),
    "copies": ("cp", "prefetch", "tensormap"),
    "mbarrier": ("mbarrier",),
    "barriers": (
        "bar",
        "barrier",
        "clusterlaunchcontrol",
        "fence",
        "griddepcontrol",
        "membar",
        "nanosleep",
        "setmaxnreg",
    ),
    "warp": ("activemask", "elect", "match", "redux", "shfl", "vote"),
    "matrices": ("ldmatrix", "mma", "movmatrix", "stmatrix"),
    "control": ("brkpt", "exit", "pmevent", "ret", "special", "trap"),
}
"""
Module of rows -> the first words of the names of its instructions: `compile` imports it only if a
kernel uses one of them.
"""
_WORD = re.compile(r"[a-z0-9]+")


@cache
def family(name: str) -> ModuleType:
    """The module of a family."""
    return import_module(f".{name}", __package__)


@cache
def _texts(name: str) -> Mapping[str, str]:
    return texts(family(name).INSTRUCTIONS)


def names_in(name: str) -> Sequence[str]:
    """The names of the instructions of a family, in the order of its table."""
    return [*_texts(name)]


def names() -> Iterator[str]:
    """The names of all instructions."""
    for each in FAMILIES:
        yield from names_in(each)


def first_word(name: str) -> str:
    """The word of the name of an instruction by which its family is found."""
    found = _WORD.match(name)
    return "" if found is None else found[0]


def families_with(word: str) -> Iterator[str]:
    """The families that may have instructions with this first word."""
    return (name for name, words in FAMILIES.items() if word in words)


@cache
def family_of(name: str) -> str | None:
    """The family of an instruction; None for any other name."""
    return next((each for each in families_with(first_word(name)) if name in _texts(each)), None)


@cache
def row(name: str) -> Row:
    """The row of an instruction. Raises KeyError, and RowError if it cannot be read."""
    found = family_of(name)
    if found is None:
        raise KeyError(name)
    return read(family(found), name, _texts(found)[name])
