"""Tests of `tcgen05 serve` before it serves."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tcgen05_dialect.playground import server
from tcgen05_dialect.tools import serve
from tcgen05_dialect.tools.main import main


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


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_traceback(ending: signal.Signals) -> None:
    if not (server.PAGE / "index.html").exists():
        pytest.skip("make page has not built the page")
    command = [sys.executable, "-m", "tcgen05_dialect", "serve"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(f"http://{server.ADDRESS}:")
        assert process.stderr.readline().startswith("Open this address")
        process.send_signal(ending)
        assert process.stderr.read() == ""
    assert process.returncode in (0, 130, -ending)
