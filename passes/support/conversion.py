"""The conversion of operations and types to `ptx`: the core of the `convert-` passes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tcgen05_dialect.isa.model.rule import Violation, describe
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.text.register_names import keep_names
from tcgen05_dialect.ptx.types import NAME
from tcgen05_dialect.reporting.diagnostics import located, no_lowering

from .builder import PtxBuilder, Registers, is_known

Lowering = Callable[[PtxBuilder, Any], Sequence[SSAValue]]
"""Builds the replacement of an operation and returns the values that replace its results."""


def replace(op: Operation, results: Sequence[SSAValue]) -> None:
    """Replace the results of an operation by values, and remove the operation from its block."""
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    # Cheaper than erasing, which would replace the uses again.
    op.detach()
    op.drop_all_references()


class Conversion(NamedTuple):
    """
    A set of lowerings, and the register types for values whose operations are kept.

    An operation of `dialects` without a lowering is an error; the message lists the operations that
    have one. Operations with a result whose type is in `later` are left to another conversion.
    """

    lowerings: Mapping[type[Operation], Lowering]
    registers: Registers
    dialects: frozenset[str] = frozenset()
    later: frozenset[type[Attribute]] = frozenset()

    def apply(self, module: ModuleOp) -> list[Operation]:
        """
        Convert a module in place, in program order.

        Returns the operations of which an operand has become constant. Raises OperationError for an
        operation that cannot be lowered.
        """
        builder = PtxBuilder(self.registers)
        informed: dict[Operation, None] = {}
        for op in operations_of(module):
            lower = self.lowerings.get(type(op))
            if lower is None or self._is_later(op):
                self._keep(op)
                continue
            builder.at = op
            try:
                results = lower(builder, op)
            except Violation as violation:
                raise located(op, violation) from violation
            for old, new in zip(op.results, results, strict=True):
                if is_known(new) and not is_known(old):
                    informed.update((use.operation, None) for use in old.uses)
            if NAME in op.attributes:
                keep_names(op, results)
            replace(op, results)
        return [op for op in informed if op.parent is not None]

    def _is_later(self, op: Operation) -> bool:
        return bool(self.later) and any(type(result.type) in self.later for result in op.results)

    def _keep(self, op: Operation) -> None:
        dialect = op.name.partition(".")[0]
        if dialect in self.dialects:
            legal = describe(
                frozenset(o.name for o in self.lowerings if o.name.startswith(f"{dialect}."))
            )
            raise no_lowering(op, legal)
        self._retype(op.results)
        for region in op.regions:
            for block in region.blocks:
                self._retype(block.args)

    def _retype(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            register = self.registers.get(type(value.type))
            if register is not None:
                Rewriter.replace_value_with_new_type(value, register)
