"""What the matrix products share (PTX ISA 9.7.16.10)."""

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def

from ..isa.mma import kinds
from ..isa.mma.accumulator import DataPathLayout
from ..isa.mma.addresses import NAMES, lane_violations, layout_of
from ..isa.mma.agreement import DESCRIPTOR_SOURCE
from ..isa.mma.form import Form
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.model.rule import Violation, raise_any
from ..ptx import tcgen05_constants as constants
from ..ptx.constants import constant_bits
from ..ptx.registers import B32, PRED
from .attributes import InstructionDescriptorAttr
from .base import CtaGroupOperation, Tcgen05Operation, typed_operand, violations_reported
from .mma_checks import OperandTypes, role_violations, violations
from .tensor_memory import known_address
from .types import ACCUMULATOR, MATRIX_A, SCALE, SharedMemoryDescriptorType, TensorMemoryType


@lru_cache(maxsize=1024)
def _descriptor_violations(form: Form, idesc: InstructionDescriptor) -> tuple[Violation, ...]:
    """What is wrong with a descriptor; kept, since a kernel has few of them."""
    return tuple(form.descriptor_violations(idesc))


@lru_cache(maxsize=1024)
def _check_form(form: Form) -> None:
    """Raise Violation; what is legal is kept."""
    form.check()


def _address_violations(
    layout: DataPathLayout, matrices: Mapping[str, SSAValue]
) -> Iterator[Violation]:
    """Lanes that the operands cannot have."""
    lanes: dict[str, int] = {}
    for name, matrix in matrices.items():
        lane = known_address(matrix)[0]
        type_ = matrix.type
        is_scale = isinstance(type_, TensorMemoryType) and type_.role.data == SCALE
        if lane is not None and not is_scale:
            lanes[name] = lane
    yield from lane_violations(layout, lanes)


@lru_cache(maxsize=256)
def _spellings(
    kind: str, extents_k: frozenset[int], scale_types: frozenset[str]
) -> tuple[str | None, ...]:
    # Here, since most kernels have no scale factors, and imports are their start-up time.
    from ..isa.mma.scale import spellings

    return spellings(kind, extents_k, scale_types)


class Variant(Tcgen05Operation, ABC):
    """What some of the matrix products have and others have not."""

    WS: ClassVar[bool] = False
    SPARSE: ClassVar[bool] = False
    SCALED: ClassVar[bool] = False

    def own_violations(
        self, form: Form, idesc: InstructionDescriptor | None
    ) -> Iterator[Violation]:
        """What is wrong with its operands and attributes; the descriptor where it is known."""
        return iter(())


