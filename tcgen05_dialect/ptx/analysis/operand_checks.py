"""
Checks of operands that are not constant: the verifiers of the dialect are called again, with values
that an analysis or a run has found in place of constants.

Checks of shared memory accesses whose addresses are known.
"""

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import RangeLengthConstraint, RangeOf
from xdsl.utils.exceptions import VerifyException

from ...isa.effects.model import Elements
from ...isa.model.rule import Violation, blamed, raise_any
from ...isa.model.table import Place
from ...isa.practice import RULES_IN_IR
from ...isa.ptx.kernel import DYNAMIC_ALIGNMENT
from ...isa.ptx.ptx_text import GENERIC, TYPE_RULE
from ...isa.targets import check_feature, parse_version
from ...isa.tensor_memory.alloc import ALLOCATIONS
from ...reporting.diagnostics import OperationWithWarnings, violation_of
from ...xdsl_support.operation_format import own_checks
from ..effects import bytes_at, effects_of
from ..instruction import EffectInstruction, Instruction, syntax_of
from ..kernel import SharedMemoryOp, is_read
from ..register_types import SHARED_ADDRESS, check_type
from ..structure import AddressOfOp
from ..text.syntax import SPELLING, offset_of, word_of
from ..types import TargetAttr
from .known_values import constant_value, run_time_bits
from .symbols import find_symbol

_COLUMNS = ALLOCATIONS.values("columns")


def place_violations(
    op: Operation, address: SSAValue, offset: int, place: Place
) -> Iterator[Violation]:
    """The violations of an access by `op` to `address + offset`, as far as it is known."""
    owner = address.owner
    if isinstance(owner, AddressOfOp):
        variable = find_symbol(op, owner.variable.string_value())
        if isinstance(variable, SharedMemoryOp):
            size = None if variable.size is None else variable.size.value.data
            name, alignment = variable.sym_name.data, variable.alignment.value.data
            if size is None and is_read(op):
                # Other compilers rely on the driver for the alignment of dynamic shared memory.
                alignment = max(alignment, DYNAMIC_ALIGNMENT)
            if variable.at_least is not None and alignment % place.alignment:
                alignment = None
            yield from place.variable_violations(name, size, alignment, owner.start + offset)
    elif (known := constant_value(address)) is not None:
        yield from place.address_violations(known + offset)


def check_not_swapped(address: SSAValue, columns: SSAValue, columns_are: str = "") -> None:
    """Check that the operands of alloc or dealloc, of equal types, do not look swapped;
    `columns_are` says what else the program takes `columns` for. Raises Violation."""
    known, number = constant_value(address), constant_value(columns)
    if isinstance(owner := columns.owner, AddressOfOp):
        found: int | str = f"the address of {owner.variable}"
    elif columns_are and number is None:
        found = columns_are
    elif number is not None and number not in _COLUMNS and known in _COLUMNS:
        found = number
    else:
        return
    raise ALLOCATIONS.violation(columns=found).swapped("the operands")


@cache
def _places_of(op_type: type[Operation]) -> Mapping[str, Place]:
    """Address operand -> its place, as far as it is the same for all operations of a type."""
    return {
        area.operands[0]: area.extent
        for area in effects_of(op_type).areas
        if isinstance(area.extent, Place)
    }


@cache
def _typed_places(op_type: type[Operation]) -> Sequence[str]:
    """The address operands of places whose size follows from a type and a number of values."""
    areas = effects_of(op_type).areas
    return [*{area.operands[0]: None for area in areas if isinstance(area.extent, Elements)}]


@cache
def _place(size: int) -> Place:
    return Place(size, size)


@cache
def _shared_addresses(op_type: type[Instruction]) -> Sequence[str]:
    """The operands of an instruction that are addresses in shared memory."""
    operands = op_type.get_irdl_definition().operands
    return [
        name
        for name, definition in operands
        if isinstance(length := definition.constr, RangeLengthConstraint)
        and isinstance(values := length.constraint, RangeOf)
        and values.constr is SHARED_ADDRESS
    ]


class PlaceInstruction(EffectInstruction, ABC):
    """An instruction that accesses memory at the addresses in its operands."""

    def places(self) -> Mapping[str, Place]:
        """Address operand -> the place that it must point to."""
        places = _places_of(type(self))
        typed = _typed_places(type(self))
        return {**places, **{each: _place(bytes_at(self, each)) for each in typed}}

    @property
    def is_generic(self) -> bool:
        """Whether the address is generic; otherwise it is in shared memory."""
        return GENERIC in (word_of(self, SPELLING) or "")

    def verify_(self) -> None:
        super().verify_()
        for name in _shared_addresses(type(self)):
            type_ = getattr(self, name).type
            # PTX takes registers of both sizes.
            if type_ == (i64 if self.is_generic else i32) or is_read(self):
                continue
            if self.is_generic:
                check_type(name, type_, None)
            what = f"{name}: type of an operand or a result"
            violation = TYPE_RULE.violation(type_, str(i32), what, culprit=name)
            raise VerifyException(str(violation)) from violation
        try:
            raise_any(self._place_violations())
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def _place_violations(self) -> Iterator[Violation]:
        for name, place in self.places().items():
            address = getattr(self, name)
            # Most addresses are not known; this test is cheap.
            if isinstance(address.owner, Operation):
                offset = offset_of(self, name)
                yield from blamed(place_violations(self, address, offset, place), name)


def asked_values(op: Instruction) -> Sequence[SSAValue]:
    """The operands that are not constant, but for whose values the verifiers ask."""
    asked: dict[SSAValue, None] = {}
    if not _may_ask(type(op)):
        return ()

    def ask(value: SSAValue) -> None:
        asked[value] = None

    with run_time_bits(ask):
        own_checks(type(op))(op)
        op.features()
    return [*asked]


@cache
def _may_ask(op_type: type[Instruction]) -> bool:
    """Whether verifiers of an instruction may ask for the values of its operands."""
    is_usual = own_checks(op_type) is Instruction.verify_
    has_features = op_type.features is not Instruction.features
    return not is_usual or has_features or bool(syntax_of(op_type).limits)


def verify_with(
    op: Operation,
    bits: Mapping[SSAValue, int],
    target: TargetAttr | None,
    known: Sequence[str] = (),
) -> None:
    """Verify an instruction with these operands, also for the target, which has the features
    `known`. Raises Violation."""
    assert isinstance(op, Instruction)
    with run_time_bits(bits.get):
        try:
            own_checks(type(op))(op)
        except VerifyException as error:
            violation = violation_of(error)
            if violation is None:
                raise
            raise violation from error
        needed = op.features()
    if target is None:
        return
    for feature in set(needed).difference(known):
        check_feature(feature, target.target.data, parse_version(target.version.data))


def warnings_with(op: Operation, bits: Mapping[SSAValue, int]) -> list[Violation]:
    """The warnings of a valid instruction with these operands that only PTX text gets."""
    if not (isinstance(op, OperationWithWarnings) and is_read(op)):
        return []
    with run_time_bits(bits.get):
        return [each for each in op.warnings() if each.rule in RULES_IN_IR]
