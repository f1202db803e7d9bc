"""Limits on kernels and their parts in PTX text: names, variables, directives, constants, and the
calls of functions of CUDA (4.4, 4.5, 5.1, 5.4, 11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from math import prod
from typing import Literal, NamedTuple

from tcgen05_dialect.isa.instructions.barriers import MAX_THREADS
from tcgen05_dialect.isa.model.rule import Rule, Violation, describe, extents_text, rule
from tcgen05_dialect.isa.model.table import Limit
from tcgen05_dialect.isa.ptx.ptx_text import is_special
from tcgen05_dialect.isa.targets import TARGETS
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

PREDEFINED: Mapping[str, int] = {"WARP_SZ": WARP_LANES}
"""Predefined constants (4.5.1)."""


class IntegerForm(NamedTuple):
    """The prefix and the digits of integers of one base."""

    prefix: str
    digits: str
    base: int


INTEGER_FORMS = (
    IntegerForm("0x", "0-9A-Fa-f", 16),
    IntegerForm("0b", "01", 2),
    IntegerForm("0", "0-7", 8),
    IntegerForm("", "0-9", 10),
)
"""Forms of integers; letters in prefixes may be upper or lower case (4.5.1)."""

UNSIGNED_SUFFIX = "U"
BITS = 64
"""Width in bits of integer arithmetic on constants (4.5.1)."""

CONVERTED_BITS = frozenset((1, 32, 64))
"""Operand sizes to which integers are converted. A predicate is false for 0 and true otherwise;
integers are truncated to larger operands (4.5.1). ptxas refuses a value that does not fit into 16
bits."""

DECIMAL = r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
"""The pattern of a decimal number: a 64-bit float, or an integer if it has neither point nor
exponent (4.5.2)."""

FLOAT_PREFIXES = {32: "0f", 64: "0d"}
"""Width of a float constant -> the prefix of its bits, in either case (4.5.2)."""

Type = Literal["s64", "u64", "f64", "f32"]
"""Types of constants. Those with the prefix `0f` are f32, which no operator accepts (4.5.2)."""

INTEGER_TYPES: Mapping[str, Type] = {".s64": "s64", ".u64": "u64"}
"""Result types of casts (4.5.4)."""


class Operator(NamedTuple):
    """
    An operator (Table 5).

    `operands` is the type to which the operands are converted; `usual` means unsigned if either is
    unsigned (4.5.3), and `own` means no conversion. `result` is the type of the result; `operand`
    means the type of the first operand after its conversion.
    """

    precedence: int
    """Operators with higher precedence are applied first."""
    operands: Literal["usual", "u64", "own"]
    result: Literal["s64", "u64", "operand"]
    floats: bool = False
    """Whether both operands may be floats."""


_SHIFT = Operator(8, "own", "operand")
_ORDER = Operator(7, "usual", "s64", floats=True)
_EQUALITY = Operator(6, "usual", "s64", floats=True)
_SUM = Operator(9, "usual", "operand", floats=True)
_PRODUCT = Operator(10, "usual", "operand", floats=True)

TERNARY_PRECEDENCE = 0
UNARY_PRECEDENCE = 11
"""Precedence of unary operators and casts."""
BINARY: Mapping[str, Operator] = {
    "||": Operator(1, "own", "s64"),
    "&&": Operator(2, "own", "s64"),
    "|": Operator(3, "usual", "operand"),
    "^": Operator(4, "usual", "operand"),
    "&": Operator(5, "usual", "operand"),
    "==": _EQUALITY,
    "!=": _EQUALITY,
    "<": _ORDER,
    "<=": _ORDER,
    ">": _ORDER,
    ">=": _ORDER,
    "<<": _SHIFT,
    ">>": _SHIFT,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "%": Operator(10, "u64", "u64"),
}
"""
Binary operators, which are left-associative.

