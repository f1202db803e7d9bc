"""Tests of `check` and `sim` on MLIR and LLVM IR. They need the programs of LLVM 22."""

import re
import shutil
import subprocess
import sys
from gzip import decompress
from importlib.util import find_spec
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect import CompileError
from tcgen05_dialect.assembler import ToolError
from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import gpu_binary
from tcgen05_dialect.llvm_input import is_llvm, ptx_of, with_lines
from tcgen05_dialect.ptx.types import choose_target
from tcgen05_dialect.reporting.diagnostics import Finding, Source

from ..support.effort import sampled
from ..support.preloaded import preloaded
from ..support.repository import ROOT

needs_mlir = pytest.mark.skipif(
    not all(map(shutil.which, ("mlir-opt-22", "mlir-translate-22", "llc-22"))),
    reason="mlir-opt-22 and llc-22 (Debian: mlir-22-tools, llvm-22) are not installed",
)
GEMM = decompress((ROOT / "tests/data/foreign/nvvm_gemm.mlir.gz").read_bytes()).decode()
VERIFIED = "@gemm: verified; loops: line {} for up to 3 iterations"


def checked(text: str | bytes, name: str = "gemm.mlir") -> list[Finding]:
    data = text if isinstance(text, bytes) else text.encode()
    return check_source(ptx_of(name, data), verify="thorough")


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def run(program: str, *options: str, data: str | bytes = GEMM) -> bytes:
    sent = data if isinstance(data, bytes) else data.encode()
    return subprocess.run([program, *options], input=sent, stdout=-1, check=True).stdout


def in_gpu_module() -> str:
    """The kernel in a `gpu.module`, each operation in the same line."""
    return (
        GEMM.replace("\nmodule {", "\nmodule attributes {gpu.container_module} { gpu.module @m {")
        + "}"
    )


def assembly() -> str:
    code = run("mlir-opt-22", "--convert-nvvm-to-llvm", "--emit-bytecode")
    return run("mlir-translate-22", "--mlir-to-llvmir", data=code).decode()


@needs_mlir
@pytest.mark.slow
def test_a_kernel_in_nvvm() -> None:
    for text in (GEMM, in_gpu_module()):
        (verdict,) = checked(text)
        assert verdict.message.startswith(VERIFIED.format(line_of(GEMM, "cond_br %more")))
        assert (verdict.file, verdict.line) == ("gemm.mlir", line_of(GEMM, "llvm.func"))


@needs_mlir
@pytest.mark.slow
def test_a_kernel_in_llvm_ir() -> None:
    text = assembly()
    (verdict,) = checked(text, "gemm.ll")
    assert (verdict.file, verdict.line) == ("gemm.ll", line_of(text, "define "))
    assert verdict.verdict == "verified in part" or verdict.message.startswith("@gemm: verified")
    # Bitcode without debug information has no lines.
    (verdict,) = checked(run("llvm-as-22", data=text), "gemm.bc")
    assert (verdict.file, verdict.message[:15]) == ("gemm.bc.ptx", "@gemm: verified")


@needs_mlir
def test_ptx_in_a_binary() -> None:
    passes = "convert-nvvm-to-llvm,nvvm-attach-target{chip=sm_100a features=+ptx88},"
    binary = run(
        "mlir-opt-22",
        f"--pass-pipeline=builtin.module({passes}gpu-module-to-binary{{format=isa}})",
        data=in_gpu_module(),
    )
    source = ptx_of("gemm.mlir", binary)
    assert ".visible .entry gemm(" in source.text
    other = re.sub(rb'assembly = "[^"]*"', rb'bin = "\\7FELF"', binary)
    with pytest.raises(CompileError, match="holds no PTX text: make it with"):
        ptx_of("gemm.mlir", other)
    generic = run("mlir-opt-22", "--mlir-print-op-generic", data=binary).decode()
    commented = f'// gpu.binary of "one kernel\n{generic}'
    assert ptx_of("gemm.mlir", commented.encode()).text == source.text


