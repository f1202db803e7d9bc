"""
The conversion of operations and types to `ptx`, the core of the `convert-` passes: the builder of
`ptx` operations, which folds constants, and the checks of a module around its lowering.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

from xdsl.dialects.builtin import FileLineColLoc, IntegerType, ModuleOp, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.isa.instructions.arithmetic import INTEGERS
from tcgen05_dialect.isa.instructions.meaning import Integers, Unknown, function_of
from tcgen05_dialect.isa.model.rule import Violation, describe
from tcgen05_dialect.isa.ptx.kernel import OPERATION_RULE
from tcgen05_dialect.isa.ptx.ptx_text import REGISTER_RULE, TYPE_RULE
from tcgen05_dialect.isa.targets import SAME_CTA_GROUP, check_pairs
from tcgen05_dialect.ptx.analysis.control_flow import has_functions, operations_of
from tcgen05_dialect.ptx.analysis.known_values import constant_bits, constant_value
from tcgen05_dialect.ptx.control_flow import Branch
from tcgen05_dialect.ptx.instruction import Instruction, InstructionT, syntax_of
from tcgen05_dialect.ptx.instructions import AddOp, MulWideOp, PackOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.register_types import REGISTER_CLASSES
from tcgen05_dialect.ptx.structure import AddressOfOp, ConstantOp
from tcgen05_dialect.ptx.tcgen05 import CTA_GROUPS
from tcgen05_dialect.ptx.text.register_names import keep_names
from tcgen05_dialect.ptx.text.syntax import word_of
from tcgen05_dialect.ptx.types import NAME
from tcgen05_dialect.reporting.diagnostics import OperationError, located, no_lowering
from tcgen05_dialect.tcgen05.base import CtaGroupOperation
from tcgen05_dialect.xdsl_support.attributes import text

_KNOWN = Integers()
Registers = Mapping[type[Attribute], Attribute]
"""Class of a type -> the register type that holds its values, if the two differ."""


def constant_addend(op: AddOp) -> tuple[SSAValue, int] | None:
    """The other operand and the constant of an integer addition; None if it adds no constant."""
    if op.type.data in INTEGERS:
        for base, addend in ((op.a, op.b), (op.b, op.a)):
            if (known := constant_value(addend)) is not None:
                return base, known
    return None


def is_known(value: SSAValue) -> bool:
    """Whether a value is a constant, or the address of a variable plus a constant."""
    return type(value.owner) is AddressOfOp or constant_value(value) is not None


class PtxBuilder:
    """
    Inserts `ptx` operations before the operation `at`, at its location.

    It places each constant once, at the top of the kernel; constants cost no instruction.
    """

    at: Operation

    def __init__(self, registers: Registers) -> None:
        self._registers = registers
        self._entries: dict[Block, Block] = {}
        self._constants: dict[tuple[Block, int, int], SSAValue] = {}

    def type_error(self, found: object, legal: object) -> OperationError:
        """The error to raise for a type of the operation being lowered."""
        return located(self.at, TYPE_RULE.violation(found, legal))

    def register(self, type_: Attribute) -> Attribute:
        """The register type that holds values of a type. Raises OperationError."""
        register = self._registers.get(type(type_), type_)
        if register not in REGISTER_CLASSES:
            legal = ", ".join(map(str, REGISTER_CLASSES))
            violation = REGISTER_RULE.violation(type_, f"{legal}, index")
            raise located(self.at, violation)
        return register

    def insert(self, op: Operation) -> None:
        """Insert an operation before `at`."""
        block = self.at.parent
        assert block is not None
        op.location = self.at.location
        block.insert_op_before(op, self.at)

    def build(
        self,
        op_type: type[InstructionT],
        operands: Mapping[str, Sequence[SSAValue]],
        properties: Mapping[str, Attribute | str | int] | None = None,
        result_types: Sequence[Attribute] | None = None,
    ) -> InstructionT:
        """Insert an instruction; see `Instruction.assemble`."""
        op = op_type.assemble(operands, result_types, properties)
        self.insert(op)
        return op

    def compute(
        self, op_type: type[Instruction], type_: str, *operands: SSAValue, **qualifiers: str
    ) -> SSAValue:
        """Insert an instruction with the type qualifier `type_` and return its only result, which
        has the usual register type of the qualifier."""
        return self.compute_as(None, op_type, type_, *operands, **qualifiers)

    def compute_as(
        self,
        result_type: Attribute | None,
        op_type: type[Instruction],
        type_: str,
        *operands: SSAValue,
        **qualifiers: str,
    ) -> SSAValue:
        """`compute` with an explicit register type of the result; None for the usual one."""
        properties: dict[str, Attribute] = {"type": text(type_)}
        for name, spelling in qualifiers.items():
            properties[name] = text(spelling)
        if result_type is None:
            result_type = syntax_of(op_type).results[0].usual_type(properties)
        op = op_type.create(operands=operands, result_types=(result_type,), properties=properties)
        self.insert(op)
        return op.results[0]

    def constant(self, value: int, type_: IntegerType = i32) -> SSAValue:
        """An integer constant; the value is taken modulo two to the power of its width."""
        assert self.at.parent is not None
        entry = self._entry(self.at.parent)
        width = type_.width.data
        key = (entry, value % (1 << width), width)
        result = self._constants.get(key)
        if result is None:
            op = ConstantOp.of(value, type_)
            first = entry.first_op
            assert first is not None
            entry.insert_op_before(op, first)
            result = self._constants[key] = op.result
        return result

    def _entry(self, block: Block) -> Block:
        """The entry block of the kernel that contains `block`."""
        entry = self._entries.get(block)
        if entry is None:
            region = block.parent
            assert region is not None
            owner = region.parent
            if owner is None or owner.has_trait(IsolatedFromAbove) or owner.parent is None:
                entry = region.blocks[0]
            else:
                entry = self._entry(owner.parent)
            self._entries[block] = entry
        return entry

    def fold(
        self,
        op_type: type[Instruction],
        type_: str,
        a: SSAValue,
        b: SSAValue,
        result_type: IntegerType,
        **qualifiers: str,
    ) -> SSAValue:
        """Insert an instruction on two integers, or fold it if both are constants and the result is
        defined."""
        x, y = constant_bits(a), constant_bits(b)
        if x is not None and y is not None:
            word = {"type": type_, **qualifiers}.get
            function = function_of(op_type.name.removeprefix("ptx."), word, _KNOWN)
            assert function is not None
            with suppress(Unknown):
                return self.constant(function(x, y), result_type)
        return self.compute(op_type, type_, a, b, **qualifiers)

    def add(self, a: SSAValue, b: SSAValue, type_: IntegerType = i32) -> SSAValue:
        """
        The sum of two integers.

        Constants are added here: to each other, to the address of a variable, and to the constant
        of an earlier addition.
        """
        x, y = constant_value(a), constant_value(b)
        if x is None and y is None:
            return self.compute(AddOp, _signed(type_), a, b)
        if y is None:
            a, x, y = b, None, x
        assert y is not None
        if x is not None:
            return self.constant(x + y, type_)
        owner = a.owner
        if isinstance(owner, AddressOfOp):
            return self._variable(owner, y)
        if isinstance(owner, AddOp) and (parts := constant_addend(owner)) is not None:
            a, y = parts[0], parts[1] + y
        return a if y == 0 else self.compute(AddOp, _signed(type_), a, self.constant(y, type_))

    def _variable(self, address: AddressOfOp, offset: int) -> SSAValue:
        if offset == 0:
            return address.result
        before = address.offset.value.data if address.offset is not None else 0
        op = AddressOfOp.of(address.variable, before + offset)
        self.insert(op)
        return op.result

    def mul_wide(self, a: SSAValue, factor: int) -> SSAValue:
        """The 64-bit product of a signed 32-bit `a` and a constant."""
        if (known := constant_value(a)) is not None:
            return self.constant(known * factor, i64)
        return self.compute(MulWideOp, "s32", a, self.constant(factor))

    def pack(self, low: SSAValue, high: SSAValue) -> SSAValue:
        """The 64-bit value with the two given 32-bit halves."""
        return self.build(PackOp, {"parts": (low, high)}, {"type": "b64"}).results[0]

    def truth(self, value: bool) -> SSAValue:
        """A constant predicate."""
        return self.constant(int(value), i1)


def _signed(type_: IntegerType) -> str:
    return f"s{type_.width.data}"


def check_values(informed: Iterable[Operation]) -> None:
    """
    Verify again the operations of `ptx` and `tcgen05` that folding has given constant operands,
    and those that use their descriptors and slices.

    No rule on an operation of another dialect depends on a constant; xDSL's own verifiers would
    refuse such an operation while it still has operands of type `index`. Raises OperationError.
    """
    pending = [op for op in informed if op.name.startswith(("ptx.", "tcgen05."))]
    seen = set(pending)
    for op in pending:
        _verify(op)
        if op.name.startswith("tcgen05."):
            users = {use.operation: None for result in op.results for use in result.uses}
            pending.extend(user for user in users if user not in seen)
            seen.update(users)


def _verify(op: Operation) -> None:
    try:
        op.verify_()
    except VerifyException as error:
        raise OperationError(op, str(error)) from error


def out_of_order(operation: Operation, legal: str, earlier: str, own: str) -> OperationError:
    """The error to raise for an operation that the pass `own` does not take, because the pass
    `earlier` has not run."""
    help = f"run {earlier} before it: -p {earlier},{own}"
    what = f"each operation before {own}"
    violation = OPERATION_RULE.violation(operation.name, legal, what, help=help)
    return located(operation, violation)


def not_lowered(module: ModuleOp) -> Iterator[Operation]:
    """The operations of other dialects than `ptx`."""
    return (
        op for op in operations_of(module) if op is not module and not op.name.startswith("ptx.")
    )


def check_lowered(module: ModuleOp) -> None:
    """Check that only `ptx` is left, and that each branch passes the arguments that its target
    block takes; xDSL does not verify the latter for `cf` and `scf`. Raises OperationError."""
    for op in not_lowered(module):
        legal = "operations of ptx, tcgen05, scf and cf, and scalar operations of arith and math"
        raise no_lowering(op, legal)
    for op in operations_of(module):
        if op.next_op is None and isinstance(op, Branch):
            op.check_targets()


def check_cta_groups(module: ModuleOp) -> None:
    """
    Check that all operations of a kernel have the same cta_group, and that its clusters consist of
    whole groups. Runs before the lowering, so that messages name the user's operations. Raises
    OperationError.
    """
    first: Operation | None = None
    group: int | None = None
    cluster: tuple[int, ...] | None = None
    for op in operations_of(module):
        if type(op) is KernelOp:
            first, cluster = None, op.extents("cluster_dims")
        elif (own := _cta_group(op)) is not None:
            if first is None:
                first, group = op, own
                if cluster is not None:
                    _check_pairs(op, own, prod(cluster))
            elif own != group:
                legal = f"cta_group {group}, as {_place(first)} has"
                violation = SAME_CTA_GROUP.violation(f"cta_group {own}", legal)
                raise located(op, violation)


def _check_pairs(op: Operation, ctas: int, cluster: int) -> None:
    try:
        check_pairs(ctas, cluster)
    except Violation as violation:
        raise located(op, violation) from violation


def _cta_group(op: Operation) -> int | None:
    """The number of CTAs in the cta_group of an operation; None if it has no cta_group."""
    if isinstance(op, CtaGroupOperation):
        return op.ctas
    return CTA_GROUPS.get(word_of(op, "cta_group") or "")


def _place(op: Operation) -> str:
    """The name of an operation, with its line if it is known."""
    location = op.location
    line = f" in line {location.line.data}" if isinstance(location, FileLineColLoc) else ""
    return f"{op.name}{line}"


Lowering = Callable[[PtxBuilder, Any], Sequence[SSAValue]]
"""Builds the replacement of an operation and returns the values that replace its results."""


def replace(op: Operation, results: Sequence[SSAValue]) -> None:
    """Replace the results of an operation by values, and remove the operation from its block."""
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    # Cheaper than erasing, which would replace the uses again.
    op.detach()
    op.drop_all_references()


class Conversion(NamedTuple):
    """
    A set of lowerings, and the register types for values whose operations are kept.

    An operation of `dialects` without a lowering is an error; the message lists the operations that
    have one. Operations with a result whose type is in `later` are left to another conversion.
    """

    lowerings: Mapping[type[Operation], Lowering]
    registers: Registers
    dialects: frozenset[str] = frozenset()
    later: frozenset[type[Attribute]] = frozenset()

    def apply(self, module: ModuleOp) -> list[Operation]:
        """
        Convert a module in place, in program order.

        Returns the operations of which an operand has become constant. Raises OperationError for an
        operation that cannot be lowered.
        """
        builder = PtxBuilder(self.registers)
        informed: dict[Operation, None] = {}
        for op in operations_of(module):
            lower = self.lowerings.get(type(op))
            if lower is None or self._is_later(op):
                self._keep(op)
                continue
            builder.at = op
            try:
                results = lower(builder, op)
            except Violation as violation:
                raise located(op, violation) from violation
            for old, new in zip(op.results, results, strict=True):
                if is_known(new) and not is_known(old):
                    informed.update((use.operation, None) for use in old.uses)
            if NAME in op.attributes:
                keep_names(op, results)
            replace(op, results)
        return [op for op in informed if op.parent is not None]

    def _is_later(self, op: Operation) -> bool:
        return bool(self.later) and any(type(result.type) in self.later for result in op.results)

    def _keep(self, op: Operation) -> None:
        dialect = op.name.partition(".")[0]
        if dialect in self.dialects:
            legal = describe(
                frozenset(o.name for o in self.lowerings if o.name.startswith(f"{dialect}."))
            )
            raise no_lowering(op, legal)
        self._retype(op.results)
        for region in op.regions:
            for block in region.blocks:
                self._retype(block.args)

    def _retype(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            register = self.registers.get(type(value.type))
            if register is not None:
                Rewriter.replace_value_with_new_type(value, register)


def without_functions(module: ModuleOp) -> list[Operation]:
    """Run `tcgen05-inline-functions`; return what `inline_functions` returns."""
    if not has_functions(module):
        return []
    # Imported here, because few programs have functions.
    from ..inline_functions import inline_functions

    return inline_functions(module)
