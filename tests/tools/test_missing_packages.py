"""Tests of the commands where numpy or ml_dtypes is not installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from ..support.effort import sampled
from ..support.repository import EXAMPLE_KERNELS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("package", ["numpy", "ml_dtypes"])
def test_sim_without_its_packages(package: str, tmp_path: Path) -> None:
    kernel = tmp_path / "k.mlir"
    kernel.write_text("ptx.kernel @k() {\n  ptx.ret\n}\n")
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from tcgen05_dialect.tools.main import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, "sim", str(kernel)]
    result = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert "install tcgen05-dialect[sim]" in result.stderr
    assert "internal error" not in result.stderr


@pytest.mark.parametrize("example", sampled(EXAMPLE_KERNELS, 1), ids=lambda path: path.stem)
def test_verification_needs_no_extra(example: Path) -> None:
    code = (
        "import sys; sys.modules['ml_dtypes'] = None\n"
        "from tcgen05_dialect.tools.main import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, "check", "--verify=quick", str(example)]
    result = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert " verified" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", sampled(["check", "compile", "opt"], 2))
def test_kernels_are_not_run_without_numpy(command: str) -> None:
    """One remark says so. With `--verify=off`, nobody asks for a run."""
    example = str(EXAMPLE_KERNELS[0])
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from tcgen05_dialect.tools.main import main; sys.exit(main())"
    )
    passes = "tcgen05-lower-to-ptx,tcgen05-verify"
    for options, count in (((), 1), (("--verify=off",), 0)):
        if command == "opt":
            options = ("-p", f'{passes}{{effort="off"}}' if options else passes)
        process = [sys.executable, "-c", code, command, example, *options]
        result = subprocess.run(process, capture_output=True, check=False, text=True)
        assert result.returncode == 0
        said = result.stdout if command == "check" else result.stderr
        assert said.count("\n") == count
        remark = "remark: kernels were not run: numpy is missing; install it with pip install"
        assert said.count(remark) == count
