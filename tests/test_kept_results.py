"""Tests of kept results: a repeated command writes the same again, and only if nothing changed."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tcgen05_dialect import kept_results
from tcgen05_dialect.kept_results import Record
from tcgen05_dialect.processes import in_processes

from .support.preloaded import preloaded
from .support.repository import EXAMPLES

pytestmark = pytest.mark.slow
_RUN = b"the command runs\n"
_PROGRAM = f"""
import os
import sys
from tcgen05_dialect.tools import commands, main
run = commands.run_command
def run_command(arguments):
    os.write(2, {_RUN})
    return run(arguments)
commands.run_command = run_command
sys.exit(main.main())
"""
"""The command; it tells if it has no kept result. `os.write` is no event that the record hears."""
_KERNEL = """ptx.kernel @k(%a : i64) {
  %one = arith.constant 1 : i32
  ptx.st global b32 [%a], {%one}
  ptx.ret
}
"""
_WRONG = "ptx.kernel @k() {\n  ptx.tcgen05.wait ld\n  tcgen05.dealloc %missing\n}\n"


class Result(NamedTuple):
    """What a command wrote, and whether it was a kept result."""

    status: int
    output: bytes
    errors: bytes
    is_kept: bool


class Session:
    """Commands in one folder, with their kept results."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.results = folder / "results"
        self.environment = {**os.environ, kept_results.VARIABLE: str(self.results)}

    def run(self, *arguments: str, input: bytes | None = None) -> Result:
        """Run `tcgen05`."""
        done = self._done((preloaded() / "python", "-c", _PROGRAM, *arguments), input)
        errors = done.stderr.replace(_RUN, b"")
        return Result(done.returncode, done.stdout, errors, errors == done.stderr)

    def imported(self, *arguments: str) -> bytes:
        """The lines of the modules that `tcgen05` imports."""
        command = sys.executable, "-X", "importtime", "-m", "tcgen05_dialect", *arguments
        return self._done(command, None).stderr

    def _done(
        self, command: Sequence[str | Path], input: bytes | None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            input=input,
            capture_output=True,
            check=False,
        )

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return name


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


@pytest.fixture
def recorded() -> Iterator[Record]:
    """The record of what this process reads."""
    record = Record()
    record.start()
    yield record
    Record.current = None


def test_repeated_command_writes_the_same(session: Session) -> None:
    kernel = session.write("k.mlir", _KERNEL)
    command = "compile", "--verify=off", kernel, "-o", "k.ptx"
    first = session.run(*command)
    text = (session.folder / "k.ptx").read_bytes()
    (session.folder / "k.ptx").unlink()
    again = session.run(*command)
    assert not first.is_kept and again.is_kept
    assert again[:3] == first[:3]
    assert (session.folder / "k.ptx").read_bytes() == text
    assert [b"xdsl" in session.imported(*command) for _ in range(2)] == [True, False]
    assert not session.run(*command, "--no-cache").is_kept
    session.write("k.mlir", _KERNEL.replace("constant 1", "constant 2"))
    changed = session.run(*command)
    assert not changed.is_kept
    assert b", 2;" in (session.folder / "k.ptx").read_bytes()
    session.write("k.mlir", _KERNEL)
    assert session.run(*command).is_kept
    assert (session.folder / "k.ptx").read_bytes() == text


def test_errors_are_kept(session: Session) -> None:
    wrong = session.write("wrong.mlir", _WRONG)
    first, again = (session.run("check", "--verify=off", wrong) for _ in range(2))
    assert first.status == again.status == 1
    assert again.is_kept and again[:3] == first[:3] and b"wrong.mlir:" in again.output
    first, again = (session.run("compile", wrong) for _ in range(2))
    assert again.is_kept and again[:3] == first[:3] and b"wrong.mlir:" in again.errors


def test_all_that_is_read_counts(session: Session) -> None:
    """Also files that no argument names, and the names in folders."""
    for suffix in ("mlir", "toml"):
        name = f"gemm_single_tile.{suffix}"
        session.write(name, (EXAMPLES / name).read_text())
    command = "sim", "gemm_single_tile.mlir"
    first, again = session.run(*command), session.run(*command)
    assert again.is_kept and again[:3] == first[:3] and first.status == 0
    launch = session.folder / "gemm_single_tile.toml"
    launch.write_text(f"{launch.read_text()}\n[unknown]\n")
    assert session.run(*command).status == 2

    (session.folder / "kernels").mkdir()
    session.write("kernels/a.mlir", _KERNEL)
    command = "check", "--verify=off", "kernels"
    assert session.run(*command).status == 0
    assert session.run(*command).is_kept
    session.write("kernels/b.mlir", _WRONG)
    assert session.run(*command).status == 1
    (session.folder / "kernels" / "b.mlir").unlink()
    os.mkfifo(session.folder / "kernels" / "b.mlir")
    assert session.run(*command).status == 0
    (session.folder / "kernels" / "b.mlir").unlink()
    session.write("kernels/b.mlir", _WRONG)
    assert session.run(*command).status == 1


