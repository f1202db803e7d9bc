"""The module of a PTX text."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr, ModuleOp, StringAttr
from xdsl.ir import Operation

from ..isa.model.rule import did_you_mean
from ..isa.ptx import ptx_text
from ..isa.ptx.words import OPCODES
from ..ptx.kernel import SharedMemoryOp
from ..ptx.types import ATTRIBUTE, TargetAttr
from ..ptx_reader.declarations import header_faults
from ..ptx_reader.operands import repeated_names
from ..ptx_reader.read import Lines, Read, Text, read_text
from ..ptx_reader.scope import Declared, Scope
from ..ptx_reader.text_errors import explained, in_ptx
from ..ptx_reader.tokens import Directive, Fault, InstructionStatement, Statement
from ..ptx_reader.wrong_words import unknown_word
from ..reporting.diagnostics import CompileError, OperationError, Repeated, Source, text_place
from ..reporting.findings import Finding
from .blocks import Cutter, Locations, nodes_of
from .calls import Inliner
from .kernel import KernelBuilder
from .names import Kernel, Names, Part, Symbol, parts_of
from .plans import Plans, Repetition
from .variables import Variables, declaration, function_text


class Imported(NamedTuple):
    """
    A module, and the first instruction with each opcode that the dialect does not know.

    With `faults`, the module lacks what has them.
    """

    module: ModuleOp
    opaque: Mapping[str, InstructionStatement]
    lines: Lines
    repeated: Repeated
    """The operations that need no verification if others are valid; see `Repetition`."""
    faults: Sequence[Fault]
    others: Sequence[Statement]
    """The statements that are not in the body of a kernel."""
    family: Sequence[Read]
    """The tcgen05 instructions of the kernels."""
    instructions: Sequence[InstructionStatement]
    """The instructions of the kernels, in the order of the text."""

    def statement_of(self, operation: Operation) -> InstructionStatement | None:
        """The statement of an operation of the module; None if it has none."""
        place = text_place(operation.location)
        if place is None:
            return None
        start = self.lines.index(place.line.data, place.column.data)
        at = bisect_right(self.instructions, start, key=lambda each: each.start) - 1
        found = self.instructions[at] if at >= 0 else None
        return found if found is not None and found.start == start else None

    def as_written(self, error: CompileError) -> CompileError:
        """The error of an operation of the module in the words of the text."""
        cause = error.__cause__
        statement = (
            self.statement_of(cause.operation) if isinstance(cause, OperationError) else None
        )
        found = error if statement is None else explained(error, statement, self.lines)
        found.findings = tuple(in_ptx(each, self.lines.source.text) for each in found.findings)
        found.message = found.findings[0].message
        return found

    def remarks(self) -> Iterator[CompileError]:
        """A remark for each opcode that the dialect does not know."""
        for opcode, statement in self.opaque.items():
            message = f"{opcode} is unknown to the dialect; it is kept as ptx.inline"
            place = self.lines.location(statement.opcode[0].start)
            found = Finding(place.file, place.line, place.col, "remark", "", message)
            yield CompileError(message, findings=[found])

    def unknown(self) -> Iterator[CompileError]:
        """A warning for each opcode that PTX does not have, or that has a word it does not have."""
        for opcode, statement in self.opaque.items():
            first = statement.opcode[0]
            if first.text not in OPCODES:
                rule = ptx_text.INSTRUCTION_RULE.of_severity("warning")
                help_ = did_you_mean(first.text, OPCODES)
                sentence = f"not understood: {opcode}"
                violation = rule.violation(None, None, sentence=sentence, help=help_)
                yield self.lines.error(Fault(violation, first.start, statement.opcode[-1].end))
            elif (fault := unknown_word(statement)) is not None:
                yield self.lines.error(fault)


def import_ptx(source: Source, inlines: bool = False) -> Imported:
    """
    The module of a PTX text: each kernel as a `ptx.kernel` in SSA form. With `inlines`, the bodies
    of functions take the places of their calls.

    Raises CompileError for the errors in the text.
    """
    text = read_text(source)
    faults = [*text.faults, *header_faults(text.statements, text.faults)]
    if not text.faults:
        imported = import_text(text, inlines)
        faults += imported.faults
        if not faults:
            return imported
    errors = text.lines.errors(faults)
    findings = [finding for error in errors for finding in error.findings_in(source.name)]
    raise CompileError(findings[0].message, "", findings=findings) from errors[0]


def import_text(text: Text, inlines: bool = False) -> Imported:
    """The module of a text without syntax errors, as far as the text has no faults. For `inlines`,
    see `import_ptx`."""
    importer = _Importer(text.statements, text.lines, inlines)
    importer.faults += repeated_names(text.source.text, text.statements)
    return Imported(
        importer.module(),
        importer.plans.opaque,
        text.lines,
        importer.repetition.repeated,
        importer.faults,
        importer.others,
        importer.family,
        importer.instructions,
    )


class _Importer:
    def __init__(self, statements: Sequence[Statement], lines: Lines, inlines: bool):
        self.statements = statements
        self.locations = Locations(lines, statements)
        self.plans = Plans()
        self.inliner = Inliner(statements if inlines else ())
        self.repetition = Repetition()
        self.scope = Scope()
        self.variables = Variables(statements)
        self.symbols: dict[tuple[int, str], Symbol] = {}
        """Identity of a declaration and name of a variable -> its symbol."""
        self.declared: list[Declared] = []
        """Keeps declarations alive, whose identities are keys."""
        self.operations: list[Operation] = []
        self.header: dict[str, Sequence[str]] = {}
        self.headed: LocationAttr | None = None
        """The place of the last directive of the header, which names the target."""
        self.faults: list[Fault] = []
        self.others: list[Statement] = []
        self.family: list[Read] = []
        self.instructions: list[InstructionStatement] = []

    def module(self) -> ModuleOp:
        for part in parts_of(self.statements):
            if isinstance(part, Kernel):
                self.others.append(part.header)
                self.operations.append(self._kernel(part))
            else:
                self.others += part.statements
                try:
                    self._others(part)
                except Fault as fault:
                    self.faults.append(fault.with_traceback(None))
        module = ModuleOp(self.operations)
        if self.headed is not None:
            module.location = self.headed
        version, target = (self.header.get(each) for each in ptx_text.HEADER)
        if version and target:
            module.attributes[ATTRIBUTE] = TargetAttr(StringAttr(target[0]), StringAttr(version[0]))
        return module

    def _others(self, part: Part) -> None:
        for statement in part.statements:
            self.scope.see(statement)
        first = part.statements[0]
        if isinstance(first, InstructionStatement):
            sentence = "this instruction is not in a function"
            help_ = "write the instruction in the body of a kernel"
            violation = ptx_text.SYNTAX_RULE.violation(None, None, sentence=sentence, help=help_)
            raise Fault(violation, first.start, first.end)
        if not isinstance(first, Directive):
            return
        name, *words = first.words
        if name in ptx_text.HEADER:
            self.header[name] = words
            self.headed = self.locations.in_text(first.start)
        elif not ptx_text.FUNCTIONS.isdisjoint(first.words):
            function = declaration(function_text(part.statements))
            function.location = self.locations.in_text(first.start)
            self.operations.append(function)
        else:
            self._declare(first, self.operations)

    def _declare(self, directive: Directive, local: list[Operation]) -> None:
        for name, symbol, op in self._declared_by(directive):
            declared = self.scope.find(name)
            assert declared is not None
            self.declared.append(declared)
            self.symbols[id(declared), name] = symbol
            op.location = self.locations.in_text(directive.start)
            # Variables in shared memory have no operation inside a kernel.
            (self.operations if isinstance(op, SharedMemoryOp) else local).append(op)

    def _declared_by(self, directive: Directive) -> Iterator[tuple[str, Symbol, Operation]]:
        try:
            yield from self.variables.declare(directive, self.scope, self._symbol)
        except Fault as fault:
            self.faults.append(fault.with_traceback(None))

    def _symbol(self, name: str) -> Symbol | None:
        """The variable that a name refers to at the current place."""
        return self.symbols.get((id(self.scope.find(name)), name))

    def _kernel(self, kernel: Kernel) -> Operation:
        numbers = {each.name: index for index, each in enumerate(kernel.parameters)}
        local: list[Operation] = []

        def symbol(declared: Declared, name: str) -> Symbol:
            found = self.symbols.get((id(declared), name))
            if found is None:
                number = numbers.get(name)
                if number is None:
                    return Symbol(name, declared.space)  # Its declaration has a fault.
                bits = kernel.parameters[number].bits
                found = Symbol(name, declared.space, number, bits)
            return found

        self.scope.see(kernel.header)
        names = Names(
            self.scope,
            symbol,
            lambda directive: self._declare(directive, local),
            lambda text: local.append(declaration(text)),
        )
        self.locations.begin()
        place = self.locations.of(kernel.header.start)
        body = self.inliner.body(kernel.body)
        cutter = Cutter(body, names, self.plans, self.locations, self.faults)
        nodes = nodes_of(cutter)
        builder = KernelBuilder(kernel, nodes, local, self.repetition, self.faults)
        op = builder.build()
        op.location = place
        self.instructions += cutter.instructions
        self.family += cutter.family
        return op
