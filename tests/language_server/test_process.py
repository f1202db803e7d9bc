"""Tests of the child processes of the language server, and of a server without an editor."""

import asyncio
import subprocess
import sys

import pytest

from tcgen05_dialect.language_server.tasks import Checked, Child, Refused

from ..support.repository import EXAMPLES

pytestmark = pytest.mark.slow
KERNEL = (EXAMPLES / "gemm_pipelined.mlir").read_text()
LIMIT = 30.0


def test_child_that_takes_too_long_is_replaced() -> None:
    async def ask() -> Checked:
        child = Child("the check")
        await child.ask(LIMIT, "check", "k.mlir", "", "off")
        with pytest.raises(Refused, match=r"^the check took more than 0\.01 seconds$"):
            await child.ask(0.01, "check", "k.mlir", KERNEL, "thorough")
        with pytest.raises(Refused, match=r"^internal error: KeyError"):
            await child.ask(LIMIT, "no_task")
        return await child.ask(LIMIT, "check", "k.mlir", "ptx.kernel", "off")

    (error,) = asyncio.run(ask()).findings
    assert error.severity == "error"


def _served(code: str, messages: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", f"{code}\nfrom tcgen05_dialect.tools.main import main\nmain()"]
    return subprocess.run(
        [*command, "lsp"], input=messages, capture_output=True, check=False, timeout=LIMIT
    )


def test_messages_that_are_none() -> None:
    found = _served("", b'nonsense\r\nContent-Length: 5\r\n\r\n{"a":Content-Length: 2\r\n\r\n{}')
    assert (found.returncode, found.stderr) == (0, b"")
    assert b'"JSONDecodeError: ' in found.stdout


def test_missing_library() -> None:
    found = _served("import sys; sys.modules['pygls'] = None", b"")
    assert (found.returncode, found.stdout) == (2, b"")
    assert b"pygls is missing: install tcgen05-dialect[lsp]" in found.stderr
