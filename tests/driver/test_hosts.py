"""Tests of host programs on the emulated CUDA driver."""

import json
import re
import signal
import time
from pathlib import Path

import pytest

from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.driver import library_folder
from tests.support.effort import part
from tests.support.hosts import compile_host, needs, run_host
from tests.support.repository import EXAMPLES

HOSTS = Path(__file__).parent / "hosts"
ADD = HOSTS / "add.ptx"
GEMM = EXAMPLES / "hosts" / "gemm.py"
pytestmark = pytest.mark.slow
needs_host = needs("cc", "cuda.bindings")
needs_compiler = needs("cc")


@pytest.fixture(scope="session")
def ptx(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hosts") / "gemm.ptx"
    path.write_text(compile_to_ptx((EXAMPLES / "ws" / "gemm.mlir").read_text()))
    return path


def _line_of(host: Path, text: str) -> int:
    lines = host.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@needs_host
def test_a_matrix_product_is_right(ptx: Path) -> None:
    assert run_host(GEMM, ptx) == "equal\nexit status 0"
    usage = "usage: gemm.py PTX [box|attribute|freed|size|short]"
    assert run_host(GEMM) == f"{usage}\nexit status 1"


@needs_host
@pytest.mark.parametrize(
    "mistake, call, code, sentence",
    [
        ("box", "cuda.cuTensorMapEncodeTiled(", "INVALID_VALUE", "must be 1 to 256; found 512"),
        ("attribute", "(values, types)", "INVALID_VALUE", "set its attribute MAX_DYNAMIC_SHARED"),
        ("freed", "(values, types)", "LAUNCH_FAILED", "is not in global memory"),
        ("size", "ctypes.addressof(extra)", "INVALID_VALUE", "gives 272 bytes of parameters"),
        ("short", "(values, types)", "LAUNCH_FAILED", "they begin directly after the allocation"),
    ],
)
def test_a_mistake_is_found_with_its_line(
    ptx: Path, mistake: str, call: str, code: str, sentence: str, tmp_path: Path
) -> None:
    host, report = GEMM, tmp_path / "report.json"
    found = run_host(host, ptx, mistake, options=["--report", report])
    assert found.startswith(
        f"CUDA_ERROR_{code}\ntcgen05: {host.relative_to(Path.cwd())}:{_line_of(host, call)}: "
    )
    assert sentence in found
    assert found.endswith("exit status 3")
    rules = [each["rule"] for each in json.loads(report.read_text())]
    assert rules == (["T5-SIM-002"] if code == "LAUNCH_FAILED" else [])


@needs_host
def test_cuda_core_runs_and_missing_functions_are_named_once() -> None:
    host = HOSTS / "core.py"
    found = run_host(host, ADD)
    assert "tcgen05 emulator of a B200 (no GPU) 10 True\n" in found
    assert found.count("CUDA_ERROR_NOT_SUPPORTED") == 2
    assert found.count("does not have cuGraphCreate") == 1
    assert "CUDA_ERROR_NO_BINARY_FOR_GPU" in found
    assert "the module is machine code, which the emulated driver cannot run" in found
    assert found.count("CUDA_ERROR_INVALID_VALUE") == 2
    assert "100 bytes at " in found
    assert " are not inside one allocation" in found
    assert f":{_line_of(host, '1234')}: 0x4d2 is no address of memory of the device" in found
    assert found.endswith("exit status 0")


@needs_host
def test_wrong_handles_sizes_and_processes_have_error_codes(tmp_path: Path) -> None:
    (tmp_path / "select.py").write_text("1 / 0")  # not a module of the emulator
    host = HOSTS / "handles.py"
    found = run_host(host, ADD, tmp_path)
    handle = "INVALID_HANDLE"
    answers = [f"unloaded {handle}", "folder INVALID_VALUE", "no buffer INVALID_VALUE"]
    answers += [f"{each} {handle}" for each in ("null", "number", "freed") for _ in range(2)]
    answers += [f"module {handle}", "memory OUT_OF_MEMORY", "copy INVALID_VALUE"]
    answers += ["fill INVALID_VALUE"]
    for each in ("stream", "event"):
        answers += [f"{each} destroyed CUDA_SUCCESS", f"{each} destroyed {handle}"]
        answers += [f"{each} used {handle}"]
    answers += [f"stream used {handle}", "sm_90 CUDA_SUCCESS", "sm_90a NO_BINARY_FOR_GPU"]
    answers += ["sm_100f CUDA_SUCCESS", "sm_120a NO_BINARY_FOR_GPU", "sm_110 NO_BINARY_FOR_GPU"]
    answers += ["context destroyed CUDA_SUCCESS", "context destroyed INVALID_CONTEXT"]
    answers += 2 * ["fork NOT_INITIALIZED"] + 2 * ["killed UNKNOWN"]
    message = "tcgen05: the emulator of the emulated CUDA driver has ended; its findings are lost"
    reasons = [line for line in found.splitlines() if line.startswith(f"tcgen05: {host}:")]
    assert any("the handle of the function is none" in each for each in reasons)
    assert any("the module is for sm_90a, and the device is sm_100: " in each for each in reasons)
    lines = [line for line in found.splitlines() if line not in reasons]
    assert lines == [*answers, message, "exit status 0"]


@needs_host
def test_null_pointers_are_refused_and_functions_have_versions() -> None:
    lines = run_host(HOSTS / "null.py").splitlines()
    first = lines.index("True 1 400")
    assert all(line.endswith(" True") for line in lines[first + 1 : first + 9]), lines


@needs_host
def test_an_endless_kernel_reaches_the_limit() -> None:
    host = HOSTS / "endless.py"
    assert run_host(host, "1000") == "CUDA_SUCCESS CUDA_SUCCESS\nexit status 0"
    for number, options, limit in (("1001", [], 700_000), ("1000", ["--max-steps", "99"], 99)):
        found = run_host(host, number, options=options)
        assert f"the kernel has not ended after {limit} instructions" in found
        assert found.startswith("CUDA_ERROR_LAUNCH_FAILED ")
    wrong = run_host(host, "1", options=["--max-steps", "0"])
    assert "expected a number of at least 1; found '0'" in wrong


@needs_host
def test_a_program_that_compiles_to_a_cubin_runs() -> None:
    assert run_host(HOSTS / "compiled.py") == "True\nexit status 0"


def _compiled(name: str, folder: Path) -> Path:
    """The program of a host in C."""
    compile_host("cc", HOSTS / f"{name}.c", "-o", folder / name)
    return folder / name


@needs_compiler
def test_threads_launch_on_streams_of_their_own(tmp_path: Path) -> None:
    found = run_host(_compiled("streams", tmp_path), ADD, str(part(100)))
    assert found.endswith("(no GPU): done\nexit status 0")


@needs_compiler
def test_without_memory_for_an_allocation_the_library_goes_on(tmp_path: Path) -> None:
    """The program lets each allocation of the library fail, one at a time."""
    found = run_host(_compiled("failing", tmp_path), ADD)
    answer = re.match(r"(\d+) of (\d+) failures are told, then 0\n", found)
    assert answer is not None, found
    assert int(answer[1]) > 20
    assert found.endswith("exit status 0")


@needs_host
def test_variables_of_modules_keep_their_content() -> None:
    lines = run_host(HOSTS / "variables.py").splitlines()
    assert lines[:4] == ["4 11", "4 41", "4 41", "CUDA_ERROR_NOT_FOUND"]
    assert lines[4] == "CUDA_ERROR_INVALID_VALUE"
    assert "tcgen05: the module has no variable other; it has: counter, pointer, step" in lines


@needs_host
def test_a_captured_graph_runs_at_its_launch() -> None:
    lines = run_host(HOSTS / "graphs.py", ADD).splitlines()
    assert lines[:4] == ["captured 0 []", "3 True [3]", "3 True [3, 3]", "4 True [3, 3, 4]"]
    errors = ["INVALID_HANDLE", "INVALID_HANDLE", "INVALID_VALUE", "INVALID_VALUE"]
    assert lines[4:8] == [f"CUDA_ERROR_{each}" for each in errors]
    refused = "CUDA_ERROR_INVALID_VALUE CUDA_ERROR_INVALID_VALUE"
    assert lines[8:10] == [refused, "CUDA_ERROR_NOT_SUPPORTED"]
    assert lines[10:13] == [refused, "CUDA_ERROR_INVALID_HANDLE", "True"]
    assert lines[-1] == "exit status 0"


@needs_host
def test_memory_does_not_grow_with_launches() -> None:
    assert run_host(HOSTS / "many.py", ADD, str(part(4000))) == "True\nTrue\nexit status 0"


@needs_compiler
def test_the_library_compiles_without_warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "cc -Wall -Wextra -Wno-unused-parameter -Werror")
    library_folder(str(tmp_path))


