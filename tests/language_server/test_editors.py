"""Tests of the set-ups in docs/editor.md, with the editors that are installed."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from ..support.repository import EXAMPLES, ROOT

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs" / "editor.md").read_text()
BROKEN = (EXAMPLES / "ws" / "gemm.mlir").read_text().replace("ws.mma %d", "ws.mma %nothing")
OLD_NEOVIM = """
if not vim.lsp.start then -- Neovim 0.7
  vim.g.do_filetype_lua = 1
  vim.lsp.start = function(config) vim.lsp.buf_attach_client(0, vim.lsp.start_client(config)) end
end
"""
REPORT = """
vim.api.nvim_create_autocmd("VimEnter", { callback = function()
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)
  for _, each in ipairs(vim.diagnostic.get(0)) do print(each.lnum + 1, each.message) end
  vim.cmd("qall!")
end })
"""


def _setup(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return found


def test_neovim(tmp_path: Path) -> None:
    if which("nvim") is None:
        pytest.skip("nvim (Debian: neovim) is not installed")
    kernel, script = tmp_path / "kernel.mlir", tmp_path / "init.lua"
    kernel.write_text(BROKEN)
    script.write_text(OLD_NEOVIM + _setup("lua") + REPORT)
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {
        **os.environ,
        "PATH": path,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    done = subprocess.run(
        ["nvim", "--headless", "-u", str(script), str(kernel)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )
    said = done.stdout + done.stderr
    line = BROKEN[: BROKEN.index("%nothing")].count("\n") + 1
    assert re.search(rf"{line}\s+%nothing is used but not defined", said), said
