"""Calls in PTX text: the block that stores arguments, calls a function and loads results."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..ptx.call import Access, CallOp
from ..ptx.register_types import register_types
from ..ptx.structure import ConstantOp
from ..ptx_reader.constant_expression import evaluate_integer
from ..ptx_reader.constant_operand import constant
from ..ptx_reader.fault import Fault
from ..ptx_reader.operand_matching import Leaf
from ..ptx_reader.scope import declared_names
from ..ptx_reader.syntax_tree import (
    Close,
    Directive,
    InstructionStatement,
    Operand,
    Statement,
)
from ..ptx_reader.tokens import is_name
from .names import Names, Variable
from .plans import Constant, Plan, Use


class CallSite(NamedTuple):
    """A call that is one operation, and the index of the statement after its block."""

    statement: InstructionStatement
    plan: Plan
    leaves: Sequence[Variable]
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

    def declare(self, words: Sequence[str]) -> None:
        (name,) = [*declared_names(words)] or [""]
        rest = [word for word in words[1:] if word != name]
        text = " ".join(rest).replace(" [ ", "[").replace(" ]", "]")
        if not name or name in self.declared:
            raise _Unknown
        self.declared[name] = text

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
            case _:
                raise _Unknown

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
        return CallSite(self.call, Plan(CallOp, properties, inputs, results), leaves, end)

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
    return [word for word in operand.words[1:-1] if word != ","]
