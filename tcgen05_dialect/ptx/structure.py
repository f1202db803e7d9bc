"""Constants, addresses of shared variables, special registers and guards."""

from collections.abc import Sequence
from math import isnan
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AnyOf,
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
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx import kernel
from ..isa.ptx import kernel as isa
from ..xdsl_support.attributes import attribute_bits, integer, wrapped_integer
from ..xdsl_support.construction import ConstructedOperation, Operands, Properties
from ..xdsl_support.operation_format import formatted_op_definition
from .analysis.symbols import find_symbol, symbol_table
from .inline import InlineOp
from .instruction import (
    Instruction,
    syntax_of,
)
from .kernel import SharedMemoryOp
from .register_types import ANY_VALUE, B32, INTEGER_32, PRED, REGISTER_OR_BYTE


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


def is_branch_over_stores(guard: GuardOp) -> bool:
    """Whether PTX has one branch over the instructions of a guard, and not a predicate on each."""
    inner = guard.instructions
    return len(inner) > 1 and all(each.name == "ptx.st" for each in inner)
