"""Tests of `tcgen05 check --jobs`: several processes find what one finds."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tools import check as tool
from tcgen05_dialect.tools.main import main

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
