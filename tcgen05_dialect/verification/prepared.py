"""
Preparation of kernels for runs without a launch file: fixes the number of threads, turns members of
parameters into parameters, keeps variables in local memory in registers, and joins the ways into
and back in loops.

Loops with one way in and one way back, as the analysis of loops expects them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ..isa.ptx.kernel import extents_text
from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.control_flow import BraOp
from ..ptx.kernel import KernelOp
from ..ptx.types import ParamArrayType
from ..ptx.variables import local_variables


def has_many_latches(kernel: KernelOp) -> bool:
    """Whether a loop of a kernel has several ways in or back."""
    return any(len(group) > 1 for _, *groups in _headers(kernel) for group in groups)


def join_latches(kernel: KernelOp) -> None:
    """Let the ways into each loop meet in one block, and its ways back in another one."""
    for header, *groups in list(_headers(kernel)):
        for group in groups:
            if len(group) > 1:
                _join(header, group)


def _headers(kernel: KernelOp) -> Iterable[tuple[Block, list[Block], list[Block]]]:
    """The header of each loop, and the blocks before it outside and inside the loop."""
    blocks = reverse_postorder(kernel.body)
    number = {block: index for index, block in enumerate(blocks)}
    before: dict[Block, list[Block]] = {}
    for block in blocks:
        for successor in dict.fromkeys(block.last_op.successors if block.last_op else ()):
            before.setdefault(successor, []).append(block)
    for header, sources in before.items():
        back = [each for each in sources if number[each] >= number[header]]
        if back:
            yield header, [each for each in sources if each not in back], back


def _join(header: Block, sources: Iterable[Block]) -> None:
    """Let some blocks branch to a new block, which branches to the header."""
    joint = Block(arg_types=[each.type for each in header.args])
    for argument, each in zip(joint.args, header.args, strict=True):
        argument.name_hint = each.name_hint
    for source in sources:
        branch = source.last_op
        assert branch is not None
        branch.successors = [joint if each is header else each for each in branch.successors]
    joint.add_op(BraOp.create(operands=joint.args, successors=[header]))
    region = header.parent_region()
    assert region is not None
    region.insert_block_before(joint, header)


class Verifiable(NamedTuple):
    """A kernel as runs need it, and what is assumed of its launch."""

    kernel: KernelOp
    assumed: str = ""
    members: Mapping[int, tuple[int, int]] = {}
    """Number of a parameter that stands for a member -> the number of the parameter that has the
    member, and the byte of it at which the member begins."""


def verifiable(module: ModuleOp) -> list[Verifiable]:
    """The kernels of a module; if one must be changed, they are copies."""
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    if any(
        _has_members(kernel)
        or _has_locals(kernel)
        or _is_limited(kernel)
        or has_many_latches(kernel)
        for kernel in kernels
    ):
        kernels = [op for op in module.clone().ops if isinstance(op, KernelOp)]
    return [prepared(kernel) for kernel in kernels]


def prepared(kernel: KernelOp) -> Verifiable:
    """A kernel, changed where runs need it."""
    if _has_locals(kernel):
        # Imported here, because few kernels need it.
        from .spills import keep_in_registers

        keep_in_registers(kernel)
    members: Mapping[int, tuple[int, int]] = {}
    if _has_members(kernel):
        # Imported here, because few kernels of IR need it.
        from .members import separate_members

        members = separate_members(kernel)
    join_latches(kernel)
    if not _is_limited(kernel):
        return Verifiable(kernel, members=members)
    most = kernel.extents("maxntid")
    assert most is not None
    kernel.properties["reqntid"] = kernel.properties["maxntid"]
    assumed = f"CTAs of {extents_text(most)} threads, as .maxntid allows"
    return Verifiable(kernel, assumed, members)


def _has_members(kernel: KernelOp) -> bool:
    """Whether parameters have members that the kernel loads from memory."""
    arguments = kernel.body.blocks[0].args
    return kernel.declarations is not None or any(
        isinstance(each.type, ParamArrayType) for each in arguments
    )


def _has_locals(kernel: KernelOp) -> bool:
    """Whether a kernel has variables in local memory."""
    return any(local_variables(kernel))


def _is_limited(kernel: KernelOp) -> bool:
    """Whether the kernel gives only the largest number of threads."""
    return kernel.extents("reqntid") is None and kernel.extents("maxntid") is not None
