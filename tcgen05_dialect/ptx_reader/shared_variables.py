"""The shared variables of PTX text (5.4), for the checks of instructions that access them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Region

from ..isa.model.rule import Violation
from ..isa.ptx import kernel as isa
from ..isa.ptx import ptx_text
from ..ptx.instruction import Instruction
from ..ptx.kernel import KernelOp, SharedMemoryOp
from ..ptx.shared_accesses import PlaceInstruction
from ..ptx.structure import AddressOfOp
from .constant_expression import evaluate_integer, integer
from .scope import declared_names
from .syntax_tree import Directive, Statement


class SharedVariable(NamedTuple):
    """A shared variable; its size in bytes is None if it is not known."""

    size: int | None
    alignment: int
    is_explicit: bool
    """Whether the text gives the alignment; else it is that of the type, and may be larger."""

    def check(self) -> None:
        """Raise Violation for an alignment or a size that PTX does not allow."""
        isa.ALIGNMENT.check(self.alignment)
        if self.size is not None:
            isa.SIZE.check(self.size)

    def definition(self, name: str) -> SharedMemoryOp:
        """The operation that defines such a variable, which passes `check`."""
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "alignment": IntegerAttr(self.alignment, i64),
        }
        if self.size is not None:
            properties["size"] = IntegerAttr(self.size, i64)
        if not self.is_explicit:
            properties["at_least"] = UnitAttr()
        return SharedMemoryOp.create(properties=properties)


UNKNOWN = SharedVariable(None, max(isa.ALIGNMENT.values), True)
"""A variable of which nothing is known to be wrong."""


def declared_variables(statements: Iterable[Statement]) -> Mapping[str, SharedVariable]:
    """The shared variables of a text by name, without names that are declared several times."""
    directives = [each.words for each in statements if isinstance(each, Directive)]
    if not any(ptx_text.SHARED in words for words in directives):
        return {}
    count = Counter(name for words in directives for name in declared_names(words))
    return {
        name: variable
        for words in directives
        if ptx_text.SHARED in words
        for name, variable in shared_variables_of(words)
        if count[name] == 1
    }


def shared_variables_of(words: Sequence[str]) -> Iterator[tuple[str, SharedVariable]]:
    """The variables of a directive, such as `.shared .align 8 .b8 a[16], b[8][2];`."""
    rest = list(words[words.index(ptx_text.SHARED) + 1 :])
    given, element, members = None, 0, 1
    while rest and rest[0].startswith("."):
        word = rest.pop(0)
        if word == ptx_text.ALIGN and rest:
            given = integer(rest.pop(0))
        elif word in ptx_text.VECTOR_MEMBERS:
            members = int(word.removeprefix(".v"))
        else:
            element = (ptx_text.REGISTER_BITS.get(word) or 0) // 8
    alignment = given or element * members
    while rest and alignment:
        name, *behind = rest
        end = behind.index(",") if "," in behind else len(behind)
        size = _size(behind[:end], element * members)
        yield name, SharedVariable(size, alignment, given is not None)
        rest = behind[end + 1 :]


def _size(extents: Sequence[str], element: int) -> int | None:
    """The size of an array with these extents, the tokens of `[4][2]`; None if it is not known."""
    parts = " ".join(extents).replace("]", "").split("[")[1:]
    try:
        return element * prod(map(_extent, parts))
    except (Violation, IndexError):
        return None


def _extent(text: str) -> int:
    """The value of an extent; a single constant may be larger than constants of PTX are."""
    words = text.split()
    number = integer(words[0]) if len(words) == 1 else None
    return evaluate_integer(words) if number is None else number


def put_into_module(op: Instruction, variables: Mapping[str, SharedVariable]) -> None:
    """Put an instruction into a kernel of PTX text, in a module with the variables whose addresses
    it accesses."""
    definitions: dict[str, SharedMemoryOp] = {}
    for operand in op.places() if isinstance(op, PlaceInstruction) else ():
        owner = getattr(op, operand).owner
        if isinstance(owner, AddressOfOp):
            name = owner.variable.string_value()
            variable = variables.get(name)
            if variable:
                with suppress(Violation):
                    variable.check()
                    definitions[name] = variable.definition(name)
    properties = {"sym_name": StringAttr("text"), "declarations": ArrayAttr[StringAttr](())}
    kernel = KernelOp.create(properties=properties, regions=[Region(Block([op]))])
    ModuleOp([*definitions.values(), kernel])
