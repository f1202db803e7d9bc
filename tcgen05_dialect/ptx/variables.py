"""Variables in global, constant, local and shared memory, and parameters in memory: addresses and
loads (5.1, 5.4)."""

from abc import ABC
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttr,
    FlatSymbolRefAttrConstr,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, ParametrizedAttribute
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_attr_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, Pure, SymbolOpInterface, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx import kernel, ptx_text
from ..isa.ptx import kernel as isa
from ..isa.ptx.kernel import ADDRESS_BYTES, INITIALISED, LOCAL, PARAMETER_USE_RULE, SPACES
from ..isa.shared_memory.descriptor import SWIZZLES
from ..isa.targets import RESERVED_SHARED_BYTES, SHARED_BYTES, SHARED_RULE, TARGETS
from ..reporting.diagnostics import OperationError, located
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .analysis.control_flow import reverse_postorder
from .analysis.symbols import find_symbol, symbol_table
from .instruction import qualifier
from .kernel import KernelOp, SharedMemoryOp
from .register_types import B32_OR_B64, INTEGER_32, REGISTER, REGISTER_CLASSES, OneOf
from .structure import AddressOfOp
from .types import ParamArrayType, TensorMapType


@irdl_attr_definition
class SymbolAddressAttr(ParametrizedAttribute):
    """
    An address among the initial bytes of a variable: `#ptx.symbol_address<at, @name, addend>`, with
    `generic` at the end for a generic address. `at` is the byte of the variable where it begins.
    """

    name = "ptx.symbol_address"
    at: IntAttr = param_def()
    symbol: FlatSymbolRefAttr = param_def()
    addend: IntAttr = param_def()
    kind: StringAttr = param_def()
    """`generic`, or empty for an address in the state space of the variable."""

    @classmethod
    def of(cls, at: int, symbol: str, addend: int, generic: bool) -> Self:
        """The address of the variable `symbol` plus `addend` bytes, at the byte `at`."""
        name = SymbolRefAttr(symbol)
        kind = StringAttr(ptx_text.GENERIC if generic else "")
        return cls(IntAttr(at), name, IntAttr(addend), kind)

    @property
    def ptx(self) -> str:
        """The PTX text of the address."""
        name = self.symbol.string_value()
        text = f"{ptx_text.GENERIC}({name})" if self.kind.data else name
        return f"{text}+{self.addend.data}" if self.addend.data else text

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            at = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            symbol = parser.parse_symbol_name().data
            parser.parse_punctuation(",")
            addend = parser.parse_integer(allow_boolean=False)
            generic = parser.parse_optional_punctuation(",") is not None
            if generic:
                parser.parse_keyword(ptx_text.GENERIC)
        return cls.of(at, symbol, addend, generic).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.at.data}, ")
            printer.print_symbol_name(self.symbol.string_value())
            printer.print_string(f", {self.addend.data}")
            if self.kind.data:
                printer.print_string(f", {self.kind.data}")