The types are those of ptxas, which differ from Table 5: `%` gives u64, not s64; `& ^ |` use the
usual conversions, not u64. The operator `?:` is right-associative. It takes no floats and does not
convert the operand that it selects.
"""

UNARY: Mapping[str, Operator] = {
    "+": Operator(UNARY_PRECEDENCE, "own", "operand", floats=True),
    "-": Operator(UNARY_PRECEDENCE, "own", "operand", floats=True),
    "~": Operator(UNARY_PRECEDENCE, "u64", "u64"),
    "!": Operator(UNARY_PRECEDENCE, "own", "s64"),
}
"""Unary operators."""


BY_POSITION = "_param_"
"""What compilers put between the name of a kernel and the position of a parameter without a
name."""
IDENTIFIER_RULE = rule("T5-PTX-070")
FOLLOWING = "[a-zA-Z0-9_$]"
"""The pattern of a character of an identifier after the first one (4.4)."""
IDENTIFIER = f"[a-zA-Z]{FOLLOWING}*+|[_$]{FOLLOWING}++"
"""The pattern of an identifier (4.4), except for those that begin with %, which name registers."""
_IDENTIFIER = re.compile(IDENTIFIER)
RESERVED = frozenset(PREDEFINED)
"""Names of predefined constants (4.4), except for those that begin with %, which IDENTIFIER
excludes.
"""
_LEGAL_NAME = (
    "a letter followed by letters, digits, _ and $, or _ or $ followed by at least one of these"
)

_ALIGNMENTS = frozenset(1 << n for n in range(16))
ALIGNMENT = Limit(
    rule("T5-PTX-071", most=max(_ALIGNMENTS)),
    _ALIGNMENTS,
)
OFFSET_RULE = rule("T5-PTX-082")
SIZE = Limit(
    rule("T5-PTX-072"),
    range(1, 1 << 31),
)
DYNAMIC_ALIGNMENT = 1024
"""Alignment in bytes that the driver gives dynamic shared memory in a kernel without other
variables in shared memory (observed; the manual does not mention it)."""
TENSOR_MAP_BYTES = 128
TENSOR_MAP_ALIGNMENT = 64
"""Alignment in bytes of a tensor map passed to a kernel by value (5.5.8)."""
PARAMETER_BYTES = Limit(
    rule("T5-PTX-073"),
    range(32765),
)

_MOST_ALONG_Z = 64
_CTA_RULE = rule("T5-PTX-074", max_threads=MAX_THREADS, most_along_z=_MOST_ALONG_Z)
MAX_CTAS = 16
"""Largest number of CTAs in a cluster (11.7.1)."""
_CLUSTER_RULE = rule("T5-PTX-075", max_ctas=MAX_CTAS)

CTA_MASK = Limit(
    rule("T5-PTX-079"),
    range(1 << MAX_CTAS),
)
"""ctaMask of an instruction with .multicast::cluster; it has one bit for each CTA."""


ONE_TO_THREE = "one to three"
"""The number of extents of a grid, a cluster or a CTA, as messages name it."""


class ExtentLimits(NamedTuple):
    """Limits of extents along one to three dimensions: the range of each, and the maximum of their
    product."""

    ranges: tuple[range, ...]
    largest: int

    def allow(self, extents: tuple[int, ...]) -> bool:
        """Whether extents keep the limits."""
        inside = all(extent in legal for extent, legal in zip(extents, self.ranges, strict=False))
        return 1 <= len(extents) <= len(self.ranges) and inside and prod(extents) <= self.largest

    @property
    def legal(self) -> str:
        """The legal extents, as messages describe them."""
        largest = [legal[-1] for legal in self.ranges]
        limits = "" if min(largest) >= self.largest else f", at most {extents_text(largest)}"
        most = f"with a product of at most {self.largest}"
        return f"{ONE_TO_THREE} extents of 1 or more{limits}, {most}"


class Extents(NamedTuple):
    """A directive of one to three extents: its PTX text, and the limits of the extents."""

    ptx: str
    rule: Rule
    limits: ExtentLimits


_CTA = ExtentLimits((*[range(1, MAX_THREADS + 1)] * 2, range(1, _MOST_ALONG_Z + 1)), MAX_THREADS)
EXPLICIT_CLUSTER = ".explicitcluster"
"""The directive that makes a launch keep the extents of the cluster of the kernel (11.7.1)."""
CLUSTER = ".reqnctapercluster"
EXTENTS = {
    "maxntid": Extents(".maxntid", _CTA_RULE, _CTA),
    "reqntid": Extents(".reqntid", _CTA_RULE, _CTA),
    "cluster_dims": Extents(
        f"{EXPLICIT_CLUSTER}\n{CLUSTER}",
        _CLUSTER_RULE,
        ExtentLimits((range(1, MAX_CTAS + 1),) * 3, MAX_CTAS),
    ),
}

MAXNREG = Limit(
    rule("T5-PTX-076"),
    range(1, 257),
)
"""The largest number is that of setmaxnreg; ptxas takes it, and gives a thread fewer registers."""
MINNCTAPERSM = Limit(
    rule("T5-PTX-077"),
    range(1, max(target.multiprocessor_ctas for target in TARGETS.values()) + 1),
)


def check_minnctapersm(number: int, target: str) -> None:
    """Raise Violation if a multiprocessor of the target cannot run so many CTAs."""
    most = TARGETS[target].multiprocessor_ctas
    if number > most:
        subject = f"{MINNCTAPERSM.rule.subject}, {target}"
        raise MINNCTAPERSM.rule.violation(number, f"at most {most}", subject)


def ignores_minnctapersm(number: int, directives: Set[str]) -> bool:
    """Whether ptxas warns that it ignores a minnctapersm beside other directives (measured with
    ptxas 12.8 to 13.4). It refuses 0, and numbers of more than 32 bits."""
    bounded = not directives.isdisjoint((".maxntid", ".reqntid"))
    return 0 < number < 1 << 32 and not (bounded and number in MINNCTAPERSM.values)


DIRECTIVES_RULE = rule("T5-PTX-078")
DECLARATION_RULE = rule("T5-PTX-114")


def check_identifier(name: str) -> None:
    """Raise Violation unless `name` is an identifier that a PTX program may define."""
    if _IDENTIFIER.fullmatch(name) is None:
        raise IDENTIFIER_RULE.violation(repr(name), _LEGAL_NAME)
    if name in RESERVED:
        raise IDENTIFIER_RULE.violation(name, f"a name other than {describe(RESERVED)}")


_REGISTER_NAME = re.compile(f"%{FOLLOWING}++")


def check_register_name(name: str, prefixes: Iterable[str]) -> None:
    """Raise Violation unless `name` is that of a register that a PTX program may declare, and
    differs from all registers with a prefix and a number."""
    prefix = name.rstrip("0123456789")
    if _REGISTER_NAME.fullmatch(name) is None:
        legal = "% followed by letters, digits, _ and $, such as %sum"
        raise IDENTIFIER_RULE.violation(repr(name), legal)
    if is_special(name):
        raise IDENTIFIER_RULE.violation(name, "a name that is not that of a special register")
    if prefix != name and prefix in prefixes:
        legal = f"a name other than {prefix} and a number, which the printer gives"
        raise IDENTIFIER_RULE.violation(name, legal)


def check_cta_mask(mask: int, ctas: int = MAX_CTAS) -> None:
    """Raise Violation unless `mask` is a legal ctaMask in a cluster of `ctas` CTAs."""
    legal = range(1 << ctas)
    if mask not in legal:
        what = f"CTA mask in a cluster of {ctas} CTAs"
        raise CTA_MASK.rule.violation(mask, legal, what, culprit="multicast_mask")


def extents_violations(directive: str, extents: tuple[int, ...]) -> list[Violation]:
    """Violations by the extents of a directive in EXTENTS."""
    _, rule, limits = EXTENTS[directive]
    if limits.allow(extents):
        return []
    return [rule.violation(extents_text(extents), limits.legal, directive, culprit=directive)]


def directive_violations(directives: frozenset[str]) -> Iterator[Violation]:
    """Violations by directives that exclude each other, or that need another directive."""
    if {"maxntid", "reqntid"} <= directives:
        yield DIRECTIVES_RULE.says("maxntid and reqntid exclude each other", culprit="maxntid")
    if "minnctapersm" in directives and not directives & {"maxntid", "reqntid"}:
        yield DIRECTIVES_RULE.says("minnctapersm needs maxntid or reqntid", culprit="minnctapersm")


LOCAL = "local"
INITIALISED = ("global", "const")
"""State spaces whose variables may have initial values (5.4.4)."""
SPACES = (*INITIALISED, LOCAL)
ADDRESS_BYTES = 8
"""Size of an address in memory, such as an initial value (5.4.4)."""


DOMINANCE_RULE = rule("T5-PTX-100")
TERMINATOR_RULE = rule("T5-PTX-101")
BRANCH_RULE = rule("T5-PTX-102")
GUARD_RULE = rule("T5-PTX-103")
INLINE_RULE = rule("T5-PTX-112")
OPERATION_RULE = rule("T5-PTX-104")
ATTRIBUTE_RULE = rule("T5-PTX-105")


def wrong_value(found: object, legal: str, example: object, name: str) -> Violation:
    """The violation to raise for the wrong value of an attribute: `legal` describes legal values,
    and `example` is one, or None."""
    shown, help = legal, ""
    if example is not None:
        shown, help = f"{legal}, such as {example}", f"write {name} = {example}"
    return ATTRIBUTE_RULE.violation(found, shown, name, culprit=name, help=help)


PARAMETER_RULE = rule("T5-PTX-106")
PARAMETER_USE_RULE = rule("T5-PTX-113")
CONSTANT_TYPE_RULE = rule("T5-PTX-107")
SYMBOL_RULE = rule("T5-PTX-108")
VARIABLE_RULE = rule("T5-PTX-130")
CALL_RULE = rule("T5-PTX-131")
FUNCTION_RULE = rule("T5-PTX-115")
REGION_RULE = rule("T5-PTX-109")
PASSED_RULE = rule("T5-PTX-110")
STEP_RULE = rule("T5-PTX-111")


PRINTF = "vprintf"
"""Prints text: the address of a format string, and that of its arguments in local memory."""
ASSERTFAIL = "__assertfail"
"""Reports a failed assertion: the addresses of its text and of the name of the file, a line number,
the address of the name of the function, and the size of a character."""
HOST_FUNCTIONS = (PRINTF, ASSERTFAIL)
"""Functions without a body in PTX that every CUDA program may call."""
