"""32-bit products of 16-bit integers (9.7.1.3, 9.7.1.4)."""

from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.program import Handler
from ..numbers.integers import wide_product, wide_sum_of_product
from .arithmetic import of_type

HANDLERS: dict[type[Operation], Handler] = {
    ptx.MulWide16Op: of_type(wide_product),
    ptx.MadWide16Op: of_type(wide_sum_of_product),
}
"""Operation -> builder of its function."""
