"""
Tests of the page in browsers: with `tcgen05 serve`, and with Python in the page.

They need npm's packages and the page of `make page`, or the site of `make site`, and Debian's
chromium and firefox-esr.
"""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from threading import Thread

import pytest

from docs.site.build import MOST_BYTES, SITE
from docs.site.page import MODULES
from tcgen05_dialect.playground.server import PAGE

pytestmark = pytest.mark.slow
BROWSERS = {"chromium": "chromium", "firefox": "firefox-esr"}
SCRIPT = Path(__file__).with_name("browser.mjs")


@contextmanager
def served() -> Generator[str]:
    """The address of `tcgen05 serve`."""
    if not (PAGE / "index.html").exists():
        pytest.skip("make page has not built the page")
    command = [sys.executable, "-m", "tcgen05_dialect", "serve"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None and server.stderr is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            complaints = server.stderr.read()
    assert "Traceback" not in complaints


class _Silent(SimpleHTTPRequestHandler):
    """A plain file server."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def static() -> Generator[str]:
    """The address of the playground of the site on a plain file server."""
    if not (SITE / "try" / "index.html").exists():
        pytest.skip("make site has not built the site")
    handler = partial(_Silent, directory=SITE)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/try/"
        server.shutdown()


BACKENDS = {"serve": served, "page": static}


@pytest.mark.parametrize("browser", BROWSERS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_user_finds_and_fixes_mistakes(browser: str, backend: str) -> None:
    program = which(BROWSERS[browser])
    if program is None:
        pytest.skip(f"{BROWSERS[browser]} is not installed")
    if which("node") is None or not (MODULES / "puppeteer-core").exists():
        pytest.skip("node and the packages that make page installs are missing")
    with BACKENDS[backend]() as address:
        command = ["node", SCRIPT, MODULES.parent, browser, program, backend, address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "first result" in json.loads(done.stdout)


def test_the_site_is_small_and_complete() -> None:
    if not SITE.exists():
        pytest.skip("make site has not built the site")
    assert sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file()) < MOST_BYTES
    gallery = (SITE / "gallery.html").read_text()
    assert 'src="timelines/ws_gemm.svg"' in gallery
    assert (SITE / "timelines" / "ws_gemm.html").exists()
