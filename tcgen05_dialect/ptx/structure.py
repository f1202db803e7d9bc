"""Constants, addresses of shared variables, special registers, guards, and inline PTX."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import isnan
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyOf,
    AttrSizedOperandSegments,
    BaseAttr,
    ParsePropInAttrDict,
    RangeOf,
    RangeVarConstraint,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    ConstantLike,
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx import kernel
from ..isa.ptx import kernel as isa
from ..isa.ptx.kernel import FOLLOWING, INLINE_RULE
from ..xdsl_support.attributes import attribute_bits, integer, wrapped_integer
from ..xdsl_support.construction import ConstructedOperation, Operands, Properties
from ..xdsl_support.operation_format import formatted_op_definition
from .analysis.symbols import find_symbol, symbol_table
from .instruction import Instruction, syntax_of
from .kernel import SharedMemoryOp
from .register_types import ANY_REGISTER, ANY_VALUE, B32, INTEGER_32, PRED, REGISTER_OR_BYTE

_PLACEHOLDER = re.compile(rf"(?<!{FOLLOWING})\$(?:(?P<number>[0-9]+)(?!{FOLLOWING})|\$)")
"""A placeholder, or `$$` for a dollar sign that begins a name."""
_DECLARATION = re.compile(r"(?:[\w$]+: )?\.")
_BEGINNING = re.compile(r"[a-z]\w*(?:\.\w+|::\w+)*(?=[\s;])")
_BRACKETS = {")": "(", "]": "[", "}": "{"}


@formatted_op_definition
class InlineOp(ConstructedOperation):
    """
    An instruction given by its PTX text.

        ptx.inline "bfe.u32 $0, $1, 4, 15;" (%a : i32) -> i32 attr-dict

    In the text, `$0`, `$1` and so on stand for the results and then for the operands; `$$` stands
    for a dollar sign at the beginning of a name. If the instruction may read or keep the old
    contents of its result registers, name them after the operands: `keeps (%old : i32)`. The
    instruction may read and write all memory. It synchronises nothing.
    """

    name = "ptx.inline"
    text = prop_def(StringAttr)
    inputs = var_operand_def(ANY_REGISTER)
    kept = var_operand_def(ANY_REGISTER)
    outputs = var_result_def(ANY_REGISTER)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$text (`(` $inputs^ `:` type($inputs) `)`)? (`keeps` `(` $kept^ `:` type($kept) `)`)? "
        "(`->` type($outputs)^)? attr-dict"
    )

    def ptx(self, name: Callable[[SSAValue], str]) -> str:
        """The text without its semicolon; `name` gives the text of a value."""
        values = (*self.outputs, *self.inputs)

        def replaced(match: re.Match[str]) -> str:
            number = match["number"]
            return "$" if number is None else name(values[int(number)])

        return _PLACEHOLDER.sub(replaced, self.text.data).removesuffix(";")

    def verify_(self) -> None:
        for violation in self._violations():
            raise VerifyException(str(violation)) from violation

    def _violations(self) -> Iterator[Violation]:
        text = self.text.data
        if (found := _fault(text)) is not None:
            yield INLINE_RULE.violation(*found)
        count = len(self.outputs) + len(self.inputs)
        numbers = {int(each) for match in _PLACEHOLDER.finditer(text) if (each := match["number"])}
        if numbers != set(range(count)):
            shown = ", ".join(f"${number}" for number in sorted(numbers)) or "none"
            legal = ", ".join(f"${number}" for number in range(count)) or "none"
            yield INLINE_RULE.violation(shown, legal, "placeholders of the inline instruction")
        kept, written = ([value.type for value in values] for values in (self.kept, self.outputs))
        if kept and kept != written:
            found, legal = (", ".join(map(str, types)) or "none" for types in (kept, written))
            what = "types after keeps"
            yield INLINE_RULE.violation(found, legal, what)


def _fault(text: str) -> tuple[str, str] | None:
    """What is found in a text that is not one instruction, and what is needed; else None."""
    if not text.endswith(";"):
        return "no semicolon at the end", "one instruction that ends with a semicolon"
    if ";" in text[:-1] or "\n" in text:
        return "several statements or lines", "one instruction"
    if _BEGINNING.match(text) is None:
        return text.split()[0], "an instruction, without a guard, a label or a block"
    if "//" in text or "/*" in text:
        return "a comment", "an instruction without comments"
    if not _is_balanced(text):
        return "brackets that do not match", "one instruction"
    return None


def _is_balanced(text: Sequence[str]) -> bool:
    open_: list[str] = []
    for character in text:
        if character in _BRACKETS.values():
            open_.append(character)
        elif character in _BRACKETS and (not open_ or open_.pop() != _BRACKETS[character]):
            return False
    return not open_


@formatted_op_definition
class DeclarationOp(ConstructedOperation):
    """
    A declaration in PTX that the dialect has no operation for: of a variable, or of a function.

        ptx.declaration ".global .align 4 .b8 table[16];" attr-dict

    It is in a module or, for a local variable, in a kernel.
    """

    name = "ptx.declaration"
    text = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$text attr-dict"

    def verify_(self) -> None:
        text = self.text.data.rstrip()
        if _DECLARATION.match(text) is None or not text.endswith((";", "}", ")")):
            violation = INLINE_RULE.violation(
                repr(text), 'a directive such as ".global .b32 x;"', "declaration"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class PragmaOp(ConstructedOperation):
    """
    A hint to the assembler for the code that follows, such as `ptx.pragma "nounroll"`.

        ptx.pragma <text> attr-dict
    """

    name = "ptx.pragma"
    text = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$text attr-dict"

    def verify_(self) -> None:
        if set(self.text.data) & set('"\\\n'):
            violation = INLINE_RULE.violation(
                repr(self.text.data), "text without quotes, backslashes and line ends", "pragma"
            )
            raise VerifyException(str(violation)) from violation


@irdl_op_definition
class ConstantOp(ConstructedOperation, HasFolderInterface):
    """
    A constant. It is printed as an immediate in the instructions that use it.

        ptx.constant <value> : <type> attr-dict
    """

    name = "ptx.constant"
    value = prop_def(AnyOf((BaseAttr(IntegerAttr), BaseAttr(FloatAttr))))
    result = result_def(REGISTER_OR_BYTE)
    traits = traits_def(Pure(), ConstantLike())

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        match properties["value"]:
            case IntegerAttr(type=type_) | FloatAttr(type=type_):
                return [cast(Attribute, type_)]
            case _:
                return None

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        match value:
            case IntegerAttr() | FloatAttr():
                type_: Attribute = value.type
            case _:
                parser.raise_error(f"expected an integer or a float with its type; found {value}")
        return cls.create(properties={"value": value}, attributes=attributes, result_types=(type_,))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        value = self.value
        if isinstance(value, FloatAttr) and isnan(value.value.data):
            # Printed here, because xDSL prints every NaN as a quiet NaN.
            printer.print_string(f"0x{attribute_bits(value):X} : {value.type}")
        else:
            printer.print_attribute(value)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def of(cls, value: int, type_: IntegerType) -> Self:
        """An integer constant; the value is taken modulo two to the power of its width."""
        return cls.create(
            properties={"value": wrapped_integer(value, type_.width.data)},
            result_types=(type_,),
        )

    def fold(self) -> tuple[Attribute]:
        return (self.value,)

    def verify_(self) -> None:
        value = self.value
        assert isinstance(value, IntegerAttr | FloatAttr)
        if value.type != self.result.type:
            violation = kernel.CONSTANT_TYPE_RULE.violation(self.result.type, value.type)
            raise VerifyException(str(violation)) from violation


class _VariableUser(SymbolUserOpInterface):
    """The symbol names a shared variable of the module."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, AddressOfOp)
        if symbol_table(op) is None:
            return
        name = op.variable.string_value()
        found = find_symbol(op, name)
        if not isinstance(found, SharedMemoryOp):
            what = "nothing" if found is None else found.name
            violation = kernel.SYMBOL_RULE.violation(
                f"@{name}, which is {what}", "the name of a ptx.shared_memory"
            )
            raise VerifyException(str(violation)) from violation
        end = None if found.size is None else found.size.value.data
        if op.start < 0 or (end is not None and op.start > end):
            legal = "0 or more" if end is None else range(end + 1)
            violation = isa.OFFSET_RULE.violation(op.start, legal, f"offset into @{name}")
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class AddressOfOp(ConstructedOperation):
    """
    The address of a shared variable in shared memory, plus an offset in bytes.

        ptx.address_of @<variable> (+ <offset>)? attr-dict

    An address that is only used between brackets is printed there by the name of the variable. With
    the attribute `in_register` it is moved into a register where the operation is.
    """

    name = "ptx.address_of"
    variable = prop_def(FlatSymbolRefAttrConstr)
    offset = opt_prop_def(INTEGER_32)
    in_register = opt_prop_def(UnitAttr)
    result = result_def(B32)
    traits = traits_def(Pure(), _VariableUser())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$variable (`+` $offset^)? attr-dict"

    @property
    def start(self) -> int:
        """The byte of the variable to which the address points."""
        return 0 if self.offset is None else self.offset.value.data

    @classmethod
    def of(cls, variable: SymbolRefAttr, offset: int) -> Self:
        """The address of a variable plus `offset` bytes."""
        properties: dict[str, Attribute] = {"variable": variable}
        if offset:
            properties["offset"] = integer(offset)
        return cls.create(properties=properties, result_types=(i32,))


