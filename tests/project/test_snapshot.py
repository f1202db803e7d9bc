"""Tests of the comparison of snapshots."""

import json
from pathlib import Path

from ..support.snapshot import differences


def _file(path: Path, **texts: str) -> Path:
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in texts.items()))
    return path


def test_differences(tmp_path: Path) -> None:
    before = _file(tmp_path / "before", same="a\nb", changed="a\nb", gone="c")
    after = _file(tmp_path / "after", changed="a\nd", new="e", same="a\nb")
    assert list(differences(before, before)) == []
    changes = [line for line in differences(before, after) if line[1:2] != "@"]
    assert changes == [
        *("--- changed, before", "+++ changed, after", " a", "-b", "+d"),
        *("--- gone, before", "+++ gone, after", "-c"),
        *("--- new, before", "+++ new, after", "+e"),
    ]
