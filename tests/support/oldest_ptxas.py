"""
The oldest release of ptxas for each target; run as a program, it fetches them into build/ptxas.

Two releases cannot be installed in one environment, so each is unpacked from its wheel into a
folder of its own. `make ptxas` does that.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "build" / "ptxas"


class Release(NamedTuple):
    """A release of ptxas, as a version of a wheel."""

    wheel: str
    version: str
    ptx_version: str
    """The newest PTX version that it reads."""
    targets: tuple[str, ...]
    """The targets that no earlier release on PyPI knows."""

    @property
    def path(self) -> Path:
        """The program. Raises FileNotFoundError."""
        path = FOLDER / self.version / "ptxas"
        if not path.exists():
            raise FileNotFoundError(f"{path} is missing: fetch it with `make ptxas`")
        return path

    def assemble(self, ptx: str, target: str, *options: str) -> str:
        """What it says about PTX text, which it must take."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "kernel.ptx")
            source.write_text(ptx, encoding="utf-8")
            command = [self.path, f"-arch={target}", *options, "-o", f"{source}.cubin", source]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
        messages = result.stdout + result.stderr
        assert result.returncode == 0, f"ptxas {self.version} for {target}: {messages}"
        return messages

    def fetch(self) -> None:
        """Put the program into its folder, unless it is there."""
        path = FOLDER / self.version / "ptxas"
        if path.exists():
            return
        with tempfile.TemporaryDirectory() as folder:
            wheel = f"{self.wheel}=={self.version}"
            pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "download", "--no-deps", "--dest", folder, wheel], check=True)
            (file,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(file) as archive:
                (name,) = [each for each in archive.namelist() if each.endswith("/bin/ptxas")]
                program = archive.read(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Renamed when it is whole, so that an interrupted run leaves nothing that looks whole.
        partial = path.with_suffix(".partial")
        partial.write_bytes(program)
        partial.chmod(0o755)
        partial.rename(path)


RELEASES = (
    Release("nvidia-cuda-nvcc-cu12", "12.8.61", "8.7", ("sm_100a", "sm_101a")),
    Release(
        "nvidia-cuda-nvcc-cu12", "12.9.41", "8.8", ("sm_100f", "sm_101f", "sm_103a", "sm_103f")
    ),
    Release("nvidia-cuda-nvcc", "13.0.48", "9.0", ("sm_110a", "sm_110f")),
)
OLDEST = {target: release for release in RELEASES for target in release.targets}
"""Target -> the oldest release that knows it."""


if __name__ == "__main__":
    for each in RELEASES:
        each.fetch()
