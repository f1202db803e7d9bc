"""Patterns of PTX statements, made from the syntax lines of instructions, and the matching of
qualifiers in any order."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product, takewhile
from typing import Literal, NamedTuple, TypeAlias

from ..isa.model.rule import close_names, combined, meant
from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import is_word
from ..isa.ptx.ptx_text import SYNCHRONIZED, UNORDERED
from ..ptx.text.compiled_syntax import CompiledSyntax
from ..ptx.text.syntax import (
    Count,
    Immediate,
    LiteralText,
    OptionalPart,
    QualifierElement,
    SyntaxElement,
    Values,
)
from .statements import StatementParser
from .tokens import Fault, PtxLexer, Statement, Word

NUMBER = "#"
"""Placeholder in a qualifier's text for the number of values of an operand."""


class Alternative(NamedTuple):
    """One legal text of a qualifier, or of several adjacent qualifiers, and its meaning."""

    text: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    """Pairs of a qualifier and its value in IR spelling."""
    groups: tuple[tuple[str, bool], ...] = ()
    """Pairs of an optional part of the syntax line and whether it is present."""
    counted: tuple[str, ...] = ()
    """The operands whose number of values is the number in the text."""
    complete: bool = True
    """False if an optional part that begins with two colons is absent; the tables decide whether it
    is required."""

    @property
    def words(self) -> tuple[str, ...]:
        """The text, split at the dots."""
        return _words(self.text)


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(f".{word}" for word in text.split(".")[1:])


@dataclass(frozen=True, eq=False)
class Unit:
    """A qualifier place of an instruction, and its alternatives."""

    name: str
    alternatives: tuple[Alternative, ...]

    @cached_property
    def legal(self) -> frozenset[str | None]:
        """The legal texts; contains None if the qualifier is optional."""
        return frozenset(each.text or None for each in self.alternatives if each.complete)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The legal texts."""
        return frozenset(text for text in self.legal if text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all alternatives."""
        return frozenset(word for each in self.alternatives for word in each.words)

    def beginning(self, word: str) -> Sequence[Alternative]:
        """The alternatives that may begin with `word`, in order."""
        return self._by_first_word.get(word, self._numbered)

    @cached_property
    def _numbered(self) -> Sequence[Alternative]:
        return [each for each in self.alternatives if each.text and NUMBER in each.words[0]]

    @cached_property
    def _by_first_word(self) -> Mapping[str, Sequence[Alternative]]:
        found: dict[str, list[Alternative]] = {}
        for each in self.alternatives:
            if each.text and NUMBER not in each.words[0]:
                found.setdefault(each.words[0], []).append(each)
        assert not (found and self._numbered), self
        return found


class OperandPlace(NamedTuple):
    """An operand place of an instruction."""

    form: Literal["", "[", "|"]
    """The form of `syntax_tree.Operand`; if empty, `element` determines the operand."""
    element: Values | Immediate | QualifierElement | str | None
    """An element of the syntax line, or literal text."""
    parts: "tuple[OperandPlace, ...]" = ()
    group: str | None = None
    """The optional part of the syntax line that contains the place."""


@dataclass(frozen=True, eq=False)
class InstructionPattern:
    """The pattern of an instruction: its opcode, qualifiers in any order, and operands."""

    name: str
    """The name of the instruction in the manual."""
    opcode: tuple[str, ...]
    key: tuple[str, ...]
    """The opcode, and the fixed beginning of the next word, if any."""
    units: tuple[Unit, ...]
    places: tuple[OperandPlace, ...]


Pattern: TypeAlias = tuple[Statement | InstructionPattern, ...]
"""The patterns of an instruction: one statement, or the statements of a block."""


@cache
def patterns_of(syntax: CompiledSyntax) -> Mapping[str | None, Pattern]:
    """The patterns of an instruction's syntax lines; None is the key of its own one."""
    lines = _lines(syntax.line) if syntax.is_block else [syntax.line]
    own = tuple(_statement(line, syntax) for line in lines)
    also = {name: (_statement(other.line, syntax),) for name, other in syntax.also.items()}
    return {None: own, **also}


def _lines(elements: Iterable[SyntaxElement]) -> list[list[SyntaxElement]]:
    """The syntax elements of each line of a block."""
    lines: list[list[SyntaxElement]] = [[]]
    for element in elements:
        if not isinstance(element, LiteralText):
            lines[-1].append(element)
            continue
        first, *others = element.text.split("\n")
        lines[-1].append(LiteralText(first))
        lines.extend([LiteralText(other.removeprefix("\t"))] for other in others)
    return lines