@formatted_op_definition
class VariableOp(ConstructedOperation):
    """
    A variable in global, constant or local memory, of `size` bytes, aligned to `alignment` bytes.

        ptx.variable "<space>" @<name> (size <size>)? alignment <alignment> attr-dict

    `bytes` are the initial values of its first bytes; the other bytes are zero. The bytes of a
    variable in local memory are undefined at first. `addresses` lists the initial bytes that hold
    addresses. `linking` is a linking directive, such as `".visible"`; an external variable may have
    no size. A variable in local memory is declared in a kernel, and each thread has its own copy;
    other variables are declared in the module.
    """

    name = "ptx.variable"
    space = qualifier(*SPACES)
    sym_name = prop_def(SymbolNameConstraint())
    size = opt_prop_def(IntegerAttr[I64])
    alignment = prop_def(IntegerAttr[I64])
    bytes = opt_prop_def(DenseArrayBase.constr(i8))
    addresses = opt_prop_def(ArrayAttr[SymbolAddressAttr])
    linking = opt_prop_def(StringAttr)
    # The effect keeps a variable that only addresses name.
    traits = traits_def(SymbolOpInterface(), MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$space $sym_name (`size` $size^)? `alignment` $alignment attr-dict"

    @property
    def initial(self) -> Sequence[int]:
        """The first initial bytes."""
        if self.bytes is None:
            return ()
        return [byte & 0xFF for byte in self.bytes.get_values()]

    @property
    def targets(self) -> Sequence[SymbolAddressAttr]:
        """The addresses among the initial bytes."""
        return () if self.addresses is None else self.addresses.data

    @property
    def ptx(self) -> str:
        """The PTX text of the declaration."""
        linking = "" if self.linking is None else f"{self.linking.data} "
        size = "" if self.size is None else self.size.value.data
        head = f"{linking}.{self.space.data} {ptx_text.ALIGN} {self.alignment.value.data}"
        name = self.sym_name.data
        if not self.targets:
            given = ", ".join(map(str, self.initial))
            return f"{head} .b8 {name}[{size}]" + (f" = {{{given}}}" if given else "")
        elements = [
            int.from_bytes(bytes(self.initial[at : at + ADDRESS_BYTES]), "little")
            for at in range(0, len(self.initial), ADDRESS_BYTES)
        ]
        texts = [*map(str, elements)]
        for each in self.targets:
            texts[each.at.data // ADDRESS_BYTES] = each.ptx
        count = int(size) // ADDRESS_BYTES
        return f"{head} .u64 {name}[{count}] = {{{', '.join(texts)}}}"

    def verify_(self) -> None:
        for violation in self._violations():
            raise VerifyException(str(violation)) from violation

    def _violations(self) -> Iterator[Violation]:
        try:
            isa.check_identifier(self.sym_name.data)
            isa.ALIGNMENT.check(self.alignment.value.data)
            if self.size is not None:
                isa.SIZE.check(self.size.value.data)
        except Violation as violation:
            yield violation
        space, size = self.space.data, None if self.size is None else self.size.value.data
        linking = None if self.linking is None else self.linking.data
        is_inside = isinstance(self.parent_op(), KernelOp)
        if space == LOCAL and not is_inside and self.parent_op() is not None:
            yield kernel.VARIABLE_RULE.violation(f"one in {space}", "in a kernel")
        if linking is not None and linking not in ptx_text.LINKING:
            legal = frozenset(ptx_text.LINKING)
            yield kernel.VARIABLE_RULE.violation(linking, legal, "linking directive")
        if size is None and linking != ptx_text.EXTERN:
            yield kernel.VARIABLE_RULE.violation("no size", "a size", "the variable")
        if self.initial and (space not in INITIALISED or len(self.initial) > (size or 0)):
            legal = f"at most {size or 0}" if space in INITIALISED else "none"
            found = f"{len(self.initial)}"
            yield kernel.VARIABLE_RULE.violation(found, legal, "number of initial bytes")
        yield from self._target_violations()

    def _target_violations(self) -> Iterator[Violation]:
        """Violations by the places of addresses among the initial bytes."""
        is_odd = self.size is not None and self.size.value.data % ADDRESS_BYTES
        for at in (each.at.data for each in self.targets):
            if at % ADDRESS_BYTES or at + ADDRESS_BYTES > len(self.initial) or is_odd:
                legal = f"a multiple of {ADDRESS_BYTES} among the initial bytes"
                yield kernel.VARIABLE_RULE.violation(at, legal, "place of an initial address")


class _Names(SymbolUserOpInterface):
    """The symbol names a variable."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, VariableAddressOp)
        if symbol_table(op) is None:
            return
        name = op.variable.string_value()
        found = find_variable(op, name)
        if found is None:
            other = find_symbol(op, name)
            what = "nothing" if other is None else other.name
            violation = kernel.SYMBOL_RULE.violation(
                f"@{name}, which is {what}", "that of a declared variable", "variable"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class VariableAddressOp(ConstructedOperation):
    """
    The address of a variable in its state space, plus an offset in bytes.

        ptx.variable_address @<variable> (+ <offset>)? : <type> attr-dict

    The attribute `in_register` is that of `ptx.address_of`, which gives the 32-bit address of a
    variable in shared memory.
    """

    name = "ptx.variable_address"
    variable = prop_def(FlatSymbolRefAttrConstr)
    offset = opt_prop_def(INTEGER_32)
    in_register = opt_prop_def(UnitAttr)
    result = result_def(B32_OR_B64)
    traits = traits_def(Pure(), _Names())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$variable (`+` $offset^)? `:` type($result) attr-dict"

    @property
    def start(self) -> int:
        """The byte of the variable to which the address points."""
        return 0 if self.offset is None else self.offset.value.data

    @classmethod
    def of(cls, variable: str, offset: int, type_: Attribute) -> Self:
        """The address of a variable plus `offset` bytes."""
        properties: dict[str, Attribute] = {"variable": SymbolRefAttr(variable)}
        if offset:
            properties["offset"] = IntegerAttr(offset, i32)
        return cls.create(properties=properties, result_types=(type_,))


def find_variable(op: Operation, name: str) -> VariableOp | SharedMemoryOp | None:
    """The variable with a name that an operation in a kernel may use."""
    kernel: Operation | None = op
    while kernel is not None and not isinstance(kernel, KernelOp):
        kernel = kernel.parent_op()
    if isinstance(kernel, KernelOp):
        for each in own_variables(kernel):
            if each.sym_name.data == name:
                return each
    found = find_symbol(op, name)
    return found if isinstance(found, VariableOp | SharedMemoryOp) else None


def own_variables(kernel: KernelOp) -> Iterator[VariableOp]:
    """The variables that a kernel declares, in any state space."""
    return (op for op in kernel.body.blocks[0].ops if isinstance(op, VariableOp))


def local_variables(kernel: KernelOp) -> Iterator[VariableOp]:
    """The variables in local memory of a kernel."""
    return (op for op in own_variables(kernel) if op.space.data == LOCAL)


def new_variable(
    space: str, name: str, size: int | None, alignment: int, linking: str | None
) -> VariableOp:
    """A variable without initial bytes."""
    properties: dict[str, Attribute] = {
        "space": StringAttr(space),
        "sym_name": StringAttr(name),
        "alignment": IntegerAttr(alignment, i64),
    }
    if size is not None:
        properties["size"] = IntegerAttr(size, i64)
    if linking is not None:
        properties["linking"] = StringAttr(linking)
    return VariableOp.create(properties=properties)


_FEWER = "use fewer or smaller variables, such as fewer stages of a ring"


def used_variables(kernel: KernelOp, blocks: Iterable[Block]) -> list[SharedMemoryOp]:
    """The shared variables that operations in these blocks of a kernel use, in the order of their
    declarations."""
    uses = (
        op
        for block in blocks
        for op in block.ops
        if isinstance(op, AddressOfOp | VariableAddressOp)
    )
    names = dict.fromkeys(op.variable.string_value() for op in uses)
    symbols = (find_symbol(kernel, name) for name in names)
    found = [op for op in symbols if isinstance(op, SharedMemoryOp)]
    tables = dict.fromkeys(op.parent for op in found)
    declared = (op for table in tables if table is not None for op in table.ops)
    order = {op: number for number, op in enumerate(declared)}
    return sorted(found, key=lambda op: order.get(op, 0))


def shared_memory_errors(module: ModuleOp) -> Iterator[OperationError]:
    """The errors of kernels that need more shared memory than a CTA of any target has."""
    if shared_memory_violation([op for op in module.ops if isinstance(op, SharedMemoryOp)]):
        for op in module.ops:
            if isinstance(op, KernelOp):
                used = used_variables(op, reverse_postorder(op.body))
                if violation := shared_memory_violation(used):
                    yield located(op, violation)


def shared_memory_violation(
    variables: Sequence[SharedMemoryOp], target: str | None = None
) -> Violation | None:
    """The violation of a kernel with these variables; None if they may fit into the shared memory
    of a CTA. Without a target, the limit is what a launch can give."""
    total = sum(op.size.value.data for op in variables if op.size is not None)
    needs = {op: op.needs.value.data for op in variables if op.needs is not None}
    most = max(SHARED_BYTES.values())
    largest = most if target is None else SHARED_BYTES[TARGETS[target].suffix]
    subject = SHARED_RULE.subject + (f", {target}" if target else "")
    if total > largest:
        help = _FEWER if total > most else ""
        return SHARED_RULE.violation(total, f"at most {largest}", subject, help=help)
    for op, needed in needs.items():
        # Dynamic variables come after the others.
        whole = _aligned(RESERVED_SHARED_BYTES + total, op, True) - RESERVED_SHARED_BYTES + needed
        if whole > most:
            found = f"{whole}, of which {needed} are the dynamic ones that it needs"
            return SHARED_RULE.violation(found, f"at most {most}", subject, help=_FEWER)
    return None


def place_shared(
    variables: Iterable[SharedMemoryOp], is_exact: bool = True
) -> tuple[dict[str, int], int]:
    """
    The offset of each shared variable in the shared memory of a CTA, in bytes, and the number of
    bytes that a launch adds to the dynamic ones.

    ptxas places variables one after the other, as they are declared (measured). Unless the places
    should be `is_exact`, no variable is aligned to more than it declares, so that a kernel does not
    work by luck: another variable before it may change its place.
    """
    places: dict[str, int] = {}
    end = RESERVED_SHARED_BYTES
    dynamic: list[SharedMemoryOp] = []
    for op in variables:
        if op.size is None:
            dynamic.append(op)
            continue
        places[op.sym_name.data] = start = _aligned(end, op, is_exact)
        end = start + op.size.value.data
    start = max((_aligned(end, op, is_exact) for op in dynamic), default=end)
    places.update((op.sym_name.data, start) for op in dynamic)
    return places, start - RESERVED_SHARED_BYTES


def _aligned(offset: int, variable: SharedMemoryOp, is_exact: bool) -> int:
    alignment = variable.alignment.value.data
    units = -(-offset // alignment)
    if not is_exact and alignment < _LARGEST_PERIOD:
        units |= 1
    return units * alignment


_LARGEST_PERIOD = max(mode.pattern_bytes for mode in SWIZZLES.values())
"""Largest alignment on which an access depends: the period of the largest swizzle pattern."""


PARAMETER = OneOf((*REGISTER_CLASSES, ParamArrayType, TensorMapType))
"""A parameter of any type."""


class ParameterUse(ConstructedOperation, ABC):
    """A use of the memory of a parameter, which is printed with the parameter's name."""

    parameter = operand_def(PARAMETER)

    @property
    def index(self) -> int:
        """The number of the parameter."""
        assert isinstance(self.parameter, BlockArgument)
        return self.parameter.index

    @property
    def kernel(self) -> KernelOp:
        """The kernel of the parameter."""
        block = self.parameter.owner
        assert isinstance(block, Block)
        kernel = block.parent_op()
        assert isinstance(kernel, KernelOp)
        return kernel

    @property
    def text(self) -> str:
        """The name of the parameter."""
        return self.kernel.parameter_name(self.index)

    def verify_(self) -> None:
        block = self.parameter.owner
        kernel = block.parent_op() if isinstance(block, Block) else None
        if not isinstance(kernel, KernelOp) or kernel.body.blocks[0] is not block:
            violation = PARAMETER_USE_RULE.violation(
                "another value", "a parameter of the kernel", culprit="parameter"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class LoadParameterOp(ParameterUse):
    """
    The value of a parameter, loaded where the operation is.

        ptx.load_parameter %parameter : <type> attr-dict

    A parameter that other operations use is loaded at the beginning of the kernel.
    """

    name = "ptx.load_parameter"
    result = result_def(REGISTER)
    traits = traits_def(Pure())
    assembly_format = "$parameter `:` type($parameter) `->` type($result) attr-dict"

    def verify_(self) -> None:
        super().verify_()
        if self.parameter.type != self.result.type:
            violation = PARAMETER_USE_RULE.violation(
                self.result.type, self.parameter.type, "type of the loaded value"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class ParameterAddressOp(ParameterUse):
    """
    The address of a parameter in the `.param` state space.

        ptx.parameter_address %parameter : <type> -> <type> attr-dict

    The attribute `in_register` is that of `ptx.address_of`.
    """

    name = "ptx.parameter_address"
    result = result_def(B32_OR_B64)
    in_register = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())
    assembly_format = "$parameter `:` type($parameter) `->` type($result) attr-dict"
