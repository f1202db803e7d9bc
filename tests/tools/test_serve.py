"""Tests of `tcgen05 serve` before it serves."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tcgen05_dialect.playground import server
from tcgen05_dialect.tools import serve
from tcgen05_dialect.tools.main import main

from ..support.endless import LOOP


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the page, which is not built yet."""
    monkeypatch.setattr(server, "PAGE", tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The message of a command that does not serve."""
    assert main(["serve", *options]) == 2
    output, message = capsys.readouterr()
    assert output == ""
    return message


def test_without_a_page_it_says_how_to_build_it(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys) == (
        f"tcgen05 serve: error: the page is not built: `make page` in a clone builds {page}\n"
    )


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(name: str) -> str | None:
        return None if name == "uvicorn" else name

    monkeypatch.setattr(serve, "find_spec", found)
    assert "uvicorn is missing: install tcgen05-dialect[serve]" in refused(capsys)


def test_a_port_in_use_is_named(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (page / "index.html").write_text("")
    with socket.socket() as other:
        other.bind((server.ADDRESS, 0))
        other.listen()
        port: int = other.getsockname()[1]
        assert f"cannot use port {port}: Address already in use" in refused(
            capsys, "--port", str(port)
        )


@pytest.mark.parametrize(
    ("option", "value", "legal"),
    [("--port", "65536", "0 to 65535"), ("--port", "x", "0 to"), ("--seconds", "0", "1 to 3600")],
)
def test_other_numbers_are_refused(
    option: str, value: str, legal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["serve", option, value])
    assert f"expected a number from {legal}" in capsys.readouterr().err


START = (
    "from tcgen05_dialect.playground import server; server.PAGE = __import__('pathlib').Path('.')"
)
"""A line with which the folder of the page is the current one."""


@contextmanager
def started(page: Path) -> Generator[subprocess.Popen[str]]:
    """A server, whose temporary files are in the folder of the page, and gone at its end."""
    (page / "index.html").write_text("")
    code = f"{START}\nfrom tcgen05_dialect.tools.main import main\nmain()"
    command = [sys.executable, "-c", code, "serve", "--seconds", "60"]
    with subprocess.Popen(
        command,
        cwd=page,
        env={**os.environ, "TMPDIR": str(page)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell without job control ignores it in what runs in the background.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        yield process
    assert process.returncode == 130
    assert [file.name for file in page.iterdir()] == ["index.html"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_traceback(page: Path, ending: signal.Signals) -> None:
    """Also while a command runs, which then ends before its limit."""
    with started(page) as process:
        assert process.stdout is not None and process.stderr is not None
        address = process.stdout.readline().strip()
        assert address.startswith(f"http://{server.ADDRESS}:")
        assert process.stderr.readline().startswith("Open this address")
        origin = address.rsplit("/", 2)[0]
        body = json.dumps({"command": "sim", "text": LOOP, "launch": "grid = [1]\n"}).encode()
        headers = {"Origin": origin, "Content-Type": "application/json"}
        request = Request(f"{address}run", body, headers)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(urlopen, request, timeout=50)
            while process.poll() is None and not any(page.glob("tcgen05-*/.output")):
                time.sleep(0.05)
            os.killpg(process.pid, ending)
            with pytest.raises(HTTPError, match="422"):
                asked.result()
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_ctrl_c_before_it_serves_prints_nothing(page: Path) -> None:
    with started(page) as process:
        while process.poll() is None and not any(page.glob("pymp-*")):
            time.sleep(0.01)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate() == ("", "")