def _statement(
    line: Sequence[SyntaxElement], syntax: CompiledSyntax
) -> Statement | InstructionPattern:
    if syntax.is_block and all(isinstance(element, LiteralText) for element in line):
        text = "".join(element.text for element in line if isinstance(element, LiteralText))
        parser = StatementParser(f"{{{text}")
        parser.parse()
        return parser.statements[1]
    mnemonic, operands = _split(line)
    units = tuple(_units(mnemonic, syntax))
    leading = [*takewhile(_is_fixed, units)]
    opcode = tuple(unit.name for unit in takewhile(_is_ordered, leading))
    # Fixed qualifiers after one that may be anywhere are matched like the others.
    rest = units[len(opcode) :]
    following = [unit.name for unit in rest[:1] if unit.name.startswith(".") and unit.name != "."]
    key = (*opcode, *(name for name in following if name not in UNORDERED))
    places = tuple(_places(_tokens(operands)))
    named = [unit.name for unit in leading if unit.name not in SYNCHRONIZED]
    name = "".join((*named, *key[len(opcode) :]))
    return InstructionPattern(name, opcode, key, rest, places)


def _split(line: Sequence[SyntaxElement]) -> tuple[list[SyntaxElement], list[SyntaxElement]]:
    """The elements before the first space, and those after it."""
    for index, element in enumerate(line):
        if isinstance(element, LiteralText) and " " in element.text:
            before, _, behind = element.text.partition(" ")
            return [*line[:index], LiteralText(before)], [LiteralText(behind), *line[index + 1 :]]
    last = line[-1]
    if isinstance(last, LiteralText):
        return [*line[:-1], LiteralText(last.text.removesuffix(";"))], []
    return list(line), []


def _is_ordered(unit: Unit) -> bool:
    return unit.name not in UNORDERED


def _is_fixed(unit: Unit) -> bool:
    return unit.alternatives == (Alternative(unit.name),)


def _units(elements: Iterable[SyntaxElement], syntax: CompiledSyntax) -> Iterator[Unit]:
    """The qualifier places of a mnemonic; each dot begins a new place."""
    name, choices = "", list[tuple[Alternative, ...]]()
    for element_name, atom in _atoms(elements, syntax):
        if choices and any(alternative.text.startswith(".") for alternative in atom):
            yield _unit(name, choices)
            choices = []
        if not choices:
            name = element_name
        choices.append(atom)
    if choices:
        yield _unit(name, choices)


def _unit(name: str, choices: Sequence[tuple[Alternative, ...]]) -> Unit:
    joined = [
        Alternative(
            "".join(choice.text for choice in chosen),
            tuple(fact for choice in chosen for fact in choice.qualifiers),
            tuple(fact for choice in chosen for fact in choice.groups),
            tuple(fact for choice in chosen for fact in choice.counted),
            not any(
                not choice.text and any(each.text.startswith("::") for each in atom)
                for choice, atom in zip(chosen, choices, strict=True)
            )
            or not any(choice.text for choice in chosen),
        )
        for chosen in product(*choices)
    ]
    # A part that begins with two colons extends the part before it.
    joined = [each for each in joined if not each.text.startswith(":")]
    return Unit(name, tuple(sorted(joined, key=lambda each: -each.text.count("."))))


def _atoms(
    elements: Iterable[SyntaxElement], syntax: CompiledSyntax
) -> Iterator[tuple[str, tuple[Alternative, ...]]]:
    """The name and the alternatives of each part of a mnemonic."""
    for element in elements:
        match element:
            case LiteralText(text):
                first, *words = text.split(".")
                if first:
                    yield first, (Alternative(first),)
                for word in words:
                    yield f".{word}", (Alternative(f".{word}"),)
            case QualifierElement(name):
                texts = texts_of(syntax, element)
                chosen = [Alternative(text, ((name, value),)) for value, text in texts.items()]
                optional = {qualifier.name: qualifier.optional for qualifier in syntax.qualifiers}
                yield name, (*chosen, *((Alternative(""),) if optional[name] else ()))
            case Count(name):
                yield name, (Alternative(NUMBER, counted=(name,)),)
            case OptionalPart(name, inner):
                (present,) = _units(inner, syntax)
                there = tuple(
                    each._replace(groups=((name, True), *each.groups))
                    for each in present.alternatives
                )
                yield name, (*there, Alternative("", groups=((name, False),)))
            case _:
                raise TypeError(f"{element} in a mnemonic")


def texts_of(syntax: CompiledSyntax, qualifier: QualifierElement) -> dict[str, str]:
    """IR spelling of a qualifier -> its PTX text."""
    name, prefix = qualifier.name, qualifier.prefix
    known = {each.name: each.spellings for each in syntax.qualifiers}[name]
    given = syntax.spellings.get(name)
    return {value: prefix + value if given is None else given[value] for value in sorted(known)}


