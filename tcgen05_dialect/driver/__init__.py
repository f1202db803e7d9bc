"""
An emulated CUDA driver: host programs, unchanged, run their kernels in the emulator.

`libcuda.c` is the library `libcuda.so.1` that a host program loads; the library starts `process` as
a separate process, which loads modules and runs kernels.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from .numbers import PYTHON, header

SOURCE = Path(__file__).with_name("libcuda.c")
LIBRARY = "libcuda.so.1"
SCHEDULE, STEPS, REPORT, CALLS = (
    "TCGEN05_DRIVER_SCHEDULE",
    "TCGEN05_DRIVER_MAX_STEPS",
    "TCGEN05_DRIVER_REPORT",
    "TCGEN05_DRIVER_CALLS",
)
"""Variables of the environment: the schedule of the emulator, its limit on the instructions of a
launch (0 for the default), the file for the findings, and that for the calls."""


class DriverError(Exception):
    """The library cannot be built; the message is a sentence."""


def library_folder(cache: str) -> Path:
    """The folder with the library, which is compiled at its first use. Raises DriverError."""
    # Imported here, because `launch` needs none of this.
    import hashlib

    text = header().encode()
    digest = hashlib.sha256(text + SOURCE.read_bytes()).hexdigest()
    folder = Path(cache) / "driver" / digest[:16]
    if not (folder / LIBRARY).exists():
        import shutil

        compiler = os.environ.get("CC") or shutil.which("cc")
        if compiler is None:
            raise DriverError(
                "the emulated CUDA driver is C, and there is no compiler: install one as cc, or "
                "name it in the environment variable CC"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _build(compiler, folder, text)
        except OSError as error:
            message = f"the emulated CUDA driver cannot be written to {folder}"
            raise DriverError(f"{message}: {error.strerror}") from error
    return folder


def _build(compiler: str, folder: Path, numbers: bytes) -> None:
    """Compile the library, with a header; another process may do the same meanwhile."""
    import subprocess
    import tempfile

    flags = ["-O2", "-shared", "-fPIC", "-fvisibility=hidden", f"-Wl,-soname,{LIBRARY}"]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        built, included = Path(scratch) / LIBRARY, Path(scratch) / "numbers.h"
        included.write_bytes(numbers)
        files = "-o", str(built), "-include", str(included), str(SOURCE)
        command = [*compiler.split(), *flags, *files, "-ldl", "-lpthread"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise DriverError(f"the compiler {compiler} cannot be run: {error.strerror}") from error
        if done.returncode:
            said = done.stderr.strip() or f"status {done.returncode}"
            raise DriverError(f"{compiler} cannot compile {SOURCE}: {said}")
        built.replace(folder / LIBRARY)


def host_environment(
    folder: Path, schedule: str, max_steps: int, report: str | None, calls: str | None
) -> Mapping[str, str]:
    """The environment in which a host program finds the library, and the library its emulator."""
    path = os.environ.get("LD_LIBRARY_PATH")
    found = {
        **os.environ,
        "LD_LIBRARY_PATH": f"{folder}:{path}" if path else str(folder),
        "LD_PRELOAD": " ".join(filter(None, (str(folder / LIBRARY), os.environ.get("LD_PRELOAD")))),
        PYTHON: sys.executable,
        SCHEDULE: schedule,
        STEPS: str(max_steps),
    }
    for variable, file in ((REPORT, report), (CALLS, calls)):
        if file is not None:
            found[variable] = str(Path(file).absolute())
    return found