def test_a_binary_has_bytes() -> None:
    """Comments of PTX may have any encoding."""
    target = choose_target(ModuleOp([]), None, None)
    assert "\\C3\\BC\\0A" in gpu_binary("// \u00fc\n", target)


MEETING = "\n    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>\n    nvvm.barrier\n"
MUTANTS = [
    # Words of a line that is removed, or a change; the rule; words of the line of the finding.
    ("tcgen05.alloc %slot", "", "T5-SIM-013", "llvm.load %slot"),
    ("mbarrier.init %loaded", "", "T5-SIM-008", "arrive.expect_tx"),
    ("mbarrier.init %multiplied", "", "T5-SIM-008", "tcgen05.commit"),
    ("nvvm.barrier\n", "", "T5-SIM-014", "llvm.load %slot"),
    ("arrive.expect_tx", "", "T5-SIM-005", "try_wait.parity %loaded"),
    ("try_wait.parity %loaded", "", "T5-SIM-014", "%a_0, %b_0, %idesc"),
    ("tcgen05.commit", "", "T5-SIM-005", "try_wait.parity %multiplied"),
    ("try_wait.parity %multiplied", "", "T5-SIM-014", "%a, %a_map"),
    ("tcgen05.wait", "", "T5-SIM-040", "tcgen05.ld"),
    ("tcgen05.relinquish", "", "T5-ALLOC-006", "tcgen05.alloc"),
    ("tcgen05.dealloc", "", "T5-SIM-009", "tcgen05.alloc"),
    ("constant(21 ", "constant(20 ", "T5-LDST-005", "tcgen05.ld"),
    ("%is_first, ^products", "%is_first_warp, ^products", "T5-SIM-008", "arrive.expect_tx"),
    ("%is_first, ^init", "%is_first_warp, ^init", "T5-SIM-051", "mbarrier.init %loaded"),
    ("%multiplied, %c1 :", "%multiplied, %c4 :", "T5-SIM-005", "try_wait.parity %multiplied"),
    ("init %loaded, %c1 :", "init %loaded, %c4 :", "T5-SIM-005", "try_wait.parity %loaded"),
    ("lshr %at, %c6", "lshr %at, %c5", "T5-SIM-008", "arrive.expect_tx"),
    ("alloc %slot, %c128", "alloc %slot, %c64", "T5-SIM-009", "%a_0, %b_0, %idesc"),
    ("alignment = 1024", "alignment = 16", "T5-PTX-052", "%a, %a_map"),
    ("4611756662049538048", "4611756387171631104", "T5-DESC-019", "%a_0, %b_0, %idesc"),
    ("dealloc %acc, %c128", "dealloc %acc, %c64", "T5-ALLOC-004", "tcgen05.dealloc"),
    (f"^finish:{MEETING}", "^finish:\n", "T5-SIM-013", "tcgen05.ld"),
    (f"^free:{MEETING}", "^free:\n", "T5-SIM-014", "tcgen05.dealloc"),
    ("llvm.and %number, %c1", "llvm.and %number, %c0", "T5-SIM-008", "arrive.expect_tx"),
    ("add %row_start, %column", "add %column_wide, %column", "T5-SIM-014", "llvm.store %sums"),
    ("array<i32: 128>", "array<i32: 256>", "T5-LDST-005", "tcgen05.ld"),
    ("alloc %slot, %c128", "alloc %slot, %c5", "T5-ALLOC-001", "tcgen05.alloc"),
    ("commit %multiplied", "commit %loaded", "T5-SIM-005", "try_wait.parity %multiplied"),
    ("%at, %c64 : i32", "%at, %c0 : i32", "T5-SIM-008", "arrive.expect_tx"),
    ("%i_next, %c128", "%i_next, %low_bits", "T5-SIM-009", "tcgen05.ld"),
]


