"""The commands as processes: one clear message and status 1 for bad input, and no file half."""

import gc
import os
import stat
import subprocess
import sys
from collections.abc import Generator, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

from tcgen05_dialect.tools import opt
from tcgen05_dialect.tools.main import main

pytestmark = pytest.mark.slow

NAME = "tcgen05-dialect"
COMMANDS = Path(sys.executable).parent
KERNEL = "ptx.kernel @k() {\n  ptx.ret\n}\n"


@pytest.fixture(autouse=True)
def garbage_collection() -> Generator[None]:
    """Undo that a command, which owns its process, switches the collector off."""
    yield
    gc.unfreeze()
    gc.enable()


class Result(NamedTuple):
    """How a process ended."""

    status: int
    output: bytes
    message: str


def _run(*arguments: str | Path) -> Result:
    command = [COMMANDS / arguments[0], *arguments[1:]]
    result = subprocess.run(command, input=b"", capture_output=True, check=False)
    return Result(result.returncode, result.stdout, result.stderr.decode())


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "k.mlir"
    path.write_text(KERNEL)
    return path


def _assert_refused(result: Result, message: str) -> None:
    """Status 1, and one message, which is this one line."""
    assert result.message == message + "\n"
    assert result.status == 1
    assert result.output == b""


@pytest.mark.parametrize("command", [("tcgen05", "compile"), ("tcgen05-opt",), ("tcgen05", "opt")])
def test_input_that_cannot_be_read(command: Sequence[str], tmp_path: Path) -> None:
    program = " ".join(command).removesuffix(" compile")
    missing = tmp_path / "missing.mlir"
    _assert_refused(
        _run(*command, missing),
        f"{program}: error: cannot read {missing}: No such file or directory",
    )
    folder = tmp_path / "folder.mlir"
    folder.mkdir()
    _assert_refused(
        _run(*command, folder), f"{program}: error: cannot read {folder}: Is a directory"
    )
    binary = tmp_path / "binary.mlir"
    binary.write_bytes(b"// text\n//\xff\n")
    _assert_refused(_run(*command, binary), f"{binary}:2:3: error: byte 0xff is not UTF-8 text")
    empty = tmp_path / "empty.mlir"
    empty.touch()
    _assert_refused(
        _run(*command, empty), f"{empty}:1:1: error: expected an operation, but the input is empty"
    )


def test_input_whose_reading_fails() -> None:
    # Nothing lies at the first address of a process.
    _assert_refused(
        _run("tcgen05", "compile", "/proc/self/mem"),
        "tcgen05: error: cannot read /proc/self/mem: Input/output error",
    )


@pytest.mark.parametrize("command", [("tcgen05", "compile"), ("tcgen05-opt",)])
def test_output_that_cannot_be_written(command: Sequence[str], kernel: Path) -> None:
    no_folder = kernel.parent / "no" / "out"
    _assert_refused(
        _run(*command, kernel, "-o", no_folder),
        f"{command[0]}: error: cannot write {no_folder}: No such file or directory",
    )
    _assert_refused(
        _run(*command, kernel, "-o", kernel.parent),
        f"{command[0]}: error: cannot write {kernel.parent}: Is a directory",
    )
    _assert_refused(
        _run(*command, kernel, "-o", "/dev/full"),
        f"{command[0]}: error: cannot write /dev/full: No space left on device",
    )
    assert list(kernel.parent.iterdir()) == [kernel]


@pytest.mark.parametrize("command", [("tcgen05", "compile"), ("tcgen05-opt",)])
def test_standard_output_that_is_closed(command: Sequence[str], kernel: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        result = subprocess.run(
            [COMMANDS / command[0], *command[1:], kernel],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (result.returncode, result.stderr.decode()) == (141, "")


@pytest.mark.parametrize("command", [("tcgen05", "compile"), ("tcgen05-opt",)])
def test_an_error_leaves_the_output_as_it_was(command: Sequence[str], tmp_path: Path) -> None:
    wrong, output = tmp_path / "wrong.mlir", tmp_path / "out"
    wrong.write_text("ptx.kernel @k() {\n")
    output.write_text("as it was")
    assert _run(*command, wrong, "-o", output).status == 1
    assert output.read_text() == "as it was"
    assert set(tmp_path.iterdir()) == {wrong, output}


def test_output_replaces_a_file_and_follows_a_link(kernel: Path) -> None:
    output, link = kernel.parent / "out", kernel.parent / "link"
    output.write_text("as it was")
    link.symlink_to(output)
    assert _run("tcgen05", "compile", kernel, "-o", link) == Result(0, b"", "")
    assert link.is_symlink()
    assert output.read_text().startswith(".version")


def test_output_to_a_device(kernel: Path) -> None:
    assert _run("tcgen05", "compile", kernel, "-o", "/dev/null") == Result(0, b"", "")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tcgen05",), "tcgen05: error: the following arguments are required: COMMAND"),
        (
            ("tcgen05", "frob"),
            "tcgen05: error: argument COMMAND: invalid choice: 'frob' (choose from 'compile', "
            "'check', 'explain', 'sim', 'calc', 'opt')",
        ),
        (
            ("tcgen05", "compile"),
            "tcgen05 compile: error: the following arguments are required: FILE",
        ),
        (
            ("tcgen05", "compile", "-", "--emit", "sass"),
            "tcgen05 compile: error: argument --emit: invalid choice: 'sass' (choose from 'ptx', "
            "'cubin', 'ir')",
        ),
        (("tcgen05", "opt", "--frob"), "tcgen05 opt: error: unrecognized arguments: --frob"),
    ],
)
def test_arguments_that_cannot_be_used(arguments: Sequence[str], message: str) -> None:
    _assert_refused(_run(*arguments), message)


