"""Tests of the rows of effects: each instruction has one, and it fits the operation."""

import re
from collections.abc import Collection, Iterator

import pytest

from tcgen05_dialect.isa.effects.model import (
    REGISTER,
    Actor,
    Choice,
    Effects,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.effects.table import EFFECTS, steps_to
from tcgen05_dialect.isa.instructions.barriers import barrier_spellings
from tcgen05_dialect.isa.model.table import Place
from tcgen05_dialect.ptx.analysis.operand_checks import PlaceInstruction
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.effects import effects_of, may_be_together, participants_of
from tcgen05_dialect.ptx.instruction import Instruction, PureInstruction, syntax_line, syntax_of
from tcgen05_dialect.ptx.instructions import BarrierClusterArriveOp, BarrierClusterWaitOp
from tcgen05_dialect.ptx.text.syntax import SPELLING

from ..support.looped import looped

_BAR_SYNC = "bar.sync %barrier"

INSTRUCTIONS = [
    op
    for op in PTX.operations
    if issubclass(op, Instruction) and not issubclass(op, PureInstruction)
]
each_instruction = looped(INSTRUCTIONS, lambda op_type: op_type.name)
COMPLETIONS = {area.completion for row in EFFECTS.values() for area in row.areas if area.completion}


def test_each_instruction_has_one_row() -> None:
    assert sorted(EFFECTS) == sorted(op.name.removeprefix("ptx.") for op in INSTRUCTIONS)


def choices(row: Effects) -> Iterator[tuple[str, Collection[str | None]]]:
    """The qualifiers that decide facts of a row, with their cases."""
    for fact in (row.executed_by, row.orders, row.completes):
        if isinstance(fact, Choice):
            yield fact.qualifier, fact.cases.keys()


@each_instruction
def test_rows_name_operands_and_qualifiers_of_the_operation(op_type: type[Instruction]) -> None:
    row, definition = effects_of(op_type), op_type.get_irdl_definition()
    places = [name for area in row.areas for name in area.operands]
    marked = filter(None, (row.arrives_at, row.completes_at))
    known = {name for name, _ in (*definition.operands, *definition.results)}
    assert {*places, *row.data, *marked} <= known | definition.properties.keys()
    qualifiers = {each.name: each for each in syntax_of(op_type).qualifiers}
    for name, cases in choices(row):
        if name == SPELLING:
            assert {*barrier_spellings(_BAR_SYNC), None} == {*cases}
            continue
        qualifier = qualifiers[name]
        absent = {None} if qualifier.optional else set[str | None]()
        assert {*qualifier.spellings, *absent} <= {*cases}


@each_instruction
def test_asynchronous_accesses_have_a_completion(op_type: type[Instruction]) -> None:
    """A thread makes its accesses itself; other actors, except allocators, complete later."""
    row = effects_of(op_type)
    own = (StateSpace.REGISTERS, StateSpace.BARRIER, StateSpace.TENSOR_MAP)
    for area in row.areas:
        if area.space not in own:
            is_synchronous = row.actor in (Actor.THREAD, Actor.ALLOCATOR)
            assert (area.completion is None) == is_synchronous
        assert (area.completion is REGISTER) <= (area.space is StateSpace.REGISTERS)


@each_instruction
def test_areas_have_the_proxies_of_their_state_space(op_type: type[Instruction]) -> None:
    spaces_without = (StateSpace.TENSOR, StateSpace.REGISTERS, StateSpace.COUNTER)
    for area in effects_of(op_type).areas:
        assert (area.proxy is None) == (area.space in spaces_without)
        assert (area.proxy is Proxy.TENSORMAP) == (area.space is StateSpace.TENSOR_MAP)


def test_each_completion_has_steps() -> None:
    assert len(COMPLETIONS) > 5
    for completion in COMPLETIONS - {REGISTER}:
        assert steps_to(completion), completion.step
    waited = {
        completion
        for row in EFFECTS.values()
        for cases in (
            row.completes.cases.values() if isinstance(row.completes, Choice) else [row.completes]
        )
        for completion in (*row.tracks, *cases)
    }
    assert waited == COMPLETIONS - {REGISTER}


def test_steps_of_a_load_of_tensor_memory() -> None:
    (loaded,) = {area.completion for area in EFFECTS["tcgen05.ld"].reads}
    assert loaded is not None
    assert steps_to(loaded) == (("tcgen05.wait", {"operation": "ld"}),)


def test_commits_come_before_waits() -> None:
    (committed,) = {area.completion for area in EFFECTS["tcgen05.mma"].writes}
    assert committed is not None
    first, *waits = steps_to(committed)
    assert first.instruction == "tcgen05.commit"
    assert {each.instruction for each in waits} >= {"mbarrier.wait", "mbarrier.try_wait.parity"}


def test_instructions_with_sync() -> None:
    """The manual marks instructions for which threads wait for each other with `.sync`, and
    `.aligned` if all threads of the warp must execute the same one."""
    marked = {op for op in INSTRUCTIONS if ".sync" in re.split(r"(?=[. ])", syntax_line(op))}
    cluster = {BarrierClusterArriveOp, BarrierClusterWaitOp}
    found = {op for op in INSTRUCTIONS if may_be_together(op)}
    barriers = {"ptx.bar.arrive", "ptx.bar.red", "ptx.bar.red.popc"}
    assert {op.name for op in found - marked - cluster} == barriers
    assert marked | cluster <= found
    whole = {op for op in INSTRUCTIONS if effects_of(op).executed_by is Participants.WHOLE}
    assert whole == {op for op in INSTRUCTIONS if ".sync.aligned" in syntax_line(op)}


@pytest.mark.parametrize("op_type", [BarrierClusterArriveOp, BarrierClusterWaitOp])
def test_only_aligned_barriers_of_a_cluster_need_the_warp(op_type: type[Instruction]) -> None:
    aligned = op_type.assemble({}, properties={"aligned": "aligned"})
    assert participants_of(aligned) is Participants.RUNNING
    assert participants_of(op_type.assemble({})) is Participants.EACH


@each_instruction
def test_instructions_on_barrier_objects_say_what_they_bring(op_type: type[Instruction]) -> None:
    row, line = effects_of(op_type), syntax_line(op_type)
    assert bool(row.completes_at) == ("complete_tx" in line)
    assert bool(row.arrives_at) == ("arrive" in line and not line.startswith("bar"))
    on_barriers = {
        name for area in row.areas if area.space is StateSpace.BARRIER for name in area.operands
    }
    assert on_barriers >= {*filter(None, (row.arrives_at, row.completes_at))}


@each_instruction
def test_accesses_of_a_known_size_are_verified(op_type: type[Instruction]) -> None:
    has_place = any(isinstance(area.extent, Place) for area in effects_of(op_type).areas)
    assert has_place <= issubclass(op_type, PlaceInstruction)
