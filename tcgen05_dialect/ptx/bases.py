"""
Classes of instructions with more than their rows express; the rows name them.

Facts of a family are imported in the functions that use them, because a kernel uses few families.
"""

from abc import ABC
from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import IntegerAttr, StringAttr, f32, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import traits_def
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, raise_any
from ..isa.model.table import Place
from ..isa.ptx.ptx_text import TYPE_BITS, TYPE_RULE
from ..isa.shared_memory.tensor_map import Box
from ..reporting.diagnostics import OperationWithWarnings
from .analysis.known_values import constant_bits
from .analysis.operand_checks import PlaceInstruction
from .instruction import EffectInstruction, Instruction, PureInstruction, syntax_line
from .register_types import register_bits
from .structure import ConstantOp
from .text.syntax import SPELLING, values_of, word_of
from .types import TensorMapType


def _number(op: Instruction, name: str) -> int:
    held = op.properties[name]
    assert isinstance(held, IntegerAttr)
    return held.value.data


def _word(op: Instruction, name: str) -> str:
    held = op.properties[name]
    assert isinstance(held, StringAttr)
    return held.data


class Terminator(Instruction, ABC):
    """An instruction that ends a thread."""

    traits = traits_def(IsTerminator())


class CarryIn(PureInstruction, ABC):
    """An instruction that reads the condition code register."""

    def verify_(self) -> None:
        super().verify_()
        from .analysis.registers import check_carry

        try:
            check_carry(self, values_of(self, "carry")[0])
        except Violation as violation:
            raise VerifyException(str(violation)) from violation


class Packing(PureInstruction, ABC):
    """A register and its parts, lowest bits first."""

    @classmethod
    def element_bits(cls, name: str, qualifiers: Mapping[str, str], count: int) -> int | None:
        return TYPE_BITS[qualifiers["type"]] // count if name == "parts" else None

    def verify_(self) -> None:
        from ..isa.instructions.conversion import PACKING

        super().verify_()
        type_, parts = _word(self, "type"), values_of(self, "parts")
        try:
            PACKING.check(type=type_, parts=len(parts))
            for part in parts:
                bits = register_bits(part.type)
                PACKING.check(type=type_, parts=len(parts), bits=bits)
        except Violation as violation:
            raise VerifyException(str(violation)) from violation


class FractionalPolicy(PureInstruction, ABC):
    """A cache policy for a fraction of the accesses."""

    def verify_(self) -> None:
        super().verify_()
        for fraction in values_of(self, "fraction"):
            # ptxas takes a register of bits, but no integer.
            if fraction.type != f32 and isinstance(fraction.owner, ConstantOp):
                what = "fraction: type of a constant"
                violation = TYPE_RULE.violation(fraction.type, str(f32), what, culprit="fraction")
                raise VerifyException(str(violation)) from violation


class SharedAddressing(PureInstruction, ABC):
    """An instruction on addresses in shared memory, which have 64 bits if it has a spelling."""

    def verify_(self) -> None:
        super().verify_()
        expected = i64 if word_of(self, SPELLING) else i32
        for name in ("address", "d"):
            # The rank of a CTA has 32 bits in any case.
            if name == "d" and self.name == "ptx.getctarank":
                continue
            for value in values_of(self, name):
                if value.type != expected:
                    what = f"{name}: type of an operand or a result"
                    violation = TYPE_RULE.violation(value.type, str(expected), what, culprit=name)
                    raise VerifyException(str(violation)) from violation


class SizedInstruction(PlaceInstruction, ABC):
    """An instruction on `size` bytes."""

    def places(self) -> Mapping[str, Place]:
        size = constant_bits(values_of(self, "size")[0])
        return _sized(super().places(), size)


class CopyByThread(PlaceInstruction, ABC):
    """A copy of `size` bytes, to an address that is aligned to them."""

    def places(self) -> Mapping[str, Place]:
        size = _number(self, "size")
        return {"destination": Place(size, size)}


class BoxInstruction(PlaceInstruction, ABC):
    """An instruction on the box of a tensor map at `coordinates`."""

    @property
    def box(self) -> Box | None:
        """The box that is copied; None if the type of the tensor map does not give it."""
        return box_of(values_of(self, "tensor_map")[0])

    def verify_(self) -> None:
        from ..isa.instructions.copies import DIMENSIONS, TENSOR_REDUCTION

        super().verify_()
        box, found = self.box, len(values_of(self, "coordinates"))
        if box is None:
            return
        if found != (rank := len(box.extents)):
            legal = f"{rank}, as {values_of(self, 'tensor_map')[0].type} has"
            violation = DIMENSIONS.rule.violation(found, legal, culprit="coordinates")
            raise VerifyException(str(violation)) from violation
        if "operation" in self.properties:
            try:
                TENSOR_REDUCTION.check(operation=_word(self, "operation"), element=box.element)
            except Violation as violation:
                raise VerifyException(str(violation)) from violation

    def places(self) -> Mapping[str, Place]:
        box = self.box
        return _sized(super().places(), None if box is None else box.shared_bytes)


def box_of(tensor_map: SSAValue) -> Box | None:
    """The box that a tensor map copies; None if its type does not give it."""
    return type_.box if isinstance(type_ := tensor_map.type, TensorMapType) else None


def _sized(places: Mapping[str, Place], size: int | None) -> Mapping[str, Place]:
    """The places, with the size that operands decide, if it is known."""
    if size is None:
        return places
    return {
        name: place if place.bytes else place._replace(bytes=size) for name, place in places.items()
    }


class BarrierInstruction(PlaceInstruction, ABC):
    """An instruction on the barrier object at `address`."""

    @property
    def is_remote(self) -> bool:
        """Whether the barrier object may belong to another CTA of the cluster."""
        return ".shared::cluster" in syntax_line(type(self))


class Expectation(BarrierInstruction, ABC):
    """An instruction that increases the transaction count of a phase by `bytes`."""


class PendingCount(EffectInstruction, ABC):
    """An instruction on the state of a barrier object before a phase."""

    def verify_(self) -> None:
        from ..isa.instructions.mbarrier import STATE_RULE, STATES_OF_PHASE

        super().verify_()
        owner = values_of(self, "state")[0].owner
        names = [f"ptx.{name}" for name in STATES_OF_PHASE]
        if isinstance(owner, BarrierInstruction) and owner.name not in names:
            violation = STATE_RULE.violation(owner.name, tuple(names))
            raise VerifyException(str(violation)) from violation


class CtaBarrier(EffectInstruction, ABC):
    """An instruction by which threads arrive at the barrier of a CTA with the number `barrier`."""

    @property
    def number(self) -> SSAValue:
        """The number of the barrier."""
        return values_of(self, "barrier")[0]


class RegisterChange(EffectInstruction, OperationWithWarnings, ABC):
    """A change of the maximum number of registers of a thread."""

    @property
    def takes(self) -> bool:
        """Whether it takes registers; else it gives them up."""
        from ..isa.instructions.barriers import INCREASE

        return _word(self, "action") == INCREASE

    @property
    def count(self) -> int:
        """The registers that each thread of the warp has afterwards."""
        return _number(self, "registers")

    def verify_(self) -> None:
        super().verify_()
        from .analysis.registers import register_violations

        try:
            raise_any(register_violations(self))
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def warnings(self) -> Iterator[Violation]:
        from .analysis.registers import register_warnings

        return register_warnings(self)
