"""The declarations and functions of PTX text (5.4, 11.3), and scopes: the registers and variables
that a statement can use."""

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
from .tokens import CLOSING, Close, Directive, Open, Statement, is_name

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
    elements: Sequence[str] = ()
    """The suffixes of the elements, in their order, if it is a vector of registers."""

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
        for name, declared in declared_by(words):
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
        # An element of a vector: %v1.x is declared as .x of %v<2>.
        name, dot, element = name.partition(".")
        number = name[len(name.rstrip(_DIGITS)) :][-_LONGEST_NUMBER:]
        for length in range(1, len(number) + 1):
            found = self._names.get(name[:-length] + dot + element)
            count = found[-1].numbered if found else None
            index = name[-length:]
            if found and count is not None and int(index) < count and index == str(int(index)):
                return found[-1]
        return None


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


class Declarator(NamedTuple):
    """A name of a declaration, and the words after it."""

    name: str
    rest: Sequence[str]

    @property
    def numbered(self) -> int | None:
        """The number of registers in a declaration such as `%r<5>`; None for one register."""
        return integer(self.rest[1]) or 0 if "<" in self.rest[:1] else None

    @property
    def extents(self) -> Sequence[str]:
        """The words between the brackets of an array, such as `4` and `2` in `a[4][2]`."""
        words = self.rest[: self.rest.index("=")] if "=" in self.rest else self.rest
        return " ".join(words).replace("]", "").split("[")[1:]

    @property
    def value(self) -> Sequence[str]:
        """The words of the initial value; none if there is none."""
        return self.rest[self.rest.index("=") + 1 :] if "=" in self.rest else ()


class Declaration:
    """A declaration of registers, variables or parameters, such as
    `.shared .align 8 .b8 a[16], b[8][2]`, without its semicolon."""

    def __init__(self, words: Sequence[str]) -> None:
        parts = [*_split(words)]
        first = next((at for at, word in _outside(parts[0]) if is_name(word)), len(parts[0]))
        self.head = parts[0][:first]
        """The words before the first name."""
        parts[0] = parts[0][first:]
        self.declarators = [Declarator(part[0], part[1:]) for part in parts if part]
        self.linking = self.type = self.space = self.vector = ""
        self.aligned: int | None = None
        """The alignment in bytes, if the words give it."""
        self.others: list[str] = []
        """Attributes, and words about what a parameter points to."""
        rest = iter(self.head)
        for word in rest:
            if ptx_text.POINTER in self.others:
                self.others.append(word)
            elif word in ptx_text.LINKING:
                self.linking = word
            elif word == ptx_text.REGISTER or word in ptx_text.VARIABLES:
                self.space = word
            elif word == ptx_text.ALIGN:
                self.aligned = integer(next(rest, ""))
            elif word in ptx_text.VECTOR_MEMBERS:
                self.vector = word
            elif word in ptx_text.REGISTER_BITS:
                self.type = word
            else:
                self.others.append(word)

    @property
    def scalar(self) -> int:
        """The size of the type in bytes."""
        return (ptx_text.REGISTER_BITS.get(self.type) or 0) // 8

    @property
    def element(self) -> int:
        """The size of an element in bytes; it may be a vector."""
        return self.scalar * int(self.vector.removeprefix(".v") or 1)

    @property
    def alignment(self) -> int:
        return self.aligned or self.element

    def words(self) -> Sequence[str]:
        """The words of a declaration of one name."""
        (declarator,) = self.declarators
        return [*self.head, declarator.name, *declarator.rest]

    def names(self) -> Iterator[tuple[str, Declared]]:
        """The names that are declared; a vector of registers has others for its elements."""
        for each in self.declarators:
            declared = Declared(self.space, self.type, each.numbered)
            if not (self.vector and declared.is_register):
                yield each.name, declared
                continue
            elements = ptx_text.ELEMENTS[: int(self.vector.removeprefix(".v"))]
            yield each.name, declared._replace(elements=elements)
            for member in ptx_text.VECTOR_MEMBERS[self.vector]:
                yield each.name + member, declared

    def size(self, declarator: Declarator) -> int | None:
        """The size of a variable in bytes; None if an extent is missing or not known."""
        try:
            return self.element * prod(map(_extent, declarator.extents))
        except (Violation, IndexError):
            return None

    def shared(self, declarator: Declarator) -> SharedVariable:
        """A variable of this declaration, which is in shared memory."""
        return SharedVariable(self.size(declarator), self.alignment, self.aligned is not None)


