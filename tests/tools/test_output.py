"""Tests of output files: written whole or not at all, with mode and owner, and clear errors."""

import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from tcgen05_dialect.reporting.formats import FORMATS
from tcgen05_dialect.tools.files import CommandError, write_output

from ..support.effort import sampled
from ..support.preloaded import preloaded
from ..support.repository import ROOT

pytestmark = pytest.mark.slow

STARTED = Path(sys.executable).parent
"""The folder of the commands that users start: for what depends on how a process starts."""
KERNEL = "ptx.kernel @k() {\n  ptx.ret\n}\n"
COMPILERS = pytest.mark.parametrize("command", [("tcgen05", "compile"), ("tcgen05-opt",)])
PRINTERS = (
    ("tcgen05", "compile", "k.mlir"),
    ("tcgen05", "check", "k.mlir", "--format", "json"),
    ("tcgen05", "explain"),
    ("tcgen05", "calc", "list"),
    ("tcgen05", "--help"),
    ("tcgen05", "calc", "--version"),
    ("tcgen05-opt", "k.mlir"),
    ("tcgen05-opt", "k.mlir", "-p", "canonicalize,cse", "--print-between-passes"),
)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = Path("k.mlir")
    path.write_text(KERNEL)
    return path


def run(*arguments: str | Path | bytes, stdout: int = subprocess.PIPE) -> tuple[int, str]:
    """Exit status and messages of a command."""
    command = [preloaded() / os.fsdecode(arguments[0]), *arguments[1:]]
    result = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stderr.decode()


@COMPILERS
def test_output_that_cannot_be_written(command: Sequence[str], kernel: Path) -> None:
    for output, why in (
        ("no/out", "No such file or directory"),
        (".", "Is a directory"),
        ("/dev/full", "No space left on device"),
    ):
        message = f"{command[0]}: error: cannot write {output}: {why}\n"
        assert run(*command, kernel, "-o", output) == (2, message)
    assert os.listdir() == [kernel.name]


@pytest.mark.parametrize("command", PRINTERS, ids=" ".join)
def test_standard_output_that_is_full(command: Sequence[str], kernel: Path) -> None:
    with open("/dev/full", "wb") as full:
        status, message = run(*command, stdout=full.fileno())
    assert status == 2
    assert message.endswith(": error: cannot write the standard output: No space left on device\n")
    assert message.count("\n") == 1


@pytest.mark.parametrize("command", sampled(PRINTERS, 3), ids=" ".join)
def test_standard_output_that_is_closed(command: Sequence[str], kernel: Path) -> None:
    shell = f'exec {shutil.which("env")} {STARTED / command[0]} "$@" >&-'
    result = subprocess.run(
        ["bash", "-c", shell, "bash", *command[1:]], capture_output=True, check=False
    )
    assert result.returncode == 2
    message = result.stderr.decode()
    assert message.endswith(": error: cannot write the standard output: Bad file descriptor\n")
    assert message.count("\n") == 1
    assert kernel.read_text() == KERNEL


