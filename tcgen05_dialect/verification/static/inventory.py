"""
The operations of a kernel by class, and its parameters by use: addresses of arrays, and values that
only a launch knows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeVar, cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ...isa.effects.model import StateSpace
from ...isa.instructions.barriers import BARRIERS
from ...isa.instructions.copies import TENSOR_ADDRESS
from ...isa.ptx.kernel import ADDRESS_BYTES
from ...ptx import instructions as ptx
from ...ptx.analysis.control_flow import closure, reverse_postorder
from ...ptx.analysis.known_values import constant_bits
from ...ptx.analysis.values import (
    backwards,
    control_operands,
    forwards,
    is_pure,
    operations,
    passed_values,
    read_operands,
)
from ...ptx.bases import CtaBarrier
from ...ptx.effects import effects_of, global_places
from ...ptx.instructions import CvtaOp, CvtaToOp, LdOp, MapaOp, StOp, TensormapReplaceOp
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...ptx.structure import AddressOfOp, GuardOp
from ...ptx.tcgen05_mma import Mma
from ...ptx.text.syntax import values_of
from ...ptx.variables import VariableAddressOp, used_variables

_Op = TypeVar("_Op", bound=Operation)


class Inventory:
    """
    The operations of a kernel, also those in guards, in the order of the text, and the flow of
    values between them.

    All questions share one walk: with a walk for each question, walks and comparisons with the
    abstract classes of xDSL were a seventh of the calls of a verification.
    """

    def __init__(self, kernel: KernelOp):
        self.kernel = kernel
        self.ops = [*kernel.walk()]
        self.types = frozenset(map(type, self.ops))

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks that threads can reach, in reverse postorder."""
        return reverse_postorder(self.kernel.body)

    @cached_property
    def reached(self) -> list[Operation]:
        """The operations in these blocks."""
        return [*operations(self.blocks)]

    @cached_property
    def passed(self) -> dict[SSAValue, list[SSAValue]]:
        """Argument of a block -> the values that branches pass to it."""
        return passed_values(self.blocks)

    def behind(
        self,
        values: Iterable[SSAValue],
        operands: Callable[[Operation], Iterable[SSAValue]] = read_operands,
    ) -> set[SSAValue]:
        """Values, and all from which they are computed."""
        return backwards(values, self.passed, operands)

    def of(self, *classes: type[_Op]) -> list[_Op]:
        """The operations of some classes."""
        types = {each for each in self.types if issubclass(each, classes)}
        return cast(list[_Op], [op for op in self.ops if type(op) in types])


_OF_GRID = ("ctaid", "clusterid", "nctaid", "nclusterid")
"""Special registers that tell the place of a CTA in the grid, and the extent of the grid."""


def cta_axes(values: Iterable[SSAValue]) -> set[str]:
    """The axes along which values depend on the place of a CTA in the grid, or on its extent."""
    names = (
        op.register.data for each in values if isinstance(op := each.owner, ptx.SpecialRegisterOp)
    )
    return {name[-1] for name in names if name.partition(".")[0] in _OF_GRID}


_OF_MEMBER = ("ctaid", "cluster_ctaid", "cluster_ctarank")
"""Special registers in which the CTAs of a cluster differ."""


def depends_on_member(values: Iterable[SSAValue]) -> bool:
    """Whether one of some values differs between the CTAs of a cluster."""
    return any(
        isinstance(op := each.owner, ptx.SpecialRegisterOp)
        and op.register.data.partition(".")[0] in _OF_MEMBER
        for each in values
    )


_OF_THREAD = ("tid", "laneid")
"""Special registers that are the same in every launch of CTAs of one size."""


def is_fixed(op: Operation, ops: Inventory) -> bool:
    """Whether threads execute an operation, with the same effects, whatever the launch is: both
    depend on constants, variables and the number of the thread only."""
    roots = [each for which in _deciding(op) for each in control_operands(which)]
    return all(
        (
            value.owner.register.data.partition(".")[0] in _OF_THREAD
            if isinstance(value.owner, ptx.SpecialRegisterOp)
            else is_pure(type(value.owner))
        )
        if isinstance(value.owner, Operation)
        # Which one of several values is passed depends on a branch.
        else len({*ops.passed.get(value, ())} - {value}) == 1
        for value in ops.behind(roots)
    )


def _deciding(op: Operation) -> Iterator[Operation]:
    """An operation, the guard around it, and the branches that may lead past it."""
    yield op
    if isinstance(guard := op.parent_op(), GuardOp):
        yield guard
        op = guard
    here = op.parent_block()
    assert here is not None and here.parent is not None
    ends = [each for each in here.parent.blocks if each.last_op and not each.last_op.successors]
    past = closure(
        (each for each in ends if each is not here),
        lambda block: (each for each in block.predecessors() if each is not here),
    )
    for block in closure([here], lambda block: block.predecessors()) & past:
        if block.last_op is not None:
            yield block.last_op


