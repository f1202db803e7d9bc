"""Tests of the commands as processes: one clear message and status for each bad input."""

import codecs
import gzip
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

from tcgen05_dialect.reporting.diagnostics import Finding, Source
from tcgen05_dialect.reporting.project import HOME, internal_error
from tcgen05_dialect.tools import opt
from tcgen05_dialect.tools.command import version
from tcgen05_dialect.tools.main import main

from ..support.preloaded import preloaded

pytestmark = pytest.mark.slow

NAME = "tcgen05-dialect"
KERNEL = "ptx.kernel @k() {\n  ptx.ret\n}\n"
BYTE_ORDER_MARK = "the file begins with a byte order mark: save it as UTF-8 without the mark"


class Result(NamedTuple):
    """How a process ended."""

    status: int
    output: bytes
    message: str


def _run(*arguments: str | Path) -> Result:
    command = [preloaded() / arguments[0], *arguments[1:]]
    result = subprocess.run(command, input=b"", capture_output=True, check=False)
    return Result(result.returncode, result.stdout, result.stderr.decode())


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "k.mlir"
    path.write_text(KERNEL)
    return path


def _assert_refused(result: Result, message: str, status: int = 2) -> None:
    """One message, which is this one line, and the status."""
    assert result.message == message + "\n"
    assert result.status == status
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
    marked = tmp_path / "marked.mlir"
    marked.write_bytes(codecs.BOM_UTF8 + b"// text")
    _assert_refused(_run(*command, marked), f"{marked}:1:1: error: {BYTE_ORDER_MARK}")
    cubin = tmp_path / "k.cubin"
    cubin.write_bytes(b"\x7fELF\x02\x01\x01\x33\xbe")
    assert f"{cubin}:1:1: error: the file is a cubin" in _run(*command, cubin).message
    bytecode = tmp_path / "bytecode.mlir"
    bytecode.write_bytes(b"ML\xefR\rMLIR22")
    assert f"{bytecode}:1:1: error: the file is MLIR bytecode" in _run(*command, bytecode).message
    packed = tmp_path / "kernel.ptx.gz"
    packed.write_bytes(gzip.compress(b"ptx.ret"))
    assert f"{packed}:1:1: error: the file is compressed" in _run(*command, packed).message
    empty = tmp_path / "empty.mlir"
    empty.touch()
    _assert_refused(
        _run(*command, empty),
        f"{empty}:1:1: error: expected an operation, but the input is empty",
        1,
    )


