"""Which form of tcgen05.mma an instruction is, and whether the ISA has it (9.7.16.10.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tcgen05_dialect.isa.mma import kinds
from tcgen05_dialect.isa.mma.agreement import SPARSITY
from tcgen05_dialect.isa.mma.instruction_descriptor import REUSED_SHIFT_RULE, InstructionDescriptor
from tcgen05_dialect.isa.mma.zero_column_mask import ZeroColumnMask
from tcgen05_dialect.isa.model.rule import Violation


class Form(NamedTuple):
    """The qualifiers of an MMA, and which operands it has.

    `m` is the M of the instruction descriptor where it is known, `disable_output_lane` the number
    of registers of that vector, 0 without one.
    """

    kind: str
    ws: bool
    sparse: bool
    block_scaled: bool
    cta_group: int
    a_memory: str
    m: int | None = None
    scale_vectorsize: str | None = None
    collector_buffer: str | None = None
    collector_op: str | None = None
    ashift: bool = False
    disable_output_lane: int = 0
    scale_input_d: bool = False
    zero_column_mask: bool = False

    def check(self) -> None:
        """Raise Violation where qualifiers and operands do not go together."""
        kind, ws = self.kind, self.ws
        kinds.SHAPES.check(kind=kind, ws=ws, cta_group=self.cta_group, sparse=self.sparse)
        kinds.OPERANDS.check(
            kind=kind,
            ws=ws,
            disable_output_lane=self.disable_output_lane > 0,
            scale_input_d=self.scale_input_d,
            zero_column_mask=self.zero_column_mask,
            scale_factors=self.block_scaled,
        )
        elements = kinds.disable_output_lane_elements(self.cta_group)
        if self.disable_output_lane not in (0, elements):
            what = "registers of disable-output-lane"
            raise kinds.OPERANDS.rule.violation(self.disable_output_lane, elements, what)
        if self.block_scaled:
            kinds.SCALE_VECTOR_SIZES.check(kind=kind, scale_vectorsize=self.scale_vectorsize)
        self._check_collector()

    def _check_collector(self) -> None:
        buffer, op = self.collector_buffer, self.collector_op
        if buffer is not None or op is not None:
            kinds.COLLECTOR.check(ws=self.ws, buffer=buffer, op=op)
        if self.ashift:
            kinds.ASHIFT.check(
                kind=self.kind,
                ws=self.ws,
                a_memory=self.a_memory,
                **({} if self.m is None else {"m": self.m}),
                collector_op=op or kinds.DEFAULT_COLLECTOR[self.ws][1],
            )

    def required_features(self, k96: bool) -> tuple[str, ...]:
        """Features (see `targets.FEATURES`) that a target must have; a scale_vectorsize that the
        kind lacks asks for none."""
        needed = kinds.required_features(self.kind, self.sparse, k96, self.scale_input_d)
        point = {"kind": self.kind, "scale_vectorsize": self.scale_vectorsize}
        if self.block_scaled and kinds.SCALE_VECTOR_SIZES.row(**point) is not None:
            needed += (kinds.SCALE_VECTOR_SIZES.value("feature", **point),)
        return needed

    def mask_violations(
        self, mask: ZeroColumnMask, idesc: InstructionDescriptor | None
    ) -> Iterator[Violation]:
        """What is wrong with a zero-column mask in such an instruction; with the instruction
        descriptor where it is known."""
        yield from mask.violations(self.m)
        reuses = self.collector_op in kinds.REUSING
        if idesc is not None and reuses and mask.column_shift > idesc.max_shift:
            found = f"{mask.column_shift} columns"
            legal = f"up to {idesc.max_shift}, the maximum shift of the instruction descriptor"
            yield REUSED_SHIFT_RULE.violation(found, legal)

    def descriptor_violations(self, idesc: InstructionDescriptor) -> Iterator[Violation]:
        """What is wrong with an instruction descriptor in such an instruction."""
        if idesc.sparse != self.sparse:
            yield SPARSITY.violation(idesc.sparse, self.sparse)
        else:
            yield from idesc.violations(self.ws, self.cta_group, self.a_memory)
