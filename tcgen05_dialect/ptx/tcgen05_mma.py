"""The matrix products of the tcgen05 family with raw operands (9.7.16.10)."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, i32
from xdsl.irdl import operand_def, opt_operand_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..isa.cta_group import CTA_GROUP
from ..isa.element import element
from ..isa.mma import kinds, scale
from ..isa.mma.addresses import address_violations
from ..isa.mma.form import Form
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.model.rule import Violation, raise_any
from ..isa.ptx import text as ptx_text
from . import tcgen05_constants as constants
from .constants import constant_value, known_address
from .instruction import opt_immediate, opt_offset, opt_qualifier, qualifier
from .registers import B32, B32_OR_B64, B64, PRED, register_bits
from .syntax import is_present, values_of
from .tcgen05_form import Tcgen05Instruction, identifier, optional, tcgen05

_DENSE = kinds.INSTRUCTIONS[False, False]
_SPARSE = kinds.INSTRUCTIONS[False, True]
_WS = kinds.INSTRUCTIONS[True, False]
_WS_SPARSE = kinds.INSTRUCTIONS[True, True]
CTA_GROUPS = {identifier("cta_group", value): value for value in CTA_GROUP.spellings}
_UNSCALED = {"block_scale": "", "scale_vectorsize": ""}
_SCALED = {"block_scale": "{}", "ashift": ""}
_WS_UNSCALED = {**_UNSCALED, "ashift": ""}
_LIMITS = {"scale_input_d": kinds.SCALE_INPUT_D}

_MATRICES = "[!d], &a, %b, "
_METADATA = "[!metadata], "
_PLAIN = (
    "%idesc?disable_output_lane(, {!disable_output_lane}), %enable_input_d"
    "?scale_input_d(, $scale_input_d)"
)
_SCALES = "%idesc, [!scale_a], [!scale_b], %enable_input_d"
_MASKED = "%idesc, %enable_input_d?zero_column_mask(, %zero_column_mask)"


def _cta_groups(ws: bool) -> StringAttr:
    groups = kinds.SHAPES.values("cta_group", ws=ws)
    return qualifier(*(name for name, group in CTA_GROUPS.items() if group in groups))


def _kinds(scaled: bool) -> StringAttr:
    return qualifier(*kinds.kind_names(scaled))


class Mma(Tcgen05Instruction, ABC):
    """`d = a * b + d`, or `d = a * b` if `enable_input_d` does not hold."""

    WS: ClassVar[bool] = False
    SPARSE: ClassVar[bool] = False
    SCALED: ClassVar[bool] = False
    ADDRESS_REGISTERS: ClassVar[frozenset[str] | None] = ptx_text.MMA_ADDRESS_REGISTERS

    d = operand_def(B32)
    d_offset = opt_offset()
    a = operand_def(B32_OR_B64)
    a_offset = opt_offset()
    b = operand_def(B64)
    idesc = operand_def(B32)
    enable_input_d = operand_def(PRED)

    def _text(self, name: str) -> str | None:
        """What a qualifier says; None if it is left out or the instruction has none such."""
        value = self.properties.get(name)
        return value.data if isinstance(value, StringAttr) else None

    def _has(self, name: str) -> bool:
        return hasattr(self, name) and is_present(self, name)

    @property
    def kind_name(self) -> str:
        """The kind, such as `f16`."""
        kind = self._text("kind")
        assert kind is not None
        return kind

    @property
    def ctas(self) -> int:
        """1 or 2."""
        return CTA_GROUPS[self._text("cta_group") or ""]

    @property
    def a_memory(self) -> str:
        """Where A lies: `tensor` or `shared`."""
        return "tensor" if self.a.type == i32 else "shared"

    def verify_(self) -> None:
        super().verify_()
        try:
            self._check_offset()
            self.check_form()
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def _check_offset(self) -> None:
        """Check that only an address has an offset. Raises Violation."""
        if self.a_offset is not None and self.a_memory != "tensor":
            found, legal = "an offset of a descriptor", "an offset of an address"
            raise ptx_text.OPERANDS_RULE.violation(found, legal, "a")

    def form(self) -> Form:
        """Its qualifiers, and which operands it has."""
        idesc = self._descriptor()
        return Form(
            kind=self.kind_name,
            ws=self.WS,
            sparse=self.SPARSE,
            block_scaled=self.SCALED,
            cta_group=self.ctas,
            a_memory=self.a_memory,
            m=None if idesc is None else idesc.m,
            scale_vectorsize=self._text("scale_vectorsize"),
            collector_buffer=self._text("collector_buffer"),
            collector_op=self._text("collector_op"),
            ashift=self._has("ashift"),
            disable_output_lane=len(values_of(self, "disable_output_lane"))
            if self._has("disable_output_lane")
            else 0,
            scale_input_d=self._has("scale_input_d"),
            zero_column_mask=self._has("zero_column_mask"),
        )

    def check_form(self) -> None:
        """Check which qualifiers and optional operands go together. Raises Violation."""
        form = self.form()
        form.check()
        raise_any(self._constant_violations(form))

    def _constant(self, name: str) -> int | None:
        """The bits of an operand, if it is there and known."""
        (value,) = values_of(self, name) or (None,)
        known = None if value is None else constant_value(value)
        bits = None if value is None else register_bits(value.type)
        return None if known is None or bits is None else known % (1 << bits)

    def _descriptor(self) -> InstructionDescriptor | None:
        known = self._constant("idesc")
        return None if known is None else constants.instruction_descriptor(self.kind_name, known)

    def _constant_violations(self, form: Form) -> Iterator[Violation]:
        """What is wrong with the descriptors that are known."""
        found: list[Violation] = []
        if (known := self._constant("idesc")) is not None:
            found.extend(constants.instruction_descriptor_violations(form, known))
            yield from found
        idesc = self._descriptor()
        if self.SCALED and idesc is not None and idesc.scale_type is not None:
            # What is wrong whatever the scale_vectorsize is has been said.
            said = {(violation.rule, violation.found) for violation in found}
            for violation in scale.violations(
                self.kind_name,
                self._text("scale_vectorsize"),
                idesc.k,
                idesc.scale_type,
                idesc.sfa_id,
                idesc.sfb_id,
            ):
                if (violation.rule, violation.found) not in said:
                    yield violation
        transposed = (None, None) if idesc is None else (idesc.transpose_a, idesc.transpose_b)
        types = (None, None) if idesc is None else (idesc.a, idesc.b)
        for name, is_transposed, type_ in zip(("a", "b"), transposed, types, strict=True):
            is_shared = name == "b" or self.a_memory == "shared"
            if is_shared and (known := self._constant(name)) is not None:
                bits = None if type_ is None else element(type_).bits
                for violation in constants.shared_memory_descriptor_violations(
                    known, is_transposed, bits
                ):
                    yield violation.about(name.upper())
        if self.WS and (known := self._constant("zero_column_mask")) is not None:
            yield from constants.zero_column_mask_violations(form, idesc, known)
        if idesc is not None and (addresses := self._known_addresses()):
            yield from address_violations(form, idesc, addresses)

    def _known_addresses(self) -> dict[str, int]:
        """The addresses in tensor memory that are constants."""
        found: dict[str, int] = {}
        for name in ("d", "metadata", "scale_a", "scale_b", "a"):
            if (name != "a" or self.a_memory == "tensor") and (
                value := getattr(self, name, None)
            ) is not None:
                known = known_address(value, self.properties.get(f"{name}_offset"))
                if known is not None:
                    found[name] = known
        return found

    def features(self) -> Sequence[str]:
        idesc = self._descriptor()
        needed = [*self.form().required_features(k96=idesc is not None and idesc.k96)]
        for name in ("a", "b") if self.a_memory == "shared" else ("b",):
            known = self._constant(name)
            described = None if known is None else constants.shared_memory_descriptor(known)
            needed += () if described is None else described.required_features()
        return needed


class _Sparse(Tcgen05Instruction, ABC):
    """With a sparse A: `metadata` says which of its elements it holds."""

    metadata = operand_def(B32)
    metadata_offset = opt_offset()


class _Unscaled(Tcgen05Instruction, ABC):
    """Without scale factors."""

    cta_group = _cta_groups(ws=False)
    kind = _kinds(scaled=False)
    ashift = optional(_DENSE, "ashift")
    collector_buffer = opt_qualifier(*kinds.COLLECTOR.values("buffer", ws=False))
    collector_op = opt_qualifier(*kinds.COLLECTOR.values("op", ws=False))
    disable_output_lane = var_operand_def(B32)
    scale_input_d = opt_immediate()


class _Scaled(Tcgen05Instruction, ABC):
    """With scale factors for A and B, which lie in tensor memory."""

    cta_group = _cta_groups(ws=False)
    kind = _kinds(scaled=True)
    scale_vectorsize = optional(_DENSE, "scale_vectorsize")
    collector_buffer = opt_qualifier(*kinds.COLLECTOR.values("buffer", ws=False))
    collector_op = opt_qualifier(*kinds.COLLECTOR.values("op", ws=False))
    scale_a = operand_def(B32)
    scale_a_offset = opt_offset()
    scale_b = operand_def(B32)
    scale_b_offset = opt_offset()


class _WeightStationary(Tcgen05Instruction, ABC):
    """With a B that stays in a collector buffer."""

    cta_group = _cta_groups(ws=True)
    kind = _kinds(scaled=False)
    collector_buffer = opt_qualifier(*kinds.COLLECTOR.values("buffer", ws=True))
    collector_op = opt_qualifier(*kinds.COLLECTOR.values("op", ws=True))
    zero_column_mask = opt_operand_def(B64)


@tcgen05(_DENSE, _MATRICES + _PLAIN, implied=_UNSCALED, limits=_LIMITS)
class MmaOp(Mma, _Unscaled):
    """The product of a dense A."""

    name = "ptx.tcgen05.mma"


@tcgen05(_DENSE, _MATRICES + _SCALES, implied=_SCALED)
class MmaBlockScaleOp(Mma, _Scaled):
    """The product of a dense A with scale factors."""

    name = "ptx.tcgen05.mma.block_scale"
    SCALED: ClassVar[bool] = True


@tcgen05(_SPARSE, _MATRICES + _METADATA + _PLAIN, implied=_UNSCALED, limits=_LIMITS)
class MmaSpOp(Mma, _Sparse, _Unscaled):
    """The product of a sparse A."""

    name = "ptx.tcgen05.mma.sp"
    SPARSE: ClassVar[bool] = True


@tcgen05(_SPARSE, _MATRICES + _METADATA + _SCALES, implied=_SCALED)
class MmaSpBlockScaleOp(Mma, _Sparse, _Scaled):
    """The product of a sparse A with scale factors."""

    name = "ptx.tcgen05.mma.sp.block_scale"
    SPARSE: ClassVar[bool] = True
    SCALED: ClassVar[bool] = True


@tcgen05(_WS, _MATRICES + _MASKED, implied=_WS_UNSCALED)
class MmaWsOp(Mma, _WeightStationary):
    """The product of a dense A, weight stationary."""

    name = "ptx.tcgen05.mma.ws"
    WS: ClassVar[bool] = True


@tcgen05(_WS_SPARSE, _MATRICES + _METADATA + _MASKED, implied=_WS_UNSCALED)
class MmaWsSpOp(Mma, _Sparse, _WeightStationary):
    """The product of a sparse A, weight stationary."""

    name = "ptx.tcgen05.mma.ws.sp"
    WS: ClassVar[bool] = True
    SPARSE: ClassVar[bool] = True
