"""The text of a PTX module: places for new statements, names of registers, and steps as PTX."""

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...compiler import parse
from ...isa.effects.model import Participants
from ...ptx.analysis.known_values import constant_value
from ...ptx.instruction import Instruction, syntax_of
from ...ptx.structure import GuardOp
from ...ptx_import.importer import import_ptx
from ...reporting.diagnostics import CompileError, Edit, Source, read_place
from .listing import Change, Insertion, Listing, Operand, Place, Replacement
from .steps import effects_of

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

    def has_label(self, branch: Operation) -> bool:
        """Whether a branch has a text, and names a label that no other one has as its name."""
        return self.has_text(branch) and len(self._labels(branch)) == 1

    def _labels(self, branch: Operation) -> list[int]:
        """The ends of the labels with the name that a branch gives."""
        *_, name = self.text_of(branch).split()
        label = re.compile(rf"(?<![\w$%.]){re.escape(name)}\s*:(?!:)")
        return [match.end() for match in label.finditer(self._text)]

    def line(self, place: Place) -> int:
        if place.inside:
            return self.source.place(self._labels(place.op)[0] - 1)[0]
        return super().line(place)

    def line_shown(self, line: int) -> int:
        return self._imported.lines.location(self.source.position(line, 1)).line

    def _insertion(self, insertion: Insertion) -> Edit:
        if not insertion.place.inside:
            return super()._insertion(insertion)
        indent = self._indent(self.start(insertion.place.op))
        return self._lines(self.line(insertion.place) + 1, indent, insertion.lines)

    def literal(self, bits: int) -> str:
        return self._number(bits, i32)

    def _number(self, number: int, type_: Attribute) -> str:
        name = f"%number_{number % (1 << 64)}"
        self._values[name] = type_, str(number)
        return name

    def name(self, value: SSAValue) -> str | None:
        number = constant_value(value)
        if number is not None:
            return self._number(number, value.type)
        if not value.name_hint:
            return None
        name, register = f"%{value.name_hint}", value.name_hint
        if f"%{register}" in self._text:
            register = f"%{register}"
        self._values[name] = value.type, register
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
        """Changes in PTX; None if it cannot say one of them in single statements."""
        written: list[Change] = []
        for change in changes:
            if isinstance(change, Replacement):
                found = [match for line in change.lines if (match := _CONSTANT.match(line))]
                text = found[0][2] if found else self._values[change.name][1]
                written.append(Replacement(change.operand, text, (), change.said))
                continue
            lines = self._statements_of(change)
            if lines is None:
                return None
            written.append(Insertion(change.place, lines))
        return tuple(written)

    def _statements_of(self, insertion: Insertion) -> tuple[str, ...] | None:
        """The statements that operations are in PTX."""
        found: list[str] = []
        numbers: dict[str, str] = {}
        guard = ""
        for line in map(str.strip, insertion.lines):
            if match := _CONSTANT.fullmatch(line):
                numbers[match[1]] = match[2]
            elif match := _IF.fullmatch(line):
                guard = f"@{self._values[match[1]][1]} "
            elif line == "}":
                guard = ""
            elif line in self._statements:
                found.append(f"{guard}{line};")
            else:
                text = self._statement(line, numbers, guard, insertion.place.op)
                if text is None:
                    return None
                found.append(text)
        return tuple(found)

    def _statement(
        self, line: str, numbers: dict[str, str], guard: str, near: Operation
    ) -> str | None:
        names = [*dict.fromkeys(_NAME.findall(line))]
        if not all(name in self._values or name in numbers for name in names):
            return None
        types = {name: self._values[name][0] if name in self._values else "i32" for name in names}
        parameters = ", ".join(f"{name} : {type_}" for name, type_ in types.items())
        try:
            module, _ = parse(Source("step", f"ptx.kernel @k({parameters}) {{ {line} ptx.ret }}"))
        except CompileError:
            return None
        kernel = next(iter(module.ops))
        block = kernel.regions[0].blocks[0]
        op = block.first_op
        if not isinstance(op, Instruction) or op.results:
            return None
        texts = {name: numbers.get(name) or self._values[name][1] for name in names}
        syntax = syntax_of(type(op))
        text = " ".join(syntax.ptx(op, _Texts([texts[name] for name in names])).split())
        if syntax.is_block:
            return None if guard else text
        return f"{guard or self._guard(op, near)}{text};"

    def _guard(self, op: Instruction, near: Operation) -> str:
        """The guard of a statement beside a guarded one, if one thread should execute it."""
        participants = effects_of(op).executed_by
        is_arrival = ".arrive" in op.name and participants is Participants.EACH
        if not isinstance(near.parent_op(), GuardOp) or not (
            is_arrival or participants is Participants.ONE
        ):
            return ""
        match = _GUARD.match(self._text[self.start(near) : self.end(near)])
        return match[0] if match else ""


class _Texts:
    """The PTX texts of the parameters of a kernel."""

    def __init__(self, texts: Sequence[str]):
        self._texts = texts

    def __getitem__(self, value: SSAValue) -> str:
        assert isinstance(value, BlockArgument)
        return self._texts[value.index]

    def register(self, value: SSAValue) -> str:
        return self[value]

    def element(self, value: SSAValue) -> str:
        return self[value]

    def discard(self, value: SSAValue) -> None:
        pass

    def address(self, value: SSAValue, offset: int) -> str:
        return f"{self[value]}+{offset}" if offset else self[value]
