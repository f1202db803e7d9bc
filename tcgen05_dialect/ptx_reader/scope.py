"""Scopes: the registers and variables that a PTX statement can use, and the shared variables of a
text (5.4)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Region

from ..isa.model.rule import Violation, did_you_mean
from ..isa.ptx import kernel as isa
from ..isa.ptx import ptx_text
from ..isa.ptx.ptx_text import NAMES
from ..ptx.analysis.operand_checks import PlaceInstruction
from ..ptx.instruction import Instruction
from ..ptx.kernel import KernelOp, SharedMemoryOp
from ..ptx.structure import AddressOfOp
from .constant_expression import evaluate_integer, integer
from .tokens import Close, Directive, Open, Statement, is_name

_DIGITS = "0123456789"
_LONGEST_NUMBER = 10


class Declared(NamedTuple):
    """The declaration of a name."""

    space: str
    """`.reg` for a register, else the state space of a variable or a parameter."""
    type: str
    """Such as `.b32`."""
    numbered: int | None = None
    """The number of registers in a declaration such as `%r<5>`."""

    @property
    def is_register(self) -> bool:
        """Whether the name is a register, not a variable or a parameter."""
        return self.space == ptx_text.REGISTER

    def __str__(self) -> str:
        if self.is_register:
            return f"a {self.type} register"
        return f"a variable in the state space {self.space}"


class Scope:
    """The names declared by the statements seen so far, for each open block."""

    def __init__(self) -> None:
        self._names: dict[str, list[Declared]] = {}
        self._blocks: list[list[str]] = [[]]
        self._header: Sequence[str] = ()

    def see(self, statement: Statement) -> bool:
        """Process the next statement; returns whether it changes what a name refers to."""
        match statement:
            case Open():
                self._blocks.append([])
                header, self._header = self._header, ()
                return self._declare(header)
            case Close() if len(self._blocks) > 1:
                names = self._blocks.pop()
                for name in names:
                    self._names[name].pop()
                return bool(names)
            case Directive(words=words):
                if ptx_text.FUNCTIONS.isdisjoint(words):
                    return self._declare(words)
                self._header = () if statement.terminated else words
            case _:
                pass
        return False

    def _declare(self, words: Sequence[str]) -> bool:
        names = self._blocks[-1]
        before = len(names)
        for name, declared in declarations(words):
            self._names.setdefault(name, []).append(declared)
            names.append(name)
        return len(names) > before

    def meant(self, name: str) -> str:
        """The question "did you mean" for an undeclared name; empty if no declared name and no
        special register is similar. Names that differ only in their numbers are not."""
        stem = name.rstrip(_DIGITS)
        number = name[len(stem) :]
        known = (f"{each}{number}" for each in self._names if self.find(f"{each}{number}"))
        others = (each for each in self._names if self.find(each))
        candidates = dict.fromkeys((*known, *others, *NAMES))
        return did_you_mean(name, (each for each in candidates if each.rstrip(_DIGITS) != stem))

    def find(self, name: str) -> Declared | None:
        """The innermost declaration of a name; None if there is none."""
        found = self._names.get(name)
        if found and found[-1].numbered is None:
            return found[-1]
        number = name[len(name.rstrip(_DIGITS)) :][-_LONGEST_NUMBER:]
        for length in range(1, len(number) + 1):
            found = self._names.get(name[:-length])
            count = found[-1].numbered if found else None
            index = name[-length:]
            if found and count is not None and int(index) < count and index == str(int(index)):
                return found[-1]
        return None


def declared_names(words: Sequence[str]) -> Iterator[str]:
    """The names that a directive declares."""
    return (name for name, _ in declarations(words))


def declarations(words: Sequence[str]) -> Iterator[tuple[str, Declared]]:
    """The names that a directive declares, with their declarations."""
    space: str | None = None
    type_: str | None = None
    members: Sequence[str] = ("",)
    expected = False
    for index, word in _outside_brackets(words):
        if words[index - 1 : index] == (ptx_text.POINTER,):
            # The state space after .ptr is that of what a parameter points to.
            continue
        elif word == ptx_text.REGISTER or word in ptx_text.VARIABLES:
            space, type_, members, expected = word, None, ("",), True
        elif word in ptx_text.REGISTER_BITS:
            type_ = word
        elif word in ptx_text.VECTOR_MEMBERS:
            members = ptx_text.VECTOR_MEMBERS[word]
        elif word in (",", "="):
            expected = word == ","
        elif expected and space is not None and is_name(word):
            expected = False
            if space != ptx_text.REGISTER:
                yield word, Declared(space, type_ or "")
            elif type_ is None:
                continue
            elif words[index + 1 : index + 2] == ("<",) and len(words) > index + 2:
                yield word, Declared(space, type_, integer(words[index + 2]) or 0)
            else:
                for member in members:
                    yield word + member, Declared(space, type_)


def _outside_brackets(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The words outside brackets and braces, with their indices."""
    depth = 0
    for index, word in enumerate(words):
        if word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
        elif not depth:
            yield index, word


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
"""A variable without known faults."""


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
