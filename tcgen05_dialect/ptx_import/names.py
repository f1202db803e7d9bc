"""Registers and variables of PTX text, by the scopes in which their names are declared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import i1, i8, i16, i32, i64, i128
from xdsl.ir import Attribute

from ..isa.ptx import ptx_text
from ..isa.ptx.extended_precision import CONDITION_CODE
from ..ptx.types import CarryType
from ..ptx_reader.scope import Declared, Scope
from ..ptx_reader.syntax_tree import Close, Directive, Open

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
