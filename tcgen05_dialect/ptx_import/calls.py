"""
Calls in PTX text: the block that passes arguments, and the inlining of functions whose bodies are
in the text.

An inlined parameter becomes a variable in local memory: the caller stores arguments and loads
results as before, and the body loads and stores the same variable. The body keeps its own scope, so
its registers and labels do not meet those of the caller. A recursive call is kept, and so is one
whose function is not in the text.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..ptx.control_flow import Access, CallOp
from ..ptx.register_types import register_types
from ..ptx.structure import ConstantOp
from ..ptx_reader.constant_expression import evaluate_integer
from ..ptx_reader.diagnosis import constant
from ..ptx_reader.operands import Leaf
from ..ptx_reader.scope import Declaration, parts_of
from ..ptx_reader.tokens import (
    Close,
    Directive,
    Fault,
    InstructionStatement,
    Label,
    Open,
    Operand,
    Statement,
    Word,
    is_name,
    operand_words,
)
from .names import Names, Variable, parameter_text
from .plans import Constant, Plan, Use


class CallSite(NamedTuple):
    """A call that is one operation, the instructions that its block executes before it, and the
    index of the statement after its block."""

    statement: InstructionStatement
    plan: Plan
    leaves: Sequence[Variable]
    before: Sequence[InstructionStatement]
    end: int


class _Unknown(Exception):
    """A statement that the block of a call usually does not have."""


def call_at(body: Sequence[Statement], start: int, names: Names) -> CallSite | None:
    """The call whose block opens at the index `start`; None for another block."""
    following = body[start + 1] if start + 1 < len(body) else None
    is_call = isinstance(following, Directive) and following.words[0] == ptx_text.PARAMETER
    if not is_call and not _is_call(following):
        return None
    reader = _Reader(names)
    for index in range(start + 1, len(body)):
        statement = body[index]
        try:
            match statement:
                case Close():
                    return reader.site(index + 1)
                case Directive(words=[ptx_text.PARAMETER, *_] as words):
                    reader.declare(words)
                case Directive(words=[ptx_text.LOC, *_]):
                    pass
                case InstructionStatement(guard=None):
                    reader.instruction(statement)
                case _:
                    return None
        except (_Unknown, Violation, Fault, LookupError):
            return None
    return None


def _is_call(statement: Statement | None) -> bool:
    return (
        isinstance(statement, InstructionStatement)
        and statement.first == ptx_text.CALL
        and statement.guard is None
    )


class _Reader:
    def __init__(self, names: Names):
        self.names = names
        self.declared: dict[str, str] = {}
        """Name of a parameter -> its declaration without the name."""
        self.stores: list[tuple[str, int, str, Sequence[Operand]]] = []
        self.loads: list[tuple[str, int, str, Sequence[Operand]]] = []
        self.call: InstructionStatement | None = None
        self.before: list[InstructionStatement] = []

    def declare(self, words: Sequence[str]) -> None:
        declaration = Declaration(words)
        for each in declaration.declarators:
            if each.name in self.declared:
                raise _Unknown
            self.declared[each.name] = parameter_text([*declaration.head, *each.rest])

    def instruction(self, statement: InstructionStatement) -> None:
        opcode = [word.text for word in statement.opcode]
        match opcode:
            case ["st", ".param" | ".param::func", *words] if self.call is None:
                address, value = statement.operands
                self.stores.append(self._access(address, words, value))
            case ["ld", ".param" | ".param::func", *words] if self.call is not None:
                value, address = statement.operands
                self.loads.append(self._access(address, words, value))
            case [ptx_text.CALL, *_] if self.call is None:
                self.call = statement
            case [first, *_] if self.call is None and not self._touches_arguments(first, statement):
                self.before.append(statement)
            case _:
                raise _Unknown

    def _touches_arguments(self, first: str, statement: InstructionStatement) -> bool:
        """Whether an instruction may not move before the stores of arguments."""
        named = {word for each in statement.operands for word in operand_words(each)}
        stored = {word for *_, values in self.stores for each in values for word in each.words}
        return first in ptx_text.ENDS or not named.isdisjoint(stored | self.declared.keys())

    def _access(
        self, address: Operand, words: Sequence[str], value: Operand
    ) -> tuple[str, int, str, Sequence[Operand]]:
        if address.form != "[":
            raise _Unknown
        name, *offset = address.parts[0].words
        number = evaluate_integer(["0", *offset]) if offset else 0
        if name not in self.declared or number < 0:
            raise _Unknown
        vector = value.parts if value.form == "{" else (value,)
        count = f".v{len(vector)}" if len(vector) > 1 else ""
        if "".join(words) != count + words[-1] or any(each.form for each in vector):
            raise _Unknown
        return name, number, words[-1], vector

    def site(self, end: int) -> CallSite | None:
        """The call, whose block is complete."""
        if self.call is None:
            return None
        operands = list(self.call.operands)
        returned: list[str] = []
        if operands and operands[0].words[:1] == ("(",):
            returned = _listed(operands.pop(0))
        (callee,) = operands.pop(0).words
        given = _listed(operands.pop(0)) if operands else []
        if operands or not is_name(callee) or {*given, *returned} != {*self.declared}:
            return None  # An indirect call has a prototype.
        if isinstance(self.names.find(callee), Variable):
            return None
        leaves: list[Variable] = []
        inputs: list[Use | Constant] = []
        stores: list[Attribute] = []
        loads: list[Attribute] = []
        results: list[int] = []
        for name, offset, type_, values in self.stores:
            stores.append(_text(given.index(name), offset, len(values), type_))
            inputs += [self._input(value, type_, leaves) for value in values]
        for name, offset, type_, values in self.loads:
            loads.append(_text(returned.index(name), offset, len(values), type_))
            for value in values:
                register = self.names.find(" ".join(value.words))
                if not isinstance(register, Variable):
                    return None
                results.append(len(leaves))
                leaves.append(register)
        properties: dict[str, Attribute] = {
            "callee": SymbolRefAttr(callee),
            "parameters": _strings([self.declared[name] for name in given]),
            "returned": _strings([self.declared[name] for name in returned]),
            "stores": ArrayAttr(stores),
            "loads": ArrayAttr(loads),
        }
        if ".uni" in [word.text for word in self.call.opcode]:
            properties["uniform"] = UnitAttr()
        return CallSite(
            self.call, Plan(CallOp, properties, inputs, results), leaves, self.before, end
        )

    def _input(self, value: Operand, type_: str, leaves: list[Variable]) -> Use | Constant:
        found = self.names.find(value.words[0]) if len(value.words) == 1 else None
        if isinstance(found, Variable):
            leaves.append(found)
            return Use(len(leaves) - 1)
        if found is not None or any(map(is_name, value.words)):
            raise _Unknown
        types = [each for each in register_types(type_[1:]) if isinstance(each, Attribute)]
        made = constant("value", Leaf(value.words, value.start, value.end), types, None)
        assert isinstance(made.owner, ConstantOp)
        return Constant(made.owner.value, made.type)


def _text(number: int, offset: int, count: int, type_: str) -> StringAttr:
    return StringAttr(str(Access(number, offset, count, type_)))


def _strings(texts: Sequence[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(text) for text in texts])


def _listed(operand: Operand) -> list[str]:
    """The names in parentheses."""
    if operand.words[:1] != ("(",):
        raise _Unknown
    return _words(operand)


_LOCAL = ".local"
_PARAMETERS = (ptx_text.PARAMETER, f"{ptx_text.PARAMETER}::func")


class _Formal(NamedTuple):
    """A parameter or a result of a function."""

    name: str
    declaration: Declaration

    @property
    def is_register(self) -> bool:
        return self.declaration.space == ptx_text.REGISTER

    @property
    def type(self) -> str:
        return self.declaration.type


class _Function(NamedTuple):
    """A function with a body, which begins and ends with its braces."""

    name: str
    returned: Sequence[_Formal]
    parameters: Sequence[_Formal]
    body: Sequence[Statement]


class Inliner:
    """Replaces the calls in the bodies of functions."""

    def __init__(self, statements: Sequence[Statement]):
        self._functions = dict(_functions(statements))
        self._calls = 0

    def body(
        self, statements: Sequence[Statement], callers: Sequence[str] = ()
    ) -> Sequence[Statement]:
        """The statements of a body with the bodies of the functions that it calls."""
        if not self._functions:
            return statements
        found: list[Statement] = []
        blocks: list[_Block] = []
        for statement in statements:
            for block in blocks:
                statement = _in_local_memory(statement, block.names)
            found.append(statement)
            match statement:
                case Open():
                    blocks.append(_Block(len(found) - 1, {}))
                case Close():
                    blocks.pop()
                case InstructionStatement(guard=None, opcode=[Word(text=ptx_text.CALL), *_]):
                    call = _call(statement, self._functions, callers)
                    if call is not None:
                        self._expand(found, blocks[-1], call, callers)
                case _:
                    pass
        return found

    def _expand(
        self, found: list[Statement], block: _Block, call: _Call, callers: Sequence[str]
    ) -> None:
        """Replace the call at the end of `found`, which is in a block."""
        self._calls += 1
        prefix, function = f"call{self._calls}_", call.function
        found.pop()
        variables = block.parameters(found)
        for formal, actual in call.pairs:
            if actual in variables:
                block.names[actual] = f"{prefix}{formal.name}"
        found[block.first :] = [_in_local_memory(x, block.names) for x in found[block.first :]]
        names = {
            formal.name: block.names.get(actual, actual)
            if actual in variables or actual in block.names.values()
            else f"{prefix}{formal.name}"
            for formal, actual in call.pairs
        }
        at, end = _Maker(call.statement), f"$L_{prefix}end"
        moved = [(formal, x) for formal, x in call.pairs if names[formal.name].startswith(prefix)]
        moved = [(formal, x) for formal, x in moved if x not in variables]
        registers = [(formal, formal.name) for formal, _ in call.pairs if formal.is_register]

        def copies(
            op: str, pairs: Iterable[tuple[_Formal, str]], of: Container[_Formal]
        ) -> Iterator[Statement]:
            """Copies between local memory and the registers of `pairs`."""
            return (at.move(op, x.type, names[x.name], word) for x, word in pairs if x in of)

        found += [at.local(formal, names[formal.name]) for formal, _ in moved]
        found += copies("st", moved, function.parameters)
        open_, *inner, close = self.body(function.body, (*callers, function.name))
        found += [open_, *(at.declared(formal) for formal, _ in registers)]
        found += copies("ld", registers, function.parameters)
        own = {x.name: names[x.name] for x, _ in call.pairs if not x.is_register}
        found += [_returning(_in_local_memory(each, own), end) for each in inner]
        found += [at.label(end), *copies("st", registers, function.returned), close]
        found += copies("ld", moved, function.returned)


class _Block(NamedTuple):
    """An open block: the index of its first statement, and the names in local memory of the
    parameters of calls that it declares."""

    first: int
    names: dict[str, str]

    def parameters(self, found: Sequence[Statement]) -> frozenset[str]:
        """The parameters that the block declares."""
        return frozenset(
            word
            for each in found[self.first :]
            if isinstance(each, Directive) and each.words[0] == ptx_text.PARAMETER
            for word in each.words
            if is_name(word)
        )


class _Call(NamedTuple):
    """A call that can be replaced."""

    statement: InstructionStatement
    function: _Function
    pairs: Sequence[tuple[_Formal, str]]
    """The results and parameters of the function, and the operand for each."""


def _call(
    statement: InstructionStatement, functions: Mapping[str, _Function], callers: Sequence[str]
) -> _Call | None:
    """The call of a function with a body; None for a recursive one, and for another."""
    operands = list(statement.operands)
    returned = _words(operands.pop(0)) if operands and _is_list(operands[0]) else []
    callee = operands.pop(0).words if operands else ()
    given = _words(operands.pop(0)) if operands and _is_list(operands[0]) else []
    function = functions.get(callee[0]) if len(callee) == 1 else None
    if operands or function is None or function.name in callers:
        return None
    if [len(returned), len(given)] != [len(function.returned), len(function.parameters)]:
        return None
    formals = (*function.returned, *function.parameters)
    return _Call(statement, function, list(zip(formals, (*returned, *given), strict=True)))


class _Maker(NamedTuple):
    """Makes statements at the place of a call."""

    place: InstructionStatement

    def local(self, formal: _Formal, name: str) -> Directive:
        """The declaration of the variable that stands for a parameter."""
        declaration = formal.declaration
        words = (_LOCAL if word == declaration.space else word for word in declaration.words())
        return self._directive([name if word == formal.name else word for word in words])

    def declared(self, formal: _Formal) -> Directive:
        """The declaration of a parameter that is a register."""
        return self._directive(formal.declaration.words())

    def label(self, name: str) -> Label:
        return Label(self.place.start, self.place.end, name)

    def move(self, opcode: str, type_: str, variable: str, register: str) -> InstructionStatement:
        """The load or store of a whole variable."""
        start, end = self.place.start, self.place.end
        words = tuple(Word(start, end, text) for text in (opcode, _LOCAL, type_))
        address = Operand(start, end, "[", (), (Operand(start, end, "", (variable,)),))
        value = Operand(start, end, "", (register,))
        operands = (value, address) if opcode == "ld" else (address, value)
        return InstructionStatement(start, end, None, words, operands)

    def _directive(self, words: Sequence[str]) -> Directive:
        return Directive(self.place.start, self.place.end, tuple(words), terminated=True)


def _functions(statements: Sequence[Statement]) -> Iterator[tuple[str, _Function]]:
    for part in parts_of(statements):
        header = part.function
        if header is None or header.is_kernel or not header.name:
            continue
        formals = (*header.returned, *header.parameters)
        if all(len(formal.declarators) == 1 for formal in formals):
            returned, parameters = map(_formals, (header.returned, header.parameters))
            yield header.name, _Function(header.name, returned, parameters, part.statements[1:])


def _formals(declarations: Sequence[Declaration]) -> list[_Formal]:
    return [_Formal(each.declarators[0].name, each) for each in declarations]


def _is_list(operand: Operand) -> bool:
    return operand.words[:1] == ("(",)


def _words(operand: Operand) -> list[str]:
    return [word for word in operand.words[1:-1] if word != ","]


def _in_local_memory(statement: Statement, names: Mapping[str, str]) -> Statement:
    """A statement that uses these parameters as variables in local memory, with new names."""
    match statement:
        case Directive(words=[ptx_text.PARAMETER, *words]) if any(word in names for word in words):
            renamed = (names.get(word, word) for word in words)
            return Directive(statement.start, statement.end, (_LOCAL, *renamed), terminated=True)
        case InstructionStatement(opcode=opcode, operands=operands):
            if not any(_mentions(each, names) for each in operands):
                return statement
            local = tuple(
                Word(word.start, word.end, _LOCAL) if word.text in _PARAMETERS else word
                for word in opcode
            )
            changed = tuple(_renamed(each, names) for each in operands)
            return InstructionStatement(
                statement.start, statement.end, statement.guard, local, changed
            )
        case _:
            return statement


def _mentions(operand: Operand, names: Mapping[str, str]) -> bool:
    return any(word in names for word in operand.words) or any(
        _mentions(part, names) for part in operand.parts
    )


def _renamed(operand: Operand, names: Mapping[str, str]) -> Operand:
    words = tuple(names.get(word, word) for word in operand.words)
    parts = tuple(_renamed(part, names) for part in operand.parts)
    return Operand(operand.start, operand.end, operand.form, words, parts)


def _returning(statement: Statement, end: str) -> Statement:
    """A statement of a function; a return goes to the label at the end of the body."""
    match statement:
        case InstructionStatement(opcode=[Word(text="ret") as first, *rest], guard=guard):
            branch = (Word(first.start, first.end, "bra"), *rest)
            target = Operand(statement.start, statement.end, "", (end,))
            return InstructionStatement(statement.start, statement.end, guard, branch, (target,))
        case _:
            return statement
