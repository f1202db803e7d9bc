"""The tcgen05 instructions with raw operands, and their base class, which the tables of `isa`
declare (9.7.16)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, result_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, blamed, raise_any
from ..isa.model.table import Limit, Mnemonic, Table
from ..isa.ptx.kernel import CTA_MASK
from ..isa.shared_memory.descriptor import required_features, value_violations, with_constant
from ..isa.targets import CTA_GROUP
from ..isa.tensor_memory import alloc, copies, ld_st
from ..isa.tensor_memory.alloc import Cell, column_violations, unpack
from ..reporting.diagnostics import OperationWithWarnings
from ..xdsl_support.construction import Operands, Properties
from .analysis.known_values import constant_bits, known_address
from .analysis.operand_checks import PlaceInstruction, check_not_swapped
from .analysis.registers import permit_violations
from .instruction import (
    EffectInstruction,
    InstructionT,
    instruction,
    opt_immediate,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .kernel import is_read
from .register_types import B16, B32, B32_OR_B64, B64, WORD
from .text.syntax import Spellings, values_of


def identifier(name: str, value: object) -> str:
    """The IR spelling of a qualifier's value: a flag is its name, a number follows the name."""
    if value is True:
        return name
    return f"{name}_{value}" if isinstance(value, int) else str(value)


CTA_GROUPS = {identifier("cta_group", value): value for value in CTA_GROUP.spellings}
"""The IR spelling of a cta_group -> its number of CTAs."""


def spellings(mnemonic: Mnemonic) -> Spellings:
    """The IR and PTX spellings of all qualifiers of an instruction."""
    return {
        name: {
            identifier(name, value): text
            for value, text in qualifier_.spellings.items()
            if value is not None and value is not False
        }
        for name, qualifier_ in mnemonic.qualifiers.items()
    }


def spelled(mnemonic: Mnemonic, name: str, value: object) -> str:
    """The spelling in IR of one value of a qualifier. Raises Violation."""
    mnemonic.qualifiers[name].check(value)
    return identifier(name, value)


def mandatory(mnemonic: Mnemonic, name: str) -> StringAttr:
    """A qualifier of an instruction, as a property."""
    return qualifier(*spellings(mnemonic)[name])


def optional(mnemonic: Mnemonic, name: str) -> StringAttr | None:
    """A qualifier of an instruction, as an optional property."""
    return opt_qualifier(*spellings(mnemonic)[name])


def _line(mnemonic: Mnemonic, operands: str, implied: Mapping[str, str]) -> str:
    """The syntax line of an instruction; see `tcgen05`."""
    fields = {name: f".${name}" for name in mnemonic.qualifiers}
    for name, text in implied.items():
        fields[name] = text.format(*spellings(mnemonic)[name].values())
    name = mnemonic.template.format_map(fields)
    return f"{name} {operands}" if operands else name


class Tcgen05Instruction(EffectInstruction, ABC):
    """An instruction of the tcgen05 family; its mnemonic comes from the tables of `isa`."""


