"""Tests of suppressed warnings."""

import json

import pytest

from tcgen05_dialect.check import check_source, fix_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source, as_errors
from tcgen05_dialect.reporting.formats import render
from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.reporting.suppressions import Suppressions

RULE = "T5-SHAPE-006"
OTHER = "T5-SHAPE-007"
ALLOW = f"// tcgen05: allow {RULE}"


def _warning(line: int, rule: str = RULE) -> Finding:
    return Finding("k", line, 1, "warning", rule, "a warning")


def _suppressed(text: str, *lines: int) -> list[int]:
    """The lines in which warnings of RULE are suppressed."""
    marked = Suppressions(Source("k", text)).marked(map(_warning, lines))
    return [finding.line for finding in marked if finding.suppressed]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"a.b\n{ALLOW}\na.b\na.b", [3]),
        (f"a.b {ALLOW}\na.b", [1]),
        (f"a.b\n  {ALLOW}\n\n// text\na.b\na.b", [5]),
        (f"a.b\n{ALLOW}: it is known\na.b", [3]),
        (f"a.b\n{ALLOW}, {OTHER}\na.b", [3]),
        (f"a.b\n// tcgen05: allow {OTHER.lower()} {RULE.lower()}\na.b", [3]),
        (f"{ALLOW}\na.b\n  [%x], %y\n  {{c = 1}} : !d,\n  !e\n%1, %2 = a.b", [2, 3, 4, 5]),
        (f"{ALLOW}\na.b %x, [%y],\n  %z;\na.b;", [2, 3]),
        (f"{ALLOW}\nscf.for %i {{\na.b\n}}", [2]),
        (f"a.b;\n/* tcgen05: allow {RULE} */ a.b;", [2]),
        (f'a.b "{ALLOW}"\na.b', []),
        (f"// see {ALLOW[3:]}\na.b", []),
        ("// tcgen05: allow\na.b", []),
        (f"a.b\n{ALLOW}", []),
    ],
)
def test_place(text: str, lines: list[int]) -> None:
    assert _suppressed(text, *range(1, text.count("\n") + 2)) == lines


def test_only_warnings_are_suppressed() -> None:
    text = Source("k", f"{ALLOW}\na.b")
    for severity in ("error", "remark"):
        suppressions = Suppressions(text, [RULE])
        finding = _warning(2)._replace(severity=severity)
        assert suppressions.marked([finding]) == [finding]
    assert [each.suppressed for each in Suppressions(text).marked([_warning(2, OTHER)])] == [""]


def test_comments_that_suppress_nothing() -> None:
    text = (
        f"// tcgen05: allow T5-SHAPE-666, {OTHER}, T5-ALLOC-001\n// tcgen05: allow x\na.b {ALLOW}"
    )
    suppressions = Suppressions(Source("k", text, 4))
    marked = suppressions.marked([_warning(7)])
    assert [each.suppressed for each in marked] == ["comment"]
    assert [(e.line, e.column, e.severity, e.message) for e in suppressions.problems()] == [
        (5, 19, "warning", "there is no rule T5-SHAPE-666"),
        (5, 33, "remark", f"no warning {OTHER} was found here"),
        (5, 47, "warning", "T5-ALLOC-001 is an error; only warnings can be allowed"),
        (6, 19, "warning", "there is no rule X"),
    ]


def _program() -> str:
    failing, _ = rules()[RULE].file.programs
    return failing


def test_check_of_a_program() -> None:
    text = _program()
    (warning,) = check_source(text)
    assert (warning.severity, warning.suppressed) == ("warning", "")
    allowed = text.replace("    ptx.tcgen05.mma", f"    {ALLOW}\n    ptx.tcgen05.mma")
    for findings, how in (
        (check_source(text, allow=[RULE]), "option"),
        (check_source(allowed), "comment"),
        (check_source(allowed, allow=[RULE]), "comment"),
    ):
        (finding,) = findings
        assert finding.suppressed == how
        assert as_errors(findings) == findings
    assert not fix_source(Source("k.mlir", allowed)).fixes


def test_remarks_about_comments_need_a_text_without_errors() -> None:
    text = f"ptx.kernel @k() {{\n  {ALLOW}\n  ptx.ret\n}}\n"
    assert [(each.line, each.severity) for each in check_source(text)] == [(2, "remark")]
    assert [each.severity for each in check_source(text.replace("ret", "rot"))] == ["error"]


def test_formats() -> None:
    findings = [_warning(1), *Suppressions(None, [OTHER]).marked([_warning(2, OTHER)])]
    assert "T5-SHAPE-007" not in render(findings, "text")
    assert render(findings, "text").endswith("\n1 warning suppressed\n")
    assert render(findings, "github").endswith("\n::notice::1 warning suppressed\n")
    assert [each["suppressed"] for each in json.loads(render(findings, "json"))] == ["", "option"]
    first, second = json.loads(render(findings, "sarif"))["runs"][0]["results"]
    assert "suppressions" not in first
    assert second["suppressions"] == [{"kind": "external"}]
