"""A kernel with the facts about it, its tcgen05 instructions and the conditions of each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ..isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT
from ..ptx import instructions as ptx
from ..ptx.analysis.control_flow import ControlFlowGraph, closure, operations_of
from ..ptx.analysis.values import alternatives
from ..ptx.control_flow import BrxOp, CondBraOp
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.structure import GuardOp, unguarded
from ..ptx.tcgen05 import AllocOp, CpOp, Tcgen05Instruction
from ..ptx.tcgen05_mma import Mma
from ..ptx.types import known_target_of
from ..reporting.diagnostics import read_place
from .fact import Condition, Edges
from .facts import Facts
from .numbers import one_of


class KernelFacts:
    """The facts about a kernel that has tcgen05 instructions."""

    def __init__(self, kernel: KernelOp, instructions: Sequence[Tcgen05Instruction]):
        self.kernel = kernel
        self.graph = ControlFlowGraph(kernel.body)
        self.edges = Edges(self.graph)
        self.instructions = [each for each in instructions if self.block(each) is not None]
        """The tcgen05 instructions in reachable blocks."""
        self.target = known_target_of(kernel)
        descriptors = [
            value for each in self.instructions for value in descriptors_of(each).values()
        ]
        address_bits = DESCRIPTOR_LAYOUT.field("start_address").hi + 1
        self.facts = Facts(kernel, self.edges, closure(descriptors, _parts), address_bits)
        self.facts.learn(each for each in self.instructions if isinstance(each, AllocOp))
        self._of_warps: dict[int, Facts] = {}
        self._reached: dict[int, Set[int]] = {}
        self._features: dict[Operation, Sequence[str]] = {}

    def in_warp(self, warp: int) -> Facts:
        """The facts about the threads of one warp."""
        if warp not in self._of_warps:
            self._of_warps[warp] = self.facts.of_warp(warp)
        return self._of_warps[warp]

    def features(self, op: Tcgen05Instruction) -> Sequence[str]:
        """The features that an instruction needs whatever its operands are."""
        if op not in self._features:
            self._features[op] = op.features()
        return self._features[op]

    def block(self, op: Operation) -> int | None:
        """The number of the block of an instruction; None if it is never executed."""
        block = unguarded(op).parent
        return None if block is None else self.graph.number.get(block)

    def reached(self, warp: int) -> Set[int]:
        """The blocks that a warp may execute."""
        if warp not in self._reached:
            blocks = reachable(self.in_warp(warp), self.graph.blocks[0])
            self._reached[warp] = {self.graph.number[each] for each in blocks}
        return self._reached[warp]

    def may_execute(self, op: Operation, warp: int) -> bool:
        """Whether a warp may execute an instruction."""
        return self.may_meet(op, warp) and self.block(op) in self.reached(warp)

    def may_meet(self, op: Operation, warp: int) -> bool:
        """Whether a warp may meet the conditions of an instruction. Most warps do not, and to know
        that takes less time than to know the blocks that they reach."""
        number = self.in_warp(warp).number
        return all(number(each).has(int(expected)) for each, expected in self.conditions(op))

    def exists(self, warp: int) -> bool:
        """Whether a warp certainly exists: the kernel requires its threads, or works only if there
        is a warp with this or a higher number."""
        return self.facts.threads.exist or warp <= self._needed_warp

    @cached_property
    def _needed_warp(self) -> int:
        """The highest number of the first warps that may allocate or multiply."""
        warps = range(len(self.facts.threads.warps()))
        needed = (op for op in self.instructions if isinstance(op, AllocOp | Mma))
        first = (next((warp for warp in warps if self.may_execute(op, warp)), 0) for op in needed)
        return max(first, default=0)

    def conditions(self, op: Operation) -> list[Condition]:
        """Conditions that hold wherever an instruction is executed."""
        guard = op.parent_op()
        block = self.block(op)
        found = [] if block is None else self.edges.conditions(block)
        if isinstance(guard, GuardOp):
            found.insert(0, (guard.predicate, guard.negated is None))
        return found


def tcgen05_kernels(module: ModuleOp) -> list[tuple[KernelOp, list[Tcgen05Instruction]]]:
    """The kernels with tcgen05 instructions, and these."""
    found: list[tuple[KernelOp, list[Tcgen05Instruction]]] = []
    for kernel in module.ops:
        if isinstance(kernel, KernelOp):
            operations = operations_of(kernel)
            used = [
                each
                for each in operations
                if _is_tcgen05(type(each)) and isinstance(each, Tcgen05Instruction)
            ]
            if used:
                found.append((kernel, used))
    return found


@cache
def _is_tcgen05(kind: type[Operation]) -> bool:
    return issubclass(kind, Tcgen05Instruction)


def descriptors_of(op: Operation) -> dict[str, SSAValue]:
    """The operands of an instruction that are shared memory descriptors, by name."""
    if isinstance(op, CpOp):
        return {"descriptor": op.descriptor}
    if isinstance(op, Mma):
        return {each.name: getattr(op, each.name) for each in op.form().matrices_in("shared")}
    return {}


def _parts(value: SSAValue) -> Iterable[SSAValue]:
    owner = value.owner
    match owner:
        case ptx.PackOp():
            return (owner.parts[0],)
        case ptx.UnpackOp() if value is owner.parts[0]:
            return (owner.a,)
        case ptx.AddOp() | ptx.OrOp() | ptx.CvtOp():
            return owner.operands
        case _:
            return alternatives(value)


def reachable(facts: Facts, entry: Block) -> Set[Block]:
    """The blocks that threads may execute, as far as facts about conditions tell."""
    return closure([entry], lambda block: _ways(block.last_op, facts))


def _ways(branch: Operation | None, facts: Facts) -> Iterator[Block]:
    """The blocks to which a branch may lead."""
    if isinstance(branch, CondBraOp):
        holds = facts.number(branch.predicate)
        for index, (target, _) in enumerate(branch.targets()):
            if holds.has(int(index == 0)):
                yield target
    elif isinstance(branch, BrxOp):
        chosen = facts.number(branch.index)
        for index, (target, _) in enumerate(branch.targets()):
            if chosen.has(index):
                yield target
    elif branch is not None:
        yield from branch.successors


def name_of(value: SSAValue) -> str:
    """What messages call a value."""
    return f"%{value.name_hint}" if value.name_hint else "the operand"


Place = tuple[str, int, int]
"""File, line and column."""


def facts_of(kernel: KernelOp) -> Facts:
    """The facts about a kernel in any thread."""
    return Facts(kernel, Edges(ControlFlowGraph(kernel.body)))


def dead_places(kernel: KernelOp, contents: Mapping[SSAValue, Set[int]]) -> set[Place]:
    """
    The places of operations that are never executed: what is known of a condition in every run
    decides against them. `contents` are the only numbers that loads read, if these are known.
    """
    facts = facts_of(kernel)
    facts.contents = {
        value: one_of(numbers, register_bits(value.type) or 0)
        for value, numbers in contents.items()
    }
    blocks = kernel.body.blocks
    live = reachable(facts, blocks[0])
    dead = {place for block in blocks if block not in live for place in _places(block)}
    return dead.difference(place for block in live for place in _places(block))


def _places(block: Block) -> Iterator[Place]:
    for op in block.walk():
        if (place := _place(op)) is not None:
            yield place


def _place(op: Operation) -> Place | None:
    place = read_place(op.location)
    if place is None:
        return None
    return place.filename.data, place.line.data, place.column.data
