"""
`make page`: builds the playground's page from its sources, with npm and esbuild.

The page goes into the package, in a folder that git ignores, so that a wheel that is then built has
it, too.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from .examples import examples

_ROOT = Path(__file__).parents[2]
SOURCES = _ROOT / "tcgen05_dialect" / "playground" / "page"
BUNDLE = SOURCES / "bundle"
MODULES = _ROOT / "build" / "page" / "node_modules"
_COPIED = ("index.html", "style.css", "icon.svg")


def build() -> None:
    """Build the page. Raises FileNotFoundError without npm, and CalledProcessError if it fails."""
    folder = MODULES.parent
    folder.mkdir(parents=True, exist_ok=True)
    for file in SOURCES.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    lock = SOURCES / "package-lock.json"
    stamp = MODULES / ".package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        _npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.touch()
    _npm("run", "--silent", "check")
    _npm("run", "--silent", "build")
    shutil.rmtree(BUNDLE, ignore_errors=True)
    shutil.copytree(folder / "bundle", BUNDLE)
    for name in _COPIED:
        shutil.copy(SOURCES / name, BUNDLE)
    menu = [each._asdict() for each in examples()]
    (BUNDLE / "examples.json").write_text(json.dumps(menu))


def _npm(*arguments: str) -> None:
    subprocess.run(["npm", *arguments], cwd=MODULES.parent, check=True)


def main() -> int:
    if shutil.which("npm") is None:
        print("make page needs npm, which comes with Node.js 20 or newer", file=sys.stderr)
        return 2
    try:
        build()
    except subprocess.CalledProcessError as error:
        return error.returncode
    print(f"{BUNDLE}: {sum(file.stat().st_size for file in BUNDLE.iterdir()) >> 10} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