ADDRESS_OPERANDS: Mapping[type[Operation], tuple[str, ...]] = {
    ptx.AddOp: ("a", "b"),
    ptx.SubOp: ("a",),
    ptx.MadOp: ("c",),
    ptx.MadWideOp: ("c",),
    ptx.MovOp: ("a",),
    ptx.SelpOp: ("a", "b"),
    CvtaOp: ("a",),
    CvtaToOp: ("a",),
    MapaOp: ("address",),
}
"""Operation on addresses -> the operands that may be an address."""
_ENCODED: Mapping[type[Operation], tuple[str, ...]] = {
    **ADDRESS_OPERANDS,
    ptx.ShrOp: ("a",),
    ptx.AndOp: ("a", "b"),
    ptx.OrOp: ("a", "b"),
    ptx.PackOp: ("parts",),
    ptx.UnpackOp: ("a",),
    ptx.CvtOp: ("a",),
}
"""The same for operations on encoded operands, such as descriptors."""
_LANES_LEFT_OUT = "disable_output_lane"
_OPAQUE = (
    *("address", "destination", "source", "mbarrier", "descriptor", "taddr", "columns"),
    *("barrier", "threads", "mask", "multicast_mask", "count", "bytes"),
)
"""Operands whose values cannot be invented, such as addresses, descriptors and masks."""


def pointers_of(ops: Inventory) -> set[SSAValue]:
    """The parameters that are addresses of arrays in global memory."""
    roots = [
        value
        for op in ops.ops
        for name in global_places(op, or_generic=True)
        for value in values_of(op, name)
    ]
    roots += [op.value for op in ops.of(TensormapReplaceOp) if op.field.data == TENSOR_ADDRESS]

    def operands(op: Operation) -> Iterable[SSAValue]:
        return (each for name in ADDRESS_OPERANDS.get(type(op), ()) for each in values_of(op, name))

    return {
        value
        for value in ops.behind(roots, operands)
        if value.owner is ops.blocks[0] and register_bits(value.type) == 8 * ADDRESS_BYTES
    }


def opaque_parameter(
    ops: Inventory, numbers: Iterable[BlockArgument]
) -> tuple[BlockArgument, Operation] | None:
    """
    A number among the parameters that is more than a size, such as an address in shared memory or
    a descriptor, and an instruction that uses it; None if there is none.
    """
    of_numbers = {number: _derived([number]) for number in numbers}
    bases = ops.of(AddressOfOp, VariableAddressOp, LdOp)
    with_base = _derived(result for op in bases for result in op.results)
    for op in ops.ops:
        for value in _encoded_operands(op):
            if value in with_base:
                continue
            for number, derived in of_numbers.items():
                if value in derived and not _is_remainder(op, value):
                    return number, op
    return None


def lane_masks(ops: Inventory, numbers: Iterable[BlockArgument]) -> set[BlockArgument]:
    """The numbers that tell a matrix product which lanes to leave out. Launches leave out none, if
    the kernel gets the masks from a library that allows for them."""
    products = (op for op in ops.of(Mma) if hasattr(op, _LANES_LEFT_OUT))
    masks = {mask for op in products for mask in values_of(op, _LANES_LEFT_OUT)}
    return {number for number in numbers if not masks.isdisjoint(_derived([number]))}


def unknown_threads(kernel: KernelOp) -> str:
    """
    Sentence: the number of threads is unknown. Empty if the kernel gives the number, or if the
    verifier tries several: for PTX text that uses shared memory, where threads must agree on it.
    """
    if kernel.extents("reqntid") is not None:
        return ""
    if kernel.declarations is not None and used_variables(kernel, kernel.body.blocks):
        return ""
    return "the kernel has no reqntid, so its number of threads is unknown; give it with --block"


def _is_remainder(op: Operation, value: SSAValue) -> bool:
    """Whether an operand is the number of a barrier of the CTA that a kernel computes from the last
    bits of another number, such as the index of a stage: each number has a meaning then."""
    if not isinstance(op, CtaBarrier) or value is not op.number:
        return False

    def operands(each: Operation) -> Iterable[SSAValue]:
        few = isinstance(each, ptx.AndOp) and any(
            constant_bits(mask) in BARRIERS for mask in each.operands
        )
        return () if few else read_operands(each)

    found = backwards([value], {}, operands)
    return all(isinstance(each.owner, Operation) for each in found)


def _encoded_operands(op: Operation) -> Iterator[SSAValue]:
    """The operands of an instruction for which an invented number has no meaning."""
    names = _opaque_operands(type(op))
    if names and not (isinstance(op, LdOp | StOp) and is_global(op)):
        for name in names:
            yield from values_of(op, name)


@cache
def _opaque_operands(op_type: type[Operation]) -> Sequence[str]:
    if not issubclass(op_type, IRDLOperation):
        return ()
    names = [name for name, _ in op_type.get_irdl_definition().operands]
    if issubclass(op_type, Mma):
        return [name for name in names if name != _LANES_LEFT_OUT]
    return [name for name in names if name in _OPAQUE]


def is_global(op: Operation) -> bool:
    """Whether an operation may access global memory at an address, without a tensor map."""
    has_map = any(each.space is StateSpace.TENSOR_MAP for each in effects_of(type(op)).areas)
    return not has_map and bool(global_places(op, or_generic=True))


def _derived(values: Iterable[SSAValue]) -> set[SSAValue]:
    """Values, and the encoded operands that contain them."""

    def results(op: Operation, value: SSAValue) -> Iterable[SSAValue]:
        names = _ENCODED.get(type(op), ())
        return op.results if any(value in values_of(op, name) for name in names) else ()

    return forwards(values, results)