@formatted_op_definition
class YieldOp(ConstructedOperation):
    """
    The end of a guarded instruction with results: the values that it computes.

        ptx.yield <values> : <types> attr-dict
    """

    name = "ptx.yield"
    arguments = var_operand_def(ANY_VALUE)
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(GuardOp)))
    assembly_format = "$arguments `:` type($arguments) attr-dict"


@formatted_op_definition
class GuardOp(ConstructedOperation):
    """
    Instructions guarded by a predicate, `@%p`: each executes only if the predicate holds.

        ptx.guard (not)? %predicate { ... } attr-dict

    With `not`, `@!%p`: each executes only if the predicate does not hold. Several stores are
    printed with one branch over them instead of a predicate each, which takes fewer instructions.

        %results = ptx.guard (not)? %predicate else (%kept : <types>) { ... } attr-dict

    Where the instruction is not executed, its results are the values of `kept`: in PTX, the old
    values of the registers. A guard with results holds one instruction and `ptx.yield`.
    """

    name = "ptx.guard"
    _TYPES: ClassVar = RangeVarConstraint("T", RangeOf(ANY_VALUE))
    predicate = operand_def(PRED)
    kept = var_operand_def(_TYPES)
    outputs = var_result_def(_TYPES)
    negated = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "(`not` $negated^)? $predicate (`else` `(` $kept^ `:` type($kept) `)`)? $body attr-dict"
    )

    @property
    def instructions(self) -> Sequence[Operation]:
        """The guarded operations, without the end of the body."""
        return [op for op in self.body.block.ops if not isinstance(op, YieldOp)]

    def verify_(self) -> None:
        try:
            self._check_body()
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def _check_body(self) -> None:
        """Raises Violation."""
        if self.body.block.args:
            raise kernel.GUARD_RULE.violation("arguments", "without arguments")
        inner = self.instructions
        for op in inner:
            if not isinstance(op, Instruction | InlineOp) or (
                isinstance(op, Instruction) and syntax_of(type(op)).is_block
            ):
                raise kernel.GUARD_RULE.violation(op.name, "single instructions")
            if op.results and not self.outputs:
                raise kernel.GUARD_RULE.violation(
                    f"{op.name}, which has a result",
                    "instructions without results, or an instruction whose results the guard "
                    "yields, with `else` and the values to keep where it is not executed",
                )
        last = self.body.block.last_op
        if not self.outputs:
            if isinstance(last, YieldOp):
                legal = "no ptx.yield, because the guard has no results"
                raise kernel.GUARD_RULE.violation(last.name, legal)
            return
        if len(inner) != 1:
            legal = "one instruction, because the guard has results"
            raise kernel.GUARD_RULE.violation(f"{len(inner)} instructions", legal)
        results = tuple(inner[0].results)
        if not isinstance(last, YieldOp) or tuple(last.arguments) != results:
            legal = f"ptx.yield with all results of {inner[0].name} at the end of the body"
            found = "no ptx.yield" if not isinstance(last, YieldOp) else "other values"
            raise kernel.GUARD_RULE.violation(found, legal)
        types = [[str(value.type) for value in values] for values in (results, self.outputs)]
        if types[0] != types[1]:
            found, legal = (", ".join(each) for each in types)
            raise kernel.GUARD_RULE.violation(found, legal, "types of the results")


@formatted_op_definition
class UndefinedOp(ConstructedOperation):
    """
    A register, or a carry, that no instruction has written; it has no PTX text.

        ptx.undefined : <type> attr-dict
    """

    name = "ptx.undefined"
    result = result_def(ANY_VALUE)
    traits = traits_def(Pure())
    assembly_format = "`:` type($result) attr-dict"


def unguarded(op: Operation) -> Operation:
    """An operation, or the guard around it."""
    outer = op.parent_op()
    return outer if isinstance(outer, GuardOp) else op


def is_branch_over_stores(guard: GuardOp) -> bool:
    """Whether PTX has one branch over the instructions of a guard, and not a predicate on each."""
    inner = guard.instructions
    return len(inner) > 1 and all(each.name == "ptx.st" for each in inner)
