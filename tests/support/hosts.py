"""Runs of host programs on the emulated CUDA driver."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from tcgen05_dialect.driver import LIBRARY, library_folder

from .preloaded import preloaded
from .repository import ROOT

_MISSING = {
    "cc": shutil.which("cc") is None,
    "cuda.bindings": find_spec("cuda") is None,
    "triton": find_spec("triton") is None,
}


def needs(*names: str) -> pytest.MarkDecorator:
    """The mark of a test that needs `cc`, `cuda.bindings` or Triton."""
    missing = " and no ".join(name for name in names if _MISSING[name])
    return pytest.mark.skipif(bool(missing), reason=f"no {missing}")


NEEDS_HOST = [pytest.mark.slow, needs("cc", "cuda.bindings")]
"""The marks of tests that run host programs in Python."""
_SECONDS = 300
"""The longest run of a host program."""


def run_host(
    program: str | Path, *arguments: str | Path, options: Sequence[str | Path] = (), **env: str
) -> str:
    """What a host program prints, with its exit status."""
    command = [preloaded() / "tcgen05", "run-host", *options, program, *arguments]
    done = subprocess.run(
        [*map(str, command)],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=_SECONDS,
    )
    return f"{done.stdout}{done.stderr}exit status {done.returncode}"


def compile_host(*arguments: str | Path) -> None:
    """Compile a host program with the headers of CUDA, for the emulated driver."""
    library = library_folder(str(ROOT / "build"))
    command = [*arguments, "-Wall", "-Werror", f"-I{_cuda_headers()}"]
    command += [f"-L{library}", f"-l:{LIBRARY}", "-lpthread"]
    subprocess.run([*map(str, command)], check=True)


def _cuda_headers() -> Path:
    """The folder with cuda.h of the wheels."""
    spec = find_spec("nvidia")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder = next(Path(each) for each in spec.submodule_search_locations)
    return next(folder.glob("*/include/cuda.h")).parent