def tcgen05(
    mnemonic: Mnemonic,
    operands: str = "",
    *tables: Table,
    implied: Mapping[str, str] | None = None,
    limits: Mapping[str, Limit] | None = None,
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    """
    Define the operation of an instruction; see `ptx.instruction.instruction`.

    `operands` is the part of the syntax line after the mnemonic. `implied` gives the text of each
    qualifier without a property; {} in it is replaced by the only spelling of the qualifier.
    """
    return instruction(
        _line(mnemonic, operands, implied or {}),
        *tables,
        spellings=spellings(mnemonic),
        limits=limits,
    )


def _check_not_swapped(address: SSAValue, columns: SSAValue) -> None:
    try:
        check_not_swapped(address, columns)
    except Violation as violation:
        raise VerifyException(str(violation)) from violation


class _Allocation(Tcgen05Instruction, ABC):
    """An instruction with a number of columns."""

    exclusive = optional(alloc.ALLOC, "exclusive")
    columns = operand_def(B32)

    def _check_columns(self) -> None:
        columns = constant_bits(self.columns)
        try:
            if columns is not None:
                alloc.check_columns(columns, self.exclusive is not None)
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def features(self) -> Sequence[str]:
        return () if self.exclusive is None else ("exclusive_alloc",)


@tcgen05(alloc.ALLOC, "[%address], %columns", limits={"columns": alloc.EXCLUSIVE_COLUMNS})
class AllocOp(_Allocation, PlaceInstruction, OperationWithWarnings):
    """Allocate columns of tensor memory and write their address to shared memory."""

    name = "ptx.tcgen05.alloc"
    cta_group = mandatory(alloc.ALLOC, "cta_group")
    space = optional(alloc.ALLOC, "space")
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    TYPED: ClassVar[Mapping[str, str]] = {"address": "space"}

    def verify_(self) -> None:
        _check_not_swapped(self.address, self.columns)
        self._check_columns()
        super().verify_()

    def warnings(self) -> Iterator[Violation]:
        return permit_violations(self, CTA_GROUPS[self.cta_group.data])


@tcgen05(alloc.DEALLOC, "%taddr, %columns", limits={"columns": alloc.EXCLUSIVE_COLUMNS})
class DeallocOp(_Allocation):
    """Free columns of tensor memory."""

    name = "ptx.tcgen05.dealloc"
    cta_group = mandatory(alloc.DEALLOC, "cta_group")
    taddr = operand_def(B32)

    def verify_(self) -> None:
        _check_not_swapped(self.taddr, self.columns)
        self._check_columns()
        super().verify_()


@tcgen05(alloc.RELINQUISH_ALLOC_PERMIT)
class RelinquishAllocPermitOp(Tcgen05Instruction):
    """Give up the permit of the CTA to allocate tensor memory."""

    name = "ptx.tcgen05.relinquish_alloc_permit"
    cta_group = mandatory(alloc.RELINQUISH_ALLOC_PERMIT, "cta_group")


def _cell(op: Operation) -> Cell | None:
    """The cell that `address` names; None if it is not constant. Raises Violation."""
    known = known_address(op, "address")
    try:
        return None if known is None else unpack(known)
    except Violation as violation:
        raise violation.blaming("address") from None


class _Access(Tcgen05Instruction, ABC):
    """An instruction that accesses tensor memory at `address`."""

    def verify_(self) -> None:
        super().verify_()
        try:
            self._check_forms()
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    @abstractmethod
    def _check_forms(self) -> None:
        """Check combinations of qualifiers, and constants. Raises Violation."""


class _RegisterAccess(_Access, ABC):
    """A copy between registers and tensor memory."""

    def _check_forms(self) -> None:
        """Check the number of registers and the offset against the shape. Raises Violation."""
        shape, num = self.properties["shape"], self.properties["num"]
        assert isinstance(shape, StringAttr) and isinstance(num, StringAttr)
        split = self._split()
        ld_st.check_registers(shape.data, num.data, len(values_of(self, "values")))
        ld_st.check_split_offset(shape.data, split)
        if (address := _cell(self)) is not None:
            packed = "pack" in self.properties or "unpack" in self.properties
            found = ld_st.address_violations(shape.data, num.data, *address, packed, split)
            raise_any(blamed(found, "address"))

    def _split(self) -> int | None:
        """The immediate offset of the second half in columns; None if the instruction has none."""
        offset = self.properties.get("split_offset")
        return offset.value.data if isinstance(offset, IntegerAttr) else None


def _loaded(properties: Properties, more: int = 0) -> Sequence[Attribute]:
    """The usual types of the registers of a load, and of `more` results."""
    shape, num = properties["shape"], properties["num"]
    assert isinstance(shape, StringAttr) and isinstance(num, StringAttr)
    return [i32] * (ld_st.registers(shape.data, num.data) + more)


@tcgen05(ld_st.LD, "{!values}, [!address]?split_offset(, $split_offset)")
class LdOp(_RegisterAccess):
    """Load registers from tensor memory."""

    name = "ptx.tcgen05.ld"
    shape = mandatory(ld_st.LD, "shape")
    num = mandatory(ld_st.LD, "num")
    pack = optional(ld_st.LD, "pack")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_result_def(WORD)

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        return _loaded(properties)


@tcgen05(ld_st.LD_RED, "{!values}, <%reduced>, [!address]?split_offset(, $split_offset)")
class LdRedOp(_RegisterAccess):
    """Load registers from tensor memory, and reduce the registers of each thread to one value."""

    name = "ptx.tcgen05.ld.red"
    shape = qualifier(*ld_st.REDUCTIONS.values("shape"))
    num = qualifier(*ld_st.REDUCTIONS.values("num"))
    op = mandatory(ld_st.LD_RED, "op")
    abs = optional(ld_st.LD_RED, "abs")
    nan = optional(ld_st.LD_RED, "nan")
    type = mandatory(ld_st.LD_RED, "type")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_result_def(WORD)
    reduced = result_def(WORD)

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        return _loaded(properties, 1)

    def _check_forms(self) -> None:
        super()._check_forms()
        ld_st.REDUCTIONS.check(
            shape=self.shape.data,
            num=self.num.data,
            op=self.op.data,
            type=self.type.data,
            abs=self.abs is not None,
            nan=self.nan is not None,
        )

    def features(self) -> Sequence[str]:
        return (ld_st.LD_RED.feature,)


@tcgen05(ld_st.ST, "[!address]?split_offset(, $split_offset), {!values}")
class StOp(_RegisterAccess):
    """Store registers to tensor memory."""

    name = "ptx.tcgen05.st"
    shape = mandatory(ld_st.ST, "shape")
    num = mandatory(ld_st.ST, "num")
    unpack = optional(ld_st.ST, "unpack")
    address = operand_def(B32)
    address_offset = opt_offset()
    split_offset = opt_immediate()
    values = var_operand_def(WORD)

    def _check_forms(self) -> None:
        super()._check_forms()
        unpack = self.unpack is not None
        ld_st.check_halves(self.shape.data, self.num.data, unpack, self._split())


@tcgen05(alloc.WAIT)
class WaitOp(Tcgen05Instruction):
    """Wait for this thread's loads from, or its stores to, tensor memory."""

    name = "ptx.tcgen05.wait"
    operation = mandatory(alloc.WAIT, "operation")


@tcgen05(copies.CP, "[!address], %descriptor", copies.MULTICASTS)
class CpOp(_Access):
    """Copy from shared to tensor memory."""

    name = "ptx.tcgen05.cp"
    cta_group = mandatory(copies.CP, "cta_group")
    shape = mandatory(copies.CP, "shape")
    multicast = optional(copies.CP, "multicast")
    format = optional(copies.CP, "format")
    address = operand_def(B32)
    address_offset = opt_offset()
    descriptor = operand_def(B64)

    def _check_forms(self) -> None:
        if (cell := _cell(self)) is not None:
            columns = copies.SHAPES[self.shape.data].columns
            found = column_violations(cell.column, columns, "columns of the destination of cp")
            raise_any(blamed(found, "address"))
        if (known := constant_bits(self.descriptor)) is not None:
            known = with_constant(known) if is_read(self) else known
            raise_any(blamed(value_violations(known, transposed=False), "descriptor"))

    def features(self) -> Sequence[str]:
        known = constant_bits(self.descriptor)
        return () if known is None else required_features(known)


@tcgen05(copies.SHIFT, "[!address]")
class ShiftOp(_Access):
    """Shift the rows of a matrix in tensor memory down by one."""

    name = "ptx.tcgen05.shift"
    cta_group = mandatory(copies.SHIFT, "cta_group")
    address = operand_def(B32)
    address_offset = opt_offset()

    def _check_forms(self) -> None:
        if (cell := _cell(self)) is not None:
            found = column_violations(cell.column, copies.COLUMNS, "columns that shift moves")
            if copies.ADDRESS_LANES.row(lane=cell.lane) is None:
                found.insert(0, copies.ADDRESS_LANES.violation(lane=cell.lane))
            raise_any(blamed(found, "address"))

    def features(self) -> Sequence[str]:
        return (copies.SHIFT.feature,)


@tcgen05(
    alloc.COMMIT,
    "[%mbarrier]?multicast_mask(, !multicast_mask)",
    implied={"multicast": "?multicast_mask({})"},
    limits={"multicast_mask": CTA_MASK},
)
class CommitOp(Tcgen05Instruction, PlaceInstruction):
    """Make a barrier object track the completion of this thread's earlier tcgen05 operations."""

    name = "ptx.tcgen05.commit"
    cta_group = mandatory(alloc.COMMIT, "cta_group")
    space = optional(alloc.COMMIT, "space")
    mbarrier = operand_def(B32_OR_B64)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)
    TYPED: ClassVar[Mapping[str, str]] = {"mbarrier": "space"}


@tcgen05(alloc.FENCE)
class FenceOp(Tcgen05Instruction):
    """Order this thread's tcgen05 operations before or after a thread synchronisation."""

    name = "ptx.tcgen05.fence"
    order = mandatory(alloc.FENCE, "order")
