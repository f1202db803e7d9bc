"""Known values: the integers of constant operands, of others during a run, and what operations of
`arith` make of them."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from xdsl.dialects.builtin import FixedBitwidthType, IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import ConstantLike, HasFolder

from ...isa.instructions.meaning import MEANINGS, Integers, Unknown
from ..text.syntax import offset_of, values_of


def constant_value(value: SSAValue) -> int | None:
    """
    The integer that a constant operation defines, or that a `ptx.mov` copies from one; None for the
    result of any other operation.

    It is signed, as in xDSL's attributes; a true predicate is -1.
    """
    owner = value.owner
    while isinstance(owner, Operation) and owner.name == "ptx.mov":
        owner = owner.operands[0].owner
    folder = _folder(type(owner))
    if folder is None or not isinstance(owner, Operation) or not (folded := folder.fold(owner)):
        return None
    constant = folded[0]
    return constant.value.data if isinstance(constant, IntegerAttr) else None


def constant_bits(value: SSAValue) -> int | None:
    """
    The bits of a constant integer as an unsigned number; None if the value is not constant, unless
    `run_time_bits` gives its bits.
    """
    known = constant_value(value)
    if not isinstance(value.type, FixedBitwidthType):
        return None
    if known is None:
        return None if (lookup := _lookup.get()) is None else lookup(value)
    return known % (1 << value.type.bitwidth)


_lookup: ContextVar[Callable[[SSAValue], int | None] | None] = ContextVar(
    "bits of values that are not constant", default=None
)


@contextmanager
def run_time_bits(lookup: Callable[[SSAValue], int | None]) -> Generator[None]:
    """Let verifiers ask a function for the bits of values that are not constant."""
    token = _lookup.set(lookup)
    try:
        yield
    finally:
        _lookup.reset(token)


def known_address(op: Operation, name: str) -> int | None:
    """The bits of the address operand `name` plus its offset; None if it is not constant."""
    (value,) = values_of(op, name)
    known = constant_bits(value)
    if known is None or not isinstance(value.type, FixedBitwidthType):
        return None
    return (known + offset_of(op, name)) % (1 << value.type.bitwidth)


@cache
def _folder(owner: type[Operation | Block]) -> HasFolder | None:
    """The folder of constant operations; cached, because xDSL would search the traits each time."""
    if issubclass(owner, Operation) and owner.has_trait(ConstantLike):
        return owner.get_trait(HasFolder)
    return None


ARITH: Mapping[str, tuple[str, str]] = {
    "arith.addi": ("add", "s"),
    "arith.subi": ("sub", "s"),
    "arith.muli": ("mul", "s"),
    "arith.divui": ("div", "u"),
    "arith.divsi": ("div", "s"),
    "arith.remui": ("rem", "u"),
    "arith.remsi": ("rem", "s"),
    "arith.andi": ("and", "b"),
    "arith.ori": ("or", "b"),
    "arith.xori": ("xor", "b"),
    "arith.minsi": ("min", "s"),
    "arith.minui": ("min", "u"),
    "arith.maxsi": ("max", "s"),
    "arith.maxui": ("max", "u"),
    "arith.shli": ("shl", "b"),
    "arith.shrui": ("shr", "u"),
    "arith.shrsi": ("shr", "s"),
}
"""Operation of `arith` on two integers -> the instruction that computes it, and the kind of its
type."""
ARITH_COMPARISONS = (
    *(("eq", "b"), ("ne", "b"), ("lt", "s"), ("le", "s"), ("gt", "s"), ("ge", "s")),
    *(("lt", "u"), ("le", "u"), ("gt", "u"), ("ge", "u")),
)
"""By the number of the predicate of `arith.cmpi`: the comparison of setp, and the kind of its
type."""
_EXTENDED = {
    "arith.extsi": True,
    "arith.index_cast": True,
    "arith.extui": False,
    "arith.trunci": False,
}
"""Conversion -> whether the sign fills a wider number."""
_ROUNDED = {
    "arith.ceildivui": ("u", 1),
    "arith.ceildivsi": ("s", 1),
    "arith.floordivsi": ("s", -1),
}
"""Division that rounds up or down -> the kind of its type, and the way."""
INDEX_BITS = 64
_KNOWN = Integers()


def arith_bits(op: Operation, operands: Sequence[int | None]) -> int | None:
    """The bits of the result of an operation of `arith` on integers, from those of its operands;
    None if it is undefined or not known."""
    if op.name == "arith.select":
        return None if operands[0] is None else operands[1 if operands[0] else 2]
    known = [each for each in operands if each is not None]
    width = _width(op.operands[0].type) if op.operands else None
    if width is None or len(known) < len(operands):
        return None
    try:
        return _arith_bits(op, known, width)
    except Unknown:
        return None


def _arith_bits(op: Operation, operands: Sequence[int], width: int) -> int | None:
    if (extended := _EXTENDED.get(op.name)) is not None:
        target = _width(op.results[0].type)
        return None if target is None else _KNOWN.of(width, extended).resize(operands[0], target)
    if op.name == "arith.cmpi":
        predicate = op.properties["predicate"]
        assert isinstance(predicate, IntegerAttr)
        comparison, kind = ARITH_COMPARISONS[predicate.value.data]
        return _KNOWN.of(width, kind == "s").compare(comparison, *operands)
    if (rounded := _ROUNDED.get(op.name)) is not None:
        kind, way = rounded
        domain = _KNOWN.of(width, kind == "s")
        quotient, rest = domain.div(*operands), domain.rem(*operands)
        # The quotient was rounded up if and only if the signs differ.
        is_up = domain.compare("lt", domain.differing(rest, operands[1]), 0)
        return domain.add(quotient, way) if rest and bool(is_up) == (way < 0) else quotient
    if op.name not in ARITH:
        return None
    name, kind = ARITH[op.name]
    return MEANINGS[name](_KNOWN.of(width, kind == "s"), lambda word: None)(*operands)


def _width(type_: Attribute) -> int | None:
    """The bits of an integer; None for other types."""
    if isinstance(type_, IndexType):
        return INDEX_BITS
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else None
