"""
Registers, variables and functions of PTX text by scope, and the destinations of instructions that
the dialect does not know.

Without the definition of an instruction, its opcode and the form of its operands tell which
registers it writes. If that is not certain, a register counts as read and written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import i1, i8, i16, i32, i64, i128
from xdsl.ir import Attribute

from ..isa.instructions.arithmetic import CONDITION_CODE
from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import BARRIERS, REDUCES, WRITES_FIRST, WRITES_NOTHING, WRITTEN
from ..ptx.types import CarryType
from ..ptx_reader.scope import Declaration, Declared, FunctionHeader, Part, Scope
from ..ptx_reader.tokens import (
    Close,
    Directive,
    InstructionStatement,
    Open,
    Operand,
    Statement,
)

CLASSES: Mapping[int | None, Attribute] = {
    None: i1,
    8: i8,
    16: i16,
    32: i32,
    64: i64,
    128: i128,
}
"""Size of a register in bits -> the type of its values."""
_CODES = {None: "%p", 8: "%c", 16: "%h", 32: "%r", 64: "%d", 128: "%q"}
"""Size of a register in bits -> what shapes of instructions have for a register of its class."""


@dataclass(slots=True, eq=False)
class Variable:
    """A declared register, which instructions may write several times."""

    name: str
    type: Attribute
    declared: str
    """The type in the declaration, such as `.f32`."""
    code: str = ""
    """What a shape has for a register of this class."""
    writes: list[int] = field(default_factory=list[int])
    """The numbers of the blocks that write the register, one for each write."""
    exposed: list[int] = field(default_factory=list[int])
    """The numbers of the blocks that read the register before they write it."""


@dataclass(slots=True, eq=False)
class Symbol:
    """A variable in memory or a parameter; `name` is unique in the module."""

    name: str
    space: str
    parameter: int | None = None
    """The number of a parameter of the kernel."""
    bits: int | None = None
    """The size of a parameter that is a scalar."""

    @property
    def code(self) -> str:
        """What a shape has for such a variable."""
        return f"@{self.space}" if self.parameter is None else f"@{self.space}.{self.bits}"


Named: TypeAlias = Variable | Symbol


class Names:
    """The registers and variables that the names at a place in the text refer to."""

    def __init__(
        self,
        scope: Scope,
        symbol: Callable[[Declared, str], Symbol],
        declare: Callable[[Directive], None],
        keep: Callable[[str], None],
    ):
        self.keep = keep
        """Keeps the text of a declaration that names no variable."""
        self.scope = scope
        self._symbol = symbol
        self._declare = declare
        self._known: dict[tuple[int, str], Named] = {}
        self._declared: list[Declared] = []
        """Keeps declarations alive, whose identities are keys."""
        self.codes: dict[str, tuple[str, bool, Named | int | None]] = {}
        """What `shapes` knows of words since the last declaration."""
        self.condition_code = Variable("carry", CarryType(), CONDITION_CODE)
        """The condition code register, which no instruction names."""
        self._found: dict[str, Named | None] = {}
        """The names that have been looked up since the last declaration."""

    def see(self, statement: Directive | Open | Close) -> None:
        """Process a statement that may change what names refer to."""
        if self.scope.see(statement):
            self._found.clear()
            self.codes.clear()
        if isinstance(statement, Directive):
            self._declare(statement)

    def find(self, name: str) -> Named | None:
        """The register or variable with a name; None if the name is not declared."""
        try:
            return self._found[name]
        except KeyError:
            found = self._found[name] = self._look_up(name)
            return found

    def _look_up(self, name: str) -> Named | None:
        declared = self.scope.find(name)
        if declared is None:
            return None
        key = id(declared), name
        found = self._known.get(key)
        if found is None:
            self._declared.append(declared)
            if declared.is_register:
                bits = ptx_text.REGISTER_BITS[declared.type]
                code = f"{_CODES[bits]}." if "." in name else _CODES[bits]
                found = Variable(name, CLASSES[bits], declared.type, code)
            else:
                found = self._symbol(declared, name)
            self._known[key] = found
        return found


class Access(Enum):
    """What an instruction does with a register."""

    READ = auto()
    WRITE = auto()
    BOTH = auto()


def _operand_accesses(statement: InstructionStatement) -> Sequence[Access]:
    """The access of an instruction to each of its operands."""
    opcode = [word.text for word in statement.opcode]
    operands = statement.operands
    written, access = _written(opcode, operands)
    return [access if index < written else Access.READ for index in range(len(operands))]


def _written(opcode: Sequence[str], operands: Sequence[Operand]) -> tuple[int, Access]:
    """The number of operands, from the first on, that are written, and how."""
    first = opcode[0]
    if not operands or operands[0].form == "[" or first in WRITES_NOTHING:
        return 0, Access.READ
    if first in BARRIERS:
        return (1 if REDUCES in opcode else 0), Access.WRITE
    for length in (3, 2):
        if (written := WRITTEN.get(tuple(opcode[:length]))) is not None:
            return written, Access.WRITE
    if first in WRITES_FIRST:
        return 1, Access.WRITE
    return 1, Access.BOTH


def word_accesses(statement: InstructionStatement) -> Iterator[tuple[str, Access]]:
    """The words of the operands, in order, with the access to each; addresses are read."""
    for operand, access in zip(statement.operands, _operand_accesses(statement), strict=True):
        yield from _words(operand, access)


def _words(operand: Operand, access: Access) -> Iterator[tuple[str, Access]]:
    if operand.form == "[":
        access = Access.READ
    for part in operand.parts:
        yield from _words(part, access)
    for word in operand.words:
        yield word, access


class Parameter(NamedTuple):
    """A parameter of a kernel."""

    name: str
    declaration: str
    """The PTX text without `.param`."""
    bits: int | None
    """The size of a scalar; None for an array."""
    size: int
    alignment: int


class Kernel(NamedTuple):
    """A kernel: its header, and its body with the braces around it."""

    function: FunctionHeader
    header: Directive
    parameters: Sequence[Parameter]
    body: Sequence[Statement]


def kernel_of(part: Part) -> Kernel:
    """The kernel that a part of a module is."""
    header, *body = part.statements
    assert part.function is not None and isinstance(header, Directive)
    parameters = [_parameter(each) for each in part.function.parameters]
    return Kernel(part.function, header, parameters, body)


def _parameter(declaration: Declaration) -> Parameter:
    (declarator,) = declaration.declarators
    text = parameter_text(declaration.words())
    size = declaration.size(declarator) or declaration.element
    is_scalar = not declarator.extents and not declaration.vector and declaration.scalar > 1
    bits = 8 * size if is_scalar else None
    return Parameter(declarator.name, text, bits, size, declaration.alignment)


def parameter_text(words: Sequence[str]) -> str:
    """The PTX text of a parameter with this declaration, without `.param`."""
    text = " ".join(word for word in words if word != ptx_text.PARAMETER)
    return text.replace(" [ ", "[").replace(" ]", "]")
