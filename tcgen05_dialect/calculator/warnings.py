"""Warnings about an instruction descriptor, as a field of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tcgen05_dialect.calculator.answer import Field
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.products import A


def warning_fields(
    descriptor: InstructionDescriptor, forms: Iterable[tuple[bool, int]]
) -> Iterator[Field]:
    """
    The warnings about a legal descriptor in MMAs, if there are any.

    `forms` has, for each MMA, whether it has .ws, and its number of CTAs.
    """
    found: dict[str, None] = {}
    for ws, cta_group in forms:
        for memory in A.memories:
            if not descriptor.violations(ws, cta_group, memory):
                for violation in descriptor.warnings(ws, cta_group, memory):
                    found[f"{violation.text} [{violation.rule.id}]"] = None
    if found:
        yield Field("warnings", [*found], "\n".join(found))
