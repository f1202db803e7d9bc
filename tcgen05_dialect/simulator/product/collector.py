"""
Collector buffers of a tensor core: they keep A, or B of .ws products, for the next product
(9.7.16.10.9).

A buffer only saves the hardware a second read of the matrix; the emulator always reads it. It
checks that the preceding product, in issue order, left the same operand with the same elements in
the buffer.
"""

from collections.abc import Hashable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...isa.mma.kinds import DEFAULT_COLLECTOR, REUSING
from ...isa.mma.operation import Form
from ...isa.practice import COLLECTOR
from ..machine.errors import mistake

_FILL, _LAST_USE = "fill", "lastuse"


@dataclass(eq=False)
class Collected:
    """Matrix in a buffer: the identity of the operand, and its elements once a product has read
    them."""

    operand: Hashable
    elements: npt.NDArray[Any] | None = None

    def check(self, elements: npt.NDArray[Any], buffer: str) -> None:
        """Raise Violation if an earlier product read other elements."""
        if self.elements is None:
            self.elements = elements
        elif not np.array_equal(self.elements, elements):
            found = f"the matrix in collector buffer {buffer} has changed since the fill"
            raise mistake(COLLECTOR, found)


def buffer_of(form: Form) -> str:
    """The buffer of a product, named or by default."""
    return form.collector_buffer or DEFAULT_COLLECTOR[form.product.ws][0]


Collectors = MutableMapping[str, Collected]
"""Collector buffer of a CTA -> the matrix that it holds."""


def collect(form: Form, ctas: Sequence[Collectors], operand: Hashable) -> Collected | None:
    """
    Update the buffer for a product that is issued, and return its content, None if discarded.

    Raises Violation if the product reuses a buffer that does not hold the operand.
    """
    buffer, op = buffer_of(form), form.collector_op or DEFAULT_COLLECTOR[form.product.ws][1]
    collected = ctas[0].get(buffer)
    if op in REUSING:
        held = [collectors.get(buffer) for collectors in ctas]
        if collected is None or any(other is not collected for other in held):
            raise _violation(buffer, op, "no matrix")
        if collected.operand != operand:
            raise _violation(buffer, op, "another matrix")
    else:
        collected = Collected(operand) if op == _FILL else None
    for collectors in ctas:
        if collected is None or op == _LAST_USE:
            collectors.pop(buffer, None)
        else:
            collectors[buffer] = collected
    return collected


def _violation(buffer: str, op: str, found: str) -> Exception:
    return mistake(COLLECTOR, f"{op} of collector buffer {buffer}, which holds {found}")
