"""Known values: the integers of constant operands, and of others during a run."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike, HasFolder

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
