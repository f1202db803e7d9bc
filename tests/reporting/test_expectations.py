"""Tests of expectations in comments."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source
from tcgen05_dialect.reporting.suppressions import Expecting, has_expectations, split, unexpected

ERROR = Finding("k", 2, 1, "error", "T5-X-001", "must be 32; found 48")


def _differences(
    text: str, *findings: Finding, expecting: Expecting = "all"
) -> list[tuple[int, str]]:
    found = unexpected(Source("k", text), findings, expecting)
    return [(each.line, each.message) for each in found]


@pytest.mark.parametrize(
    "text",
    [
        "// expected-error@+1 {{found 48}}\nx",
        "// expected-error @below {{found 48}}\nx",
        "\nx // expected-error {{found 48}}",
        "\nx\n// expected-error   @-1{{found 48}}  ",
        "\nx\n// expected-error@above {{found 48}}",
        "\nx\n// expected-remark@above {{verified}}\n// expected-error@above {{found 48}}",
        "// expected-error@+1 {{[T5-X-001]: must}}\nx",
        "// expected-error-re@+1 {{must be {{[0-9]+}}; found {{4.$}}}}\nx",
        "// expected-error@+1 {{found}} text {{48}}\nx",
        "/* a block\n x expected-error {{found 48}}\n*/",
    ],
)
def test_met(text: str) -> None:
    remark = Finding("k", 2, 1, "remark", "", "verified", verdict="verified")
    findings = [ERROR, remark]
    if "{{found}} text" in text:
        assert len(_differences(text, *findings)) == 2
    else:
        assert _differences(text, *findings) == []


def test_unmet() -> None:
    assert _differences("// expected-error@+1 {{found 64}}\nx", ERROR) == [
        (1, 'expected error "found 64" was not found on line 2'),
        (2, "unexpected error: must be 32; found 48"),
    ]
    assert _differences("x // expected-warning@+1 {{found 48}}\nx", ERROR) == [
        (1, 'expected warning "found 48" was not found on line 2'),
        (2, "unexpected error: must be 32; found 48 (line 1 expects it as warning)"),
    ]
    assert _differences("x // expected-error@-1 {{x}}") == [
        (1, 'expected error "x" was not found outside of the text')
    ]


def test_texts_without_an_expectation() -> None:
    unexpected_error = (2, "unexpected error: must be 32; found 48")
    assert _differences('x "// expected-error@+1 {{found 48}}"\n', ERROR) == [unexpected_error]
    assert _differences("", ERROR) == [unexpected_error]
    assert _differences("", ERROR, expecting="only-expected") == []
    assert _differences("// the expected-error follows\n") == []


@pytest.mark.parametrize(
    "word",
    [
        "expected-eror",
        "expected-err",
        "expect-error",
        "excpected-warning",
        "expected-remarks",
        "Expected-Error",
        "expected_error",
        "expected error",
        "expectederror",
        "expected-info",
    ],
)
def test_misspelt_expectations(word: str) -> None:
    """A misspelt word is an error, because the test would otherwise pass."""
    legal = "expected-error, expected-warning, expected-remark or expected-note"
    message = f"an expectation must begin with {legal}; found {word}"
    for end in (" {{x}}", "@+1 {{x}}", "-re @below {{x}}", ": {{x}}"):
        text = f"x // {word}{end}"
        assert [each.removesuffix("-re") for _, each in _differences(text)] == [message], text
        assert has_expectations(Source("k", text))
        text = f"x // {word}{end} expected-error {{{{x}}}}"
        assert _differences(text, ERROR._replace(line=1, message="x")) != [], text


@pytest.mark.parametrize("text", ["{x}", "@+1 x", ": {x}", "{{x}", "{{x}} y", "@+z {{x}}"])
def test_expectations_that_cannot_be_read(text: str) -> None:
    assert _differences(f"// expected-error {text}") == [(1, "the expectation cannot be read")]


@pytest.mark.parametrize(
    "text",
    [
        "the kernel is expected to fail {{",
        "an expected error {x}",
        "CHECK: note {{.*}}",
        "CHECK-NOT: error {{.*}}",
        "an error: {{x}}",
        "expected-value {0, 1}",
        "expected-no-diagnostics",
        "unexpected: {{x}}",
    ],
)
def test_prose_is_no_expectation(text: str) -> None:
    assert _differences(f"// {text}") == []
    assert not has_expectations(Source("k", f"// {text}"))


def test_numbers_of_expectations() -> None:
    """One expectation stands for several findings, but each expectation needs a finding."""
    twice = "// expected-error@+2 {{48}}\n// expected-error@+1 {{48}}\nx"
    error = ERROR._replace(line=3)
    assert _differences(twice, error) == [(2, 'expected error "48" was not found on line 3')]
    assert _differences(twice, error, error) == []
    assert _differences("// expected-error@+1 {{48}}\nx", ERROR, ERROR) == []


def test_findings_without_a_line() -> None:
    finding = Finding("k", 0, 0, "warning", "", "a text")
    assert _differences("// expected-warning@unknown {{a text}}", finding) == []
    assert _differences("// expected-warning@-1 {{a text}}", finding) != []


def test_notes() -> None:
    noted = ERROR._replace(excerpt="x\n^\nk:1:1: note: first defined here\ny\n^")
    text = "y // expected-note {{first}}\nx // expected-error {{48}}"
    assert _differences(text, noted) == []
    assert _differences(text, ERROR) == [(1, 'expected note "first" was not found on line 1')]
    assert _differences("\nx // expected-error {{48}}", noted) == [
        (1, "unexpected note: first defined here")
    ]


def test_suppressed_warnings_are_not_expected() -> None:
    warning = ERROR._replace(severity="warning", suppressed="comment")
    assert _differences("", warning) == []


@pytest.mark.parametrize("suffix", ["mlir", "ptx"])
def test_the_lines_of_a_part_are_those_of_the_file(suffix: str) -> None:
    wrong = {
        "mlir": '"builtin.module"() ({\n  ptx.foo\n}) : () -> ()\n',
        "ptx": ".version 8.8\n.target sm_100a\ntcgen05.rot;\n",
    }[suffix]
    parts = split(Source(f"k.{suffix}", f"{wrong}// -----\n{wrong}  // -----  \n//------\n{wrong}"))
    lines = [finding.line for part in parts for finding in check_source(part)]
    first = {"mlir": 2, "ptx": 3}[suffix]
    assert lines == [first, first + 4, first + 9]


TRANSFORM = """\
module attributes {transform.with_named_sequence} {
%s
transform.named_sequence @__transform_main(%%arg0: !transform.any_op) {
  %%0 = transform.structured.match ops{["arith.addi"]} in %%arg0
      : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %%0, "hi [x] there" : !transform.any_op
  transform.yield
}
}
"""
_ADD = "func.func @f%d(%%x: i32) { %%1 = arith.addi %%x, %%x : i32 return }"


@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="needs mlir-opt-22")
@pytest.mark.slow
def test_expectations_mean_what_they_mean_to_mlir(tmp_path: Path) -> None:
    """mlir-opt and this project agree on which lines of expectations are met."""
    expectations = (
        "// expected-remark@+1 {{hi}}",
        "// expected-remark @below {{[x]}}",
        "// expected-remark-re@below {{hi {{\\[[a-z]\\]}} the}}",
        "// expected-remark-re@below {{hi [a-z]}}",
        "// expected-remark-re @+1 {{h{{i}}}}",
        "// expected-warning@+1 {{hi}}",
        "// expected-remark@+2 {{hi}}",
        "// expected-remark@+1 {{hi}} {{there}}",
        "// expected-remark@below {{hi}} ",
        "// text expected-remark@+1 {{there}}",
        "// expected-remark@-1 {{hi}}",
    )
    lines = [
        line
        for at, each in enumerate(expectations)
        for line in (each, _ADD.replace("%d", str(at)).replace("%%", "%"))
    ]
    text = TRANSFORM.replace("%s", "\n".join(lines)).replace("%%", "%")
    path = tmp_path / "k.mlir"
    path.write_text(text)
    command = ["mlir-opt-22", "--transform-interpreter", "--verify-diagnostics", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    remarks = [
        Finding(str(path), number, 1, "remark", "", "hi [x] there")
        for number, line in enumerate(text.split("\n"), 1)
        if "arith.addi %" in line
    ]
    found = unexpected(Source(str(path), text), remarks, "all")
    of_mlir = {
        int(line.removeprefix(f"{path}:").partition(":")[0])
        for line in result.stderr.splitlines()
        if line.startswith(f"{path}:")
    }
    (misnamed,) = (at for at, line in enumerate(text.split("\n"), 1) if "expected-warning" in line)
    # Of a finding of another kind, mlir-opt names only the expectation.
    assert {each.line for each in found} == of_mlir | {misnamed + 1}
