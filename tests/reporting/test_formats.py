"""Tests of the formats of findings, for people, programs and code hosts."""

import json
import os
import re
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Edit, Finding, Source, as_errors, has_errors
from tcgen05_dialect.reporting.formats import FORMATS, render
from tcgen05_dialect.tools.explain import explanation

from ..support.repository import ROOT

FOUND = check_source(
    Source("text.ptx", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%s], 48;")
)
UNREADABLE = Finding("a b.ptx", 0, 0, "error", "", "cannot read a b.ptx: No such file", "")
ODD = Finding("a:b,c%\nd.ptx", 3, 4, "warning", "T5-ALLOC-001", "100 %\nmore", "9.7")
NAMES = ("a b$é#?.ptx", "c:d.ptx", "../up.ptx", "100%.ptx", os.fsdecode(b"latin\xe9.ptx"))


def sarif(*findings: Finding) -> Any:
    (run,) = json.loads(render(findings, "sarif"))["runs"]
    return run


def test_text() -> None:
    text = render(FOUND, "text")
    assert text.startswith("text.ptx:1:63: error")
    heads = [line for line in text.splitlines() if not line.startswith("  ")]
    assert len(heads) == len(FOUND)


def test_json_has_the_fields_of_a_finding() -> None:
    (entry,) = json.loads(render(FOUND, "json"))
    assert entry == FOUND[0]._asdict() | {"edits": [], "unreached": []}


def test_fix() -> None:
    edit = Edit(3, 1, 3, 1, "  tcgen05.wait ld\n")
    fixed = FOUND[0]._replace(fix="insert a wait", edits=(edit,))
    (entry,) = json.loads(render([fixed], "json"))
    assert (entry["fix"], entry["edits"]) == (fixed.fix, [edit._asdict()])
    assert "\n  fix: insert a wait\n" in render([fixed], "text")
    assert "fix: insert a wait" in render([fixed], "github")
    ((fix,),) = (result["fixes"] for result in sarif(fixed)["results"])
    assert fix["description"]["text"] == fixed.fix
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"]["text"] == edit.text
    region = {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 1}
    assert replacement["deletedRegion"] == region


def test_sarif_describes_each_rule_once() -> None:
    run = sarif(*FOUND, *FOUND)
    assert [result["ruleId"] for result in run["results"]] == 2 * ["T5-ALLOC-001"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "T5-ALLOC-001"
    assert rule["shortDescription"]["text"]
    assert rule["fullDescription"]["text"].endswith(".")
    assert "PTX ISA 9.7.16.7.1" in rule["help"]["text"]


def test_sarif_links_to_the_file_of_a_rule() -> None:
    run = sarif(*FOUND)
    assert run["tool"]["driver"]["informationUri"].startswith("https://")
    link: str = run["tool"]["driver"]["rules"][0]["helpUri"]
    _, _, path = urlsplit(link).path.partition("/blob/main/")
    assert (ROOT / path).read_text().startswith("// T5-ALLOC-001")


def test_sarif_of_a_file_that_cannot_be_read_has_what_code_hosts_demand() -> None:
    run = sarif(UNREADABLE)
    (result,) = run["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [result["ruleId"]]


@pytest.mark.parametrize("name", [*NAMES, *(f"/a/{name}" for name in NAMES)])
def test_sarif_names_files_by_valid_uris(name: str) -> None:
    (result,) = sarif(UNREADABLE._replace(file=name))["results"]
    uri: str = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    parts = urlsplit(uri)
    assert re.fullmatch(r"(?:file:///)?(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
    assert unquote_to_bytes(parts.path) == os.fsencode(name)
    assert parts.scheme == ("file" if name.startswith("/") else "")


@pytest.mark.parametrize("path", ["./k.mlir", ".//k.mlir", "k.mlir", "././k.mlir"])
def test_a_file_has_one_name_for_code_hosts(path: str) -> None:
    finding = UNREADABLE._replace(file=path)
    (result,) = sarif(finding)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "k.mlir"
    assert render([finding], "github").startswith("::error file=k.mlir::")


def test_explain_knows_the_rule_of_sarif_for_other_findings() -> None:
    run = sarif(UNREADABLE)
    (rule,) = run["tool"]["driver"]["rules"]
    said = " ".join(explanation([rule["id"]]).split())
    assert rule["fullDescription"]["text"].split(". ")[0] in said


def test_commands_of_github() -> None:
    text = render([ODD, UNREADABLE], "github")
    assert text == (
        "::warning file=a%3Ab%2Cc%25%0Ad.ptx,line=3,col=4,title=T5-ALLOC-001::100 %25%0Amore\n"
        "::error file=a b.ptx::cannot read a b.ptx: No such file\n"
    )


def test_sarif_has_the_severity() -> None:
    assert [result["level"] for result in sarif(ODD, UNREADABLE)["results"]] == ["warning", "error"]


def test_strict_makes_warnings_errors() -> None:
    assert not has_errors([ODD])
    assert has_errors([ODD, UNREADABLE])
    assert as_errors([ODD, UNREADABLE]) == [ODD._replace(severity="error"), UNREADABLE]


def test_strict_makes_verdicts_of_kernels_with_warnings_those_of_errors() -> None:
    first, second = (
        Finding("k.ptx", line, 1, "remark", "", f"@{name}: verified", verdict="verified")
        for line, name in ((1, "first"), (9, "second"))
    )
    warning = Finding("k.ptx", 5, 1, "warning", "T5-SIM-029", "no fence")
    allowed = warning._replace(line=10, suppressed="--allow")
    found = as_errors([first, warning, second, allowed])
    assert found[0].message == "@first: not verified: its warnings are errors; else verified"
    assert found[0].verdict == "not verified"
    assert found[1:] == [warning._replace(severity="error"), second, allowed]


def test_code_hosts_show_how_to_fix_a_mistake() -> None:
    finding = UNREADABLE._replace(help="write 1")
    (result,) = sarif(finding)["results"]
    assert result["message"]["text"].endswith("\nhelp: write 1")
    assert render([finding], "github").endswith("%0Ahelp: write 1\n")


@pytest.mark.parametrize("name", FORMATS)
def test_no_finding(name: str) -> None:
    text = render([], name)
    match name:
        case "json":
            assert json.loads(text) == []
        case "sarif":
            assert json.loads(text)["runs"][0]["results"] == []
        case _:
            assert text == ""


def test_text_says_once_what_is_repeated() -> None:
    wrong = Finding("k.ptx", 5, 1, "error", "T5-TYPE-004", "A must be f16", "9.7")
    found = [wrong._replace(line=line) for line in (5, 7, 7, 9)]
    lines = render(found, "text").splitlines()
    assert [line for line in lines if line.startswith("k.ptx")] == [str(wrong).splitlines()[0]]
    assert lines[-1] == "  and 3 more like it, lines 7 and 9"
    assert render(found[:2], "text") == "".join(f"{each}\n" for each in found[:2])
    other = wrong._replace(message="B must be f16", line=6)
    assert render([*found, other], "text").endswith(f"{other}\n")
    # Programs get each of them.
    assert len(json.loads(render(found, "json"))) == 4
    assert len(sarif(*found)["results"]) == 4
