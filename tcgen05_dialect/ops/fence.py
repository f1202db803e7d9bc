"""Ordering with other threads (PTX ISA 9.7.16.11.1)."""

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import irdl_op_definition, prop_def

from ..isa import fence
from ..isa.instruction import Instruction as Form
from .base import KeywordOperation


@irdl_op_definition
class FenceOp(KeywordOperation):
    """Order tcgen05 operations `before_thread_sync` or `after_thread_sync`."""

    name = "tcgen05.fence"
    KEYWORD: ClassVar[tuple[Form, str]] = fence.FENCE, "order"
    order = prop_def(StringAttr)