@needs_mlir
@pytest.mark.slow
@pytest.mark.parametrize(("old", "new", "rule", "place"), sampled(MUTANTS, 3))
def test_findings_name_the_line_of_mlir(old: str, new: str, rule: str, place: str) -> None:
    if new:
        text = GEMM.replace(old, new, 1)
    else:
        text = re.sub(rf"[^\n]*{re.escape(old.rstrip())}[^\n]*", "", GEMM, count=1)
    found = [each for each in checked(text) if each.rule]
    assert found[0].rule == rule
    expected = next(each for each in found if each.rule == rule)
    assert (expected.file, expected.line) == ("gemm.mlir", line_of(text, place))
    assert expected.excerpt.splitlines()[0] == text.splitlines()[expected.line - 1]


RACE = """define ptx_kernel void @k(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "nvvm.reqntid"="32" }
"""


@pytest.mark.slow
@needs_mlir
def test_fixes_do_not_change_llvm_ir(tmp_path: Path) -> None:
    path = tmp_path / "race.ll"
    path.write_text(RACE)
    result = command(tmp_path, "check", "--fix", path.name)
    assert result.returncode == 1
    assert "race.ll: remark: not changed: LLVM made PTX of this file" in result.stdout
    assert path.read_text() == RACE


@needs_mlir
@pytest.mark.slow
def test_commands(tmp_path: Path) -> None:
    wrong = re.sub(r"[^\n]*tcgen05.commit[^\n]*", "", GEMM)
    (tmp_path / "gemm.mlir").write_text(wrong)
    done = command(tmp_path, "check", "--fix", "gemm.mlir")
    assert done.returncode == 1
    line = line_of(wrong, "%next =") - 1
    assert f"gemm.mlir:{line}:5: error[T5-SIM-005]" in done.stdout
    assert re.search(rf"fix: insert `tcgen05.commit\S+ \[.*\];` after line {line - 2}", done.stdout)
    assert (tmp_path / "gemm.mlir").read_text() == wrong
    done = command(tmp_path, "import", "gemm.mlir", "--llvm", "/nowhere", "-o", "out.mlir")
    assert (done.returncode, [*tmp_path.iterdir()]) == (2, [tmp_path / "gemm.mlir"])
    assert done.stderr.startswith(
        "tcgen05: error: gemm.mlir: mlir-opt of LLVM was not found in /now"
    )
    done = command(tmp_path, "launch-file", "gemm.mlir")
    assert 'box = [64, 128]\nswizzle = "swizzle_128b"' in done.stdout


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = str(preloaded() / "tcgen05")
    return subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@needs_mlir
@pytest.mark.parametrize(
    ("name", "text", "message", "place"),
    [
        ("a.mlir", GEMM.replace("tcgen05.alloc", "tcgen05.aloc"), "is unknown", "aloc"),
        ("a.mlir", GEMM.replace("tcgen05_mma_kind<f16>", "none<f16>"), "none", "none<"),
        (
            "a.ll",
            '\ntarget triple = "x86_64-pc-linux-gnu"\n',
            "the module is for x86_64-pc-linux-gnu, not for a GPU",
            "x86_64",
        ),
        ("a.ll", "define void @f() {\n  rett void\n}\n", "refuses the module: expected", "rett"),
        ("a.ll", "define void @f() {\n  ret void\n}\n", "the module has no kernel", ""),
        ("a.bc", "no module", "refuses the module: expected top-level entity", "no module"),
    ],
)
def test_modules_that_are_refused(name: str, text: str, message: str, place: str) -> None:
    with pytest.raises(CompileError) as error:
        ptx_of(name, text.encode())
    (finding,) = error.value.findings
    assert message in finding.message and "Stack dump" not in finding.message
    assert (finding.file, finding.line) == (name, line_of(text, place) if place else 0)