def test_each_of_many_files_is_kept(session: Session) -> None:
    (session.folder / "kernels").mkdir()
    names = [f"kernels/{name}.mlir" for name in "abc"]
    for name in names:
        session.write(name, _KERNEL)
    command = "check", "--verify=off", "--format=json", "kernels"
    assert not session.run(*command).is_kept
    assert len([*session.results.iterdir()]) == 1 + len(names)
    session.write(names[1], _WRONG)
    changed = session.run(*command)
    assert not changed.is_kept and changed.status == 1
    assert len([*session.results.iterdir()]) == 2 + len(names)
    again = session.run(*command, "--no-cache")
    assert again[:3] == changed[:3] and b"b.mlir" in again.output
    assert session.run(*command).is_kept


def test_text_depends_on_what_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Record
) -> None:
    """Also on what other processes read."""
    monkeypatch.setenv(kept_results.VARIABLE, str(tmp_path / "results"))
    file, made = tmp_path / "read.txt", [0]

    def write(path: Path, text: str) -> None:
        Record.current = None
        path.write_text(text)
        Record.current = recorded

    def make() -> str:
        made[0] += 1
        return file.read_text()

    def text() -> str:
        return kept_results.kept(("the text",), make)

    write(file, "first")
    assert [text(), text(), made[0]] == ["first", "first", 1]
    write(file, "second")
    assert [text(), text(), made[0]] == ["second", "second", 2]
    assert recorded.seen == ({str(file): recorded.seen[0][str(file)]}, True)
    other = tmp_path / "other.txt"
    write(other, "third")
    assert [*in_processes(lambda each: each.read_text(), [file, other], 2)] == ["second", "third"]
    inputs, is_whole = recorded.seen
    assert {str(file), str(other)} <= inputs.keys() and is_whole


def test_what_is_not_kept(session: Session) -> None:
    """The standard input, a program that is run, and commands that end with status 2."""
    kernel = session.write("k.mlir", _KERNEL)
    for command in (
        ("compile", "--verify=off", "-"),
        ("compile", "--verify=off", "--emit=cubin", kernel),
        ("compile", "missing.mlir"),
        ("explain", "T5-ALLOC-001"),
    ):
        results = [session.run(*command, input=_KERNEL.encode()) for _ in range(2)]
        assert not any(each.is_kept for each in results)
        assert results[0] == results[1]
    session.environment[kept_results.VARIABLE] = "off"
    command = "compile", "--verify=off", kernel
    assert not any(session.run(*command).is_kept for _ in range(2))


def test_fixed_input_is_not_kept(session: Session) -> None:
    lines = (EXAMPLES / "gemm_single_tile.mlir").read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if "tcgen05.commit" not in line)
    kernel = session.write("k.mlir", text)
    fixed = session.run("check", "--fix", "--verify=quick", kernel)
    assert b"fixed: " in fixed.output and (session.folder / "k.mlir").read_text() != text
    assert not session.results.exists()


def test_damaged_results_are_ignored(session: Session) -> None:
    kernel = session.write("k.mlir", _KERNEL)
    command = "compile", "--verify=off", kernel
    first = session.run(*command)
    (result,) = session.results.iterdir()
    data = result.read_bytes()
    for damaged in (b"", data.replace(b".entry", b".exit_"), b"\xff\n{}"):
        result.write_bytes(damaged)
        again = session.run(*command)
        assert not again.is_kept and again[:3] == first[:3]


def test_input_is_never_replaced(session: Session) -> None:
    """An output that has become another name of the input."""
    kernel = session.write("k.mlir", _KERNEL)
    command = "compile", "--verify=off", kernel, "-o", "out.ptx"
    assert session.run(*command).status == 0
    (session.folder / "out.ptx").unlink()
    (session.folder / "out.ptx").symlink_to(kernel)
    result = session.run(*command)
    assert result.status == 2 and b"it is the input" in result.errors
    assert (session.folder / kernel).read_text() == _KERNEL


def test_many_processes(session: Session) -> None:
    kernel = session.write("k.mlir", _KERNEL)
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(session.run, "compile", "--verify=off", kernel) for _ in range(6)]
    first, *others = (each.result()[:3] for each in runs)
    assert all(each == first for each in others)
    assert [each.suffix for each in session.results.iterdir()] == [".result"]


def test_info_and_clear(session: Session) -> None:
    kernel = session.write("k.mlir", _KERNEL)
    session.run("compile", "--verify=off", kernel)
    assert b": 1 result, " in session.run("cache", "info").output
    assert b": removed 1 result" in session.run("cache", "clear").output
    assert b": 0 results, 0 of" in session.run("cache", "info").output
    session.environment[kept_results.VARIABLE] = "off"
    assert session.run("cache", "info").status == 2


def test_oldest_results_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "MOST_BYTES", 400)
    monkeypatch.setenv(kept_results.VARIABLE, str(tmp_path))
    for number in range(5):
        path = tmp_path / f"{number}.result"
        path.write_bytes(b"x" * 100)
        os.utime(path, (number, number))
    (tmp_path / "other").write_bytes(b"x" * 1000)
    kept_results.Record().store(str(tmp_path / "new.result"), 0)
    left = {each.name for each in tmp_path.iterdir()}
    assert {"new.result", "other", "4.result"} <= left
    assert not {"0.result", "1.result"} & left
