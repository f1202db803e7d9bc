"""Opcodes of PTX by their operands, for instructions known by name only (9.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

WRITES_FIRST = frozenset(
    [
        "abs",
        "activemask",
        "add",
        "addc",
        "alloca",
        "and",
        "applypriority",
        "atom",
        "bfe",
        "bfi",
        "bfind",
        "bmsk",
        "brev",
        "clmad",
        "clusterlaunchcontrol",
        "clz",
        "cnot",
        "copysign",
        "cos",
        "createpolicy",
        "cvt",
        "cvta",
        "div",
        "dp2a",
        "dp4a",
        "elect",
        "ex2",
        "fma",
        "fns",
        "getctarank",
        "isspacep",
        "istypep",
        "ld",
        "ldmatrix",
        "ldu",
        "lg2",
        "lop3",
        "mad",
        "mad24",
        "madc",
        "mapa",
        "match",
        "max",
        "mbarrier",
        "min",
        "mma",
        "mov",
        "movmatrix",
        "mul",
        "mul24",
        "multimem",
        "neg",
        "not",
        "or",
        "popc",
        "prmt",
        "rcp",
        "redux",
        "rem",
        "rsqrt",
        "sad",
        "selp",
        "set",
        "setp",
        "shf",
        "shfl",
        "shl",
        "shr",
        "sin",
        "slct",
        "sqrt",
        "stacksave",
        "sub",
        "subc",
        "suld",
        "suq",
        "szext",
        "tanh",
        "testp",
        "tex",
        "tld4",
        "txq",
        "vabsdiff",
        "vabsdiff2",
        "vabsdiff4",
        "vadd",
        "vadd2",
        "vadd4",
        "vavrg2",
        "vavrg4",
        "vmad",
        "vmax",
        "vmax2",
        "vmax4",
        "vmin",
        "vmin2",
        "vmin4",
        "vote",
        "vset",
        "vset2",
        "vset4",
        "vshl",
        "vshr",
        "vsub",
        "vsub2",
        "vsub4",
        "wmma",
        "xor",
    ]
)
"""Instructions whose first operand is a destination, and which read no destination."""
BARRIERS = frozenset(("bar", "barrier"))
"""Barriers: only those with `.red` have a destination (9.7.13.1)."""
REDUCES = ".red"
WRITES_NOTHING = frozenset(
    [
        "brkpt",
        "cp",
        "discard",
        "fence",
        "griddepcontrol",
        "membar",
        "nanosleep",
        "pmevent",
        "prefetch",
        "prefetchu",
        "red",
        "setmaxnreg",
        "st",
        "stackrestore",
        "stmatrix",
        "sured",
        "sust",
        "trap",
    ]
)
"""Instructions that only read their operands."""
WRITTEN: dict[tuple[str, ...], int] = {
    ("tcgen05", ".ld"): 1,
    ("tcgen05", ".ld", ".red"): 2,
    ("tcgen05", ".dealloc"): 0,
}
"""First words of other instructions -> the number of operands at the beginning that are
destinations (9.7.16)."""
_CTA, _CLUSTER = ".shared::cta", ".shared::cluster"
_OF_WIDER_REGISTERS = frozenset(("cvt", "ld", "ldu", "st"))
_ALTERNATE = re.compile(r"\.(?:tf32|bf16(?:x2)?|f32x2|u?e\dm\d(?:x\d)?)")
"""A qualifier for numbers in a format that no register has (5.2.3)."""


def may_be_wider(words: Sequence[str]) -> bool:
    """Whether registers of an instruction, by the words of its opcode, may be wider than their type
    (9.4.1; measured)."""
    is_copy = words[1:2] in ([".async"], [".bulk"])
    return words[0] in _OF_WIDER_REGISTERS and not (
        is_copy or any(map(_ALTERNATE.fullmatch, words))
    )


_BITS = re.compile(r"\.b\d+")


def kind_without_qualifier(words: Sequence[str], is_bits: bool, in_vector: bool) -> str:
    """The kind of the type (see `ptx_text.holders`) of an operand without a type qualifier of its
    own, in an instruction with these words in its opcode (measured). With `is_bits`, the operand
    may have a bit type, with which all registers of the size agree; others are integers."""
    if words[0] == "cvt" and words[1] != ".pack":
        return "a"
    if in_vector:
        return "u" if words[0] == "cp" else "b"
    return "b" if is_bits and any(map(_BITS.fullmatch, words)) else "u"


UNCHECKED = (
    frozenset(("movmatrix",)),
    frozenset(("fence", ".tensormap::generic")),
    frozenset(("cvt", ".e2m1x2", ".bf16x2")),
)
"""Words of instructions whose registers ptxas does not check (measured)."""
_OTHERS = ("bra", "brx", "call", "exit", "ret", "tensormap", "wgmma")
_UNDOCUMENTED = ("cctl", "cctlu", "fabric", "spcompress", "spdecompress", "trace")
"""Further first words that the newest assembler knows (measured)."""
OPCODES = frozenset(
    (
        *WRITES_FIRST,
        *BARRIERS,
        *WRITES_NOTHING,
        *(words[0] for words in WRITTEN),
        *_OTHERS,
        *_UNDOCUMENTED,
    )
)
"""The first words of all instructions."""
REPEATABLE = frozenset(
    (".NaN", ".approx", ".cc", ".relu", ".sat", ".satfinite", ".shiftamt", ".sync", ".uni")
)
"""Words that ptxas takes twice in an opcode (measured)."""
MAY_LACK = frozenset(
    (
        *((word, space) for word in ("ldmatrix", "stmatrix") for space in (".shared", _CTA)),
        *((word, _CLUSTER) for word in ("st", "red", "mapa", "getctarank")),
        ("clusterlaunchcontrol", _CTA),
        ("st", "semantics"),
        ("testp", "test"),
    )
)
"""
First words of opcodes and words, or names of qualifiers, without which ptxas takes an instruction
that always has them in the dialect: state spaces for which an address is generic, and others
(measured).
"""
