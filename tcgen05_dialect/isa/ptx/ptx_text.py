"""PTX text: directives and statements (4, 11), operands of instructions (4.5.2, 5.2, 6.4, 9.4),
types of registers, and special registers (10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from tcgen05_dialect.isa.model.rule import rule

TYPE_RULE = rule("T5-PTX-080")
REGISTER_RULE = rule("T5-PTX-081")

TYPE_BITS: Mapping[str, int] = {
    **{f"{kind}{bits}": bits for kind in "bsu" for bits in (8, 16, 32, 64)},
    "b128": 128,
    "f16": 16,
    "f16x2": 32,
    "f32": 32,
    "f64": 64,
}
"""Fundamental type, other than pred -> its size in bits (5.2.1)."""

OPERAND_BITS: Mapping[str, int] = {
    **TYPE_BITS,
    "bf16": 16,
    "bf16x2": 32,
    **{f"{element}x{count}": 8 * count for element in ("e4m3", "e5m2") for count in (2, 4)},
}
"""Type of an operand in memory -> its size in bits, with the alternate types (5.2.3)."""
PARAMETER_BITS = 16
"""The least size in bits of a register that receives a parameter of a kernel."""


def copy_of(type_: str) -> str:
    """The opcode that copies a register of a bit-size type: mov has no type of 8 bits (9.7.9.1)."""
    return "cvt.u8.u8" if type_ == "b8" else f"mov.{type_}"


IMMEDIATE_BITS = 32
"""Size in bits of immediate operands and of offsets in addresses (6.4.1)."""
ADDRESS_OFFSETS = range(-(1 << IMMEDIATE_BITS - 1), 1 << IMMEDIATE_BITS - 1)
"""Offsets from the register or variable of an address operand (6.4.1)."""


SYNTAX_RULE = rule("T5-PTX-090")
INSTRUCTION_RULE = rule("T5-PTX-091")
DIRECTIVE_RULE = rule("T5-PTX-251")
QUALIFIER_RULE = rule("T5-PTX-092")
OPERANDS_RULE = rule("T5-PTX-093")
NAME_RULE = rule("T5-PTX-094")
CONSTANT_RULE = rule("T5-PTX-095")

HEADER_RULE = rule("T5-PTX-096")
SPELLING_RULE = rule("T5-PTX-097")

Kind = Literal["name", "number", "string"]


class LineDirective(NamedTuple):
    """
    The operands of a directive without a final semicolon: tokens of the kinds `first`; then, after
    each comma, either a token of the kind `further` or one of `parts`, which is a word with its
    tokens.
    """

    first: tuple[Kind, ...]
    further: Kind | None = None
    parts: Mapping[str, tuple[Kind, ...]] = MappingProxyType({})


VERSION = ".version"
TARGET = ".target"
ADDRESS_SIZE = ".address_size"
HEADER = (VERSION, TARGET)
"""The directives that begin every module (11.1)."""
CPU_DIRECTIVES = frozenset((".text", ".globl", ".p2align", ".type", ".cfi_startproc"))
"""Directives of assemblers for CPUs that PTX does not have."""

FILE = ".file"
LOC = ".loc"
INLINED_AT = "inlined_at"
"""Directives that name places in the program from which a compiler made the text, and the word
before the place of a call that it inlined (11.5.3, 11.5.4)."""
_PLACE: tuple[Kind, ...] = ("number", "number", "number")
LINE_DIRECTIVES: Mapping[str, LineDirective] = {
    VERSION: LineDirective(("number",)),
    TARGET: LineDirective(("name",), "name"),
    ADDRESS_SIZE: LineDirective(("number",)),
    FILE: LineDirective(("number", "string"), "number"),
    LOC: LineDirective(_PLACE, parts={"function_name": ("name",), INLINED_AT: _PLACE}),
}
"""Directives without a semicolon (11.1, 11.5). `+` and a number may follow a label."""

SECTION = ".section"
"""The directive followed by a block of data, without a semicolon (11.5.2)."""

KERNEL = ".entry"
FUNCTIONS = frozenset((KERNEL, ".func"))
"""Directives that end with a body in braces, or with a semicolon if they have no body (11.2)."""

PROTOTYPE = ".callprototype"
"""The directive that declares parameters like a function, and ends with a semicolon (11.3.3)."""

BRANCH_TARGETS = ".branchtargets"
"""The directive that lists the labels of a branch table; a label before it names the table
(11.3.1)."""
PRAGMA = ".pragma"
"""The directive with hints to the assembler (11.4.8)."""
CALL_TARGETS = ".calltargets"
"""The directive that lists the functions that an indirect call may call (11.3.2)."""
LISTS = frozenset((BRANCH_TARGETS, CALL_TARGETS, PRAGMA, ".alias"))
"""Directives with a list of values, which is not empty."""
EXTERN = ".extern"
VISIBLE = ".visible"

INTEGER_MOVES = frozenset(f".{kind}{bits}" for kind in "bsu" for bits in (16, 32, 64))
"""Types of mov for an integer (9.7.9.1)."""

ELEMENTS = (".x", ".y", ".z", ".w")
"""Suffixes that select the elements of a vector of registers, in their order (6.4.3)."""
VECTOR_MEMBERS: Mapping[str, tuple[str, ...]] = {
    ".v2": (*ELEMENTS[:2], ".r", ".g"),
    ".v4": (*ELEMENTS, ".r", ".g", ".b", ".a"),
}
"""Vector type of registers (5.4.2) -> suffixes that select their elements (6.4.3)."""
MOST_VECTOR_BITS = 128
"""The largest size of a vector (5.4.2)."""
SELECTOR = re.compile(r"\.([xyzwrgba]|[bh][0-7xyzw]+)")
"""The suffix that selects a part of a register: an element, or bytes and halfwords of an operand of
a video instruction (6.4.3, 9.7.18)."""
FAMILY = "tcgen05"
"""The first word of the instructions that the reader turns into operations (9.7.16)."""
SINK = "_"
"""The destination of a value that is not kept (9.7.9.4)."""
CALL = "call"
"""The instruction that writes the registers in its first parentheses (9.7.12.4)."""
ENDS = "bra", "brx", "ret", "exit"
"""The instructions that end a block (9.7.12)."""
TAKE_NAMES = frozenset(("mov", "cvta"))
"""Instructions in which the name of a variable is a value: its address (9.7.9.1, 9.7.9.20)."""

REGISTER = ".reg"
GENERIC = "generic"
"""The word before the name of a variable whose generic address is an initial value (5.4.4)."""
SHARED = ".shared"
ALIGN = ".align"
POINTER = ".ptr"
"""The attribute of a parameter that is a pointer; the state space and the alignment after it
describe what it points to (5.1.6.1)."""
PARAMETER = ".param"
VARIABLES = frozenset((SHARED, ".global", ".const", ".local", PARAMETER))
"""Directives that declare variables, by state space (5.1)."""
GENERIC_VARIABLES = frozenset((SHARED, ".global", ".local"))
"""State spaces whose variables ptxas accepts as addresses in tcgen05 instructions without a state
space."""

PREDICATE = ".pred"
_LINKABLE = FUNCTIONS | VARIABLES
LINKING: Mapping[str, frozenset[str]] = {
    **dict.fromkeys((EXTERN, VISIBLE, ".weak"), _LINKABLE),
    ".common": frozenset((".global",)),
}
"""Linking directives -> the directives of functions and variables that may follow them at the level
of the module (11.6)."""
DIRECTIVES = _LINKABLE.union(
    LINKING, LINE_DIRECTIVES, LISTS, (SECTION, PROTOTYPE, REGISTER, ".tex")
)
"""Directives that begin a statement, with the old declaration of textures (5.1.8, 11)."""
REGISTER_BITS: Mapping[str, int | None] = {
    PREDICATE: None,
    **{f".{type_}": bits for type_, bits in TYPE_BITS.items()},
}
"""Type of a register -> its size in bits, None for a predicate (5.2.1)."""
_BITS = "b"
_INTEGERS = frozenset("bsu")
SYNCHRONIZED = frozenset((".sync", ".aligned"))
"""Qualifiers of instructions that all threads of a warp execute together (9.7.16.7.1)."""
UNORDERED = SYNCHRONIZED | {".sp", ".2d", ".relu", ".sat", ".exclusive"}
"""Fixed qualifiers that ptxas accepts at any place among the others (measured)."""

MMA_ADDRESS_REGISTERS = frozenset((".b32",))
"""Types of registers that ptxas accepts as tensor memory addresses of matrix products. The other
tcgen05 instructions also accept integer registers (9.4)."""
ANY_TYPE = ".b32"
"""The register type that agrees with every element type of a vector."""
ELEMENT_CONSTANTS: Mapping[str, bool] = {".s64": True, ".u64": True, ".f32": False}
"""Types of constants that ptxas accepts as elements of a vector of registers -> whether the
constant is an integer. Adjacent elements must have types that agree. An integer takes its type from
a register, or from a float constant that is not the first element (measured with ptxas 12.8 to
13.5)."""
ADDRESS_BITS = (32, 64)
"""Sizes of registers that hold memory addresses; the smaller size is zero-extended (6.4.1)."""


PACKED = ".f16x2"
"""The type of registers that ptxas accepts as integers of 32 bits, too (measured)."""
_PACKED = frozenset((PACKED[1:], "s16x2", "u16x2"))
_AGREEING: Mapping[str, tuple[str, str]] = {
    "b": ("bsufp", "bsufp"),
    "s": ("bsup", "bsup"),
    "u": ("bsup", "bsup"),
    "i": ("bsu", "bsu"),
    "f": ("bf", "b"),
    "p": ("bp", "b"),
    "a": ("b", ""),
}
"""Kind of an operand -> the kinds of the registers of its size that hold it, and those of wider
registers (9.4, 9.4.1; measured with ptxas 13.5). Integers agree with bits, with each other and, if
the opcode has an integer type, with .f16x2 (p); otherwise (i) not. .f16x2 and packed integers agree
with bits and .f16x2; floats agree with bits, and formats that no register has (a) only with
bits."""


def kind_of(type_: str) -> str:
    """The kind of a type, without a dot; see `holders`."""
    if type_ in _PACKED:
        return "p"
    return type_[0] if type_ in TYPE_BITS else "a"


def holders(kind: str, bits: int, wider: bool = False, in_vector: bool = False) -> frozenset[str]:
    """
    The types of the registers that may hold an operand of a kind, one of `_AGREEING`, and size.

    With `wider`, registers of more bits may, too. In a vector, all of whose elements have the same
    type, floats also agree with integers.
    """
    same, more = _AGREEING[kind]
    same += "su" if in_vector and kind == "f" else ""
    return frozenset(
        register
        for register, size in REGISTER_BITS.items()
        if (size == bits and kind_of(register[1:]) in same)
        or (wider and size is not None and size > bits and kind_of(register[1:]) in more)
    )


HOLD_ADDRESSES = frozenset(
    register
    for register, bits in REGISTER_BITS.items()
    if register[1] in _INTEGERS and bits is not None and bits <= max(ADDRESS_BITS)
)
"""The types of the registers that ptxas accepts as addresses: bits and integers of at most 64 bits
(6.4.1; measured)."""


def agrees(element: str, other: str) -> bool:
    """
    Whether registers of these types may be beside each other in a vector, given that their sizes
    agree (9.4).

    Bit types agree with all types, integers with integers, and floats only with floats.
    """
    kinds = {element[1], other[1]}
    return element == other or (
        PREDICATE not in (element, other) and (_BITS in kinds or kinds <= _INTEGERS)
    )


_DIMENSIONS = ("x", "y", "z")

CONSTANT_B32: tuple[str, ...] = (
    *(
        f"{name}.{dimension}"
        for name in (
            *("tid", "ntid", "ctaid", "nctaid"),
            *("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"),
        )
        for dimension in _DIMENSIONS
    ),
    *("laneid", "nwarpid", "cluster_ctarank", "cluster_nctarank"),
    *("lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"),
    *("total_smem_size", "dynamic_smem_size", "aggr_smem_size", "gridid"),
    *(f"reserved_smem_offset_{part}" for part in ("begin", "end", "cap", "0", "1")),
    *(f"envreg{number}" for number in range(32)),
)
"""32-bit special registers that are constant while a thread runs."""

_PLACES = ("ctaid", "nctaid", "clusterid", "nclusterid")
OF_GRID = frozenset(name for name in CONSTANT_B32 if name.partition(".")[0] in _PLACES)
"""Special registers that tell the extents of the grid, or the place of a CTA or cluster in it."""

_COUNTERS = range(8)
VOLATILE_B32: tuple[str, ...] = (
    *("clock", "clock_hi", "globaltimer_lo", "globaltimer_hi", "warpid", "smid", "nsmid"),
    *(f"pm{number}" for number in _COUNTERS),
)
"""32-bit special registers that may change, because time passes or a thread migrates."""

VOLATILE_B64: tuple[str, ...] = (
    *("clock64", "globaltimer", "gridid", "current_graph_exec"),
    *(f"pm{number}_64" for number in _COUNTERS),
)
"""64-bit special registers; two reads may return different values."""
PREDICATES: tuple[str, ...] = ("is_explicit_cluster",)
"""Special registers that are predicates."""
OUTSIDE = frozenset(
    name
    for name in (*CONSTANT_B32, *VOLATILE_B32, *VOLATILE_B64)
    if name.startswith(("reserved_smem_offset_", "envreg", "pm", "current_graph"))
)
"""Special registers whose contents the driver or the hardware decides, not the kernel."""

NAMES = tuple(f"%{name}" for name in (*CONSTANT_B32, *VOLATILE_B32, *VOLATILE_B64, *PREDICATES))
"""The special registers as PTX spells them."""
_STEMS = frozenset(name.removeprefix("%").partition(".")[0] for name in NAMES)
READERS = frozenset(("mov", "cvt"))
"""Instructions that take a special register as an operand."""


def is_special(name: str) -> bool:
    """Whether a name, such as `%tid.x` or `%envreg3`, is that of a special register."""
    return name.removeprefix("%").partition(".")[0] in _STEMS