@pytest.mark.parametrize("suffix", [".mlir", ".ptx"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_check_of_a_file_with_a_byte_order_mark(suffix: str, encoding: str, tmp_path: Path) -> None:
    file = tmp_path / f"marked{suffix}"
    file.write_text("ret;", encoding)
    result = _run("tcgen05", "check", file)
    assert result.status == 2
    assert result.output.decode() == f"{file}:1:1: error: {BYTE_ORDER_MARK}\n"


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_check_of_a_file_that_is_not_utf8(output_format: str, tmp_path: Path) -> None:
    binary, wrong = tmp_path / "binary.mlir", tmp_path / "wrong.mlir"
    binary.write_bytes(b"// text\n//\xff\n")
    wrong.write_text("ptx.rot\n")
    result = _run("tcgen05", "check", "--format", output_format, binary, wrong)
    assert result.status == 2
    assert b"byte 0xff is not UTF-8 text" in result.output
    assert b"unknown operation ptx.rot" in result.output


def test_input_whose_reading_fails() -> None:
    # Nothing lies at the first address of a process.
    _assert_refused(
        _run("tcgen05", "compile", "/proc/self/mem"),
        "tcgen05: error: cannot read /proc/self/mem: Input/output error",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("tcgen05",),
            "tcgen05: error: give a command: compile, import, launch-file, check, explain, "
            "run-host, lsp, docs, cache, completion, sim, launch, host, calc, serve, opt",
        ),
        (
            ("tcgen05", "frob"),
            "tcgen05: error: argument COMMAND: invalid choice: 'frob' (choose from 'compile', "
            "'import', 'launch-file', 'check', 'explain', 'run-host', 'lsp', 'docs', 'cache', "
            "'completion', 'sim', 'launch', 'host', 'calc', 'serve', 'opt')",
        ),
        (
            ("tcgen05", "compile"),
            "tcgen05 compile: error: the following arguments are required: FILE",
        ),
        (
            ("tcgen05", "compile", "-", "--emit", "sass"),
            "tcgen05 compile: error: argument --emit: invalid choice: 'sass' (choose from 'ptx', "
            "'cubin', 'ir', 'nvvm', 'gpu-binary')",
        ),
        (
            ("tcgen05", "check", "--arch", "sm_100a", "k.ptx"),
            "tcgen05 check: error: unknown option --arch; did you mean --target?",
        ),
        (
            ("tcgen05", "calc", "list", "--traget=sm_100a"),
            "tcgen05 calc list: error: unknown option --traget=sm_100a; did you mean --target?",
        ),
        (
            ("tcgen05", "launch", "nothere.mlir"),
            "tcgen05 launch: error: cannot read nothere.mlir: No such file or directory",
        ),
        (("tcgen05-opt", "a.mlir", "b.mlir"), "tcgen05-opt: error: unexpected argument b.mlir"),
        (
            ("tcgen05", "check", "--verify-diagnostics=ll", "k.ptx"),
            "tcgen05 check: error: argument --verify-diagnostics: unexpected value 'll'",
        ),
        (("tcgen05", "compile", "-", "-x\n"), "tcgen05 compile: error: unknown option -x\\n"),
        (
            ("tcgen05", "opt", "--fronted"),
            "tcgen05 opt: error: unknown option --fronted; did you mean --frontend?",
        ),
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
    assert opt.main([str(kernel)]) == 2
    assert "internal error: ValueError: mistake" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "said"),
    [(AssertionError("a is b"), "valid"), (ValueError("no tool"), "valid: no tool")],
)
def test_an_error_of_a_pass_of_xdsl_names_the_pass(
    kernel: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    said: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("xdsl.transforms.canonicalize.CanonicalizePass.apply", fail)
    assert opt.main([str(kernel), "-p", "cse,canonicalize"]) == 1
    message = (
        f"{kernel}: error: the pass canonicalize of xDSL fails on this module, which is {said}"
    )
    assert capsys.readouterr().err.strip() == message


def test_nesting_too_deep(tmp_path: Path) -> None:
    deep = tmp_path / "deep.mlir"
    deep.write_text("ptx.kernel @k(%p : i1) {\n" + "scf.if %p {\n" * 5000)
    result = _run("tcgen05", "compile", deep)
    place, error, excerpt = result.message.partition(": error: ")
    assert place.removeprefix(f"{deep}:").endswith(":1")
    assert error + excerpt == (
        ": error: regions or attributes are nested too deeply\n  scf.if %p {\n  ^\n"
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
    assert main(arguments) == 2
    assert capfd.readouterr().err == (
        "tcgen05: error: ptxas was found neither in an installed wheel nor on PATH; "
        "`pip install 'tcgen05-dialect[ptxas]'` installs it\n"
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
    assert main(["compile", str(kernel), "--emit", "cubin"]) == 2
    assert capfd.readouterr().err == f"tcgen05: error: cannot run {tool}: Exec format error\n"


def test_an_error_of_the_program_itself_is_told_from_one_of_the_input(
    kernel: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("tcgen05_dialect.compiler.print_ptx", broken)
    assert main(["compile", str(kernel)]) == 2
    assert capfd.readouterr().err == (
        f"tcgen05: internal error: KeyError: 'x' ({version('tcgen05')}; please report it at "
        f"{HOME}/issues, with the traceback that TCGEN05_TRACEBACK=1 shows)\n"
    )
    monkeypatch.setenv("TCGEN05_TRACEBACK", "1")
    with pytest.raises(KeyError):
        main(["compile", str(kernel)])


def test_check_goes_on_after_an_error_of_the_program_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    good, bad, other = (tmp_path / f"{name}.mlir" for name in ("good", "bad", "other"))
    for path in (good, bad, other):
        path.write_text(KERNEL)

    def broken(source: Source, *_: object, **named: object) -> list[Finding]:
        if source.name == str(bad):
            raise KeyError("x")
        return [Finding(source.name, 2, 3, "error", "", "found", "")]

    monkeypatch.setattr("tcgen05_dialect.tools.check.check_source", broken)
    assert main(["check", str(good), str(bad), str(other)]) == 2
    out = capfd.readouterr().out
    message = internal_error(KeyError("x"))
    assert f"{bad}: error: {message}\n" in out
    assert [str(path) in out for path in (good, other)] == [True, True]
    monkeypatch.setenv("TCGEN05_TRACEBACK", "1")
    with pytest.raises(KeyError):
        main(["check", str(bad)])


def test_the_package_is_the_command() -> None:
    command = [sys.executable, "-m", "tcgen05_dialect", "explain", "t5-alloc-001"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("T5-ALLOC-001")


@pytest.mark.parametrize("arguments", [(), ("explain", "T5-ALLOC-999"), ("calc", "frob")])
def test_bad_usage_is_status_2(arguments: Sequence[str]) -> None:
    assert _run("tcgen05", *arguments).status == 2


def test_a_target_that_does_not_exist_is_bad_usage(kernel: Path) -> None:
    for command in ("compile", "check"):
        result = _run("tcgen05", command, kernel, "--target", "sm_90")
        assert (result.status, result.output) == (2, b"")
        assert "found sm_90" in result.message


@pytest.mark.parametrize("command", [("tcgen05",), ("tcgen05-opt",)])
def test_version(command: Sequence[str]) -> None:
    result = _run(*command, "--version")
    assert result.status == 0
    assert result.output.decode().startswith(f"{command[0]} {metadata.version(NAME)}")


def test_version_of_a_source_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert version("tcgen05") == "tcgen05 unknown"


@pytest.mark.parametrize("command", [("tcgen05",), ("tcgen05", "compile"), ("tcgen05-opt",)])
def test_help(command: Sequence[str]) -> None:
    result = _run(*command, "--help")
    assert result.status == 0
    assert result.output.decode().startswith(f"usage: {' '.join(command)} ")


def test_no_cubin_on_a_terminal(kernel: Path) -> None:
    reader, terminal = os.openpty()
    command = (preloaded() / "tcgen05", "compile", kernel, "--emit", "cubin")
    status = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, check=False)
    os.close(terminal)
    os.close(reader)
    assert status.returncode == 2
    assert (
        b"--emit cubin writes binary data: give -o FILE or a pipe, not a terminal" in status.stderr
    )


def test_the_status_of_check(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.mlir", tmp_path / "wrong.ptx"
    right.write_text(KERNEL)
    wrong.write_text("tcgen05.wait::both.sync.aligned;\n")
    assert _run("tcgen05", "check", right).status == 0
    assert _run("tcgen05", "check", right, wrong).status == 1
    result = _run("tcgen05", "check", tmp_path / "missing.ptx", tmp_path)
    assert result.status == 2
    assert b"wrong.ptx:1:" in result.output
    assert b"cannot read" in result.output


def test_docs_prints_an_address() -> None:
    result = _run("tcgen05", "docs")
    assert (result.status, result.message) == (0, "")
    assert result.output.startswith(b"https://")
    assert result.output.count(b"\n") == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed(shell: str) -> None:
    result = _run("tcgen05", "completion", shell)
    assert (result.status, result.message) == (0, "")
    assert b"_tcgen05" in result.output


def test_check_of_a_folder_reads_no_pipe_and_names_broken_links(tmp_path: Path) -> None:
    (tmp_path / "right.mlir").write_text(KERNEL)
    os.mkfifo(tmp_path / "pipe.ptx")
    assert _run("tcgen05", "check", tmp_path).status == 0
    (tmp_path / "link.ptx").symlink_to("missing")
    result = _run("tcgen05", "check", "--verify=off", tmp_path)
    assert result.status == 2
    assert result.output.decode() == (
        f"{tmp_path}/link.ptx: error: cannot read {tmp_path}/link.ptx: No such file or directory\n"
    )


def test_what_follows_a_slice_with_a_wrong_number_of_offsets(tmp_path: Path) -> None:
    path = tmp_path / "slice.mlir"
    path.write_text(
        "!all = !tcgen05.tmem<128x64xf32>\n!part = !tcgen05.tmem<32x2xf32>\n"
        "ptx.kernel @k(%slot : i32) {\n  %all = tcgen05.load_address %slot : !all\n"
        "  %part = tcgen05.slice %all[0] : !all to !part\n"
        "  %v:2 = tcgen05.ld shape_32x32b x2 %part : !part\n  ptx.ret\n}\n"
    )
    result = _run("tcgen05", "check", path)
    assert result.status == 1
    assert result.output.count(b"error[") == result.output.count(b"T5-TMEM-003]") == 1
