"""A kernel made ready to run: one function for each instruction."""

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, SSAValue

from ..isa.rule import in_order
from ..isa.simulation import UNFINISHED, UNSUPPORTED
from ..ptx.dominance import immediate_dominators
from ..ptx.kernel import KernelOp
from ..ptx.syntax import values_of
from ..ptx.tcgen05 import LdOp, LdRedOp
from .errors import fault
from .lanes import Lanes
from .machine import Block, Group, Step, Wait

Handler = Callable[[Any, "Program"], Step]
"""Makes the function of one instruction."""


class Program:
    """
    A kernel as functions that run it.

    Raises OperationError for an operation that the emulator does not have.
    """

    def __init__(self, kernel: KernelOp, handlers: Mapping[type[Operation], Handler]):
        self.kernel = kernel
        self._handlers = handlers
        self._indices: dict[SSAValue, int] = {}
        self.blocks = {block: Block() for block in kernel.body.blocks}
        self._set_joins()
        for source, block in self.blocks.items():
            for op in source.ops:
                self._add(block, op)

    @property
    def entry(self) -> Block:
        return self.blocks[self.kernel.body.blocks[0]]

    @property
    def values(self) -> Mapping[SSAValue, int]:
        """The register of each value."""
        return self._indices

    def index(self, value: SSAValue) -> int:
        """The register of a value."""
        return self._indices.setdefault(value, len(self._indices))

    def operands(self, op: Operation, name: str) -> list[int]:
        """The registers of an operand, of none if it is left out, or of several."""
        return [self.index(value) for value in values_of(op, name)]

    def step(self, op: Operation) -> Step:
        """The function of an instruction. Raises OperationError if there is none."""
        handler = self._handlers.get(type(op))
        if handler is None:
            legal = frozenset(op_type.name for op_type in self._handlers)
            raise fault(op, UNSUPPORTED, op.name, in_order(legal))
        return handler(op, self)

    def _add(self, block: Block, op: Operation) -> None:
        for result in op.results:
            self.index(result)
        step = self.step(op)
        loaded = [self.index(operand) for operand in op.operands if _is_loaded(operand)]
        block.steps.append(_checked(op, step, loaded) if loaded else step)
        block.ops.append(op)

    def _set_joins(self) -> None:
        """The immediate postdominators; blocks from which no path ends the kernel have none."""
        follow = {
            block: [self.blocks[successor] for successor in _successors(source)]
            for source, block in self.blocks.items()
        }
        before: dict[Block, list[Block]] = {block: [] for block in follow}
        for block, successors in follow.items():
            for successor in successors:
                before[successor].append(block)
        ends = [block for block, successors in follow.items() if not successors]
        order = [None, *_reverse_postorder(ends, before)]
        number = {block: index for index, block in enumerate(order)}
        edges = [
            []
            if block is None
            else [number[successor] for successor in follow[block] if successor in number] or [0]
            for block in order
        ]
        for block, dominator in zip(order, immediate_dominators(edges), strict=True):
            if block is not None:
                block.join = order[dominator]


def _reverse_postorder(roots: list[Block], edges: Mapping[Block, list[Block]]) -> list[Block]:
    """What the roots reach, each before what is reached through it only."""
    seen = set(roots)
    finished: list[Block] = []
    for root in roots:
        stack = [(root, iter(edges[root]))]
        while stack:
            block, inner = stack[-1]
            for other in inner:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(edges[other])))
                    break
            else:
                finished.append(block)
                stack.pop()
    return finished[::-1]


def _is_loaded(value: SSAValue) -> bool:
    """Whether an asynchronous load writes the register."""
    return isinstance(value.owner, LdOp | LdRedOp)


def _checked(op: Operation, step: Step, loaded: list[int]) -> Step:
    """The instruction, which must not read registers that a load has yet to write."""

    def checked(group: Group) -> Wait | None:
        pending = group.warp.pending
        if pending and any(index in pending for index in loaded):
            raise fault(op, UNFINISHED, "one that the load has not written", "one after the wait")
        return step(group)

    return checked


def _successors(block: IRBlock) -> list[IRBlock]:
    return [] if block.last_op is None else list(block.last_op.successors)


def pure(function: Callable[..., Lanes]) -> Handler:
    """An instruction whose one result is a function of its operands."""

    def handler(op: Operation, program: Program) -> Step:
        return computing(op, program, function)

    return handler


def computing(op: Operation, program: Program, function: Callable[..., Lanes]) -> Step:
    """The step that writes what a function makes of the operands to the result."""
    operands = [program.index(operand) for operand in op.operands]
    result = program.index(op.results[0])

    def step(group: Group) -> Wait | None:
        registers = group.warp.registers
        group.write(result, function(*(registers[operand] for operand in operands)))
        return None

    return step


def nothing(op: Operation, program: Program) -> Step:
    """An instruction that does nothing that can be seen."""
    return lambda group: None
