"""
The playground: a page in a browser in which the commands run on the text of an editor.

A request of the page consists of the name of a command and the texts of its files. Only requests
for the calculator, whose arguments the user types, name files or options.
"""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Run: TypeAlias = Callable[[Sequence[str]], int]
"""Runs a command in this process; returns its exit status."""

LANGUAGES = {"ir": "kernel.mlir", "ptx": "kernel.ptx"}
"""Language of a text -> the name of its file."""
LAUNCH = "kernel.toml"
TIMELINE = "timeline.html"
_CHECK = ("check", "--jobs", "1", "--format", "json", "--verify")
_COMMANDS: Mapping[str, Sequence[str]] = {
    "check": (*_CHECK, "thorough"),
    "check quickly": (*_CHECK, "quick"),
    "check without runs": (*_CHECK, "off"),
    "fix": ("check", "--jobs", "1", "--format", "json", "--fix"),
    "compile": ("compile", "--verify", "off", "--line-info"),
    "sim": ("sim", "--format", "json", "--timeline", TIMELINE),
    "launch-file": ("launch-file",),
    "explain": ("explain",),
    "calc": ("calc",),
}
"""Command of a request -> the arguments before its file or its subject."""


class RequestError(Exception):
    """The error of a request that does not fit `Request`; the message is a sentence."""


class Request(NamedTuple):
    """
    A request: the name of a command, the text of a kernel and its language, and a launch file.

    `subject` is the rule or the instruction for `explain`, and the arguments of `calc`, which may
    name the kernel's file.
    """

    command: str
    text: str = ""
    language: str = "ir"
    launch: str = ""
    subject: str = ""

    @classmethod
    def of(cls, value: object) -> "Request":
        """The request that a JSON value describes. Raises RequestError."""
        if not isinstance(value, dict):
            raise RequestError("the request must be a JSON object")
        fields: dict[object, object] = {**value}
        for name, given in fields.items():
            if name not in cls._fields:
                raise RequestError(f"the request has no field {name!r:.40}")
            if not isinstance(given, str):
                raise RequestError(f"{name} must be a string")
        found = cls(**{"command": "", **{str(name): str(each) for name, each in fields.items()}})
        if found.command not in _COMMANDS:
            raise RequestError(f"command must be one of {', '.join(_COMMANDS)}")
        if found.language not in LANGUAGES:
            raise RequestError(f"language must be one of {', '.join(LANGUAGES)}")
        return found

    def arguments(self) -> list[str]:
        """The arguments of the command. Raises RequestError."""
        found = [*_COMMANDS[self.command]]
        if self.command == "explain":
            # A name is no option.
            return [*found, "--", *self.subject.split()]
        if self.command == "calc":
            try:
                return found + shlex.split(self.subject)
            except ValueError as error:
                raise RequestError(f"the arguments cannot be split: {error}") from error
        if self.command == "sim":
            found += ["--launch", LAUNCH] if self.launch.strip() else []
        return [*found, LANGUAGES[self.language]]


class Answer(NamedTuple):
    """What a command printed, its exit status, and the texts that it wrote: that of the kernel, if
    it fixed the file, and a timeline of a run."""

    status: int
    output: str
    messages: str
    text: str | None = None
    timeline: str | None = None

    def json(self) -> dict[str, Any]:
        return self._asdict()


def answer(request: Request, run: Run, folder: str) -> Answer:
    """Run the command of a request in an empty folder. Raises RequestError."""
    arguments = request.arguments()
    kernel, launch = Path(folder, LANGUAGES[request.language]), Path(folder, LAUNCH)
    kernel.write_bytes(_encoded(request.text))
    if request.launch.strip():
        launch.write_bytes(_encoded(request.launch))
    output, messages = Path(folder, ".output"), Path(folder, ".messages")
    with _streams(output, messages):
        os.chdir(folder)
        try:
            status = run(arguments)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
    timeline = Path(folder, TIMELINE)
    return Answer(
        status,
        _read(output),
        _read(messages),
        _read(kernel) if request.command == "fix" else None,
        _read(timeline) if timeline.exists() else None,
    )


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@contextmanager
def _streams(output: Path, messages: Path):
    """Redirect the standard output and the standard error of this process to files."""
    import sys

    saved = [os.dup(number) for number in (1, 2)]
    streams = sys.stdout, sys.stderr
    try:
        for number, path in ((1, output), (2, messages)):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(descriptor, number)
            os.close(descriptor)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False, errors="backslashreplace")
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout, sys.stderr = streams
        for number, descriptor in zip((1, 2), saved, strict=True):
            os.dup2(descriptor, number)
            os.close(descriptor)
