"""Assembling PTX with ptxas, NVIDIA's assembler."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .isa.targets import TARGETS
from .reporting.diagnostics import CompileError


class Assembled(NamedTuple):
    """A cubin, and what ptxas said while it made it: warnings, or what its options ask for."""

    cubin: bytes
    messages: str


def find_tool(name: str) -> Path:
    """
    The path of a program of NVIDIA's: from the wheel that holds it, or else on PATH.

    Raises CompileError if there is none.
    """
    for folder in sys.path:
        for path in sorted(Path(folder).glob(f"nvidia/cu*/bin/{name}"), reverse=True):
            if os.access(path, os.X_OK):
                return path
    if (found := shutil.which(name)) is None:
        raise CompileError(
            f"{name} was found neither in an installed nvidia-cuda wheel nor on PATH; "
            "`pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm` brings it"
        )
    return Path(found)


def assemble(ptx: str, target: str, options: Sequence[str] = ()) -> Assembled:
    """
    Assemble PTX text for a target such as `sm_100a`; `options` are further ones of ptxas.

    Raises CompileError with the message of ptxas if it refuses the text, or if there is no ptxas.
    """
    ptxas = find_tool("ptxas")
    with tempfile.TemporaryDirectory(prefix="tcgen05-") as folder:
        source, cubin = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx, encoding="utf-8")
        command = [ptxas, f"-arch={target}", *options, "-o", cubin.name, source.name]
        try:
            result = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        except OSError as error:
            raise CompileError(f"cannot run {ptxas}: {error.strerror}") from error
        messages = (result.stdout + result.stderr).decode(errors="replace").strip()
        if result.returncode != 0:
            known = TARGETS.get(target)
            hint = ""
            if known is not None and known.renamed is not None:
                hint = f"; assemblers of PTX ISA 9.0 and later call it {known.renamed}"
            raise CompileError(f"ptxas refuses the PTX for {target}{hint}:\n{messages}")
        return Assembled(cubin.read_bytes(), messages)
