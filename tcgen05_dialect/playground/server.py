"""
The server of the playground, for browsers on the same machine.

Three checks keep other pages and other users out. The host of a request must be the server's own
address; this stops names that resolve to the address (DNS rebinding). The origin of a command must
be the page; this stops commands of other pages. The path begins with a token that only the person
who started the server knows.
"""

import hmac
import json
import secrets
import socket
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import uvicorn
from anyio import CapacityLimiter, create_task_group, sleep, to_thread
from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from . import Answer, Request, RequestError, Run
from .confined import PAUSE, Limits, Refused, confined

ADDRESS = "127.0.0.1"
PAGE = Path(__file__).parent / "page" / "bundle"
"""The page, which `make page` builds."""
MOST_BYTES = 1 << 20
"""Largest size of a request."""
_MOST_WAITING = 16
_MOST_TIMELINES = 8
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_SANDBOXED = {
    "Content-Security-Policy": "sandbox allow-scripts; default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
}
"""Headers of a timeline: its own script runs, and cannot reach anything else."""


class Server:
    """The application for one port; `run` runs a command in a process, and `page` is the folder of
    the page."""

    def __init__(self, port: int, run: Run, limits: Limits, processes: int, page: Path = PAGE):
        self.token = secrets.token_urlsafe(24)
        self._hosts = {f"{name}:{port}" for name in (ADDRESS, "localhost")}
        self._run = run
        self._limits = limits
        self._free = CapacityLimiter(processes)
        self._waiting = 0
        self._running: uvicorn.Server | None = None
        self._timelines: OrderedDict[str, str] = OrderedDict()
        inside = [
            Route("/run", self._answer, methods=["POST"]),
            Route("/backend.json", self._backend),
            Route("/timeline/{name}", self._timeline),
            Mount("/", StaticFiles(directory=page, html=True)),
        ]
        self.application = self._guarded(Starlette(routes=[Mount("/{token}", routes=inside)]))

    def serve(self, listener: socket.socket) -> None:
        """Serve the application on a socket that listens, until the process gets a signal."""
        config = uvicorn.Config(self.application, log_level="warning", access_log=False)
        self._running = uvicorn.Server(config)
        self._running.run(sockets=[listener])

    def _is_ending(self) -> bool:
        return self._running is not None and self._running.should_exit

    def answer(self, request: Request, is_wanted: Callable[[], bool] = lambda: True) -> Answer:
        """The answer to a request, as long as it is wanted. Raises Refused, and RequestError."""
        return confined(request, self._run, self._limits, is_wanted)

    def _guarded(self, application: ASGIApp) -> ASGIApp:
        """The application behind the checks of host, token and origin."""

        async def guard(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "lifespan":
                await application(scope, receive, send)
                return
            refused = self._refused(scope)
            if refused is not None:
                await refused(scope, receive, send)
                return

            async def with_headers(message: Any) -> None:
                if message["type"] == "http.response.start":
                    given = {name.lower() for name, _ in message["headers"]}
                    message["headers"] = [
                        *message["headers"],
                        *(
                            (name.lower().encode(), value.encode())
                            for name, value in _HEADERS.items()
                            if name.lower().encode() not in given
                        ),
                    ]
                await send(message)

            await application(scope, receive, with_headers)

        return guard

    def _refused(self, scope: Scope) -> Response | None:
        """The answer to a request of somebody else, or None."""
        if scope["type"] != "http":
            return _error(404, "the playground answers only HTTP requests")
        request = WebRequest(scope)
        if request.headers.get("host") not in self._hosts:
            return _error(403, "the host of the request is not that of the playground")
        token = request.url.path.split("/")[1]
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return _error(403, "the address has no token: open the address that serve printed")
        origins = [f"http://{host}" for host in self._hosts]
        origin = request.headers.get("origin")
        if origin not in origins and (origin is not None or request.method != "GET"):
            return _error(403, "the request does not come from the page of the playground")
        return None

    async def _answer(self, web: WebRequest) -> Response:
        if web.headers.get("content-type") != "application/json":
            return _error(415, "the request must be application/json")
        body = b""
        async for piece in web.stream():
            body += piece
            if len(body) > MOST_BYTES:
                return _error(413, f"the request has more than {MOST_BYTES} bytes")
        if self._waiting >= _MOST_WAITING:
            return _error(503, "too many requests are waiting")
        self._waiting += 1
        try:
            request = Request.of(json.loads(body))
            found = await self._found(web, request)
            if isinstance(found, Exception):
                raise found
        except (RequestError, ValueError, RecursionError) as error:
            known = isinstance(error, RequestError)
            return _error(400, str(error) if known else "the request is not JSON")
        except Refused as error:
            return _error(422, str(error))
        finally:
            self._waiting -= 1
        answer = found.json()
        if found.timeline is not None:
            name = secrets.token_urlsafe(8)
            self._timelines[name] = found.timeline
            if len(self._timelines) > _MOST_TIMELINES:
                self._timelines.popitem(last=False)
            answer["timeline"] = f"timeline/{name}"
        return JSONResponse(answer)

    async def _found(self, web: WebRequest, request: Request) -> Answer | Exception:
        """The answer or an error, as long as the page has not given up the request, and no signal
        ends the server."""
        has_gone = Event()
        found: Answer | Exception = Refused("the request is no longer wanted")

        async def watch() -> None:
            while not (self._is_ending() or await web.is_disconnected()):
                await sleep(PAUSE)
            has_gone.set()

        def answer() -> Answer | Exception:
            # A group of tasks would wrap an error.
            try:
                return self.answer(request, lambda: not has_gone.is_set())
            except (RequestError, Refused) as error:
                return error
            except OSError as error:
                return Refused(f"no process can be started: {error.strerror}")

        async with create_task_group() as group:
            group.start_soon(watch)
            found = await to_thread.run_sync(answer, limiter=self._free)
            group.cancel_scope.cancel()
        return found

    async def _backend(self, _: WebRequest) -> Response:
        return JSONResponse({"kind": "serve"})

    async def _timeline(self, web: WebRequest) -> Response:
        text = self._timelines.get(web.path_params["name"])
        if text is None:
            return _error(404, "this timeline is no longer kept: run the kernel again")
        return HTMLResponse(text, headers=_SANDBOXED)


def _error(status: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status)
