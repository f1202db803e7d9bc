"""Tests of the server: what it answers, and what it refuses."""

import ctypes
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest
import uvicorn

from tcgen05_dialect.playground import Answer, Request, server
from tcgen05_dialect.playground.confined import Limits, confined
from tcgen05_dialect.playground.server import ADDRESS, MOST_BYTES, Server
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.tools.serve import run_confined

from ..support.endless import LOOP

pytestmark = pytest.mark.slow
KERNEL = "ptx.kernel @k() {\n  ptx.ret\n}\n"


class Served(NamedTuple):
    """A server and its port."""

    server: Server
    port: int

    @property
    def host(self) -> str:
        return f"{ADDRESS}:{self.port}"

    def ask(
        self, method: str = "POST", path: str = "run", body: object = None, **headers: str | None
    ) -> tuple[int, Any]:
        """The status and the content of an answer; a header that is None is left out."""
        given = {
            "Host": self.host,
            "Origin": f"http://{self.host}",
            "Content-Type": "application/json",
        }
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        address = path if path.startswith("/") else f"/{self.server.token}/{path}"
        with closing(HTTPConnection(ADDRESS, self.port, timeout=60)) as connection:
            connection.putrequest(method, address, skip_host=True, skip_accept_encoding=True)
            for name, value in (given | {"Content-Length": str(len(data))}).items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(data)
            response = connection.getresponse()
            text = response.read().decode()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    page = tmp_path_factory.mktemp("page")
    (page / "index.html").write_text("the page")
    with socket.socket() as listener:
        listener.bind((ADDRESS, 0))
        listener.listen()
        port: int = listener.getsockname()[1]
        made = Server(port, run_confined, Limits(seconds=2), 1, page)
        # Imports take long in a process that is not forked from one that has done them.
        confined(Request("explain", subject="T5-WS-001"), main, Limits())
        config = uvicorn.Config(made.application, log_level="warning")
        running = uvicorn.Server(config)
        thread = Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Served(made, port)
        running.should_exit = True
        thread.join()


def test_the_page_and_commands_are_served(served: Served) -> None:
    assert served.ask("GET", "") == (200, "the page")
    assert served.ask("GET", "backend.json") == (200, {"kind": "serve"})
    status, answer = served.ask(body={"command": "compile", "text": KERNEL})
    assert status == 200 and ".entry k" in answer["output"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "[::1]:{port}"]
)
def test_other_hosts_are_refused(served: Served, host: str) -> None:
    for method, path in (("GET", ""), ("POST", "run")):
        status, answer = served.ask(method, path, {}, Host=host.format(port=served.port))
        assert status == 403 and "host" in answer["error"]


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://{host}"])
def test_other_origins_are_refused(served: Served, origin: str | None) -> None:
    given = origin and origin.format(host=served.host)
    status, answer = served.ask(body={"command": "explain"}, Origin=given)
    assert status == 403 and "page" in answer["error"]


@pytest.mark.parametrize("path", ["/", "/run", "/x/run", "//run", "/backend.json"])
def test_requests_without_the_token_are_refused(served: Served, path: str) -> None:
    status, answer = served.ask(path=path, body={"command": "explain"})
    assert status == 403 and "token" in answer["error"]


@pytest.mark.parametrize(
    "path", ["../../pyproject.toml", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc/passwd", "%00"]
)
def test_files_beside_the_page_are_refused(served: Served, path: str) -> None:
    status, _ = served.ask("GET", path)
    assert status in (403, 404)


def test_large_requests_are_refused(served: Served) -> None:
    status, answer = served.ask(body={"command": "check", "text": "x" * MOST_BYTES})
    assert status == 413 and str(MOST_BYTES) in answer["error"]


def test_other_requests_are_refused(served: Served) -> None:
    assert served.ask(body=b"{", Content_Type="text/plain")[0] == 415
    assert served.ask(body=b"{")[0] == 400
    assert served.ask(body=b"[" * 10_000)[0] == 400
    status, answer = served.ask(body={"command": "launch"})
    assert status == 400 and "command must be" in answer["error"]
    assert served.ask("GET", "run")[0] in (404, 405)


def test_endless_programs_are_ended(served: Served) -> None:
    request = {"command": "sim", "text": LOOP, "launch": "grid = [1]\n"}
    status, answer = served.ask(body=request)
    assert status == 422 and "2 seconds" in answer["error"]


def test_a_request_that_is_given_up_is_ended(served: Served) -> None:
    """The next one, for the only process at a time, need not wait for the limit."""
    body = json.dumps({"command": "sim", "text": LOOP, "launch": "grid = [1]\n"})
    head = f"POST /{served.server.token}/run HTTP/1.1\r\nHost: {served.host}\r\n"
    head += f"Origin: http://{served.host}\r\nContent-Type: application/json\r\n"
    for _ in range(3):
        with socket.create_connection((ADDRESS, served.port)) as connection:
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            time.sleep(0.3)
    start = time.monotonic()
    assert served.ask(body={"command": "explain"})[0] == 200
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("{folder}/secret.npy", "no access to this file"),
        (f"{ctypes.__file__}:string_at", "functions of Python files do not run here"),
    ],
)
def test_files_that_a_launch_names_are_refused(
    served: Served, tmp_path: Path, named: str, message: str
) -> None:
    (tmp_path / "secret.npy").touch()
    file = named.format(folder=tmp_path)
    launch = f'grid = [1]\n[expected]\nc = "{file}"\n[arrays]\nc = {{shape=[1], type="u8"}}\n'
    _, answer = served.ask(body={"command": "sim", "text": KERNEL, "launch": launch})
    assert answer["status"] == 2 and message in answer["output"]


def test_timelines_are_pages_in_a_sandbox(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Answer(0, "", "", timeline="<p>timeline</p>")

    def answered(*_: object) -> Answer:
        return found

    monkeypatch.setattr(server, "confined", answered)
    addresses: list[str] = [served.ask(body={"command": "sim"})[1]["timeline"] for _ in range(9)]
    with urlopen(f"http://{served.host}/{served.server.token}/{addresses[-1]}") as response:
        assert response.read() == b"<p>timeline</p>"
        policy: str = response.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'; ")
    assert served.ask("GET", addresses[0])[0] == 404
