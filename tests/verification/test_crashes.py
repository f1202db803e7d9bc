"""Tests of failures of the verifier itself: they stop no compilation and hide no finding."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, i32

from tcgen05_dialect import kept_results
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.kept_results import Record
from tcgen05_dialect.ptx.instructions import BarArriveOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.reporting.project import internal_error
from tcgen05_dialect.simulator.machine.program import checked
from tcgen05_dialect.tools.main import main
from tcgen05_dialect.verification import verdict

_RIGHT = "ptx.kernel @k() attributes {reqntid = array<i32: 32>} {\n  ptx.ret\n}\n"
_ENDLESS = """
ptx.shared_memory @done size 8 alignment 8
ptx.kernel @endless() attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %bar = ptx.address_of @done
  %t = ptx.special_register tid.x
  %first = arith.cmpi eq, %t, %c0 : i32
  scf.if %first {
    ptx.mbarrier.init [%bar], %c1
  }
  ptx.bar.sync %c0
  %x, %y = scf.while (%i = %c0) : (i32) -> (i32, i32) {
    %more = arith.cmpi ult, %i, %c3 : i32
    scf.condition(%more) %i, %t : i32, i32
  } do {
  ^bb0(%j : i32, %u : i32):
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
  ptx.mbarrier.wait [%bar], %c0
  ptx.ret
}
"""


def _fail(*_: object, **named: object) -> None:
    raise KeyError("x")


_CRASH = internal_error(KeyError("x"))


def test_a_failure_of_a_run_does_not_stop_a_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tcgen05_dialect.verification.verdict.verdict_of", _fail)
    path = tmp_path / "k.mlir"
    path.write_text(_RIGHT)
    assert main(["compile", str(path)]) == 0
    captured = capfd.readouterr()
    assert ".entry k" in captured.out
    assert captured.err == f"{path}:1:1: error: @k was not verified: {_CRASH}\n"


def test_a_failure_of_a_run_keeps_the_other_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The kernel after one on which the verifier fails is verified, and its error counts."""
    verdict_of = verdict.verdict_of

    def fail_once(kernel: KernelOp, effort: verdict.Effort) -> verdict.Verdict:
        if kernel.sym_name.data == "k":
            raise KeyError("x")
        return verdict_of(kernel, effort)

    monkeypatch.setattr(verdict, "verdict_of", fail_once)
    path = tmp_path / "k.mlir"
    path.write_text(_RIGHT + _ENDLESS)
    output = tmp_path / "k.ptx"
    assert main(["check", "--verify=quick", str(path)]) == 1
    said = capfd.readouterr().out
    assert f"error: @k was not verified: {_CRASH}" in said
    assert "error[T5-SIM-" in said
    assert main(["compile", str(path), "-o", str(output)]) == 1
    assert "error[T5-SIM-" in capfd.readouterr().err
    assert not output.exists()


def test_a_failure_of_a_fix_keeps_the_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tcgen05_dialect.verification.repair.repair.Repair.fix", _fail)
    path = tmp_path / "k.mlir"
    path.write_text(_ENDLESS)
    assert main(["check", "--verify=quick", str(path)]) == 1
    said = capfd.readouterr().out
    assert "error[T5-SIM-" in said
    assert "internal error" not in said


_MOVED = """
.version 8.7
.target sm_100a
.visible .entry k() .reqntid 64
{
  .reg .b32 %r<2>;
  .reg .pred %p<1>;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, 16;
  setp.gt.u32 %p0, %r0, 63;
  @%p0 bra DONE;
  bar.sync %r1, 64;
DONE:
  ret;
}
"""


def test_an_illegal_number_in_a_register_is_an_error_of_the_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(_MOVED)
    assert main(["check", "--verify", "quick", str(path)]) == 1
    assert "error[T5-PTX-060]: bar: number of a barrier" in capfd.readouterr().out


def test_an_instruction_with_an_illegal_constant_is_not_executed() -> None:
    numbers = [ConstantOp(value=IntegerAttr(n, i32), result_type=i32).result for n in (16, 64)]
    step = checked(lambda group: None, BarArriveOp.create(operands=numbers), [], None)
    group: Any = SimpleNamespace(mask=np.ones(32, np.bool_))
    with pytest.raises(Violation, match="number of a barrier"):
        step(group)


def test_internal_errors_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the findings in one of many files, nor the result of the command."""

    def make() -> str:
        return internal_error(KeyError("x"))

    monkeypatch.setenv(kept_results.VARIABLE, str(tmp_path))
    # How the version is found also prevents that a result is kept, on some systems.
    monkeypatch.setattr("tcgen05_dialect.reporting.project.version", lambda: "unknown")
    record = Record()
    record.start()
    try:
        assert kept_results.kept(("part",), make).startswith("internal error: KeyError")
    finally:
        record.store(str(tmp_path / "command.result"), 1)
    assert not [*tmp_path.iterdir()]
