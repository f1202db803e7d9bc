"""Tests of the memory of a process that runs commands on many inputs."""

import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.ir import Operation

from ..support.many_inputs import Inputs, growth
from ..support.repository import ROOT


def _operations() -> int:
    """The number of operations that something still refers to."""
    gc.collect()
    return sum(isinstance(each, Operation) for each in gc.get_objects())


@pytest.mark.parametrize(
    "name", ["compile", *(pytest.param(each, marks=pytest.mark.slow) for each in ("opt", "sim"))]
)
def test_a_command_keeps_no_operations(name: str, tmp_path: Path) -> None:
    command = Inputs(tmp_path).commands[name]
    growth(command, 4)
    before = _operations()
    growth(command, 8)
    # A cache of the last text may keep a small kernel.
    assert _operations() < before + 200


@pytest.mark.slow
def test_the_peak_of_all_commands() -> None:
    command = [sys.executable, "-m", "tests.support.many_inputs", "30", "8"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    assert max(int(re.findall(r"peak (\d+)", line)[0]) for line in lines) < 400
