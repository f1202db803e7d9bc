"""Interface to ptxas, NVIDIA's assembler: finds and runs it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .isa.targets import TARGETS
from .reporting.diagnostics import CompileError

_WHEELS = {"ptxas": "tcgen05-dialect[ptxas]", "nvdisasm": "nvidia-cuda-nvdisasm"}
"""Name of a program -> the package that contains it."""


class ToolError(CompileError):
    """An NVIDIA program is missing or cannot run."""


class Assembled(NamedTuple):
    """A cubin and what ptxas printed: warnings, or the output of options such as `-v`."""

    cubin: bytes
    messages: str


def find_tool(name: str) -> Path:
    """
    The absolute path of an NVIDIA program: in an installed wheel, or else on PATH.

    The current folder is never searched, because its files may come from others. Raises ToolError
    if there is no such program.
    """
    for folder in folders_of(sys.path):
        for path in sorted(folder.glob(f"nvidia/cu*/bin/{name}*"), reverse=True):
            if path.name in (name, f"{name}.exe") and os.access(path, os.X_OK):
                return path
    for folder in folders_of(os.get_exec_path()):
        # Given a folder, `which` searches only there; on Windows it tries the suffixes of programs.
        if (found := shutil.which(os.path.join(folder, name))) is not None:
            return Path(found)
    if sys.platform == "darwin":
        advice = "NVIDIA has none for macOS"
    else:
        advice = f"`pip install '{_WHEELS.get(name, name)}'` installs it"
    raise ToolError(f"{name} was found neither in an installed wheel nor on PATH; {advice}")


def folders_of(paths: Iterable[str]) -> Iterator[Path]:
    """The folders of a search path that exist, as absolute paths, without the current folder."""
    for path in paths:
        if os.path.isdir(path) and not os.path.samefile(path, os.curdir):
            yield Path(os.path.abspath(path))


def assemble(ptx: str, target: str, options: Sequence[str] = ()) -> Assembled:
    """
    Assemble PTX text for a target such as `sm_100a`; `options` are passed to ptxas.

    Raises CompileError with the message of ptxas if ptxas refuses the text, and ToolError if ptxas
    is missing or cannot run.
    """
    ptxas = find_tool("ptxas")
    with tempfile.TemporaryDirectory(prefix="tcgen05-") as folder:
        source, cubin = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx, encoding="utf-8")
        command = [ptxas, f"-arch={target}", *options, "-o", cubin.name, source.name]
        try:
            result = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        except OSError as error:
            raise ToolError(f"cannot run {ptxas}: {error.strerror}") from error
        messages = (result.stdout + result.stderr).decode(errors="replace").strip()
        if result.returncode != 0:
            known = TARGETS.get(target)
            hint = ""
            if known is not None and known.renamed is not None:
                hint = f"; assemblers of PTX ISA 9.0 and later call it {known.renamed}"
            raise CompileError(f"ptxas refuses the PTX for {target}{hint}:\n{messages}")
        return Assembled(cubin.read_bytes(), messages)
