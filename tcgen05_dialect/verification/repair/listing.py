"""The text of a module and its operations: places for new operations, and names of values. For PTX,
steps that are written in IR become statements."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...compiler import parse
from ...dataflow.numbers import signed
from ...isa.effects.model import Participants
from ...ptx.analysis.known_values import constant_value
from ...ptx.effects import effects_of
from ...ptx.instruction import Instruction, syntax_of
from ...ptx.kernel import KernelOp
from ...ptx.structure import AddressOfOp, GuardOp
from ...ptx_import import import_ptx
from ...ptx_reader.match import ReadTexts
from ...reporting.culprit import closing
from ...reporting.diagnostics import CompileError, Edit, Source, read_place

_HIDDEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')
"""Comments and strings."""
_RESULTS = re.compile(r"%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*(?=\s*=)")


class Place(NamedTuple):
    """A place for new operations: before or after an operation or, if `inside`, in its first
    region, which is empty."""

    op: Operation
    behind: bool = False
    inside: bool = False


class Insertion(NamedTuple):
    """Operations to insert at a place, one in each line."""

    place: Place
    lines: tuple[str, ...]

    @property
    def op(self) -> Operation:
        return self.place.op


class Operand(NamedTuple):
    """An operand of an operation, by its position."""

    op: Operation
    position: int

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.position]


class Replacement(NamedTuple):
    """Another operand for an operation: a value with a name or, if the name is that of no value
    yet, one that `lines` compute before the operation."""

    operand: Operand
    name: str
    lines: tuple[str, ...] = ()
    said: str = ""
    """What the fix calls the new operand; by default its name."""

    @property
    def op(self) -> Operation:
        return self.operand.op


Change: TypeAlias = Insertion | Replacement


class Listing:
    """A module and the text that it is parsed from. Raises CompileError."""

    def __init__(self, source: Source):
        self.source = source
        self._text = _HIDDEN.sub(lambda match: " " * len(match[0]), source.text)
        self.module = self.read(source)
        self._at: dict[object, Operation] = {}
        for op in self.module.walk():
            if (key := self.key(op)) is not None:
                self._at.setdefault(key, op)

    def read(self, source: Source) -> ModuleOp:
        """The module of a text. Raises CompileError."""
        self._names: dict[SSAValue, str] = {}
        return parse(source, self._names)[0]

    def key(self, op: Operation) -> object:
        """What an operation of the text and those that are lowered from it have in common; None if
        the operation has no text."""
        return self._place(op)

    def literal(self, bits: int) -> str | None:
        """The name of a number of 32 bits that needs no operation; None if the text has none."""
        return None

    def written(self, changes: Sequence[Change]) -> tuple[Change, ...] | None:
        """Changes in the language of the text; None if it cannot say them."""
        return tuple(changes)

    def find(self, lowered: Operation) -> Operation | None:
        """The operation of the text from which an operation was lowered; None if there is none."""
        key = self.key(lowered)
        return None if key is None else self._at.get(key)

    def _place(self, op: Operation) -> tuple[int, int] | None:
        """The line and column of an operation; None if its location is not in the text, as that of
        an operation that the text leaves out, or one that the text gives itself."""
        location = op.location
        if not isinstance(location, FileLineColLoc) or location.filename.data != self.source.name:
            return None
        line, column = location.line.data, location.column.data
        return None if self.source.line(line) is None else (line, column)

    def has_text(self, op: Operation) -> bool:
        """Whether the text of an operation is known."""
        return self._place(op) is not None

    def kernel(self, name: str) -> KernelOp:
        """The kernel with a name."""
        return next(
            op for op in self.module.walk() if isinstance(op, KernelOp) and op.sym_name.data == name
        )

    def start(self, op: Operation) -> int:
        """Index of the first character of an operation."""
        place = self._place(op)
        assert place is not None
        return self.source.position(*place)

    def end(self, op: Operation) -> int:
        """Index after the last character of an operation."""
        start, following = self.start(op), op.next_op
        if following is not None and self.has_text(following):
            end = self.start(following)
        else:
            end = closing(self._text, start)
        return start + len(self._text[start:end].rstrip())

    def text_of(self, op: Operation) -> str:
        """The text of an operation, without comments and strings."""
        return self._text[self.start(op) : self.end(op)]

    def line(self, place: Place) -> int:
        """The number of the line that an insertion at a place follows or precedes."""
        at = self.end(place.op) - 1 if place.behind else self.start(place.op)
        return self.source.place(at)[0]

    def line_shown(self, line: int) -> int:
        """The line that a fix names for a line of the text."""
        return line

    def edits(self, changes: Iterable[Change]) -> list[Edit]:
        """The edits that make changes."""
        edits: list[Edit] = []
        for each in changes:
            is_new = isinstance(each, Insertion)
            edits += [self._insertion(each)] if is_new else self._replacement(each)
        return edits

    def can_replace(self, operand: Operand) -> bool:
        """Whether the text of an operand is known."""
        return self.has_text(operand.op) and self._span(operand) is not None

    def _span(self, operand: Operand) -> tuple[int, int] | None:
        """Where the text names an operand; None if it is not found."""
        op, value = operand.op, operand.value
        name = self.name(value)
        if name is None:
            return None
        start = self.start(op)
        results = _RESULTS.match(self._text, start)
        end = self._text.find("{", start, self.end(op)) if op.regions else self.end(op)
        pattern = re.compile(rf"{re.escape(name)}(?![\w$.#-])")
        found = [*pattern.finditer(self._text, results.end() if results else start, end)]
        nth = [*op.operands[: operand.position]].count(value)
        return found[nth].span() if nth < len(found) else None

    def _replacement(self, change: Replacement) -> Iterator[Edit]:
        span = self._span(change.operand)
        assert span is not None
        (line, column), (end_line, end_column) = map(self.source.place, span)
        if change.lines:
            yield self._insertion(Insertion(Place(change.operand.op), change.lines))
        yield Edit(line, column, end_line, end_column, change.name)

    def _insertion(self, insertion: Insertion) -> Edit:
        place, lines = insertion
        start = self.start(place.op)
        indent = self._indent(start)
        if place.inside:
            indent += "  "
            at = self._text.index("{", start) + 1
        else:
            at = self.end(place.op) if place.behind else start
        if place.behind or place.inside:
            line_end = self._text.find("\n", at)
            if line_end >= 0 and not self._text[at:line_end].strip():
                return self._lines(self.source.place(at)[0] + 1, indent, lines)
            return self._inline(at, f" {' '.join(lines)}")
        if not self._text[self._text.rfind("\n", 0, at) + 1 : at].strip():
            return self._lines(self.source.place(at)[0], indent, lines)
        return self._inline(at, f"{' '.join(lines)} ")

    def _lines(self, number: int, indent: str, lines: Sequence[str]) -> Edit:
        """The edit that inserts whole lines before the line `number`."""
        end = "\r\n" if (self.source.line(number - 1) or "").endswith("\r") else "\n"
        return Edit(number, 1, number, 1, "".join(f"{indent}{line}{end}" for line in lines))

    def _inline(self, at: int, text: str) -> Edit:
        line, column = self.source.place(at)
        return Edit(line, column, line, column, text)

    def _indent(self, at: int) -> str:
        line = self.source.text[self.source.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip())]

    def name(self, value: SSAValue) -> str | None:
        """The name of a value in the text; None if it is not known."""
        return self._names.get(value)

    def spelled(self, value: SSAValue) -> str | None:
        """How the text writes a value where it is an operand; None if that is not known."""
        return self.name(value)


def enclosing(op: Operation) -> Iterator[Operation]:
    """An operation and those around it, up to but not including the kernel."""
    current: Operation | None = op
    while current is not None and not isinstance(current, KernelOp):
        yield current
        current = current.parent_op()


_CONSTANT = re.compile(r"(%[\w$.-]+) = (?:arith|ptx)\.constant (-?\d+) : (?:\w+)")
_IF = re.compile(r"(?:scf\.if|ptx\.guard) (%[\w$.-]+) \{")
_NAME = re.compile(r"%[\w$.-]+")
_GUARD = re.compile(r"@!?\S+\s+")


class PtxListing(Listing):
    """
    A module and the PTX text that it is read from. Raises CompileError.

    Candidates are written in IR, in which the name of a value is that of its register. `written`
    makes PTX of them.
    """

    def __init__(self, source: Source):
        self._values: dict[str, tuple[Attribute, str]] = {}
        """Name of a value in IR -> its type, and its register or its number in PTX."""
        self._statements: set[str] = set()
        """Statements that candidates may repeat."""
        super().__init__(source)

    def read(self, source: Source) -> ModuleOp:
        self._imported = import_ptx(source)
        return self._imported.module

    def key(self, op: Operation) -> object:
        # The operations of a statement have the same place.
        place = self._place(op)
        return None if place is None else (place, op.name)

    def _place(self, op: Operation) -> tuple[int, int] | None:
        place = read_place(op.location)
        return None if place is None else (place.line.data, place.column.data)

    def has_text(self, op: Operation) -> bool:
        return self._imported.statement_of(op) is not None

    def end(self, op: Operation) -> int:
        statement = self._imported.statement_of(op)
        assert statement is not None
        return self._text.index(";", statement.end - 1) + 1

    def text_of(self, op: Operation) -> str:
        text = _GUARD.sub("", self._text[self.start(op) : self.end(op) - 1], count=1)
        self._statements.add(" ".join(text.split()))
        return text

    def line_shown(self, line: int) -> int:
        return self._imported.lines.location(self.source.position(line, 1)).line

    def literal(self, bits: int) -> str:
        # Compilers write the mask of all lanes as -1.
        return self._number(signed(bits, 32), i32)

    def _number(self, number: int, type_: Attribute) -> str:
        name = f"%number_{number % (1 << 64)}"
        self._values[name] = type_, str(number)
        return name

    def name(self, value: SSAValue) -> str | None:
        number = constant_value(value)
        if number is not None:
            return self._number(number, value.type)
        if not value.name_hint:
            return self._symbol(value)
        name, register = f"%{value.name_hint}", value.name_hint
        if f"%{register}" in self._text:
            register = f"%{register}"
        self._values[name] = value.type, register
        return name

    def _symbol(self, value: SSAValue) -> str | None:
        """The name of an address that a statement writes as a variable, and in no register."""
        if not isinstance(owner := value.owner, AddressOfOp) or owner.start:
            return None
        symbol = owner.variable.string_value()
        self._values[name := f"%address_of_{symbol}"] = value.type, symbol
        return name

    def spelled(self, value: SSAValue) -> str | None:
        name = self.name(value)
        return None if name is None else self._values[name][1]

    def can_replace(self, operand: Operand) -> bool:
        return super().can_replace(operand) and constant_value(operand.value) is not None

    def _span(self, operand: Operand) -> tuple[int, int] | None:
        """Where a statement has a number; of several equal ones, the last."""
        number = constant_value(operand.value)
        if number is None or not self.has_text(operand.op):
            return None
        start, end = self.start(operand.op), self.end(operand.op)
        found = [*re.finditer(rf"(?<![\w.%+:-]){number}(?![\w.])", self._text[start:end])]
        return (start + found[-1].start(), start + found[-1].end()) if found else None

    def written(self, changes: Sequence[Change]) -> tuple[Change, ...] | None:
        """Changes in PTX; None if one of them needs more than single statements."""
        written: list[Change] = []
        for change in changes:
            lines = self._statements_of(change.lines, change.op)
            if lines is None:
                return None
            if isinstance(change, Replacement):
                change = change._replace(name=self._values[change.name][1])
            written.append(change._replace(lines=lines))
        return tuple(written)

    def _statements_of(self, lines: Sequence[str], near: Operation) -> tuple[str, ...] | None:
        """The statements that operations beside another one are in PTX."""
        found: list[str | None] = []
        guard = ""
        for line in map(str.strip, lines):
            if match := _CONSTANT.fullmatch(line):
                self._values[match[1]] = i32, match[2]
            elif match := _IF.fullmatch(line):
                guard = f"@{self._values[match[1]][1]} "
            elif line == "}":
                guard = ""
            elif line in self._statements:
                found.append(f"{guard}{line};")
            else:
                found.append(self._statement(line, guard, near))
        return None if None in found else tuple(filter(None, found))

    def _statement(self, line: str, guard: str, near: Operation) -> str | None:
        names = [*dict.fromkeys(_NAME.findall(line))]
        if not all(name in self._values for name in names):
            return None
        parameters = ", ".join(f"{name} : {self._values[name][0]}" for name in names)
        try:
            module, _ = parse(Source("step", f"ptx.kernel @k({parameters}) {{ {line} ptx.ret }}"))
        except CompileError:
            return None
        kernel = next(iter(module.ops))
        block = kernel.regions[0].blocks[0]
        op = block.first_op
        if not isinstance(op, Instruction) or op.results:
            return None
        texts = (self._values[name][1] for name in names)
        syntax = syntax_of(type(op))
        text = " ".join(syntax.ptx(op, ReadTexts(zip(block.args, texts, strict=True))).split())
        if syntax.is_block:
            return None if guard else text
        return f"{guard or self._guard(op, near)}{text};"

    def _guard(self, op: Instruction, near: Operation) -> str:
        """The guard of a statement beside a guarded one, if one thread should execute it."""
        participants = effects_of(type(op)).executed_by
        is_arrival = ".arrive" in op.name and participants is Participants.EACH
        if not isinstance(near.parent_op(), GuardOp) or not (
            is_arrival or participants is Participants.ONE
        ):
            return ""
        match = _GUARD.match(self._text[self.start(near) : self.end(near)])
        return match[0] if match else ""
