"""
Tests of the verification of whole kernels against the emulator.

The kernels of `tests/simulator/synchronization` are right; each of their mistakes names the rule
that a run finds broken. An error that is found without a run must also be an error of a run.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, i1, i32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tcgen05_dialect.compiler import kernel_violations_of, lower_source
from tcgen05_dialect.isa.practice import DIVERGENCE
from tcgen05_dialect.ptx.control_flow import CondBraOp
from tcgen05_dialect.ptx.instructions import AndOp, OrOp, SetpOp, SpecialRegisterOp
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, simulate

from ..simulator.test_pairs import NAMES, launch_of, steps_of, text_of
from ..support.effort import sampled
from ..support.repository import EXAMPLE_KERNELS

WITHOUT_RUN = {"T5-SIM-009": {"T5-ALLOC-004"}}
"""Rule that a run finds broken -> more special rules that are found broken without a run."""


def found(module: ModuleOp) -> set[str]:
    return {rule for error in kernel_violations_of(module) for rule in error.rules}


def lowered(name: str, text: str) -> ModuleOp:
    return lower_source(Source(name, text)).module


@pytest.mark.parametrize("path", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples_are_right(path: Path) -> None:
    assert found(lowered(path.name, path.read_text())) == set()


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(NAMES, 10))
def test_finds_the_divergence_in_wrong_kernels_and_nothing_in_right_ones(kernel: str) -> None:
    assert found(lowered(kernel, text_of(kernel))) == set()
    steps = steps_of(kernel).values()
    for step in sampled(steps, 1, of=lambda step: step.rule == DIVERGENCE.id):
        rules = found(lowered(kernel, step.text))
        assert rules <= {step.rule, *WITHOUT_RUN.get(step.rule, ())}, step.what
        assert rules or step.rule != DIVERGENCE.id, step.what


def always(branch: CondBraOp) -> None:
    """Replace the condition of a branch by true."""
    branch.operands[0] = constant(branch, 1)


def never(branch: CondBraOp) -> None:
    """Replace the condition of a branch by false."""
    branch.operands[0] = constant(branch, 0)


def or_true(branch: CondBraOp) -> None:
    """Make the condition of a branch true by a disjunction."""
    join(branch, OrOp, 1)


def and_false(branch: CondBraOp) -> None:
    """Make the condition of a branch false by a conjunction."""
    join(branch, AndOp, 0)


def join(branch: CondBraOp, logic: type[AndOp | OrOp], bit: int) -> None:
    operands = {"a": [branch.predicate], "b": [constant(branch, bit)]}
    condition = logic.assemble(operands, properties={"type": "pred"})
    Rewriter.insert_op(condition, InsertPoint.before(branch))
    branch.operands[0] = condition.results[0]


def constant(branch: CondBraOp, bit: int) -> SSAValue:
    """A constant that is computed before a branch."""
    op = ConstantOp.of(bit, i1)
    Rewriter.insert_op(op, InsertPoint.before(branch))
    return op.result


def in_one_lane(branch: CondBraOp) -> None:
    """Replace the condition of a branch by one that holds in one lane of each warp."""
    lane = SpecialRegisterOp.assemble({}, properties={"register": "laneid"})
    constant = ConstantOp.of(3, i32)
    operands = {"a": lane.results, "b": constant.results}
    is_lane = SetpOp.assemble(operands, properties={"comparison": "eq", "type": "u32"})
    Rewriter.insert_op((lane, constant, is_lane), InsertPoint.before(branch))
    branch.operands[0] = is_lane.d


Mutation = Callable[[CondBraOp], None]


def branches(module: ModuleOp) -> list[CondBraOp]:
    return [op for op in module.walk() if isinstance(op, CondBraOp)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "mutation", "same"),
    sampled(
        [(each, *pair) for each in NAMES for pair in ((always, or_true), (never, and_false))], 10
    ),
)
def test_a_part_of_a_condition_may_decide_it(
    kernel: str, mutation: Mutation, same: Mutation
) -> None:
    right = lowered(kernel, text_of(kernel))
    for index in sampled(range(len(branches(right))), 1):
        modules = right.clone(), right.clone()
        for module, change in zip(modules, (mutation, same), strict=True):
            change(branches(module)[index])
        first, second = ([str(error) for error in kernel_violations_of(each)] for each in modules)
        assert first == second, index


_MOST_STEPS = 10_000
"""After how many steps a run ends; a kernel with a wrong branch may have an endless loop."""
DIVERGENT_LOOPS = {("epilogue", 0)}
"""Kernels whose branch, by number, repeats a loop in one lane: not found, because the others may
have ended."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "mutation"),
    sampled([(each, mutation) for each in NAMES for mutation in (always, in_one_lane)], 10),
)
def test_agrees_with_a_run(kernel: str, mutation: Mutation) -> None:
    """Each error is an error of a run, and each divergence of a run is an error."""
    right = lowered(kernel, text_of(kernel))
    for index in sampled(range(len(branches(right))), 1):
        module = right.clone()
        mutation(branches(module)[index])
        launch = launch_of(kernel)
        run = Run("lazy", max_steps=_MOST_STEPS)
        report = simulate(module, launch.arguments, Launch((launch.ctas,)), run)
        errors = {finding.rule for finding in report.errors}
        # The run may end with an error before it comes to the one that is found.
        if found(module):
            assert errors, index
        else:
            missed = mutation is in_one_lane and (kernel, index) in DIVERGENT_LOOPS
            assert (DIVERGENCE.id in errors) is missed, index
