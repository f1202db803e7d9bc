"""Tests of the memory of a process that runs commands on many inputs."""

import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.ir import Operation

import tcgen05_dialect
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.tools.main import main

from ..support.many_inputs import Inputs, growth, silent
from ..support.repository import ROOT


def _operations() -> int:
    """The number of operations that something still refers to, without those of other tests."""
    gc.collect()
    return sum(isinstance(each, Operation) for each in gc.get_objects())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["compile", "opt", "sim"])
def test_a_command_keeps_no_operations(name: str, tmp_path: Path) -> None:
    command = Inputs(tmp_path).commands[name]
    # Caches of other tests make each collection slow.
    gc.freeze()
    growth(command, 3)
    before = _operations()
    growth(command, 4)
    # A cache of the last text may keep a small kernel.
    assert _operations() < before + 200


def _violations() -> list[Violation]:
    """The violations that something still refers to, also caches of other tests."""
    gc.unfreeze()
    found = [each for each in gc.get_objects() if isinstance(each, Violation)]
    gc.freeze()
    return found


def test_caches_keep_no_tracebacks(tmp_path: Path) -> None:
    """The frames of a traceback keep those of all callers, and with them the kernel."""
    # Other tests may have raised what a cache keeps.
    raised = [each for each in _violations() if each.__traceback__ is not None]
    folder = Path(tcgen05_dialect.__file__).parent / "rules"
    files = [f for area in ("DESC", "MMA", "IDESC") for f in folder.glob(f"T5-{area}-*.mlir")]
    kernel, wrong = tmp_path / "kernel.mlir", 0
    for file in sorted(files):
        kernel.write_text(file.read_text(encoding="utf-8").split("// -----")[0], encoding="utf-8")
        with silent():
            wrong += main(["compile", str(kernel)]) != 0
    gc.collect()
    kept = _violations()
    assert wrong > len(files) / 2
    assert kept
    others = {*map(id, raised)}
    assert not [each for each in kept if each.__traceback__ is not None and id(each) not in others]


@pytest.mark.slow
def test_the_peak_of_all_commands() -> None:
    command = [sys.executable, "-m", "tests.support.many_inputs", "6", "0.5"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    assert max(int(re.findall(r"peak (\d+)", line)[0]) for line in lines) < 400
