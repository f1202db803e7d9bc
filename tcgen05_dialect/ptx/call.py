"""Calls of functions (PTX ISA 7.1, 9.7.12.4)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttrConstr, StringAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.ir_form import CALL_RULE
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .register_types import ANY_REGISTER

_PARAMETER = re.compile(r"(?:\.align [0-9]+ )?\.[busf][0-9]+(?: ?\[[0-9]+\])?")
_ACCESS = re.compile(
    r"(?P<number>[0-9]+)\+(?P<offset>[0-9]+) (?:\.v(?P<count>[24]))?(?P<type>\.\w+)"
)


class Access(NamedTuple):
    """A store of an argument, or a load of a result: the number of the parameter, the byte where it
    begins, the number of registers, and their type with a dot."""

    number: int
    offset: int
    registers: int
    type: str

    @classmethod
    def of(cls, text: str) -> "Access":
        """The access with this text. Raises ValueError."""
        match = _ACCESS.fullmatch(text)
        if match is None:
            raise ValueError(text)
        count = int(match["count"] or 1)
        return cls(int(match["number"]), int(match["offset"]), count, match["type"])

    def __str__(self) -> str:
        return f"{self.number}+{self.offset} {self.words}"

    @property
    def words(self) -> str:
        """The qualifiers of the instruction."""
        return f".v{self.registers}{self.type}" if self.registers > 1 else self.type


@formatted_op_definition
class CallOp(ConstructedOperation):
    """
    A call of a function.

        %results = ptx.call @<function>(%arguments : <types>) -> <types> attr-dict

    `parameters` and `returned` are the PTX declarations, without names, of the parameters of the
    call and of its return values. `stores` gives the place of each argument in the parameters, and
    `loads` the place of each result in the return values: `"1+8 .v2.b32"` means two registers at
    byte 8 of parameter 1. With `uniform`, all active threads of the warp call the same function.
    """

    name = "ptx.call"
    OTHER: ClassVar[str] = "a function of func is called by func.call"
    callee = prop_def(FlatSymbolRefAttrConstr)
    parameters = prop_def(ArrayAttr[StringAttr])
    returned = prop_def(ArrayAttr[StringAttr])
    stores = prop_def(ArrayAttr[StringAttr])
    loads = prop_def(ArrayAttr[StringAttr])
    uniform = opt_prop_def(UnitAttr)
    arguments = var_operand_def(ANY_REGISTER)
    outputs = var_result_def(ANY_REGISTER)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$callee `(` ($arguments^ `:` type($arguments))? `)` (`->` type($outputs)^)? attr-dict"
    )

    def ptx(
        self, name: Callable[[SSAValue], str], element: Callable[[SSAValue], str]
    ) -> Iterator[str]:
        """The PTX statements, without semicolons; the functions give the texts of values."""
        for number, each in enumerate(self.parameters):
            yield _declaration(each.data, f"param{number}")
        for text, values in self._accesses(self.stores, self.arguments):
            address = f"[param{text.number}+{text.offset}]"
            yield f"st.param{text.words} {address}, {_vector(values, name, element)}"
        for number, each in enumerate(self.returned):
            yield _declaration(each.data, f"retval{number}")
        given = ", ".join(f"param{number}" for number in range(len(self.parameters)))
        returned = ", ".join(f"retval{number}" for number in range(len(self.returned)))
        operands = [f"({returned})"] * bool(returned) + [self.callee.string_value()]
        operands += [f"({given})"] * bool(given)
        yield f"call{'' if self.uniform is None else '.uni'} {', '.join(operands)}"
        for text, values in self._accesses(self.loads, self.outputs):
            address = f"[retval{text.number}+{text.offset}]"
            yield f"ld.param{text.words} {_vector(values, name, element)}, {address}"

    @staticmethod
    def _accesses(
        texts: ArrayAttr[StringAttr], values: Sequence[SSAValue]
    ) -> Iterator[tuple[Access, Sequence[SSAValue]]]:
        start = 0
        for each in texts:
            access = Access.of(each.data)
            yield access, values[start : start + access.registers]
            start += access.registers

    def verify_(self) -> None:
        for violation in self._violations():
            raise VerifyException(str(violation)) from violation

    def _violations(self) -> Iterator[Violation]:
        for each in (*self.parameters, *self.returned):
            if _PARAMETER.fullmatch(each.data) is None:
                yield CALL_RULE.violation(repr(each.data), '".b64", for example', "parameter")
        sides = (
            ("stores", self.stores, self.parameters, self.arguments, "arguments"),
            ("loads", self.loads, self.returned, self.outputs, "results"),
        )
        for name, texts, declared, values, what in sides:
            count = 0
            for each in texts:
                try:
                    access = Access.of(each.data)
                except ValueError:
                    yield CALL_RULE.violation(repr(each.data), '"0+8 .b32", for example', name)
                    return
                if access.number >= len(declared) or access.type not in ptx_text.REGISTER_BITS:
                    legal = "the number of a declared parameter, an offset and a type"
                    yield CALL_RULE.violation(repr(each.data), legal, name)
                count += access.registers
            if count != len(values):
                yield CALL_RULE.violation(count, len(values), f"registers of {name}, by {what}")


def _declaration(text: str, name: str) -> str:
    type_, bracket, size = text.partition("[")
    return f"{ptx_text.PARAMETER} {type_.rstrip()} {name}{bracket}{size}"


def _vector(
    values: Sequence[SSAValue],
    name: Callable[[SSAValue], str],
    element: Callable[[SSAValue], str],
) -> str:
    if len(values) == 1:
        return name(values[0])
    return f"{{{', '.join(map(element, values))}}}"