_Token: TypeAlias = "str | Values | Immediate | QualifierElement | OptionalPart"


def _tokens(elements: Iterable[SyntaxElement]) -> Iterator[_Token]:
    for element in elements:
        if isinstance(element, LiteralText):
            lexer = PtxLexer(element.text.removesuffix(";"))
            while (token := lexer.next()).kind != "end":
                yield token.text
        else:
            assert not isinstance(element, Count)
            yield element


def _places(tokens: Iterator[_Token], group: str | None = None) -> list[OperandPlace]:
    """The operand places up to the closing bracket, or up to the end."""
    places: list[OperandPlace] = []
    alternative = False
    for token in tokens:
        match token:
            case "," | Values(_, "~"):
                continue
            case "]":
                return places
            case "|":
                alternative = True
                continue
            case "[":
                place = OperandPlace("[", None, tuple(_places(tokens)), group)
            case OptionalPart(name, inner):
                places += _places(_tokens(inner), name)
                continue
            case Values(_, "["):
                place = OperandPlace("[", None, (OperandPlace("", token),), group)
            case _:
                place = OperandPlace("", token, (), group)
        if alternative:
            first = places.pop()
            place = OperandPlace("|", None, (first, place), group)
            alternative = False
        places.append(place)
    return places


_DIGITS = "0123456789"
_SIMILAR = 0.8
"""The least similarity of a misspelt word to the right one, from 0 to 1."""


class Qualifiers(NamedTuple):
    """The meaning of the qualifiers of an instruction; see `pattern.Alternative`."""

    properties: dict[str, str]
    groups: dict[str, bool]
    counts: dict[str, int]


class QualifierFault(Fault):
    """A fault of the qualifiers."""

    def __init__(self, fault: Fault, misfits: tuple[int, int], word: str | None, is_replaced: bool):
        super().__init__(fault.violation, fault.start, fault.end)
        self.misfits = misfits
        """The number of words without a place plus places without a word, and the number of words
        that replace another word."""
        self.word = word
        """The word without a place, if the fault concerns one."""
        self.is_replaced = is_replaced
        """Whether `word` replaces a legal one."""


_Chosen = tuple[Alternative, int | None]
"""An alternative, and the number in its text."""


def match_qualifiers(pattern: InstructionPattern, words: Sequence[Word]) -> Qualifiers:
    """The meaning of `words`, the qualifiers after the opcode. Raises QualifierFault."""
    chosen = _assign(pattern.units, [word.text for word in words])
    if chosen is None:
        raise _diagnose(pattern, words)
    found = Qualifiers({}, {}, {})
    for alternative, number in chosen:
        found.properties.update(alternative.qualifiers)
        found.groups.update(alternative.groups)
        if number is not None:
            found.counts.update(dict.fromkeys(alternative.counted, number))
    return found


def _assign(units: Sequence[Unit], words: Sequence[str]) -> list[_Chosen] | None:
    """
    An alternative for each unit such that every word is used; None if there is none.

    Each word is assigned to the first unit that accepts it. Words in the order of the syntax line
    thus reach their own units, even if several units accept the same text.
    """
    free = dict(enumerate(units))
    chosen: list[_Chosen] = []

    def assign(position: int) -> bool:
        if position == len(words):
            rest = [each for unit in free.values() for each in unit.alternatives if not each.text]
            if len(rest) < len(free):
                return False
            chosen.extend((each, None) for each in rest)
            return True
        for index, unit in list(free.items()):
            for alternative in unit.beginning(words[position]):
                fits, number = _fits(alternative, words, position)
                if not fits:
                    continue
                del free[index]
                chosen.append((alternative, number))
                if assign(position + len(alternative.words)):
                    return True
                chosen.pop()
                free[index] = unit
        return False

    return chosen if len(words) <= _longest(units) and assign(0) else None


def _longest(units: Sequence[Unit]) -> int:
    return sum(max(len(each.words) for each in unit.alternatives) for unit in units)


def _fits(alternative: Alternative, words: Sequence[str], position: int) -> tuple[bool, int | None]:
    """Whether an alternative matches the words at a position, and the number in its text."""
    number: int | None = None
    given = words[position : position + len(alternative.words)]
    if len(given) < len(alternative.words):
        return False, None
    for word, text in zip(alternative.words, given, strict=True):
        before, mark, behind = word.partition(NUMBER)
        if not mark:
            if word != text:
                return False, None
            continue
        middle = text.removeprefix(before).removesuffix(behind)
        if not middle.isdecimal() or len(middle) > 4 or text != f"{before}{middle}{behind}":
            return False, None
        number = int(middle)
    return True, number


