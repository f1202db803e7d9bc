"""The examples of the playground: those of the project, and some of them with a mistake."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from tcgen05_dialect import compile_to_ptx

_ROOT = Path(__file__).parents[2]
_LIST = Path(__file__).with_name("examples.toml")


class Example(NamedTuple):
    """An example: its place in the menu, its texts, and the rule that it breaks, if any."""

    group: str
    title: str
    text: str
    launch: str
    rule: str = ""


def examples() -> list[Example]:
    """The examples in the order of the menu. Raises ValueError if a change changes nothing."""
    return [_example(**each) for each in tomllib.loads(_LIST.read_text())["example"]]


def _example(
    group: str,
    title: str,
    file: str,
    without: str = "",
    replace: str = "",
    by: str = "",
    rule: str = "",
    ptx: bool = False,
) -> Example:
    path = _ROOT / "examples" / file
    text = path.with_suffix(".mlir").read_text()
    original = text = compile_to_ptx(text) if ptx else text
    if without:
        text = "".join(line for line in text.splitlines(keepends=True) if without not in line)
    if replace:
        text = text.replace(replace, by)
    if bool(rule) != (text != original):
        raise ValueError(f"{title}: the text must change if and only if it breaks a rule")
    return Example(group, title, text, path.with_suffix(".toml").read_text(), rule)
