"""Tests of the threads of a warp that execute an instruction together."""

import pytest

from tcgen05_dialect.isa.ptx.synchronization import Participants
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_line
from tcgen05_dialect.ptx.synchronization import (
    BarrierClusterArriveOp,
    BarrierClusterWaitOp,
    may_need_others,
    participants_of,
)

INSTRUCTIONS = [op for op in PTX.operations if issubclass(op, Instruction)]


def test_instructions_with_sync() -> None:
    """The manual marks instructions for which threads wait for each other with `.sync`."""
    marked = {op for op in INSTRUCTIONS if ".sync" in syntax_line(op)}
    cluster = {BarrierClusterArriveOp, BarrierClusterWaitOp}
    found = {op for op in INSTRUCTIONS if may_need_others(op)}
    assert {op.name for op in found - marked - cluster} == {"ptx.bar.arrive"}
    assert marked | cluster <= found


@pytest.mark.parametrize("op_type", [BarrierClusterArriveOp, BarrierClusterWaitOp])
def test_only_aligned_barriers_of_a_cluster_need_the_warp(op_type: type[Instruction]) -> None:
    aligned = op_type.assemble({}, properties={"aligned": "aligned"})
    assert participants_of(aligned) is Participants.RUNNING
    assert participants_of(op_type.assemble({})) is None