@pytest.mark.parametrize("command", PRINTERS, ids=" ".join)
def test_a_pipe_that_nobody_reads_ends_the_command_silently(
    command: Sequence[str], kernel: Path
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        assert run(*command, stdout=pipe.fileno()) == (141, "")


def test_a_closed_or_full_error_output_keeps_the_status(kernel: Path) -> None:
    kernel.write_text("ptx.kernel @k() {\n")
    for redirection in ("2>&-", "2>/dev/full"):
        shell = f"{STARTED / 'tcgen05'} compile k.mlir {redirection}"
        assert subprocess.run(["bash", "-c", shell], check=False).returncode == 1


@COMPILERS
def test_an_error_leaves_the_output_as_it_was(command: Sequence[str], kernel: Path) -> None:
    kernel.write_text("ptx.kernel @k() {\n")
    Path("out").write_text("as it was")
    assert run(*command, kernel, "-o", "out")[0] == 1
    assert Path("out").read_text() == "as it was"
    assert sorted(os.listdir()) == ["k.mlir", "out"]


def test_output_replaces_a_file_and_follows_a_link(kernel: Path) -> None:
    output, link = Path("out"), Path("link")
    output.write_text("as it was")
    link.symlink_to(output)
    assert run("tcgen05", "compile", kernel, "-o", link) == (0, "")
    assert link.is_symlink()
    assert output.read_text().startswith(".version")


def test_output_to_a_device(kernel: Path) -> None:
    assert run("tcgen05", "compile", kernel, "-o", "/dev/null") == (0, "")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_output_to_the_file_that_the_shell_opened(kernel: Path) -> None:
    shell = f"(echo first; {preloaded() / 'tcgen05'} compile k.mlir -o /dev/stdout) > out"
    assert subprocess.run(["bash", "-c", shell], check=False).returncode == 0
    assert Path("out").read_text().startswith("first\n.version")


def test_a_file_keeps_its_mode(kernel: Path) -> None:
    Path("out").touch()
    os.chmod("out", 0o640)
    write_output("out", b"text")
    assert stat.S_IMODE(os.stat("out").st_mode) == 0o640


def test_a_new_file_has_the_mode_that_the_user_wants(kernel: Path) -> None:
    before = os.umask(0o027)
    try:
        write_output("out", b"text")
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat("out").st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(kernel: Path) -> None:
    Path("out").touch()
    os.chown("out", 1234, 4321)
    write_output("out", b"text")
    assert (os.stat("out").st_uid, os.stat("out").st_gid) == (1234, 4321)
    assert Path("out").read_text() == "text"


def test_a_file_that_cannot_be_replaced_is_written(
    kernel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder of somebody else."""

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "replace", refuse)
    Path("out").write_text("as it was")
    write_output("out", b"text")
    assert Path("out").read_text() == "text"
    with pytest.raises(CommandError, match="cannot write new"):
        write_output("new", b"text")
    assert sorted(os.listdir()) == ["k.mlir", "out"]


def test_files_of_others_beside_the_output_stay(
    kernel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = Path(f"out.{os.getpid()}.tmp")
    beside.write_text("not ours")
    write_output("out", b"text")
    assert beside.read_text() == "not ours"


def test_a_full_disk_leaves_nothing(kernel: Path) -> None:
    Path("out").write_text("as it was")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(CommandError, match="cannot write out: File too large"):
            write_output("out", bytes(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert Path("out").read_text() == "as it was"
    assert sorted(os.listdir()) == ["k.mlir", "out"]


NAME = b"latin\xe9"
"""A file name that is not UTF-8."""


@COMPILERS
def test_file_names_that_are_not_utf8(command: Sequence[str], kernel: Path) -> None:
    source, output = NAME + b".mlir", NAME + b".out"
    with open(source, "w") as file:
        file.write(KERNEL)
    assert run(*command, source, "-o", output) == (0, "")
    assert run(*command, source) == (0, "")
    with open(source, "w") as file:
        file.write("ptx.rot\n")
    status, message = run(*command, source)
    assert status == 1
    assert "internal error" not in message
    status, message = run(*command, b"no" + source)
    assert (status, message) == (
        2,
        f"{command[0]}: error: cannot read nolatin\\udce9.mlir: No such file or directory\n",
    )


CONTROL = b"line\nfeed\x1b[31m"


@pytest.mark.parametrize(
    ("name", "output_format"),
    [
        *((NAME, each) for each in FORMATS),
        *((CONTROL, each) for each in FORMATS),
    ],
)
def test_check_of_odd_file_names(name: bytes, output_format: str, kernel: Path) -> None:
    os.mkdir("folder")
    for suffix, text in ((b".mlir", "ptx.rot\n"), (b".ptx", "tcgen05.rot;\n")):
        with open(b"folder/" + name + suffix, "w") as file:
            file.write(text)
    command = [preloaded() / "tcgen05", "check", "--format", output_format, "folder", b"no" + name]
    result = subprocess.run(command, capture_output=True, check=False)
    assert result.returncode == 2
    spent = rb"3 files: 3 files without a verdict; [0-9.]+ s\n" if output_format == "text" else b""
    assert re.fullmatch(spent, result.stderr)
    assert b"\x1b" not in result.stdout
    assert b"\nfeed" not in result.stdout


def test_programs_can_read_names_that_are_not_utf8(kernel: Path) -> None:
    name = NAME + b" \xff.mlir"
    with open(name, "w") as file:
        file.write("ptx.rot\n")
    command = [preloaded() / "tcgen05", "check", "--format"]
    for path in (name, os.fsencode(kernel.resolve().parent) + b"/" + name):
        texts = [
            subprocess.run([*command, each, path], capture_output=True, check=False).stdout.decode()
            for each in ("json", "sarif")
        ]
        assert os.fsencode(json.loads(texts[0])[0]["file"]) == path
        (location,) = json.loads(texts[1])["runs"][0]["results"][0]["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote_to_bytes(uri.removeprefix("file://")) == path


def test_messages_show_the_control_characters_of_names(kernel: Path) -> None:
    for command in (("tcgen05", "compile"), ("tcgen05-opt",)):
        assert run(*command, CONTROL) == (
            2,
            f"{command[0]}: error: cannot read line\\nfeed\\x1b[31m: No such file or directory\n",
        )


@pytest.mark.parametrize(
    ("module", "command"),
    sampled(
        product(["argparse", "tempfile", "xdsl.ir", "xdsl.parser", "json"], PRINTERS),
        1,
        of=lambda case: case[0],
    ),
    ids=str,
)
def test_ctrl_c_while_modules_are_imported(
    module: str, command: Sequence[str], kernel: Path
) -> None:
    """A hook on imports stands for the user who is fast."""
    Path("sitecustomize.py").write_text(
        f"import importlib.abc, sys, signal\n"
        f"class Interrupt(importlib.abc.MetaPathFinder):\n"
        f"    def find_spec(self, name, path, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            print('met', file=sys.stderr)\n"
        f"            signal.raise_signal(signal.SIGINT)\n"
        f"sys.modules.pop({module!r}, None)\n"
        f"sys.meta_path.insert(0, Interrupt())\n"
    )
    result = subprocess.run(
        [STARTED / command[0], *command[1:]],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": "."},
        # A shell that runs the tests in the background ignores the signal.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    message = result.stderr.decode()
    if "met" in message:
        said = "interrupted: the command has not finished"
        assert (result.returncode, message) == (130, f"met\n{said}\n")
    else:
        assert (result.returncode, message) == (0, "")


@pytest.mark.parametrize("module", ["main", "opt"])
def test_the_entry_points_import_little(module: str) -> None:
    """Ctrl-C during these imports, before the process can handle it, would print a traceback."""
    code = (
        "import sys; before = {*sys.modules}; "
        f"import tcgen05_dialect.tools.{module}; print(*sys.modules.keys() - before)"
    )
    command = [sys.executable, "-S", "-c", code]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    own = {name for name in result.stdout.split() if name.startswith("tcgen05_dialect")}
    assert own == {
        "tcgen05_dialect",
        *(f"tcgen05_dialect.{each}" for each in ("tools", "tools.main", f"tools.{module}")),
    }
    assert not {"typing", "argparse", "xdsl"} & {*result.stdout.split()}


def test_check_of_ptx_needs_no_lowering() -> None:
    """The import of the passes, and of what they lower, takes a tenth of a short check."""
    code = (
        "import os, sys; from tcgen05_dialect.tools.main import main; os._exit = lambda _: None; "
        "sys.argv = ['tcgen05', 'check', '--no-cache', '-']; main(); print(*sys.modules)"
    )
    text = ".version 8.6\n.target sm_100a\n.address_size 64\n.entry k() { ret; }\n"
    command = [sys.executable, "-c", code]
    result = subprocess.run(
        command, cwd=ROOT, input=text, capture_output=True, text=True, check=True
    )
    assert not {"xdsl.dialects.arith", "xdsl.dialects.scf"} & {*result.stdout.split()}
