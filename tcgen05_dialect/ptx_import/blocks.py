"""Blocks: the instructions of a function, cut where control enters or leaves them, and the
locations of imported instructions (11.5.3)."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, LocationAttr, StringAttr, i1, i32
from xdsl.ir import Attribute

from ..isa.model.rule import did_you_mean
from ..isa.ptx import ptx_text
from ..isa.ptx.ptx_text import TYPE_RULE
from ..ptx.analysis.control_flow import closure
from ..ptx_reader import Lines, Read, misspelt
from ..ptx_reader.constant_expression import integer
from ..ptx_reader.tokens import (
    Close,
    Directive,
    Fault,
    InstructionStatement,
    Label,
    Open,
    Operand,
    Statement,
    joined,
)
from ..xdsl_support.fast_parser import file_line_column, fused
from .calls import call_at
from .names import Names, Variable
from .plans import Leaf, Plan, Plans, shape_of, unknown_plan

_INLINE = re.compile(r"^[ \t]*// (?P<end>begin|end) inline asm[ \t]*\r?$", re.MULTILINE)
"""The comments that LLVM writes around the text of inline assembly."""
_Place = tuple[int, int, int]
"""File, line and column."""


class Locations:
    """
    The locations of the instructions of one text.

    In inline assembly `.loc` does not count: LLVM counts the lines of the assembly text there, not
    those of the program. Line 0 means that an instruction has no line; it keeps that before it.
    """

    def __init__(self, lines: Lines, statements: Sequence[Statement]):
        self._lines = lines
        self._files = _files(statements)
        self._text = StringAttr(lines.source.name)
        self._is_made = lines.source.made_from is not None
        marks = [
            (each.start(), each["end"] == "begin") for each in _INLINE.finditer(lines.source.text)
        ]
        self._starts = [start for start, _ in marks]
        self._is_inline = [begins for _, begins in marks]
        self._current: LocationAttr | None = None
        self._inlined: dict[_Place, LocationAttr] = {}
        """Place -> its location, with the calls that a directive for it named."""

    def begin(self) -> None:
        """Begin a function; the directives before it do not count."""
        self._current = None
        self._inlined.clear()

    def see(self, directive: Directive, depth: int) -> None:
        """Process a `.loc` directive at a nesting depth of blocks."""
        if self._is_in_assembly(directive.start, depth):
            return
        words = directive.words
        place = _numbers(words[1:4])
        if place is None or place[1] == 0 or place[0] not in self._files:
            return
        location: LocationAttr = self._location(place)
        if ptx_text.INLINED_AT in words:
            first = words.index(ptx_text.INLINED_AT) + 1
            caller = _numbers(words[first : first + 3])
            if caller is not None and caller[0] in self._files:
                around = self._inlined.get(caller) or self._location(caller)
                location = CallSiteLoc(location, around)
                self._inlined[place] = location
        self._current = location

    def of(self, start: int) -> LocationAttr:
        """The location of the statement at an index into the text."""
        text = self.in_text(start)
        if self._current is None:
            return text
        return CallSiteLoc(self._current, text) if self._is_made else fused(self._current, text)

    def of_kernel(self, start: int, body: Sequence[Statement]) -> LocationAttr:
        """The location of a kernel whose header is at an index into the text; in a text that
        another program made, that of its first line in the body."""
        self.begin()
        if self._is_made:
            for statement in body:
                if isinstance(statement, Directive) and statement.words[0] == ptx_text.LOC:
                    self.see(statement, 1)
                    break
        location = self.of(start)
        self.begin()
        return location

    def in_text(self, start: int) -> FileLineColLoc:
        """The location of a declaration, which has none in the program."""
        return file_line_column(self._text, *self._lines.place(start))

    def _is_in_assembly(self, start: int, depth: int) -> bool:
        if not self._starts:
            # Without comments, only braces tell.
            return depth > 1
        index = bisect_right(self._starts, start) - 1
        return index >= 0 and self._is_inline[index]

    def _location(self, place: _Place) -> FileLineColLoc:
        file, line, column = place
        return file_line_column(self._files[file], line, max(column, int(self._is_made)))


def _numbers(words: Sequence[str]) -> _Place | None:
    numbers = [number for word in words if (number := integer(word)) is not None]
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else None


def _files(statements: Sequence[Statement]) -> Mapping[int, StringAttr]:
    """The names of the files by number; `.file` may come after its first use."""
    found: dict[int, StringAttr] = {}
    for statement in statements:
        if isinstance(statement, Directive) and statement.words[0] == ptx_text.FILE:
            number = integer(statement.words[1])
            if number is not None:
                found[number] = StringAttr(statement.words[2].strip('"'))
    return found


_UNIFORM = ".uni"


class Guard(NamedTuple):
    """The predicate of an instruction, and whether the instruction executes where it is false."""

    predicate: Variable
    negated: bool


@dataclass(slots=True)
class Item:
    """An instruction of a block."""

    statement: InstructionStatement
    plan: Plan
    leaves: Sequence[Leaf]
    guard: Guard | None
    location: LocationAttr


@dataclass(slots=True)
class Pragma:
    """A hint to the assembler between the instructions."""

    statement: Directive


@dataclass(slots=True)
class End:
    """The end of a block; without a statement, control goes on to the next block."""

    kind: Literal["next", "bra", "brx", "ret", "exit"]
    statement: InstructionStatement | None = None
    guard: Guard | None = None
    index: Variable | None = None
    """The number of the target, for `brx`."""
    targets: "Sequence[Target]" = ()
    uniform: bool = False
    location: LocationAttr | None = None


@dataclass(slots=True, eq=False)
class Target:
    """A label of the text, or the block after a branch."""

    name: str
    start: int = 0
    block: "Node | None" = None


@dataclass(slots=True, eq=False)
class Node:
    """A block. `successors` are its targets in the order of its end: for a guarded branch, the
    block where the predicate holds comes first."""

    items: list[Item | Pragma] = field(default_factory=list[Item | Pragma])
    end: End = field(default_factory=lambda: End("next"))
    successors: "list[Node]" = field(default_factory=list["Node"])
    number: int = -1


class _Labels:
    """The labels of a function by scope; a name refers to the innermost label around it."""

    def __init__(self, body: Sequence[Statement]):
        self._scopes: list[dict[str, Target]] = [{}]
        self._parents = [0]
        self.tables: dict[int, Sequence[str]] = {}
        """Identity of the label of a branch table -> the labels in the table."""
        self._path = [0]
        self._opened = 0
        pending: Target | None = None
        stack = [0]
        for statement in body:
            match statement:
                case Open():
                    self._scopes.append({})
                    self._parents.append(stack[-1])
                    stack.append(len(self._scopes) - 1)
                case Close():
                    stack.pop()
                case Label(name=name):
                    pending = Target(name, statement.start)
                    self._scopes[stack[-1]].setdefault(name, pending)
                    continue
                case Directive(words=[ptx_text.BRANCH_TARGETS, *names]) if pending:
                    self.tables[id(pending)] = [each for each in names if each != ","]
                case _:
                    pass
            pending = None

    def enter(self) -> None:
        self._opened += 1
        self._path.append(self._opened)

    def leave(self) -> None:
        self._path.pop()

    def find(self, operand: Operand | None, name: str, statement: InstructionStatement) -> Target:
        """The label with a name at the current place. Raises Fault."""
        for scope in reversed(self._path):
            if (found := self._scopes[scope].get(name)) is not None:
                return found
        place = statement if operand is None else operand
        labels = (each for scope in self._path for each in self._scopes[scope])
        help_ = did_you_mean(name, labels)
        violation = ptx_text.NAME_RULE.violation(
            name or "an expression", "a label", "target", help=help_
        )
        raise Fault(violation, place.start, place.end)


def nodes_of(cutter: "Cutter") -> list[Node]:
    """The blocks of a function that can be reached, the first one first."""
    return _joined(_without_empty(_reachable(cutter.cut())))


class Cutter:
    """
    Cuts the statements of a function into blocks.

    A statement with a fault counts as an instruction that may write all its registers.
    """

    def __init__(
        self,
        body: Sequence[Statement],
        names: Names,
        plans: Plans,
        locations: Locations,
        faults: list[Fault],
    ):
        self.locations = locations
        self.faults = faults
        self.instructions: list[InstructionStatement] = []
        self.family: list[Read] = []
        """The tcgen05 instructions."""
        self.depth = 0
        self.body = body
        self.names = names
        self.plans = plans
        self.labels = _Labels(body)
        self.nodes = [Node()]

    def cut(self) -> list[Node]:
        label = ""
        after_call = 0
        for index, statement in enumerate(self.body):
            if index < after_call:
                self._skip(statement)
                continue
            match statement:
                case InstructionStatement():
                    self._see(statement)
                case Label(name=name):
                    label = name
                    target = self.labels.find(None, name, InstructionStatement(0, 0, None, (), ()))
                    if target.start == statement.start and id(target) not in self.labels.tables:
                        target.block = self._begin()
                case Open():
                    self.depth += 1
                    self.labels.enter()
                    self.names.see(statement)
                    if (call := call_at(self.body, index, self.names)) is not None:
                        for each in call.before:
                            self._see(each)
                        place = self.locations.of(call.statement.start)
                        item = Item(call.statement, call.plan, call.leaves, None, place)
                        self.nodes[-1].items.append(item)
                        after_call = call.end
                case Close():
                    self.depth -= 1
                    self.labels.leave()
                    self.names.see(statement)
                case Directive(words=[ptx_text.LOC, *_]):
                    self.locations.see(statement, self.depth)
                case Directive(words=[ptx_text.PRAGMA, *_]):
                    self.nodes[-1].items.append(Pragma(statement))
                case Directive(words=[ptx_text.PROTOTYPE | ptx_text.CALL_TARGETS, *_]):
                    self.names.keep(f"{label}: {joined(statement.words)};")
                case Directive():
                    if (fault := misspelt(statement)) is not None:
                        self.faults.append(fault)
                    self.names.see(statement)
        for node, following in zip(self.nodes, [*self.nodes[1:], None], strict=True):
            self._link(node, following)
        return self.nodes

    def _see(self, statement: InstructionStatement) -> None:
        self.instructions.append(statement)
        try:
            self._instruction(statement)
        except Fault as fault:
            self.faults += (fault.with_traceback(None), *fault.others)
            self._unknown(statement)

    def _unknown(self, statement: InstructionStatement) -> None:
        plan, leaves = unknown_plan(statement, self.names)
        place = self.locations.of(statement.start)
        self.nodes[-1].items.append(Item(statement, plan, leaves, None, place))

    def _skip(self, statement: Statement) -> None:
        """Process a statement in the block of a call."""
        if isinstance(statement, Directive) and statement.words[0] == ptx_text.LOC:
            self.locations.see(statement, self.depth)
        elif isinstance(statement, Close):
            self.depth -= 1
            self.labels.leave()
            self.names.see(statement)

    def _begin(self) -> Node:
        """The block that begins at the current place."""
        last = self.nodes[-1]
        if last.items or last.end.kind != "next" or len(self.nodes) == 1:
            self.nodes.append(Node())
        return self.nodes[-1]

    def _instruction(self, statement: InstructionStatement) -> None:
        try:
            guard = self._guard(statement)
        except Fault as fault:
            self.faults.append(fault.with_traceback(None))
            if statement.first not in ptx_text.ENDS:
                self._plan(statement)
            self._unknown(statement)
            return
        match statement.first:
            case "bra" | "brx" | "ret" | "exit" as kind if self.nodes[-1].end.kind == "next":
                uniform = any(word.text == _UNIFORM for word in statement.opcode)
                end = End(kind, statement, guard, uniform=uniform)
                end.location = self.locations.of(statement.start)
                if kind == "bra":
                    end.targets = [self._label(statement, 0)]
                elif kind == "brx":
                    end.index, end.targets = self._table(statement)
                self.nodes[-1].end = end
                self.nodes.append(Node())
            case _:
                plan, leaves = self._plan(statement)
                if plan.of_family is not None:
                    self.family.append(Read(statement, plan.of_family))
                place = self.locations.of(statement.start)
                self.nodes[-1].items.append(Item(statement, plan, leaves, guard, place))

    def _plan(self, statement: InstructionStatement) -> tuple[Plan, Sequence[Leaf]]:
        """The plan of an instruction, and its registers and variables. Raises Fault."""
        key, leaves = shape_of(statement, self.names)
        return self.plans.plan(key, statement, leaves, self.names), leaves

    def _guard(self, statement: InstructionStatement) -> Guard | None:
        guard = statement.guard
        if guard is None:
            return None
        return Guard(self._register(guard.name, i1, guard.start, guard.end), guard.negated)

    def _register(self, name: str, type_: Attribute, start: int, end: int) -> Variable:
        """The register with a name. Raises Fault."""
        found = self.names.find(name)
        if not isinstance(found, Variable):
            violation = ptx_text.NAME_RULE.violation(
                name, "a declared register", help=self.names.scope.meant(name)
            )
            raise Fault(violation, start, end)
        if found.type != type_:
            raise Fault(TYPE_RULE.violation(found.type, str(type_), name), start, end)
        return found

    def _label(self, statement: InstructionStatement, index: int) -> Target:
        if len(statement.operands) <= index:
            violation = ptx_text.OPERANDS_RULE.violation("no label", "a label", "target")
            raise Fault(violation, statement.start, statement.end)
        operand = statement.operands[index]
        name = operand.words[0] if len(operand.words) == 1 else ""
        return self.labels.find(operand, name, statement)

    def _table(self, statement: InstructionStatement) -> tuple[Variable, Sequence[Target]]:
        table = self._label(statement, 1)
        operand = statement.operands[0]
        index = self._register(" ".join(operand.words), i32, operand.start, operand.end)
        names = self.labels.tables.get(id(table))
        if names is None:
            violation = ptx_text.NAME_RULE.violation(table.name, "the label of .branchtargets")
            raise Fault(violation, statement.operands[1].start, statement.operands[1].end)
        return index, [self.labels.find(None, name, statement) for name in names]

    def _link(self, node: Node, following: Node | None) -> None:
        end = node.end
        if following is None and end.kind == "next":
            end.kind = "ret"
        if end.kind in ("ret", "exit") and end.guard is not None:
            assert following is not None
            inner = Node(end=End(end.kind, end.statement, location=end.location))
            targets = [Target("", 0, inner)]
            node.end = End("bra", end.statement, end.guard, None, targets, False, end.location)
            end = node.end
        for target in end.targets:
            assert target.block is not None
            node.successors.append(target.block)
        if end.kind == "next" or end.guard is not None:
            assert following is not None
            node.successors.append(following)
            if end.guard is not None and end.guard.negated:
                node.successors.reverse()


def _reachable(nodes: Sequence[Node]) -> list[Node]:
    """The reachable blocks in the order of the text."""
    found = closure(nodes[:1], lambda node: node.successors)
    return [each for each in _with_ends(nodes) if each in found]


def _with_ends(nodes: Sequence[Node]) -> Iterator[Node]:
    """The blocks in the order of the text, each with the guarded return at its end."""
    known = set(nodes)
    for node in nodes:
        yield node
        yield from (each for each in node.successors if each not in known)


def _without_empty(nodes: Sequence[Node]) -> list[Node]:
    """The blocks without empty ones, from which control only goes on to the next block."""
    instead: dict[Node, Node] = {}
    for node, following in reversed([*pairwise(nodes)]):
        goes_on = node.end.kind in ("next", "bra") and node.end.guard is None
        if goes_on and not node.items and node.successors == [following] and node is not nodes[0]:
            instead[node] = instead.get(following, following)
    found = [node for node in nodes if node not in instead]
    for node in found:
        node.successors = [instead.get(each, each) for each in node.successors]
    return found


def _joined(nodes: Sequence[Node]) -> list[Node]:
    """The blocks, without those that only continue the block before them."""
    entries: dict[Node, int] = {}
    for node in nodes:
        for each in node.successors:
            entries[each] = entries.get(each, 0) + 1
    found: list[Node] = []
    for node in nodes:
        last = found[-1] if found else None
        if (
            last is not None
            and last.successors == [node]
            and entries[node] == 1
            and (last.end.kind in ("next", "bra") and last.end.guard is None)
        ):
            last.items += node.items
            last.end, last.successors = node.end, node.successors
        else:
            found.append(node)
    for number, node in enumerate(found):
        node.number = number
    return found
