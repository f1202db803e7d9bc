"""Tests of fixes of whole texts: `fix_source`, edits and patches."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tcgen05_dialect.check import check_source, fix_source
from tcgen05_dialect.reporting.diagnostics import Edit, OperationError, Source
from tcgen05_dialect.reporting.formats import difference, edited, line_before, patch
from tcgen05_dialect.simulator.machine.errors import place_of
from tcgen05_dialect.tools.check import Fixing, Options, check
from tcgen05_dialect.verification.repair.repair import Fix, Repair
from tcgen05_dialect.verification.verdict import Verdict

from ..support import attention_styles
from ..support.practice_kernels import ALLOC, FREE, SLOT, kernel_of, ptx_of
from ..support.repository import EXAMPLES

EXAMPLE = (EXAMPLES / "gemm_single_tile.mlir").read_text()
STORED = """ptx.shared_memory @data size 256 alignment 16
ptx.kernel @k(%out : i64) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %data = ptx.address_of @data
  %t = ptx.special_register tid.x
  %at = ptx.mad u32 %t, %c4, %data
  ptx.st "shared::cta" b32 [%at], {%t}
  ptx.bar.sync %c0
  %v = ptx.ld "shared::cta" b32 [%data] -> i32
  %to = ptx.mad.wide u32 %t, %c4, %out
  ptx.st global b32 [%to], {%v}
  ptx.ret
}
"""
"""A kernel whose threads read what another one has stored."""


_UNREAD = SLOT + kernel_of(
    f"""{ALLOC}
  ptx.tcgen05.st shape_32x32b x1 [%base], {{%thread}}
  tcgen05.wait st
  %value = ptx.tcgen05.ld shape_32x32b x1 [%base] -> i32
  ptx.st global b32 [%to], {{%value}}
{FREE}""",
    32,
)
"""A kernel that uses loaded registers without a tcgen05.wait::ld."""


def fixed(text: str) -> str:
    """The text with its fixes; it has no errors."""
    result = fix_source(Source("kernel.mlir", text), verify="quick")
    assert result.fixes
    source = Source("kernel.mlir", text)
    for fix in result.fixes:
        assert fix.line
        assert fix.rule
        source = edited(source, fix.edits)
    assert source == result.source
    assert [each for each in result.findings if each.severity != "remark"] == []
    return result.source.text


def without(text: str, line: str) -> str:
    assert text.count(line) == 1
    return text.replace(line, "")


def test_right_text_stays() -> None:
    source = Source("kernel.mlir", STORED)
    result = fix_source(source, verify="quick")
    assert result[:2] == (source, ())
    assert result.before == result.findings


def test_patch_is_not_reported_as_the_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The file still has errors, so no finding has a verdict."""
    file = tmp_path / "kernel.mlir"
    file.write_text(without(STORED, "  ptx.bar.sync %c0\n"))
    assert check([str(file)], Options(format="json", verify="quick", fixing="diff")) == 1
    found = json.loads(capfd.readouterr().err)
    assert [each["message"].partition(":")[0] for each in found] == [
        "would be fixed",
        "in the patched text",
    ]
    assert [each["verdict"] for each in found] == ["", ""]