@needs_compiler
@pytest.mark.parametrize("option", ["--report", "--calls"])
def test_a_file_that_cannot_be_written_is_named(option: str) -> None:
    found = run_host(HOSTS / "core.py", ADD, options=[option, "/no/file"])
    sentence = "tcgen05: error: cannot write /no/file: No such file or directory"
    assert found == f"{sentence}\nexit status 2"


@needs_host
def test_processes_share_the_files_and_end_with_their_hosts(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    options = ["--report", str(report), "--max-steps", "1000000000"]
    found = run_host(HOSTS / "processes.py", options=options)
    assert "the module has no kernel other; it has: wait" in found
    assert "the kernel has ended" not in found
    assert found.endswith(f"exit status {128 + signal.SIGKILL}")
    assert [each["rule"] for each in json.loads(report.read_text())] == 2 * ["T5-PTX-096"]
    emulators = [Path("/proc", line, "cmdline") for line in found.splitlines() if line.isdecimal()]
    assert len(emulators) == 2
    for each in emulators:
        for _ in range(100):
            # A process that nobody has waited for has an empty line.
            if not each.exists() or not each.read_bytes():
                break
            time.sleep(0.1)
        else:
            pytest.fail(f"{each} still runs")


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    found = run_host(HOSTS / "core.py", ADD, CC="/no/cc", TCGEN05_CACHE=str(tmp_path / "other"))
    assert "the compiler /no/cc cannot be run: No such file or directory" in found
    assert found.endswith("exit status 2")
    found = run_host(HOSTS / "core.py", ADD, CC="false", TCGEN05_CACHE=str(tmp_path / "other"))
    assert found.endswith("libcuda.c: status 1\nexit status 2")


def test_a_folder_that_cannot_be_written_is_named() -> None:
    found = run_host(HOSTS / "core.py", ADD, CC="cc", TCGEN05_CACHE="/dev/null")
    assert "the emulated CUDA driver cannot be written to /dev/null/" in found
    assert found.endswith("Not a directory\nexit status 2")


@needs_compiler
def test_a_missing_program_is_named(tmp_path: Path) -> None:
    assert run_host("no.py").endswith("no.py: no such file\nexit status 2")
    assert "error: the following arguments are required: PROGRAM\n" in run_host("--report", "x")
    program, report = tmp_path / "program", tmp_path / "report.json"
    program.write_text("not a program")
    program.chmod(0o700)
    for before in (None, "kept"):
        if before is not None:
            report.write_text(before)
        found = run_host(program, options=["--report", report])
        assert found.endswith("cannot be run: Exec format error\nexit status 2")
        assert (report.read_text() if report.exists() else None) == before