class MatrixProduct(CtaGroupOperation, Variant, ABC):
    """
    `d = a * b + d`, or `d = a * b` where `accumulate` does not hold.

    One thread executes it for the whole CTA, or for the pair. The instruction descriptor is the
    attribute `idesc`, or the value `descriptor` with the attribute `kind`, which says more only if
    it is a constant. K follows from kind and sparsity. With `cta_group = 2` each CTA of the pair
    has half of the rows of A and of D, and half of the columns of B; the descriptor gives M and N
    of both.

    - `d`: M x N, of role `accumulator`
    - `a`: a tile of M x K elements or longer along K, or a matrix in tensor memory of role `a`,
      M x K elements; half of K where A is sparse
    - `b`: a tile of N x K elements or longer along K
    - `enable_input_d`: whether the product is added to `d` or overwrites it
    - `idesc`: what is multiplied
    - `descriptor`: an instruction descriptor that is computed, in place of `idesc`
    - `kind`: the kind that `descriptor` is for; not with `idesc`
    - `collector`: what to do with the collector buffer: of A, or with `.ws` of B
    """

    idesc = opt_prop_def(InstructionDescriptorAttr)
    kind = opt_prop_def(StringAttr)
    collector = opt_prop_def(StringAttr)
    d = typed_operand(TensorMemoryType, what="type of D", role=ACCUMULATOR)
    a = typed_operand(TensorMemoryType, SharedMemoryDescriptorType, what="type of A", role=MATRIX_A)
    b = typed_operand(SharedMemoryDescriptorType, what="type of B")
    enable_input_d = operand_def(PRED)
    descriptor = opt_operand_def(B32)

    @property
    def kind_name(self) -> str:
        """The kind of the instruction."""
        if self.idesc is not None:
            return self.idesc.data.kind
        return "" if self.kind is None else self.kind.data

    def known_descriptor(self) -> InstructionDescriptor | None:
        """The instruction descriptor: the attribute, or what a constant decodes to."""
        if self.idesc is not None:
            return self.idesc.data
        known = None if self.descriptor is None else constant_bits(self.descriptor)
        return None if known is None else constants.instruction_descriptor(self.kind_name, known)

    def values(self, name: str) -> Sequence[SSAValue]:
        """The operands of a name: none where the operation has no such operand."""
        values: SSAValue | Sequence[SSAValue] | None = getattr(self, name, None)
        if values is None:
            return ()
        return (values,) if isinstance(values, SSAValue) else values

    def word(self, name: str) -> str | None:
        """The word that a property holds, None where the operation has no such property."""
        value = self.properties.get(name)
        return value.data if isinstance(value, StringAttr) else None

    def collector_usage(self) -> tuple[str | None, str | None]:
        """The collector buffer and what to do with it; without .ws there is only one buffer."""
        collector, buffer = self.word("collector"), self.word("collector_buffer")
        if collector is not None and not self.WS:
            buffer, _ = kinds.DEFAULT_COLLECTOR[self.WS]
        return buffer, collector

    def scale_vectorsizes(self) -> tuple[str | None, ...]:
        """
        The spellings of scale_vectorsize of which the lowering may choose, the best ones first.

        Raises Violation.
        """
        given = self.word("scale_vectorsize")
        if given is not None or not self.SCALED:
            return (given,)
        kind, sparse = self.kind_name, self.SPARSE
        idesc = self.known_descriptor()
        if idesc is None or idesc.scale_type is None:
            extents_k = kinds.SHAPES.values("k", kind=kind, sparse=sparse)
            return _spellings(kind, extents_k, kinds.SHAPES.values("scale", kind=kind))
        return _spellings(kind, frozenset((idesc.k,)), frozenset((idesc.scale_type,)))

    def required_features(self) -> tuple[str, ...]:
        idesc = self.known_descriptor()
        return self.form().required_features(k96=idesc is not None and idesc.k96)

    def form(self) -> Form:
        """Its qualifiers, as far as they are given, and which operands it has."""
        idesc = self.known_descriptor()
        buffer, collector = self.collector_usage()
        return Form(
            kind=self.kind_name,
            ws=self.WS,
            sparse=self.SPARSE,
            block_scaled=self.SCALED,
            cta_group=self.ctas,
            a_memory="tensor" if isinstance(self.a.type, TensorMemoryType) else "shared",
            m=None if idesc is None else idesc.m,
            scale_vectorsize=self.word("scale_vectorsize"),
            collector_buffer=buffer,
            collector_op=collector,
            ashift="ashift" in self.properties,
            disable_output_lane=len(self.values("disable_output_lane")),
            scale_input_d="scale_input_d" in self.properties,
            zero_column_mask="zero_column_mask" in self.properties or len(self.values("mask")) > 0,
        )

    def verify_(self) -> None:
        super().verify_()
        with violations_reported():
            self._check_descriptor_source()
            self._check_kind()
            idesc = self.known_descriptor()
            form = self.form()
            if self.descriptor is not None and idesc is None:
                raise_any(self._constant_violations(form, self.descriptor))
            if idesc is not None:
                raise_any(_descriptor_violations(form, idesc))
            if self.SCALED:
                form = form._replace(scale_vectorsize=self.scale_vectorsizes()[0])
            _check_form(form)
            matrices = {name: values[0] for name in NAMES if (values := self.values(name))}
            type_of: dict[str, Any] = {name: value.type for name, value in matrices.items()}
            types = OperandTypes(**type_of)
            raise_any(role_violations(types))
            if idesc is not None:
                raise_any(violations(form, idesc, types))
                raise_any(_address_violations(layout_of(form, idesc), matrices))
            raise_any(self.own_violations(form, idesc))

    def _constant_violations(self, form: Form, descriptor: SSAValue) -> Iterator[Violation]:
        """What is wrong with the instruction descriptor if it is a constant."""
        if (known := constant_bits(descriptor)) is not None:
            yield from constants.instruction_descriptor_violations(form, known)

    def _check_descriptor_source(self) -> None:
        is_computed = self.descriptor is not None
        if (self.idesc is None) != is_computed or (self.kind is not None) != is_computed:
            given = [n for n in ("idesc", "kind", "descriptor") if getattr(self, n) is not None]
            legal = "idesc alone, or kind and descriptor"
            raise DESCRIPTOR_SOURCE.violation(", ".join(given) or "neither", legal)

    def _check_kind(self) -> None:
        kinds.KIND.check(self.kind_name)
        self.check_target()
        if self.kind_name not in (legal := kinds.kind_names(block_scaled=self.SCALED)):
            what = f"kind {'with' if self.SCALED else 'without'} scale factors"
            raise kinds.KIND_RULE.violation(self.kind_name, legal, what)
