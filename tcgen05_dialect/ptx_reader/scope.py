"""Scopes: the registers and variables that a PTX statement can use."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..isa.model.rule import did_you_mean
from ..isa.ptx import ptx_text
from ..isa.ptx.special_registers import NAMES
from .constant_expression import integer
from .syntax_tree import Close, Directive, Open, Statement
from .tokens import is_name

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
        """
        The question "did you mean" for an undeclared name; empty if no declared name and no special
        register is similar. Names that differ only in their numbers are not.
        """
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
    depth = 0
    for index, word in enumerate(words):
        if word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
        elif depth or words[index - 1 : index] == (ptx_text.POINTER,):
            # The state space behind .ptr is that of what a parameter points to.
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
