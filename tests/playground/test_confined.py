"""Tests of the limits of the processes that answer requests."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tcgen05_dialect.playground import Answer, Request
from tcgen05_dialect.playground.confined import Limits, Refused, confined

from ..support.repository import ROOT

pytestmark = pytest.mark.slow
OUTSIDE = str(ROOT / "README.md")


def endless(_: Sequence[str]) -> int:
    while True:
        pass


def hog(_: Sequence[str]) -> int:
    return len(bytearray(1 << 40))


def fill(_: Sequence[str]) -> int:
    with open("large", "wb") as file:
        while True:
            file.write(bytes(1 << 16))


def die(_: Sequence[str]) -> int:
    os._exit(1)


def try_all(_: Sequence[str]) -> int:
    """Print what is refused."""

    def outside() -> None:
        Path(OUTSIDE).read_text()

    def list_outside() -> None:
        os.listdir(ROOT)

    def above() -> None:
        Path("..", "x").write_text("")

    def remove() -> None:
        os.unlink(OUTSIDE)

    def rename() -> None:
        Path("own").write_text("")
        os.rename("own", ROOT / "own")

    def start() -> None:
        subprocess.run(["true"], check=True)

    def fork() -> None:
        os.fork()

    def connect() -> None:
        socket.create_connection(("127.0.0.1", 9))

    def own() -> None:
        Path("own").write_text(Path("kernel.mlir").read_text())

    def library() -> None:
        Path(json.__file__).read_text()

    refused: list[str] = []
    for action in (
        *(outside, list_outside, above, remove, rename),
        *(start, fork, connect, own, library),
    ):
        try:
            action()
        except PermissionError:
            refused.append(action.__name__)
    json.dump(refused, sys.stdout)
    return 0


def answered(run: object, limits: Limits = Limits()) -> Answer:  # noqa: B008
    return confined(Request("check", "text"), run, limits)  # pyright: ignore[reportArgumentType]


def test_a_process_that_does_not_end_is_ended() -> None:
    with pytest.raises(Refused, match="more than 1 seconds"):
        answered(endless, Limits(seconds=1))


def test_a_process_that_is_no_longer_wanted_is_ended() -> None:
    with pytest.raises(Refused, match="no longer wanted"):
        confined(Request("check", "text"), endless, Limits(), lambda: False)


def test_memory_is_limited() -> None:
    with pytest.raises(Refused, match="the memory of this process is full"):
        answered(hog)


def test_files_are_limited() -> None:
    with pytest.raises(Refused, match="File too large"):
        answered(fill, Limits(file=1 << 20))


def test_a_process_that_dies_is_noticed() -> None:
    with pytest.raises(Refused, match="ended before its answer"):
        answered(die)


def test_only_own_files_and_libraries_are_open() -> None:
    assert json.loads(answered(try_all).output) == [
        *("outside", "list_outside", "above", "remove", "rename"),
        *("start", "fork", "connect"),
    ]