def test_sarif_offers_no_fix_that_was_made(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kernel.mlir"
    file.write_text(without(STORED, "  ptx.bar.sync %c0\n"))
    cases: tuple[tuple[Fixing | None, bool], ...] = ((None, True), ("fix", False))
    for fixing, has_fix in cases:
        check([str(file)], Options(format="sarif", verify="quick", fixing=fixing))
        (run,) = json.loads(capfd.readouterr().out)["runs"]
        assert any("fixes" in each for each in run["results"]) == has_fix


def test_inserted_line_has_the_indentation_of_its_neighbour() -> None:
    assert fixed(without(STORED, "  ptx.bar.sync %c0\n")) == STORED


@pytest.fixture
def sought(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lines of the findings for which fixes are sought."""
    lines: list[int] = []
    fix = Repair.fix

    def recording(self: Repair, verdict: Verdict, error: OperationError, *more: Any) -> Fix | None:
        lines.append(int(place_of(error.operation).removeprefix("line ")))
        return fix(self, verdict, error, *more)

    monkeypatch.setattr(Repair, "fix", recording)
    return lines


def _without_fences(text: str) -> Source:
    return Source("kernel.mlir", re.sub(r" *tcgen05\.fence .*", "", text))


def test_one_fix_is_sought_at_a_time(sought: list[int]) -> None:
    """Two loads lack the same fence."""
    example = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
    source = _without_fences(example)
    findings = check_source(source, verify="quick")
    assert len([each for each in findings if each.edits]) == len(sought) == 2
    sought.clear()
    assert len(fix_source(source, verify="quick").fixes) == len(sought) == 1


@pytest.mark.slow
@pytest.mark.sweep
def test_what_has_no_fix_comes_last(sought: list[int]) -> None:
    result = fix_source(_without_fences(attention_styles.KERNELS["attention"]), verify="quick")
    assert len(result.fixes) == 2
    left = {each.line for each in result.findings if each.rule == result.fixes[0].rule}
    assert len(left) == 2
    # Each is sought at first and at the end.
    assert len(sought) == 2 + 2 * len(left)


def test_line_ends_are_those_of_the_text() -> None:
    text = STORED.replace("\n", "\r\n")
    assert fixed(without(text, "  ptx.bar.sync %c0\r\n")) == text


def test_kernel_in_one_line() -> None:
    head, _, kernel = STORED.partition("\n")
    text = f"{head}\n{' '.join(kernel.split())}\n"
    result = fixed(without(text, "ptx.bar.sync %c0 "))
    assert result.replace(" ", "") == text.replace(" ", "")


def test_comments_and_strings_may_look_like_ir() -> None:
    """A bracket in a comment closes nothing."""
    step = "  ptx.bar.sync %c0\n"
    comment = '  // } a bracket, and "a quote\n'
    text = STORED.replace(step, f"{comment}{step}")
    assert sorted(fixed(without(text, step)).splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize("file", ["kernel.cu", "kernel.mlir"])
def test_locations_that_the_text_gives(file: str) -> None:
    """They are no places in the text."""
    text = without(STORED, "  ptx.bar.sync %c0\n")
    load = '%v = ptx.ld "shared::cta" b32 [%data] -> i32'
    source = Source("kernel.mlir", text.replace(load, f'{load} loc("{file}":7000:3)'))
    findings = check_source(source, verify="quick")
    assert [each.severity for each in findings if each.rule] == ["error"]
    assert [each.edits for each in findings if each.rule] == [()]


@pytest.mark.slow
@pytest.mark.sweep
def test_two_steps_are_missing() -> None:
    """The error of the first hides that of the second."""
    steps = {"tcgen05.commit %multiplied", "tcgen05.wait ld"}
    lines = EXAMPLE.splitlines()
    text = "\n".join(line for line in lines if line.strip() not in steps)
    result = fixed(text)
    added = [line.strip() for line in result.splitlines() if line not in text.splitlines()]
    assert sorted(added) == sorted(steps)


def test_edits_of_a_finding_make_the_fix() -> None:
    text = without(STORED, "  ptx.bar.sync %c0\n")
    findings = check_source(Source("kernel.mlir", text), verify="quick")
    (found,) = (each for each in findings if each.rule)
    assert edited(Source("kernel.mlir", text), found.edits).text == STORED
    assert found.fix == "insert `ptx.bar.sync %c0` before line 9 (tried: the kernel then passes)"


@pytest.mark.parametrize("name", ["text", "a text"])
@pytest.mark.parametrize("before", ["a\nb\nc", "a\nb\nc\n", "a\r\nb\r\n", "a\fb\x0b\x85\u2028\nb"])
@pytest.mark.parametrize("after", ["a\nx\nb\nc", "x\na\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n"])
def test_patch_and_difference(
    name: str, before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sources = Source(str(tmp_path / name), before), Source(name, after)
    assert edited(sources[0], difference(*sources)).text == after
    file = tmp_path / name
    given = patch([sources]).encode()
    for command in (["patch", "--binary", "-p1", "-s"], ["git", "apply"]):
        file.write_bytes(before.encode())
        subprocess.run(command, input=given, cwd=tmp_path, check=True)
        assert file.read_bytes() == after.encode()


def test_lines_before_edits() -> None:
    text = "1\n2\n3\n4\n"
    edits = Edit(2, 1, 2, 1, "x\ny\n"), Edit(4, 1, 4, 1, "z\n")
    lines = edited(Source("text", text), edits).text.splitlines()
    assert lines == ["1", "x", "y", "2", "3", "z", "4"]
    found = [line_before(edits, number) for number in range(1, 8)]
    assert found == [int(line) if line.isdecimal() else 0 for line in lines]


def test_file_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text = without(STORED, "  ptx.bar.sync %c0\n")
    file = tmp_path / "kernel.mlir"
    file.write_text(text)

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    status = check([str(file)], Options(format="text", verify="quick", fixing="fix"))
    assert status == 2
    found = capfd.readouterr().out
    assert f"cannot write {file}" in found
    assert f"{file}:9:8: error[" in found
    assert "fix: insert `ptx.bar.sync %c0` before line 9" in found
    assert "fixed:" not in found
    assert file.read_text() == text
    assert [*tmp_path.iterdir()] == [file]


def test_file_with_another_name_is_not_replaced(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The other name would keep the old text."""
    text = without(STORED, "  ptx.bar.sync %c0\n")
    file = tmp_path / "kernel.mlir"
    file.write_text(text)
    (tmp_path / "other").hardlink_to(file)
    assert check([str(file)], Options(format="text", verify="quick", fixing="fix")) == 2
    assert f"cannot write {file}: it has other names" in capfd.readouterr().out
    assert file.read_text() == text


def test_file_is_in_a_patch_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A file in a folder, by its own name, and by a link: the patch names the file."""
    monkeypatch.chdir(tmp_path)
    file = Path("kernel.mlir")
    file.write_text(without(STORED, "  ptx.bar.sync %c0\n"))
    Path("a_link.mlir").symlink_to(file)
    paths = [".", str(file), str(tmp_path / file), "a_link.mlir"]
    assert check(paths, Options(format="text", verify="quick", fixing="diff")) == 1
    given = capfd.readouterr().out
    assert given.count("+++") == 1
    subprocess.run(["patch", "-p1", "-s"], input=given.encode(), check=True)
    assert file.read_text() == STORED


def test_patch_of_files_outside_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """`patch` and `git apply` refuse names with `..`."""
    here = tmp_path / "here"
    files = [tmp_path / "a folder" / "kernel.mlir", here / "kernel.mlir"]
    for file in files:
        file.parent.mkdir()
        file.write_text(without(STORED, "  ptx.bar.sync %c0\n"))
    monkeypatch.chdir(here)
    paths = ["../a folder/kernel.mlir", "kernel.mlir"]
    assert check(paths, Options(format="text", verify="quick", fixing="diff")) == 1
    given = capfd.readouterr().out
    command = given.partition("\n")[0].removeprefix("# apply with: ")
    assert command == "patch -p1 -d .."
    subprocess.run(command.split(), input=given.encode(), check=True)
    assert [file.read_text() for file in files] == [STORED] * 2
    for file in files:
        file.write_text(without(STORED, "  ptx.bar.sync %c0\n"))
    subprocess.run(["git", "apply"], input=given.encode(), check=True, cwd=tmp_path)
    assert [file.read_text() for file in files] == [STORED] * 2


def test_suppressed_warning_says_nothing_about_fixes() -> None:
    text = ptx_of(_UNREAD)
    told = [each for each in check_source(Source("k.ptx", text), verify="quick") if each.rule]
    assert told and all("looks for a fix" in each.help for each in told)
    allowed = {each.rule for each in told}
    left = fix_source(Source("k.ptx", text), verify="quick", allow=allowed).findings
    assert {each.suppressed for each in left if each.rule in allowed} == {"option"}
    assert not any(" fix" in each.help for each in left if each.suppressed)