def test_the_extension_of_a_file_says_what_it_holds(tmp_path: Path) -> None:
    """Without one it is IR text."""
    plain, other = tmp_path.joinpath("version.2", "kernel"), tmp_path.joinpath("kernel.frob")
    plain.parent.mkdir()
    for path in (plain, other):
        path.write_text(KERNEL)
    assert _run("tcgen05-opt", plain).status == 0
    _assert_refused(
        _run("tcgen05-opt", other), "tcgen05-opt: error: Unrecognized file extension 'frob'"
    )


def test_an_error_of_a_pass_is_no_error_of_usage(
    kernel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("mistake")

    monkeypatch.setattr("xdsl.passes.PassPipeline.apply", fail)
    assert opt.main([str(kernel)]) == 1
    assert "internal error: ValueError: mistake" in capsys.readouterr().err


def test_nesting_too_deep(tmp_path: Path) -> None:
    deep = tmp_path / "deep.mlir"
    deep.write_text("ptx.kernel @k(%p : i1) {\n" + "scf.if %p {\n" * 5000)
    result = _run("tcgen05", "compile", deep)
    place, error, excerpt = result.message.partition(": error: ")
    assert place.removeprefix(f"{deep}:").endswith(":1")
    assert error + excerpt == (
        ": error: regions or attributes are nested too deeply\nscf.if %p {\n^\n"
    )
    assert (result.status, result.output) == (1, b"")


def test_the_input_is_not_overwritten(kernel: Path) -> None:
    link = kernel.with_name("link.mlir")
    link.symlink_to(kernel)
    for output in (kernel, link):
        result = _run("tcgen05", "compile", kernel, "-o", output)
        _assert_refused(result, f"tcgen05: error: cannot write {output}: it is the input")
    assert kernel.read_text() == KERNEL


def test_cubin_without_ptxas(
    kernel: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    output = kernel.parent / "k.cubin"
    arguments = ["compile", str(kernel), "--emit", "cubin", "-o", str(output)]
    assert main(arguments) == 0
    output.unlink()
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("PATH", "")
    assert main(arguments) == 1
    assert capfd.readouterr().err == (
        "tcgen05: error: ptxas was found neither in an installed nvidia-cuda wheel nor on PATH; "
        "`pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm` brings it\n"
    )
    assert not output.exists()


def test_ptxas_that_cannot_run(
    kernel: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tool = kernel.parent / "ptxas"
    tool.write_text("no program")
    tool.chmod(0o755)
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("PATH", str(kernel.parent))
    assert main(["compile", str(kernel), "--emit", "cubin"]) == 1
    assert capfd.readouterr().err == f"tcgen05: error: cannot run {tool}: Exec format error\n"


def test_an_error_of_the_program_itself_is_told_from_one_of_the_input(
    kernel: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("tcgen05_dialect.compiler.print_ptx", broken)
    assert main(["compile", str(kernel)]) == 1
    assert capfd.readouterr().err == (
        "tcgen05: internal error: KeyError: 'x' (set TCGEN05_TRACEBACK=1 for a traceback)\n"
    )
    monkeypatch.setenv("TCGEN05_TRACEBACK", "1")
    with pytest.raises(KeyError):
        main(["compile", str(kernel)])


@pytest.mark.parametrize("command", [("tcgen05",), ("tcgen05-opt",)])
def test_version(command: Sequence[str]) -> None:
    result = _run(*command, "--version")
    assert result.status == 0
    assert result.output.decode().startswith(f"{command[0]} {metadata.version(NAME)}")


@pytest.mark.parametrize("command", [("tcgen05",), ("tcgen05", "compile"), ("tcgen05-opt",)])
def test_help(command: Sequence[str]) -> None:
    result = _run(*command, "--help")
    assert result.status == 0
    assert result.output.decode().startswith(f"usage: {' '.join(command)} ")


def test_no_cubin_on_a_terminal(kernel: Path) -> None:
    reader, terminal = os.openpty()
    command = (COMMANDS / "tcgen05", "compile", kernel, "--emit", "cubin")
    status = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, check=False)
    os.close(terminal)
    os.close(reader)
    assert status.returncode == 1
    assert b"--emit cubin: found a terminal; legal: -o FILE, or a pipe" in status.stderr
