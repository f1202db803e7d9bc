"""Tests of `tcgen05 check --jobs`: several processes find what one finds."""

import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tools import check as tool
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.verification import kernel_findings

from ..support.foreign_kernels import foreign_kernel

_RIGHT = "ptx.kernel @{name}() {{\n  ptx.ret\n}}\n"
_FILES = {
    "a.mlir": _RIGHT.format(name="a"),
    "b.mlir": "ptx.kernel @b() {\n  ptx.rets\n}\n",
    "c.ptx": ".version 8.6\n.target sm_100a\n.address_size 64\n.entry c()\n{\n  ret;\n}\n",
    "d.ptx": "not PTX",
    "e.mlir": _RIGHT.format(name="e"),
}


def _folder(path: Path) -> str:
    for name, text in _FILES.items():
        (path / name).write_text(text)
    (path / "f.mlir").write_bytes(b"// \xff\n")
    return str(path)


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--diff",), ("--strict",)])
def test_output_is_that_of_one_process(
    tmp_path: Path, options: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = "check", "--verify=quick", _folder(tmp_path), str(tmp_path / "missing"), *options

    def result(jobs: int) -> tuple[int, str]:
        status, (out, err) = main([*arguments, "--jobs", str(jobs)]), capfd.readouterr()
        return status, out + re.sub(r"; [0-9.]+ s$", "", err, flags=re.MULTILINE)

    one, shown = result(1)
    assert result(3) == (one, shown)
    assert one == 2 and all(name in shown for name in ("b.mlir", "d.ptx", "f.mlir", "missing"))


_HEADER = ".version 8.6\n.target sm_100a\n.address_size 64\n"
_DEALLOC = "  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %taddr, 32;\n"
_ALLOCATING = """.entry {name}() .reqntid 32
{{
  .shared .align 4 .b32 base;
  .reg .b32 %at, %taddr;
  mov.b32 %at, base;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%at], 32;
  ld.shared.b32 %taddr, [%at];
{dealloc}  ret;
}}
"""


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--diff",)])
def test_kernels_of_a_file_share_processes(
    tmp_path: Path,
    options: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    deallocs = {"a": "", "b": _DEALLOC, "c": ""}
    kernels = (_ALLOCATING.format(name=name, dealloc=each) for name, each in deallocs.items())
    path = tmp_path / "three.ptx"
    path.write_text(_HEADER + "".join(kernels))

    def result(jobs: int) -> tuple[int, str, str]:
        status = main(["check", str(path), *options, "--jobs", str(jobs)])
        out, err = capfd.readouterr()
        return status, out, err

    one = result(1)
    # Other tests of this process may have loaded libraries that start threads.
    monkeypatch.setattr(kernel_findings, "can_fork", lambda: True)
    parent, place = os.getpid(), kernel_findings.verdict_remark

    def seen(*given: Any) -> Any:
        assert os.getpid() != parent
        return place(*given)

    monkeypatch.setattr(kernel_findings, "verdict_remark", seen)
    assert result(2) == one
    assert one[0] == 1 and (one[1] + one[2]).count("T5-SIM-009") >= 2


def test_findings_of_a_file_are_shown_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before: list[str] = []
    checked = tool.check_source

    def seen(source: Source, *options: Any) -> Any:
        before.append(capfd.readouterr().out)
        return checked(source, *options)

    monkeypatch.setattr(tool, "check_source", seen)
    main(["check", "--verify=off", _folder(tmp_path), "--jobs", "1"])
    assert ["b.mlir" in each for each in before] == [False, False, True, False, False]


def test_killed_process_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def killed(source: Source, *_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(tool, "check_source", killed)
    assert main(["check", "--verify=off", _folder(tmp_path), "--jobs", "2"]) == 2
    assert "was killed, perhaps out of memory; try --jobs 1" in capfd.readouterr().err


def test_killed_process_of_a_kernel_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def killed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(kernel_findings, "can_fork", lambda: True)
    monkeypatch.setattr(kernel_findings, "verdict_remark", killed)
    path = tmp_path / "two.ptx"
    kernels = (_ALLOCATING.format(name=name, dealloc=_DEALLOC) for name in "ab")
    path.write_text(_HEADER + "".join(kernels))
    assert main(["check", str(path), "--jobs", "2"]) == 2
    assert "was killed, perhaps out of memory; try --jobs 1" in capfd.readouterr().err


def test_wrong_number(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "a.mlir", "--jobs", "none"])
    assert "expected a number of at least 1; found 'none'" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_command(tmp_path: Path, number: int) -> None:
    """Workers that wait in vain for the command would stay for ever."""
    code = (
        "import os, time\n"
        "from tcgen05_dialect.tools import check, main\n"
        "def waiting(*_):\n    os.write(1, b'%d\\n' % os.getpid())\n    time.sleep(100)\n"
        "check.check_source = waiting\n"
        f"main.main(['check', '--verify=off', {_folder(tmp_path)!r}, '--jobs', '3'])\n"
    )
    command = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert command.stdout is not None
    workers = [int(command.stdout.readline()) for _ in range(3)]
    command.send_signal(number)
    # The output ends when the last process that has it open ends.
    rest, _ = command.communicate(timeout=30)
    assert rest == "" and len({*workers}) == 3


@pytest.mark.slow
def test_ctrl_c_between_results(tmp_path: Path) -> None:
    """Work that waits is dropped without a traceback of the pool."""
    long = foreign_kernel("triton_attn_f16_128x128_d64_ws")
    (tmp_path / "0.mlir").write_text(_RIGHT.format(name="short"))
    for number in range(1, 7):
        (tmp_path / f"{number}.ptx").write_text(long)
    command = [sys.executable, "-m", "tcgen05_dialect.tools.main", "check", "--no-cache"]
    process = subprocess.Popen(
        [*command, "--jobs", "2", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that runs the tests in the background ignores the signal.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert (process.returncode, said) == (130, b"interrupted: the command has not finished\n")
