"""Descriptors of matrix products that are constants: decoded, and verified (9.7.16.4)."""

from collections.abc import Iterator
from functools import lru_cache

from ..isa.mma.form import Form
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.zero_column_mask import ZeroColumnMask
from ..isa.model.rule import Violation
from ..isa.shared_memory.descriptor import SharedMemoryDescriptor
from ..isa.shared_memory.layout import MAJORS, SWIZZLE_COMBINATIONS


@lru_cache(maxsize=1024)
def _instruction_descriptor(kind: str, value: int) -> InstructionDescriptor | Violation:
    """Kept, since a program has many instructions with few descriptors."""
    try:
        return InstructionDescriptor.decode(kind, value)
    except Violation as violation:
        return violation


@lru_cache(maxsize=1024)
def _shared_memory_descriptor(value: int) -> SharedMemoryDescriptor | Violation:
    try:
        return SharedMemoryDescriptor.decode(value)
    except Violation as violation:
        return violation


def instruction_descriptor(kind: str, value: int) -> InstructionDescriptor | None:
    """The descriptor with this value, None if there is none such."""
    found = _instruction_descriptor(kind, value)
    return None if isinstance(found, Violation) else found


def instruction_descriptor_violations(form: Form, value: int) -> Iterator[Violation]:
    """What is wrong with an instruction descriptor in an instruction of this form."""
    descriptor = _instruction_descriptor(form.kind, value)
    if isinstance(descriptor, Violation):
        yield descriptor
    else:
        yield from form.descriptor_violations(descriptor)


def shared_memory_descriptor(value: int) -> SharedMemoryDescriptor | None:
    """The descriptor with this value, None if there is none such."""
    found = _shared_memory_descriptor(value)
    return None if isinstance(found, Violation) else found


def shared_memory_descriptor_violations(
    value: int, transposed: bool | None = None, bits: int | None = None
) -> Iterator[Violation]:
    """What is wrong with a shared memory descriptor; `transposed` (MN-major), and the `bits` of an
    element, where they are known."""
    descriptor = _shared_memory_descriptor(value)
    if isinstance(descriptor, Violation):
        yield descriptor
        return
    yield from descriptor.violations(transposed)
    if transposed is not None and bits is not None:
        # Table 53 has no K-major atom for each mode that Table 52 has, so that it is not asked.
        point = {"bits": bits, "major": MAJORS[transposed], "swizzle": descriptor.swizzle}
        if SWIZZLE_COMBINATIONS.row(**point) is None:
            yield SWIZZLE_COMBINATIONS.violation(**point)


def zero_column_mask_violations(
    form: Form, idesc: InstructionDescriptor | None, value: int
) -> Iterator[Violation]:
    """What is wrong with a zero-column mask in an instruction of this form; with the instruction
    descriptor where it is known."""
    try:
        mask = ZeroColumnMask.decode(value)
    except Violation as violation:
        yield violation
        return
    yield from form.mask_violations(mask, idesc)
