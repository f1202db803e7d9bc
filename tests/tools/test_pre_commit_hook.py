"""Test of the hook that projects with kernels run before each commit."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.repository import ROOT

HOOKS = ROOT / ".pre-commit-hooks.yaml"


def _value(key: str) -> str:
    (value,) = re.findall(rf"^  {key}: (.*)$", HOOKS.read_text(), re.MULTILINE)
    return value


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "status"), [(64, 0), (48, 1)])
def test_hook(columns: int, status: int, tmp_path: Path) -> None:
    """pre-commit appends the arguments of the user and the names of the files to the entry."""
    names = ["k.mlir", "a b.ptx", "notes.md"]
    (tmp_path / names[0]).write_text("ptx.kernel @k() {\n  ptx.ret\n}\n")
    (tmp_path / names[1]).write_text(
        ".version 8.8\n.target sm_100a\n"
        f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%s], {columns};\n"
    )
    files = [name for name in names if re.search(_value("files"), name)]
    assert files == names[:2]
    program, *arguments = shlex.split(_value("entry"))
    command = [Path(sys.executable).parent / program, *arguments, "--verify=off", *files]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (status, "")
    assert ("a b.ptx:3:" in result.stdout) == bool(status)
