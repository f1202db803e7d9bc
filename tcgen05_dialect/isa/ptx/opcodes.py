"""Opcodes of PTX by their operands, for instructions known by name only (9.7)."""

from __future__ import annotations

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
OF_WIDER_REGISTERS = frozenset(("cvt", "ld", "ldu", "st"))
"""Instructions whose registers may be wider than their type (9.4.1)."""
UNCHECKED = (("isspacep",), ("movmatrix",), ("st", ".bulk"))
"""First words of instructions whose registers ptxas does not check (measured)."""
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