def test_an_old_program_speaks_for_itself(tmp_path: Path) -> None:
    tool = tmp_path / "llc-14"
    tool.write_text(
        "#!/bin/sh\necho 'LLVM version 14.0.6'\necho 'unknown target sm_100a' >&2\nexit 1\n"
    )
    tool.chmod(0o755)
    message = r"llc-14 \(LLVM 14.0.6\) refuses the module: unknown target sm_100a"
    with pytest.raises(CompileError, match=message):
        ptx_of("a.ll", b"define void @f() { ret void }", str(tmp_path))
    with pytest.raises(ToolError, match="mlir-opt of LLVM was not found in"):
        ptx_of("a.mlir", GEMM.encode(), str(tmp_path))


@needs_mlir
@pytest.mark.skipif(find_spec("llvmlite") is None, reason="llvmlite is not installed")
def test_llvmlite_stands_in_for_llc(monkeypatch: pytest.MonkeyPatch) -> None:
    text = assembly().encode()
    expected = ptx_of("gemm.ll", text).text
    monkeypatch.setenv("PATH", "/nowhere")
    made = ptx_of("gemm.ll", text).text
    assert made.count("tcgen05.") == expected.count("tcgen05.")
    lines = re.compile(r"\.loc\t1 ([1-9]\d* \d+)")
    assert {*lines.findall(made)} == {*lines.findall(expected)}
    with pytest.raises(CompileError, match=r"llvmlite refuses the module: .*expected"):
        ptx_of("a.ll", b"define void @f() {\n  ret i32\n}\n")


@needs_mlir
def test_assembly_in_unusual_lines() -> None:
    text = """define ptx_kernel void @k(i32 %n) {
  %m = add
    i32 %n, 1
  call void @llvm.nvvm.bar.warp.sync(i32 %m)
  ret void
}
declare void @llvm.nvvm.bar.warp.sync(i32)
"""
    assert "bar.warp.sync" in ptx_of("k.ll", text.encode()).text


@needs_mlir
def test_own_kernels_do_without() -> None:
    """The door costs nothing where it stays shut."""
    script = """
import sys
from tcgen05_dialect.tools.main import main
assert main(["check", "--verify=off", sys.argv[1]]) == 0
assert not {"tcgen05_dialect.llvm_input", "subprocess"} & {*sys.modules}
"""
    file = str(ROOT / "examples" / "gemm_pipelined.mlir")
    subprocess.run([sys.executable, "-c", script, file], check=True, cwd=ROOT)


def test_which_files_are_of_llvm() -> None:
    own = 'ptx.kernel @k() { ptx.ret }\n// llvm.func is in "gpu.module"\n'
    assert not is_llvm("a.mlir", own.encode())
    assert not is_llvm("a.mlir", b'module { func.func @f() { "llvm.func" } }'.replace(b'"', b"// "))
    assert is_llvm(
        "a.mlir", b'#x = 1\nmodule attributes {a = {}} { "gpu.module"() <{}> ({}) : () -> () }'
    )
    assert is_llvm("<stdin>", b"; ModuleID = 'x'\ndefine void @f() {")
    assert not is_llvm("a.ptx", b"// llvm.func\n.version 9.0")


def test_lines_of_assembly() -> None:
    text = """\
define ptx_kernel void @k(i32 %n) #0 { ; kernel
entry: ; first
  switch i32 %n, label %end [
    i32 0, label %end
  ]
end:
  call void asm sideeffect "bar.sync 0; // {", ""(), !x !7 ; wait
  ret void
}
declare void @other()
!7 = !{}
"""
    lines = with_lines(Source("k.ll", text)).splitlines()
    assert lines[0] == "define ptx_kernel void @k(i32 %n) #0 !dbg !12 { ; kernel"
    assert lines[2:4] == text.splitlines()[2:4]
    assert lines[4] == "  ], !dbg !13"
    assert lines[6] == '  call void asm sideeffect "bar.sync 0; // {", ""(), !x !7, !dbg !14 ; wait'
    assert [each for each in lines if "DILocation(line: 7, column: 3, scope: !12)" in each]
    assert with_lines(Source("k.ll", "\n".join(lines))) == "\n".join(lines)
