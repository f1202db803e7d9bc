"""The module of a PTX text."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from ..isa.ptx import ptx_text
from ..ptx.kernel import SharedMemoryOp
from ..ptx.target import ATTRIBUTE, TargetAttr
from ..ptx_reader.fault import Fault
from ..ptx_reader.header import header_faults
from ..ptx_reader.name_faults import repeated_names
from ..ptx_reader.read import Lines, read_statements
from ..ptx_reader.scope import Declared, Scope
from ..ptx_reader.syntax_tree import Directive, InstructionStatement, Statement
from ..reporting.diagnostics import CompileError, Source
from ..reporting.findings import Finding
from .blocks import nodes_of
from .functions import Kernel, Part, parts_of
from .kernel import KernelBuilder
from .locations import Locations
from .names import Names, Symbol
from .plans import Plans
from .variables import Variables, declaration, function_text


class Imported(NamedTuple):
    """A module, and the first instruction with each opcode that the dialect does not know."""

    module: ModuleOp
    opaque: Mapping[str, InstructionStatement]
    lines: Lines
    repeated: Set[Operation]
    """Operations that are valid if the others are: they differ from another one in nothing but the
    registers."""

    def remarks(self) -> Iterator[CompileError]:
        """A remark for each opcode that the dialect does not know."""
        for opcode, statement in self.opaque.items():
            message = f"{opcode} is unknown to the dialect; it is kept as ptx.inline"
            place = self.lines.location(statement.opcode[0].start)
            found = Finding(place.file, place.line, place.col, "remark", "", message)
            yield CompileError(message, findings=[found])


def import_ptx(source: Source) -> Imported:
    """
    The module of a PTX text: each kernel as a `ptx.kernel` in SSA form.

    Raises CompileError for the errors in the text.
    """
    statements, faults = read_statements(source.text)
    faults += header_faults(statements, faults)
    faults += repeated_names(source.text, statements)
    lines = Lines(source)
    if not faults:
        importer = _Importer(statements, lines)
        try:
            return Imported(importer.module(), importer.plans.opaque, lines, importer.repeated)
        except Fault as fault:
            faults = [fault.with_traceback(None)]
    errors = lines.errors(faults)
    findings = [finding for error in errors for finding in error.findings_in(source.name)]
    raise CompileError(findings[0].message, "", findings=findings) from errors[0]


class _Importer:
    def __init__(self, statements: Sequence[Statement], lines: Lines):
        self.statements = statements
        self.locations = Locations(lines, statements)
        self.plans = Plans()
        self.repeated: set[Operation] = set()
        self.scope = Scope()
        self.variables = Variables(statements)
        self.symbols: dict[tuple[int, str], Symbol] = {}
        """Identity of a declaration and name of a variable -> its symbol."""
        self.declared: list[Declared] = []
        """Keeps declarations alive, whose identities are keys."""
        self.operations: list[Operation] = []
        self.header: dict[str, Sequence[str]] = {}

    def module(self) -> ModuleOp:
        for part in parts_of(self.statements):
            if isinstance(part, Kernel):
                kernel = self._kernel(part)
                self.operations.append(kernel)
            else:
                self._others(part)
        module = ModuleOp(self.operations)
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
        elif not ptx_text.FUNCTIONS.isdisjoint(first.words):
            self.operations.append(declaration(function_text(part.statements)))
        else:
            self._declare(first, self.operations)

    def _declare(self, directive: Directive, local: list[Operation]) -> None:
        for name, symbol, op in self.variables.declare(directive, self.scope):
            declared = self.scope.find(name)
            assert declared is not None
            self.declared.append(declared)
            self.symbols[id(declared), name] = symbol
            # Variables in shared memory have no operation inside a kernel.
            (self.operations if isinstance(op, SharedMemoryOp) else local).append(op)

    def _kernel(self, kernel: Kernel) -> Operation:
        numbers = {each.name: index for index, each in enumerate(kernel.parameters)}
        local: list[Operation] = []

        def symbol(declared: Declared, name: str) -> Symbol:
            found = self.symbols.get((id(declared), name))
            if found is None:
                number = numbers[name]
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
        nodes = nodes_of(kernel.body, names, self.plans, self.locations)
        op = KernelBuilder(kernel, nodes, local, self.repeated).build()
        op.location = place
        return op
