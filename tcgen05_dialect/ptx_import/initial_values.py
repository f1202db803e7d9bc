"""Variables in global, constant and local memory: their size and initial bytes (5.4)."""

from collections.abc import Callable, Iterator, Sequence
from math import isnan, prod
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, FloatAttr, f32, f64, i8
from xdsl.ir import Attribute

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.variables import ADDRESS_BYTES, SPACES
from ..ptx.variables import SymbolAddressAttr, VariableOp, new_variable
from ..ptx_reader.constant_expression import evaluate, evaluate_integer, integer
from ..ptx_reader.tokens import is_name
from ..xdsl_support.float_bits import attribute_bits
from .names import Symbol

_OPENING, _CLOSING = ("{", "[", "("), ("}", "]", ")")
_FLOATS = {".f32": f32, ".f64": f64}


class _Unknown(Exception):
    """An initial value that the importer does not take apart."""


class _Head(NamedTuple):
    """The words before the names of a declaration."""

    linking: str | None
    space: str
    alignment: int
    type: str
    members: int

    @property
    def element(self) -> int:
        """The size of an element in bytes, which is a vector if there are several members."""
        return (ptx_text.REGISTER_BITS[self.type] or 0) // 8


def variable_of(
    head: Sequence[str], name: str, rest: Sequence[str], symbol: Callable[[str], Symbol | None]
) -> VariableOp | None:
    """
    The variable `name`, declared with the words of `head` before and `rest` after its name; None
    for another kind of declaration. `symbol` finds the variables that initial values name.
    """
    known = _head_of(head)
    if known is None:
        return None
    size_words, _, values = _split(rest, "=")
    try:
        size = _size(size_words, known.element * known.members)
        if size is None and [*size_words] == ["[", "]"]:
            size = known.element * sum(1 for _ in _elements(values)) if values else None
        op = new_variable(known.space, name, size, known.alignment, known.linking)
        if values and size is not None:
            _initialise(op, known, values, size, symbol)
    except (_Unknown, Violation):
        return None
    return op


def _head_of(words: Sequence[str]) -> _Head | None:
    linking, space, alignment, type_, members = None, "", 0, "", 1
    rest = iter(words)
    for word in rest:
        if word in ptx_text.LINKING and linking is None:
            linking = word
        elif word in ptx_text.VARIABLES:
            space = word
        elif word == ptx_text.ALIGN:
            alignment = integer(next(rest, "")) or 0
        elif word in ptx_text.VECTOR_MEMBERS:
            members = int(word.removeprefix(".v"))
        elif ptx_text.REGISTER_BITS.get(word) and not type_:
            type_ = word
        else:
            return None
    if not type_ or space[1:] not in SPACES:
        return None
    head = _Head(linking, space[1:], alignment, type_, members)
    return head._replace(alignment=alignment or head.element * members)


def _split(words: Sequence[str], mark: str) -> tuple[Sequence[str], str, Sequence[str]]:
    if mark not in words:
        return words, "", ()
    index = list(words).index(mark)
    return words[:index], mark, words[index + 1 :]


def _size(words: Sequence[str], element: int) -> int | None:
    """The size of a variable whose name is followed by these words; None if it is not known."""
    extents = " ".join(words).replace("]", "").split("[")[1:]
    if any(not extent.strip() for extent in extents):
        return None
    return element * prod(evaluate_integer(extent.split()) for extent in extents)


def _initialise(
    op: VariableOp,
    head: _Head,
    words: Sequence[str],
    size: int,
    symbol: Callable[[str], Symbol | None],
) -> None:
    """Set the initial bytes of a variable. Raises _Unknown and Violation."""
    content = bytearray()
    addresses: list[Attribute] = []
    for element in _elements(words):
        if any(map(is_name, element)):
            addresses.append(_address(len(content), element, symbol))
            if head.element != ADDRESS_BYTES:
                raise _Unknown
            content += bytes(ADDRESS_BYTES)
        else:
            content += _bits(head.type, element).to_bytes(head.element, "little")
    if len(content) > size or (addresses and size % ADDRESS_BYTES):
        raise _Unknown
    if not addresses:
        content = content.rstrip(b"\0")
    if content:
        op.properties["bytes"] = DenseArrayBase.from_list(i8, [(b ^ 128) - 128 for b in content])
    if addresses:
        op.properties["addresses"] = ArrayAttr(addresses)


def _elements(words: Sequence[str]) -> Iterator[list[str]]:
    """The elements of an initial value, whose lists contain no lists."""
    inner = words[1:-1] if words[0] == "{" else words
    element: list[str] = []
    for word in inner:
        if word == "{":
            raise _Unknown
        if word == ",":
            yield element
            element = []
        else:
            element.append(word)
    if element:
        yield element


def _bits(type_: str, words: Sequence[str]) -> int:
    """The bits of an element. Raises _Unknown and Violation."""
    number, bits = evaluate(words), ptx_text.REGISTER_BITS[type_] or 0
    if isinstance(number, int):
        if type_ in _FLOATS:
            raise _Unknown
        return number % (1 << bits)
    if type_ not in _FLOATS or isnan(number):
        raise _Unknown  # xDSL keeps no payload of a NaN.
    return attribute_bits(FloatAttr(number, _FLOATS[type_]))


def _address(
    at: int, words: Sequence[str], symbol: Callable[[str], Symbol | None]
) -> SymbolAddressAttr:
    """The address in an initial value, such as `generic(name)+4`. Raises _Unknown and Violation."""
    rest = list(words)
    is_generic = rest[:2] == [ptx_text.GENERIC, "("]
    if is_generic:
        del rest[:2], rest[1:2]
    name, *offset = rest
    found = symbol(name) if is_name(name) else None
    if found is None or offset[:1] not in ([], ["+"], ["-"]):
        raise _Unknown
    return SymbolAddressAttr.of(at, found.name, evaluate_integer(["0", *offset]), is_generic)
