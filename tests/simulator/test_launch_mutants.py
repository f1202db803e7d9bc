"""Tests of wrong launch files of examples: each has a sentence and a documented exit status."""

import random
import re
from pathlib import Path

import pytest

from tcgen05_dialect.tools.main import main

from ..support.effort import part, sampled
from ..support.launch_mutants import launch_mutant
from ..support.repository import EXAMPLES

_PYTHON = re.compile(
    r"<class|\b[A-Z]\w+Error\b|NoneType|has no attribute|internal error|object at|Traceback"
    r"|\bnp\.|\bdtype\b|datetime|\bdict\b|invalid syntax|literal|null byte"
)
_KERNELS = sorted(each.with_suffix(".mlir") for each in EXAMPLES.glob("**/*.toml"))


@pytest.mark.parametrize("kernel", sampled(_KERNELS, 2), ids=lambda kernel: kernel.stem)
def test_mutants_of_a_launch_file(
    kernel: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    chance = random.Random(kernel.name)
    text = kernel.with_suffix(".toml").read_text()
    file = tmp_path / "mutant.toml"
    for _ in range(part(_MUTANTS)):
        change, mutant = launch_mutant(text, chance)
        file.write_text(mutant)
        status = main(["sim", str(kernel), "--launch", str(file), "--max-steps", "1"])
        output, errors = (each.decode() for each in capfdbinary.readouterr())
        assert status in (1, 2), change
        assert not _PYTHON.search(output + errors), f"{change}\n{output}{errors}"
        if status == 2:
            assert "error: " in errors or "error[" in errors, f"{change}\n{errors}"


_MUTANTS = 64