def declarations(words: Sequence[str]) -> Iterator[Declaration]:
    """The declarations of a directive, or of the parameters in the header of a function."""
    header = function_header(words)
    if header is not None:
        yield from (*header.returned, *header.parameters)
    elif ptx_text.REGISTER in words[:1] or not ptx_text.VARIABLES.isdisjoint(words[:2]):
        yield Declaration(words)


def declared_by(words: Sequence[str]) -> Iterator[tuple[str, Declared]]:
    """The names that a directive declares, with their declarations."""
    return (each for declaration in declarations(words) for each in declaration.names())


def _extent(text: str) -> int:
    """The value of an extent; a single constant may be larger than constants of PTX are."""
    words = text.split()
    number = integer(words[0]) if len(words) == 1 else None
    return evaluate_integer(words) if number is None else number


def _outside(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The words that are not inside brackets, and the outermost brackets, with their indices."""
    depth = 0
    for index, word in enumerate(words):
        depth -= word in CLOSING.values()
        if not depth:
            yield index, word
        depth += word in CLOSING


def _split(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The parts of a list between the commas outside brackets."""
    first = 0
    for index, word in _outside(words):
        if word == ",":
            yield words[first:index]
            first = index + 1
    yield words[first:]


class FunctionHeader(NamedTuple):
    """The header of a kernel or of another function."""

    kind: str
    """The directive that begins it."""
    name: str
    returned: Sequence[Declaration]
    parameters: Sequence[Declaration]
    directives: Sequence[Sequence[str]]
    """The directives after the parameters, each with its operands."""

    @property
    def is_kernel(self) -> bool:
        return self.kind == ptx_text.KERNEL


def function_header(words: Sequence[str]) -> FunctionHeader | None:
    """The header that a directive is; None for other directives."""
    kind = next((word for word in words[:2] if word in ptx_text.FUNCTIONS), None)
    if kind is None:
        return None
    rest = words[words.index(kind) + 1 :]
    outside = [*_outside(rest)]
    named = next((at for at, word in outside if is_name(word)), len(rest))
    behind = next((at for at, word in outside if at > named and word.startswith(".")), len(rest))
    directives: list[list[str]] = []
    for word in rest[behind:]:
        if word.startswith("."):
            directives.append([word])
        else:
            directives[-1].append(word)
    return FunctionHeader(
        kind,
        "".join(rest[named : named + 1]),
        # Attributes before the name have operands in parentheses, too.
        _parameters(rest[:named]) if rest[0] == "(" else (),
        _parameters(rest[named + 1 : behind]),
        directives,
    )


def _parameters(words: Sequence[str]) -> Sequence[Declaration]:
    """The declarations in parentheses; none without parentheses."""
    return [Declaration(part) for part in _split(words[1:-1]) if part]


class Part(NamedTuple):
    """A function with a body, or a statement outside of functions."""

    statements: Sequence[Statement]
    """Of a function, its header, and the body with its braces; the last one may be missing."""
    function: FunctionHeader | None = None


def parts_of(statements: Sequence[Statement]) -> Iterator[Part]:
    """The functions and the other statements of a module, in the order of the text."""
    depth, first = 0, 0
    header: FunctionHeader | None = None
    for index, statement in enumerate(statements):
        match statement:
            case Open():
                depth += 1
            case Close():
                depth -= 1
                if depth == 0 and header is not None:
                    yield Part(statements[first : index + 1], header)
                    header = None
            case Directive(words=words) if depth == 0:
                found = None if statement.terminated else function_header(words)
                if found is None:
                    yield Part([statement])
                else:
                    header, first = found, index
            case _ if depth == 0:
                yield Part([statement])
            case _:
                pass
    if header is not None:
        yield Part(statements[first:], header)


def declared_variables(statements: Iterable[Statement]) -> Mapping[str, SharedVariable]:
    """The shared variables of a text by name, without names that are declared several times."""
    directives = [each.words for each in statements if isinstance(each, Directive)]
    if not any(ptx_text.SHARED in words for words in directives):
        return {}
    found = [each for words in directives for each in declarations(words)]
    count = Counter(name for each in found for name, _ in each.names())
    return {
        each.name: declaration.shared(each)
        for declaration in found
        if declaration.space == ptx_text.SHARED
        for each in declaration.declarators
        if count[each.name] == 1
    }


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
