"""The importer of PTX text as a module in SSA form, with the kernels, functions and variables that
the text declares, and their initial bytes (5.4)."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from typing import NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    FloatAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    f32,
    f64,
    i8,
)
from xdsl.ir import Attribute, Operation

from ..isa.model.rule import Violation, did_you_mean
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import ADDRESS_BYTES, SPACES
from ..isa.ptx.opcodes import OPCODES
from ..ptx.kernel import SharedMemoryOp
from ..ptx.structure import DeclarationOp
from ..ptx.types import ATTRIBUTE, TargetAttr
from ..ptx.variables import SymbolAddressAttr, VariableOp, new_variable
from ..ptx_reader import Lines, Read, Text, read_text, unknown_word
from ..ptx_reader.constant_expression import evaluate, evaluate_integer
from ..ptx_reader.declarations import header_faults
from ..ptx_reader.operands import repeated_names
from ..ptx_reader.scope import (
    UNKNOWN,
    Declaration,
    Declarator,
    Declared,
    Part,
    Scope,
    declarations,
    parts_of,
)
from ..ptx_reader.text_errors import explained, in_ptx
from ..ptx_reader.tokens import (
    Directive,
    Fault,
    InstructionStatement,
    Statement,
    is_name,
    joined,
    statement_text,
)
from ..reporting.diagnostics import (
    CompileError,
    Finding,
    OperationError,
    Repeated,
    Source,
    read_place,
)
from ..xdsl_support.attributes import attribute_bits
from .blocks import Cutter, Locations, nodes_of
from .calls import Inliner
from .kernel import KernelBuilder
from .names import Kernel, Names, Symbol, kernel_of
from .plans import Plans, Repetition

_FLOATS = {".f32": f32, ".f64": f64}


class _Unknown(Exception):
    """An initial value that the importer does not take apart."""


def variable_of(
    declaration: Declaration,
    declarator: Declarator,
    name: str,
    symbol: Callable[[str], Symbol | None],
) -> VariableOp | None:
    """The variable that a declarator declares, with a new name; None for another kind of
    declaration. `symbol` finds the variables that initial values name."""
    space, values = declaration.space[1:], declarator.value
    if not declaration.type or declaration.others or space not in SPACES:
        return None
    size = declaration.size(declarator)
    try:
        if size is None:
            if any(extent.strip() for extent in declarator.extents):
                return None
            size = declaration.scalar * sum(1 for _ in _elements(values)) if values else None
        linking = declaration.linking or None
        op = new_variable(space, name, size, declaration.alignment, linking)
        if values and size is not None:
            _initialise(op, declaration, values, size, symbol)
    except (_Unknown, Violation):
        return None
    return op


def _initialise(
    op: VariableOp,
    declaration: Declaration,
    words: Sequence[str],
    size: int,
    symbol: Callable[[str], Symbol | None],
) -> None:
    """Set the initial bytes of a variable. Raises _Unknown and Violation."""
    content, scalar = bytearray(), declaration.scalar
    addresses: list[Attribute] = []
    for element in _elements(words):
        if any(map(is_name, element)):
            addresses.append(_address(len(content), element, symbol))
            if scalar != ADDRESS_BYTES:
                raise _Unknown
            content += bytes(ADDRESS_BYTES)
        else:
            content += _bits(declaration.type, element).to_bytes(scalar, "little")
    if len(content) > size or (addresses and size % ADDRESS_BYTES):
        raise _Unknown
    if not addresses:
        content = content.rstrip(b"\0")
    if content:
        op.properties["bytes"] = DenseArrayBase(i8, BytesAttr(bytes(content)))
    if addresses:
        op.properties["addresses"] = ArrayAttr(addresses)


def _elements(words: Sequence[str]) -> Iterator[list[str]]:
    """The elements of an initial value, whose lists contain no lists."""
    inner = words[1:-1] if words[0] == "{" else words
    element: list[str] = []
    for word in inner:
        if word == "{":
            raise _Unknown
        if word == ",":
            yield element
            element = []
        else:
            element.append(word)
    if element:
        yield element


def _bits(type_: str, words: Sequence[str]) -> int:
    """The bits of an element. Raises _Unknown and Violation."""
    number, bits = evaluate(words), ptx_text.REGISTER_BITS[type_] or 0
    if isinstance(number, int):
        if type_ in _FLOATS:
            raise _Unknown
        return number % (1 << bits)
    if type_ not in _FLOATS or isnan(number):
        raise _Unknown  # xDSL keeps no payload of a NaN.
    return attribute_bits(FloatAttr(number, _FLOATS[type_]))


def _address(
    at: int, words: Sequence[str], symbol: Callable[[str], Symbol | None]
) -> SymbolAddressAttr:
    """The address in an initial value, such as `generic(name)+4`. Raises _Unknown and Violation."""
    rest = list(words)
    is_generic = rest[:2] == [ptx_text.GENERIC, "("]
    if is_generic:
        del rest[:2], rest[1:2]
    name, *offset = rest
    found = symbol(name) if is_name(name) else None
    if found is None or offset[:1] not in ([], ["+"], ["-"]):
        raise _Unknown
    return SymbolAddressAttr.of(at, found.name, evaluate_integer(["0", *offset]), is_generic)


_WITHOUT_TEXT = frozenset((*ptx_text.LINE_DIRECTIVES, ptx_text.SECTION))
"""Directives that the printer writes itself, and debug information."""


class Variables:
    """The operations that declare variables, with a name of its own for each variable."""

    def __init__(self, statements: Sequence[Statement]):
        self._taken = {
            name
            for statement in statements
            if isinstance(statement, Directive)
            for name in statement.words
        }
        """Names that a renamed variable must not get."""
        self._declared: set[str] = set()

    def declare(
        self, directive: Directive, symbol_of: Callable[[str], Symbol | None]
    ) -> Iterator[tuple[str, Symbol, Operation]]:
        """
        The variables of a directive that has just been seen: the name, the symbol and the
        declaration of each. `symbol_of` finds the variables that initial values name.

        Raises Fault after the last variable. One with a fault has no size and the largest
        alignment, so that its uses show no further faults.
        """
        fault: Fault | None = None
        for declared in declarations(directive.words):
            for each in declared.declarators if declared.space != ptx_text.REGISTER else ():
                symbol = Symbol(self._unique(each.name), declared.space)
                if declared.space == ptx_text.SHARED:
                    variable = declared.shared(each)
                    try:
                        variable.check()
                    except Violation as violation:
                        fault = fault or Fault(violation, directive.start, directive.end)
                        variable = UNKNOWN
                    yield each.name, symbol, variable.definition(symbol.name)
                else:
                    op = variable_of(declared, each, symbol.name, symbol_of)
                    text = joined([*declared.head, symbol.name, *each.rest]) + ";"
                    yield each.name, symbol, op or declaration(text)
        if fault is not None:
            raise fault

    def _unique(self, name: str) -> str:
        found, number = name, 0
        while found in self._declared or (number and found in self._taken):
            number += 1
            found = f"{name}_{number}"
        self._declared.add(found)
        return found


def declaration(text: str) -> Operation:
    """The operation for a declaration in PTX."""
    return DeclarationOp.create(properties={"text": StringAttr(text)})


def function_text(statements: Sequence[Statement]) -> str:
    """The PTX text of a function that is not a kernel, without debug information."""
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, Directive) and not _WITHOUT_TEXT.isdisjoint(statement.words):
            continue
        indent = "\t" if isinstance(statement, InstructionStatement | Directive) and lines else ""
        lines.append(indent + statement_text(statement))
    return "\n".join(lines)


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
        place = read_place(operation.location)
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
                violation = rule.says(f"not understood: {opcode}", help_)
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
            if part.function is not None and part.function.is_kernel:
                self.others.append(part.statements[0])
                self.operations.append(self._kernel(kernel_of(part)))
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
            violation = ptx_text.SYNTAX_RULE.says(sentence, help_)
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
            yield from self.variables.declare(directive, self._symbol)
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
        place = self.locations.of_kernel(kernel.header.start, kernel.body)
        body = self.inliner.body(kernel.body)
        cutter = Cutter(body, names, self.plans, self.locations, self.faults)
        nodes = nodes_of(cutter)
        builder = KernelBuilder(kernel, nodes, local, self.repetition, self.faults)
        op = builder.build()
        op.location = place
        self.instructions += cutter.instructions
        self.family += cutter.family
        return op
