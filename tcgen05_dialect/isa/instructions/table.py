"""
The rows of the instructions, by the name of the operation in `ptx` without `ptx.`; a family is read
at its first use.

A module of a family has a text `INSTRUCTIONS` with one row for each instruction:

    name | syntax lines | sections | operands and qualifiers | effects | meaning

A row begins at the left margin and goes on in indented lines. In the cells:

- *name*: the name of the operation in IR, without `ptx.`.
- *syntax lines*: in the notation of `ptx/text/syntax.py`. After ` / ` follow other lines for the same
  instruction, each with a name: ` / no_result: atom... _, [%address]`. The first register, the one
  after `|`, and `~name_out` are results.
- *operands and qualifiers*, separated by semicolons; `-` if there is nothing to say:
    - `ADD`, `LD LD_VECTORS`: tables with the legal combinations. They also give the words of the
      qualifiers that are columns.
    - `mode clamp wrap`, `scope? SCOPES`: the words of a qualifier; `?` if it may be left out. Of a
      mapping, the keys are the words in IR and the values their text in PTX.
    - `a b B32`, `values ANY_REGISTER of type`: operands or results, the constraint of their
      registers (see `ptx/register_types.py`) and the qualifier that gives the type or state space.
      An operand that is not mentioned is a `REGISTER of type`.
    - `count B32 in COUNT`, `pending in PENDING`: the legal numbers of an operand or immediate, or
      the legal number of its values.
    - `as bits a b`, `as address size`, `as predicate c`: ptxas takes any register of the size, the
      registers of an address, or in another form of the instruction a predicate (measured).
    - `wider values`: the registers may be wider than the type.
    - `no result`: the first register is an operand. `sinks`: results need not be kept.
    - `also SPELLINGS`: a function from the syntax line to other lines by name.
    - `needs FEATURE`: a feature of `isa/targets.py`, or a function that gives the features for the
      words of an instruction.
    - `base CLASS`: a class of `ptx/bases.py` with more checks.
- *effects*: `pure`; `unordered`, for effects that nothing can depend on; or the name of an object
  `Effects`.

Names in capitals, and of functions, are those of the module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, TypeVar, cast

from tcgen05_dialect.isa.effects.model import Effects
from tcgen05_dialect.isa.model.table import Limit, Table

T = TypeVar("T")
WordOf = Callable[[str], "str | int | None"]
"""Gives the word of a qualifier, or the number of an immediate, of an instruction."""
_NONE: Mapping[str, Any] = MappingProxyType({})


class Register(NamedTuple):
    """The registers of an operand or result: the name of a constraint, and the qualifier that gives
    the type or the state space, if any."""

    constraint: str
    of: str | None = None


class Legal(NamedTuple):
    """The legal words of a qualifier."""

    words: frozenset[str]
    is_optional: bool


class Row(NamedTuple):
    """The description of an instruction."""

    name: str
    line: str
    """The syntax line."""
    section: str
    effects: Effects | None
    """None if the instruction only computes its results."""
    meaning: str
    also: Mapping[str, str] = _NONE
    """Other syntax lines by name."""
    tables: Sequence[Table] = ()
    qualifiers: Mapping[str, Legal] = _NONE
    spellings: Mapping[str, Mapping[str, str]] = _NONE
    """Qualifier -> word in IR -> text in PTX, where the two differ."""
    registers: Mapping[str, Register] = _NONE
    limits: Mapping[str, Limit] = _NONE
    wider: frozenset[str] = frozenset()
    taken_as: Mapping[str, str] = _NONE
    """Operand or result -> `bits`, `address` or `predicate`."""
    has_result: bool = True
    has_sinks: bool = False
    needs: Callable[[WordOf], Sequence[str]] | None = None
    base: str = ""


class RowError(ValueError):
    """A row that cannot be read."""


def texts(rows: str) -> Mapping[str, str]:
    """The text of each row of a table, by name."""
    found = re.split(r"^(?=\S)", rows, flags=re.MULTILINE)
    return {each.split(maxsplit=1)[0]: each for each in found if each.strip()}


def read(module: ModuleType, name: str, text: str) -> Row:
    """The row with this text in the table of a module. Raises RowError."""
    try:
        return _Reader(vars(module), text).row()
    except (ValueError, KeyError) as error:
        rows = str(vars(module)["INSTRUCTIONS"])
        with open(str(module.__file__), encoding="utf-8") as source:
            before = source.read().partition(rows)[0] + rows.partition(text)[0]
        place = f"{module.__file__}:{before.count(chr(10)) + 1}"
        raise RowError(f"{place}: {name}: {error}") from error


_CELLS = ("name", "syntax", "section", "facts", "effects", "meaning")
_SECTION = re.compile(r"\d+(\.\d+)*(, \d+(\.\d+)+)*")
_QUALIFIER = re.compile(r"[.%]\$(\w+)")
_VALUE = re.compile(r"(?<!%)[%!&~](\w+)")
_NAME = re.compile(r"[A-Z][A-Z0-9_]+")


class _Reader:
    """Reads one row."""

    def __init__(self, names: Mapping[str, object], text: str):
        self.names = names
        cells = " ".join(text.split()).split(" | ")
        if len(cells) != len(_CELLS):
            raise ValueError(f"{len(cells)} cells; a row has {', '.join(_CELLS)}")
        self.cells = dict(zip(_CELLS, cells, strict=True))
        self.line, *others = map(_unescaped, self.cells["syntax"].split(" / "))
        self.also = dict(_pair(each) for each in others)
        self.qualifier_names = dict.fromkeys(_QUALIFIER.findall(self.line))
        self.value_names = dict.fromkeys(_VALUE.findall(self.line))
        self.tables: list[Table] = []
        self.qualifiers: dict[str, Legal] = {}
        self.spellings: dict[str, Mapping[str, str]] = {}
        self.registers: dict[str, Register] = {}
        self.limits: dict[str, Limit] = {}
        self.flags: dict[str, Any] = {}
        self.named: set[str] = set()
        """The operands that flags name."""

    def row(self) -> Row:
        if self.cells["facts"] != "-":
            for clause in self.cells["facts"].split("; "):
                self._clause(clause.split())
        for name in self.qualifier_names:
            if name not in self.qualifiers:
                self.qualifiers[name] = self._legal(name)
        for name in self.value_names:
            if name not in self.registers:
                if "type" not in self.qualifiers:
                    raise ValueError(f"{name} has no type")
                self.registers[name] = Register("REGISTER", "type")
        if not self.named <= self.value_names.keys():
            raise ValueError(f"no operands {', '.join(self.named - self.value_names.keys())}")
        section, meaning = self.cells["section"], self.cells["meaning"]
        if _SECTION.fullmatch(section) is None:
            raise ValueError(f"{section} is not a section")
        if not meaning.endswith("."):
            raise ValueError("the meaning is not a sentence")
        return Row(
            self.cells["name"],
            self.line,
            section,
            self._effects(section),
            meaning,
            also=self.also,
            tables=self.tables,
            # In the order of the syntax line.
            qualifiers={name: self.qualifiers[name] for name in self.qualifier_names},
            spellings=self.spellings,
            registers={name: self.registers[name] for name in self.value_names},
            limits=self.limits,
            **self.flags,
        )

    def _effects(self, section: str) -> Effects | None:
        name = self.cells["effects"]
        if name == "pure":
            return None
        effects = Effects() if name == "unordered" else self._named(name, Effects)
        return effects._replace(section=section)

    def _named(self, name: str, type_: type[T]) -> T:
        found = self.names[name]
        if not isinstance(found, type_):
            raise ValueError(f"{name} is no {type_.__name__}")
        return found

    def _clause(self, words: list[str]) -> None:
        match words:
            case ["no", "result"]:
                self.flags["has_result"] = False
            case ["sinks"]:
                self.flags["has_sinks"] = True
            case ["as", kind, *names]:
                self.named |= {*names}
                self.flags["taken_as"] = dict.fromkeys(names, kind)
            case ["wider", *names]:
                self.named |= {*names}
                self.flags["wider"] = frozenset(names)
            case ["base", name]:
                self.flags["base"] = name
            case ["needs", name]:
                self.flags["needs"] = self.names.get(name) or _always(name)
            case ["also", name]:
                self.also |= cast(Any, self.names[name])(self.line)
            case [first, *_] if first.removesuffix("?") in self.qualifier_names:
                self._words(first, words[1:])
            case [first, *_] if _NAME.fullmatch(first):
                self.tables += (self._named(name, Table) for name in words)
            case _:
                self._values(words)

    def _words(self, name: str, words: Iterable[str]) -> None:
        plain = name.removesuffix("?")
        legal: list[str] = []
        for word in words:
            given = self.names[word] if _NAME.fullmatch(word) else (word,)
            if isinstance(given, Mapping):
                self.spellings[plain] = cast("Mapping[str, str]", given)
            elif isinstance(given, str):
                given = (given,)
            legal += (each for each in cast("Iterable[str | None]", given) if each is not None)
        self.qualifiers[plain] = Legal(frozenset(legal), name != plain)

    def _legal(self, name: str) -> Legal:
        """The words of a qualifier that are in all tables that restrict it."""
        columns = [each.values(name) for each in self.tables if name in each.columns]
        if not columns:
            raise ValueError(f"the qualifier {name} has no words")
        legal = frozenset[Any].intersection(*columns)
        return Legal(legal - {None}, None in legal)

    def _values(self, words: list[str]) -> None:
        limit = None
        if words[-2:-1] == ["in"]:
            limit = self._named(words[-1], Limit)
            words = words[:-2]
        of = None
        if words[-2:-1] == ["of"]:
            of = words[-1]
            words = words[:-2]
        names = [each for each in words if not _NAME.fullmatch(each)]
        constraints = words[len(names) :]
        for name in names:
            if f"${name}" not in self.line and name not in self.value_names:
                raise ValueError(f"no operand or qualifier {name}")
            if limit is not None:
                self.limits[name] = limit
            if constraints:
                self.registers[name] = Register(constraints[0], of)
        if not names or len(constraints) > 1 or (of is not None and not constraints):
            raise ValueError(f"{' '.join(words)}: not understood")


def _always(feature: str) -> Callable[[WordOf], Sequence[str]]:
    return lambda word: (feature,)


def _unescaped(line: str) -> str:
    return line.replace("\\n", "\n").replace("\\t", "\t")


def _pair(text: str) -> tuple[str, str]:
    name, _, line = text.partition(": ")
    return name, line


_FAMILIES = {
    "arithmetic": "abs add addc cos div ex2 fma lg2 mad mad24 madc max max3 min min3 mul mul24 neg "
    "rcp rem rsqrt sad sin sqrt sub subc tanh",
    "bits": "and bfe bfi bfind bmsk brev clz cnot dp2a dp4a fns lop3 not or popc prmt shf shl shr "
    "szext vabsdiff2 vabsdiff4 xor",
    "comparison": "copysign selp set setp slct testp",
    "conversion": "cvt cvta getctarank isspacep mapa mov pack unpack",
    "memory": "applypriority createpolicy discard ld multimem prefetch prefetchu st",
    "atomics": "atom red st",
    "copies": "cp prefetch tensormap",
    "mbarrier": "mbarrier",
    "barriers": "bar barrier clusterlaunchcontrol fence griddepcontrol membar nanosleep setmaxnreg",
    "warp": "activemask elect match redux shfl vote",
    "matrices": "ldmatrix mma movmatrix stmatrix",
    "control": "brkpt exit pmevent ret special trap",
}
FAMILIES: Mapping[str, Sequence[str]] = {
    name: tuple(words.split()) for name, words in _FAMILIES.items()
}
"""Module of rows -> the first words of the names of its instructions: `compile` imports it only if
a kernel uses one of them."""
_WORD = re.compile(r"[a-z0-9]+")


@cache
def family(name: str) -> ModuleType:
    """The module of a family."""
    return import_module(f".{name}", __package__)


@cache
def _texts(name: str) -> Mapping[str, str]:
    return texts(family(name).INSTRUCTIONS)


def names_in(name: str) -> Sequence[str]:
    """The names of the instructions of a family, in the order of its table."""
    return [*_texts(name)]


def names() -> Iterator[str]:
    """The names of all instructions."""
    for each in FAMILIES:
        yield from names_in(each)


def first_word(name: str) -> str:
    """The word of the name of an instruction by which its family is found."""
    found = _WORD.match(name)
    return "" if found is None else found[0]


def families_with(word: str) -> Iterator[str]:
    """The families that may have instructions with this first word."""
    return (name for name, words in FAMILIES.items() if word in words)


@cache
def family_of(name: str) -> str | None:
    """The family of an instruction; None for any other name."""
    return next((each for each in families_with(first_word(name)) if name in _texts(each)), None)


@cache
def row(name: str) -> Row:
    """The row of an instruction. Raises KeyError, and RowError if it cannot be read."""
    found = family_of(name)
    if found is None:
        raise KeyError(name)
    return read(family(found), name, _texts(found)[name])