def _diagnose(pattern: InstructionPattern, words: Sequence[Word]) -> QualifierFault:
    """The fault to report: the first word without a place, or else the missing words."""
    free, unknown = _left(pattern, words)
    missing = [unit for unit in free if None not in unit.legal]
    meant = _meant(unknown, [*missing, *(unit for unit in free if unit not in missing)])
    replaced = set(meant.values())
    absent = [unit for unit in missing if unit not in replaced]
    misfits = len(unknown) - len(meant) + len(absent), len(meant)
    rule = ptx_text.QUALIFIER_RULE
    if not unknown:
        start, end = (words[0].start, words[-1].end) if words else (0, 0)
        violation = combined(rule.violation(None, unit.legal, _what(unit)) for unit in absent)
        assert violation is not None
        return QualifierFault(Fault(violation, start, end), misfits, None, False)
    word = unknown[0]
    unit = meant.get(0)
    if unit is None and any(_takes(each, word.text) for each in pattern.units):
        violation = rule.violation(word.text, None, "repeated qualifier")
        return QualifierFault(Fault(violation, word.start, word.end), misfits, None, False)
    possible = [unit] if unit is not None else absent or free
    possible = [each for each in possible if _hint(word.text, each.texts)] or possible
    texts = {text for each in possible for text in each.texts}
    what = "qualifier" if unit is None else _what(unit)
    help_ = _hint(word.text, texts)
    violation = rule.violation(word.text, frozenset(texts) or None, what, help=help_)
    fault = Fault(violation, word.start, word.end)
    return QualifierFault(fault, misfits, word.text, unit is not None)


def _what(unit: Unit) -> str:
    return "qualifier" if unit.name.startswith(".") else unit.name


def _left(pattern: InstructionPattern, words: Sequence[Word]) -> tuple[list[Unit], list[Word]]:
    """The places without a word, and the words without a place."""
    texts = [word.text for word in words]
    free = dict(enumerate(pattern.units))
    unknown: list[Word] = []
    position = 0
    while position < len(words):
        for index, unit in free.items():
            fitting = [
                alternative
                for alternative in unit.beginning(texts[position])
                if _fits(alternative, texts, position)[0]
            ]
            if fitting:
                del free[index]
                position += len(fitting[0].words)
                break
        else:
            unknown.append(words[position])
            position += 1
    return list(free.values()), unknown


def _meant(unknown: Sequence[Word], free: Sequence[Unit]) -> dict[int, Unit]:
    """
    The places that the unknown words were probably meant for, by index of the word: a place that
    accepts words of the same sort, a place that accepts a similar word, or else the only required
    place with several legal texts.
    """
    meant: dict[int, Unit] = {}
    left = list(free)
    for accepts in (_takes, _takes_similar):
        for index, word in enumerate(unknown):
            fitting = (unit for unit in left if accepts(unit, word.text))
            if index not in meant and (unit := next(fitting, None)) is not None:
                meant[index] = unit
                left.remove(unit)
    others = [index for index in range(len(unknown)) if index not in meant]
    missing = [unit for unit in left if None not in unit.legal and len(unit.legal) > 1]
    if len(others) == len(missing) == 1:
        meant[others[0]] = missing[0]
    return meant


def _takes(unit: Unit, text: str) -> bool:
    """Whether a place accepts words of the same sort as `text`."""
    sort = _sort(text)
    return any(sort == _sort(word) for word in unit.words)


def _takes_similar(unit: Unit, text: str) -> bool:
    """Whether `text` is probably a misspelling of a word that the place accepts."""
    return not is_word(text) and bool(close_names(text, unit.texts, cutoff=_SIMILAR))


@lru_cache(maxsize=1 << 10)
def _sort(text: str) -> str:
    """The common part of words that are alternatives to each other, such as `.kind`."""
    return text.partition("::")[0].rstrip(_DIGITS) if "::" in text else _without_numbers(text)


@lru_cache(maxsize=1 << 10)
def _without_numbers(text: str) -> str:
    return "".join(NUMBER if c in _DIGITS else c for c in text).replace(NUMBER * 2, NUMBER)


def _hint(text: str, legal: Collection[str]) -> str:
    """The question "did you mean" for a word that resembles one of several legal words; empty if
    none is similar. A common prefix, or words that differ only in numbers, do not count."""
    by_end = {
        each.partition("::")[2] or each: each
        for each in sorted(legal)
        if len(legal) > 1 and _without_numbers(each) != _without_numbers(text)
    }
    return meant([by_end[end] for end in close_names(text.partition("::")[2] or text, by_end)])
