"""Tests of the pages of the site; `make site` checks the links between them."""

from pathlib import Path

import pytest

from docs.site.gallery import Machine, picture
from docs.site.pages import ROOT, LinkError, stage

HOST = "https://github.com/tcgen05-dialect/tcgen05-dialect"


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    stage(folder)
    return folder


def test_links_to_pages_stay_on_the_site(staged: Path) -> None:
    home = (staged / "index.md").read_text()
    assert "](ws_tutorial.md)" in home and "](contributing.md)" in home
    assert "](pictures/playground.webp)" in home and (staged / "pictures").exists()
    assert f"{HOST}/blob/main/docs" not in home
    assert "](ws.md#the-sequential-form)" in (staged / "examples.md").read_text()
    assert "](layouts/d_d.svg)" in (staged / "layouts.md").read_text()
    assert (staged / "layouts" / "d_d.svg").exists()


def test_links_to_sources_lead_to_the_host(staged: Path) -> None:
    text = (staged / "architecture.md").read_text()
    assert f"]({HOST}/blob/main/tcgen05_dialect/verifier.py)" in text
    assert f"]({HOST}/tree/main/tcgen05_dialect/ws/partition)" in text


def test_names_of_programs_become_titles(staged: Path) -> None:
    home = (staged / "index.md").read_text()
    assert '```mlir title="gemm.mlir"' in home
    assert "ws.tma_load %a_map[%i, %block] to %sa" in home


def test_links_to_nothing_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs.site.pages.ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "examples").mkdir()
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"):
        (tmp_path / name).write_text("`[code](none.md)`\n```\n[code](none.md)\n```\n")
    stage(tmp_path)
    (tmp_path / "docs" / "a.md").write_text("[link](none.md)")
    with pytest.raises(LinkError, match="no file none"):
        stage(tmp_path)


def test_pictures_show_what_a_trace_has() -> None:
    def bar(tid: int, start: int, length: int, kind: str) -> dict[str, object]:
        return {"ph": "X", "pid": 1, "tid": tid, "ts": start, "dur": length, "cat": kind}

    bars = [bar(1, 0, 90, "wait"), bar(2, 10, 5, "copy"), bar(3, 20, 30, "product")]
    found = picture({"traceEvents": [*bars, bar(1, 60, 5, "issue"), {"ph": "M", "pid": 1}]})
    assert found.count("<rect") == 3
    assert 'width="440.0" height="8" fill="#c9ced5"' in found


def test_instructions_are_counted_for_four_products() -> None:
    assert Machine("40", "0", "19 / 4").per_four == "19"
    assert Machine("40", "0", "37 / 8").per_four == "18"
    assert Machine("40", "0", "-").per_four == "-"


def test_the_navigation_has_all_pages(staged: Path) -> None:
    listed = (ROOT / "docs" / "site" / "mkdocs.yml").read_text()
    assert [page.name for page in staged.glob("*.md") if f": {page.name}\n" not in listed] == []
