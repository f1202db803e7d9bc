"""Test of tests/data/README.md: it describes each golden table."""

import re

from ..support.golden_tables import DATA, golden

NAMES = sorted(path.name.removesuffix(".jsonl.gz") for path in DATA.glob("*.jsonl.gz"))


def test_the_readme_describes_each_table() -> None:
    text = (DATA / "README.md").read_text()
    rows = {name: int(count) for name, count in re.findall(r"^\| `(\w+)` \| (\d+) ", text, re.M)}
    assert rows == {name: len(golden(name)) for name in NAMES}
