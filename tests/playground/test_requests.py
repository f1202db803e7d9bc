"""Tests of requests and of the commands that answer them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from docs.site.examples import Example, examples
from tcgen05_dialect.playground import Answer, Request, RequestError, answer
from tcgen05_dialect.tools.main import main

from ..support.looped import looped
from ..support.repository import EXAMPLES, RING

GEMM = (EXAMPLES / "ws" / "gemm.mlir").read_text()
LAUNCH = (EXAMPLES / "ws" / "gemm.toml").read_text()


def answered(folder: Path, **fields: str) -> Answer:
    old = os.getcwd()
    try:
        return answer(Request.of(fields), main, str(folder))
    finally:
        os.chdir(old)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "a JSON object"),
        ({}, "command must be one of"),
        ({"command": "launch"}, "command must be one of"),
        ({"command": "check", "file": "/etc/passwd"}, "no field 'file'"),
        ({"command": "check", "text": 1}, "text must be a string"),
        ({"command": "check", "language": "../x"}, "language must be one of ir, ptx"),
    ],
)
def test_other_values_are_refused(value: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        Request.of(value)


def test_open_quotes_are_refused() -> None:
    with pytest.raises(RequestError, match="cannot be split"):
        Request.of({"command": "calc", "subject": 'layout "D'}).arguments()


def test_names_are_no_options() -> None:
    assert Request("explain", subject="--help").arguments() == ["explain", "--", "--help"]


@pytest.mark.slow
def test_check_prints_a_verdict(tmp_path: Path) -> None:
    found = answered(tmp_path, command="check quickly", text=GEMM)
    (verdict,) = json.loads(found.output)
    assert (found.status, verdict["verdict"], verdict["file"]) == (0, "verified", "kernel.mlir")


def test_check_without_runs_names_the_line(tmp_path: Path) -> None:
    text = "".join(line for line in GEMM.splitlines(keepends=True) if "%b_map[" not in line)
    found = answered(tmp_path, command="check without runs", text=text)
    (finding,) = json.loads(found.output)
    line = text[: text.index("ws.produce %ab")].count("\n") + 1
    assert (found.status, finding["rule"], finding["line"]) == (1, "T5-WS-001", line)


def test_compile_names_the_lines(tmp_path: Path) -> None:
    found = answered(tmp_path, command="compile", text=GEMM)
    line = GEMM[: GEMM.index("ws.mma")].count("\n") + 1
    before, _, after = found.output.partition(f"\t.loc 1 {line} ")
    assert '.file 1 "kernel.mlir"' in before
    assert after.splitlines()[1].startswith("\t") and "tcgen05.mma" in after.split(".loc")[0]


def test_ptx_is_read_as_ptx(tmp_path: Path) -> None:
    printed = answered(tmp_path, command="compile", text=GEMM).output
    found = answered(tmp_path, command="check without runs", text=printed, language="ptx")
    assert (found.status, found.output) == (0, "[]\n")


def test_sim_takes_the_launch_file(tmp_path: Path) -> None:
    found = answered(tmp_path, command="sim", text=GEMM, launch=LAUNCH.replace("264", "64"))
    (launch,) = json.loads(found.output)["launches"]
    assert (found.status, launch["findings"], launch["differences"]) == (0, [], [])
    assert launch["statistics"]["matrix_products"] > 0
    assert found.timeline is not None and "<html" in found.timeline


@pytest.mark.slow
def test_fix_returns_the_text(tmp_path: Path) -> None:
    ring = RING.read_text()
    broken = ring.replace("  ptx.bar.sync %c0\n", "", 1)
    assert answered(tmp_path, command="fix", text=broken).text == ring


def test_calculator_and_rules_need_no_text(tmp_path: Path) -> None:
    picture = answered(tmp_path, command="calc", subject="layout D --format svg --overview")
    assert picture.output.startswith("<svg")
    memory = answered(tmp_path, command="calc", subject="memory kernel.mlir", text=GEMM)
    assert "@gemm" in memory.output
    rule = answered(tmp_path, command="explain", subject="T5-SIM-014")
    assert rule.output.startswith("T5-SIM-014 (error")
    wrong = answered(tmp_path, command="explain", subject="T5-NO-001")
    assert (wrong.status, wrong.output) == (2, "") and "there is no rule" in wrong.messages


@pytest.mark.slow
@looped([each for each in examples() if each.rule], lambda each: each.title)
def test_examples_break_the_rule_that_they_name(example: Example) -> None:
    from tcgen05_dialect import check_source

    found = check_source(example.text, verify="quick")
    assert {each.rule for each in found if each.severity != "remark"} == {example.rule}
