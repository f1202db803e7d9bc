"""Ordering of operations of different threads (PTX ISA 9.7.16.11.1)."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, prop_def

from ..isa.model.instruction import Mnemonic
from ..isa.tensor_memory import fence
from ..xdsl_support.words import one_of
from .base import KeywordOperation


@irdl_op_definition
class FenceOp(KeywordOperation):
    """
    Order this thread's tcgen05 operations with those of other threads.

        tcgen05.fence <order> attr-dict

    Place one fence before the synchronisation of the threads, such as a barrier, and one after it.

    - `order`: whether the fence is before or after the synchronisation
    """

    name = "tcgen05.fence"
    KEYWORD: ClassVar[tuple[Mnemonic, str]] = fence.FENCE, "order"
    order = prop_def(one_of(fence.ORDER.spellings))
