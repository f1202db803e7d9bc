"""
The pages of the site: those of the repository, with links that hold on the site.

A link to another page stays one; a link to any other file of the repository leads to the code host.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tcgen05_dialect.reporting.project import HOME

ROOT = Path(__file__).parents[2]
_ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
}
"""Pages outside of docs/ -> their places on the site."""
_HOSTS = f"{HOME}/blob/main/", f"{HOME}/raw/main/"
_FENCE = re.compile(r"^(```)(\w+)(?: +([\w.]+))?(?: +wrong)?$", re.MULTILINE)
_PARTS = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\])\((?P<target>[^()\s]+)\)")


class LinkError(Exception):
    """The error of a link to a file that does not exist."""


def stage(folder: Path) -> None:
    """Collect the pages and their pictures in an empty folder. Raises LinkError."""
    places = dict(_places())
    for path, place in places.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(_page(path, place, places))
        else:
            shutil.copy(path, target)


def _places() -> Iterator[tuple[Path, str]]:
    """The files, and their places on the site."""
    for name, place in _ELSEWHERE.items():
        yield ROOT / name, place
    docs = ROOT / "docs"
    for path in sorted((*docs.glob("*.md"), *docs.rglob("*.svg"), *docs.rglob("*.webp"))):
        yield path, path.relative_to(docs).as_posix()


def _page(path: Path, place: str, places: Mapping[Path, str]) -> str:
    """The text of a page, with the links of the site, and names of files above programs."""

    def link(match: re.Match[str]) -> str:
        return f"({_target(match['target'], path, place, places)})"

    def fence(match: re.Match[str]) -> str:
        title = f' title="{match[3]}"' if match[3] and match[3] != "wrong" else ""
        return f"{match[1]}{match[2]}{title}"

    parts = _PARTS.split(path.read_text())
    return "".join(
        _FENCE.sub(fence, part) if number % 2 else _LINK.sub(link, part)
        for number, part in enumerate(parts)
    )


def _target(target: str, path: Path, place: str, places: Mapping[Path, str]) -> str:
    name, mark, anchor = target.partition("#")
    if (host := next(filter(name.startswith, _HOSTS), None)) is not None:
        file = ROOT / name.removeprefix(host)
    elif "://" in name or not name:
        return target
    else:
        file = path.parent / name
    file = Path(os.path.normpath(file))
    if not file.exists():
        raise LinkError(f"{path.relative_to(ROOT)}: no file {target}")
    if file in places:
        return os.path.relpath(places[file], os.path.dirname(place) or ".") + mark + anchor
    kind = "tree" if file.is_dir() else "blob"
    return f"{HOME}/{kind}/main/{file.relative_to(ROOT)}{mark}{anchor}"
