"""
Tests of the verification of whole kernels against the emulator.

The kernels of `tests/simulator/synchronization` are right; each of their mistakes names the rule
that a run finds broken. An error that is found without a run must also be an error of a run.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, i1, i32
from xdsl.rewriter import InsertPoint, Rewriter

from tcgen05_dialect.compiler import kernel_errors_of, lower_source
from tcgen05_dialect.isa.simulation import DIVERGENCE
from tcgen05_dialect.ptx.arithmetic import SetpOp
from tcgen05_dialect.ptx.control_flow import CondBraOp
from tcgen05_dialect.ptx.structure import ConstantOp, SpecialRegisterOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, simulate

from ..simulator.test_pairs import NAMES, launch_of, steps_of, text_of
from ..support.repository import EXAMPLE_KERNELS


def found(module: ModuleOp) -> set[str]:
    return {rule for error in kernel_errors_of(module) for rule in error.rules}


def lowered(name: str, text: str) -> ModuleOp:
    return lower_source(Source(name, text)).module


@pytest.mark.parametrize("path", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_examples_are_right(path: Path) -> None:
    assert found(lowered(path.name, path.read_text())) == set()


@pytest.mark.parametrize("kernel", NAMES)
def test_finds_the_divergence_in_wrong_kernels_and_nothing_in_right_ones(kernel: str) -> None:
    assert found(lowered(kernel, text_of(kernel))) == set()
    for step in steps_of(kernel).values():
        rules = found(lowered(kernel, step.text))
        assert rules <= {step.rule} and (rules or step.rule != DIVERGENCE.id), step.what


def always(branch: CondBraOp) -> None:
    """Drop the condition of a branch."""
    constant = ConstantOp.of(1, i1)
    Rewriter.insert_op(constant, InsertPoint.before(branch))
    branch.operands[0] = constant.result


def in_one_lane(branch: CondBraOp) -> None:
    """Replace the condition of a branch by one that holds in one lane of each warp."""
    lane = SpecialRegisterOp.assemble({}, properties={"register": "laneid"})
    constant = ConstantOp.of(3, i32)
    operands = {"a": lane.results, "b": constant.results}
    is_lane = SetpOp.assemble(operands, properties={"comparison": "eq", "type": "u32"})
    Rewriter.insert_op((lane, constant, is_lane), InsertPoint.before(branch))
    branch.operands[0] = is_lane.d


Mutation = Callable[[CondBraOp], None]
DIVERGENT_LOOPS = {("epilogue", 0)}
"""Kernels whose branch, by number, repeats a loop in one lane: not found, because the others may
have ended."""


@pytest.mark.slow
@pytest.mark.parametrize("mutation", [always, in_one_lane])
@pytest.mark.parametrize("kernel", NAMES)
def test_agrees_with_a_run(kernel: str, mutation: Mutation) -> None:
    """Each error is an error of a run, and each divergence of a run is an error."""
    right = lowered(kernel, text_of(kernel))
    for index in range(sum(isinstance(op, CondBraOp) for op in right.walk())):
        module = right.clone()
        mutation([op for op in module.walk() if isinstance(op, CondBraOp)][index])
        launch = launch_of(kernel)
        run = Run("lazy", max_steps=20_000)
        report = simulate(module, launch.arguments, Launch((launch.ctas,)), run)
        errors = {finding.rule for finding in report.errors}
        # The run may end with an error before it comes to the one that is found.
        if found(module):
            assert errors, index
        else:
            missed = mutation is in_one_lane and (kernel, index) in DIVERGENT_LOOPS
            assert (DIVERGENCE.id in errors) is missed, index
