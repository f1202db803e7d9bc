"""Waiting for loads and stores (PTX ISA 9.7.16.8.5)."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, prop_def

from ..isa.model.instruction import Mnemonic
from ..isa.tensor_memory import wait
from ..xdsl_support.words import one_of
from .base import KeywordOperation


@irdl_op_definition
class WaitOp(KeywordOperation):
    """
    Wait until this thread's loads from tensor memory, or its stores to it, are complete.

        tcgen05.wait <operation> attr-dict

    Wait for loads before their tensor memory is overwritten or freed, and for stores before other
    operations use the stored data. The whole warp executes the operation.

    - `operation`: the operations to wait for
    """

    name = "tcgen05.wait"
    KEYWORD: ClassVar[tuple[Mnemonic, str]] = wait.WAIT, "operation"
    operation = prop_def(one_of(wait.OPERATION.spellings))
