"""
Completion tracking of asynchronous operations (PTX ISA 9.7.16.12.1).

Ordering of operations of different threads (PTX ISA 9.7.16.11.1).

Waiting for loads and stores (PTX ISA 9.7.16.8.5).
"""

from math import prod
from typing import ClassVar, Self

from xdsl.dialects.builtin import i16, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.instructions.mbarrier import BARRIER_OBJECT
from ..isa.model.instruction import Mnemonic
from ..isa.model.rule import raise_any
from ..isa.ptx.kernel import check_cta_mask, extents_violations
from ..isa.tensor_memory import synchronization
from ..ptx.kernel import KernelOp
from ..ptx.known_values import constant_bits
from ..ptx.register_types import B16, B32
from ..ptx.shared_accesses import place_violations
from ..xdsl_support.attributes import one_of
from .base import (
    CtaGroupOperation,
    KeywordOperation,
    parse_attributes,
    parse_first_operand,
    parse_words,
    print_words,
    violations_reported,
)


@irdl_op_definition
class CommitOp(CtaGroupOperation):
    """
    Make a barrier object track all mma, cp and shift operations that this thread has issued.

    The barrier receives one arrival when they are complete.

        tcgen05.commit (<cta_group>)? %mbarrier (multicast %multicast_mask)? attr-dict

    - `mbarrier`: the address of the barrier object in shared memory
    - `multicast_mask`: one bit for each CTA of the cluster; the barrier object at the same offset
      in the shared memory of each of these CTAs receives the arrival (default: this CTA only)
    """

    name = "tcgen05.commit"
    mbarrier = operand_def(B32)
    multicast_mask = opt_operand_def(B16)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        parse_words(parser, cls.QUALIFIERS, properties)
        first = parse_first_operand(parser, cls.QUALIFIERS, properties)
        operands: list[SSAValue] = [parser.resolve_operand(first, i32)]
        if parser.parse_optional_keyword("multicast") is not None:
            operands.append(parser.parse_operand(i16))
        attributes = parse_attributes(parser, cls, properties)
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_words(printer, self.QUALIFIERS, self.properties)
        printer.print_string(" ")
        printer.print_ssa_value(self.mbarrier)
        if self.multicast_mask is not None:
            printer.print_string(" multicast ")
            printer.print_ssa_value(self.multicast_mask)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        super().verify_()
        with violations_reported():
            raise_any(place_violations(self, self.mbarrier, 0, BARRIER_OBJECT))
        mask = None if self.multicast_mask is None else constant_bits(self.multicast_mask)
        ctas = None if mask is None else self._cluster_ctas()
        if mask is not None and ctas is not None:
            with violations_reported():
                check_cta_mask(mask, ctas)

    def _cluster_ctas(self) -> int | None:
        """The number of CTAs in the cluster; None if the kernel does not give it."""
        op = self.parent_op()
        while op is not None and not isinstance(op, KernelOp):
            op = op.parent_op()
        extents = None if op is None else op.extents("cluster_dims")
        # The verifier of the kernel reports wrong extents later, after the body.
        if extents is None or extents_violations("cluster_dims", extents):
            return None
        return prod(extents)


@irdl_op_definition
class FenceOp(KeywordOperation):
    """
    Order this thread's tcgen05 operations with those of other threads.

        tcgen05.fence <order> attr-dict

    Place one fence before the synchronisation of the threads, such as a barrier, and one after it.

    - `order`: whether the fence is before or after the synchronisation
    """

    name = "tcgen05.fence"
    KEYWORD: ClassVar[tuple[Mnemonic, str]] = synchronization.FENCE, "order"
    order = prop_def(one_of(synchronization.ORDER.spellings))


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
    KEYWORD: ClassVar[tuple[Mnemonic, str]] = synchronization.WAIT, "operation"
    operation = prop_def(one_of(synchronization.OPERATION.spellings))
