"""
`make site`: builds the site in build/site, with the playground in it.

The site needs no server but one for files, and no network. The playground's Python is Pyodide, from
npm; xDSL and what it needs come from the package index.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module, metadata
from pathlib import Path

from . import gallery, page
from .pages import LinkError, stage

_ROOT = Path(__file__).parents[2]
_BUILD = _ROOT / "build"
PAGES, SITE, _PYTHON = _BUILD / "pages", _BUILD / "site", _BUILD / "python"
MOST_BYTES = 40 << 20
"""The largest size of the site."""
_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_BUTTON = "\n\n[Open the playground](try/index.html){ .md-button .md-button--primary }\n\n"
"""The first link of the page about the playground."""
_LOCK = "pyodide-lock.json"
_UNUSED = ("*.dist-info", "__pycache__", "bin", "benchmarks", "docs", "scripts", "tests", "typings")
"""What wheels contain beside packages."""


def build() -> int:
    """Build the site; returns its bytes. Raises LinkError, and CalledProcessError."""
    page.build()
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    stage(PAGES)
    shutil.copy(Path(__file__).with_name("site.css"), PAGES)
    in_page(PAGES / "try")
    about = PAGES / "playground.md"
    about.write_text(about.read_text().replace("\n\n", _BUTTON, 1))
    gallery.write(PAGES)
    configuration = Path(__file__).with_name("mkdocs.yml")
    command = [sys.executable, "-m", "mkdocs", "--quiet", "build", "--config-file", configuration]
    # The theme advertises its successor.
    subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())


def in_page(folder: Path) -> None:
    """Make the playground whose Python runs in the page, in a folder."""
    shutil.copytree(page.BUNDLE, folder)
    (folder / "backend.json").write_text(json.dumps({"kind": "page", "home": "../index.html"}))
    (folder / "pyodide").mkdir()
    for name in (*_PYODIDE, _LOCK):
        shutil.copy(page.MODULES / "pyodide" / name, folder / "pyodide")
    # Of the packages in the list, the page could load none without a network.
    lock = folder / "pyodide" / _LOCK
    lock.write_text(json.dumps({**json.loads(lock.read_text()), "packages": {}}))
    _install()
    with zipfile.ZipFile(folder / "project.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, _PYTHON, "")
        _add(archive, _ROOT / "tcgen05_dialect", "tcgen05_dialect")
        passes = import_module("tcgen05_dialect.passes").__path__[0]
        _add(archive, Path(passes), "tcgen05_dialect/passes")


def _install() -> None:
    """Install the packages that the compiler needs; the emulator needs numpy, too."""
    needed = metadata.requires("tcgen05-dialect") or ()
    wanted = [each for each in needed if ";" not in each and not each.startswith("numpy")]
    shutil.rmtree(_PYTHON, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"]
    options = ["--disable-pip-version-check", "--only-binary", ":all:", "--target", _PYTHON]
    subprocess.run([*command, *options, *wanted], check=True)


def _add(archive: zipfile.ZipFile, folder: Path, place: str) -> None:
    """Add the modules and the data in a folder to an archive."""
    unused = {path for pattern in _UNUSED for path in folder.rglob(pattern)} | {page.SOURCES}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyi" and not unused & {*path.parents}:
            archive.write(path, Path(place, path.relative_to(folder)))


def main() -> int:
    if shutil.which("npm") is None:
        print("make site needs npm, which comes with Node.js 20 or newer", file=sys.stderr)
        return 2
    try:
        size = build()
    except (LinkError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{SITE}: {size / (1 << 20):.1f} MiB")
    if size > MOST_BYTES:
        print(f"the site must have at most {MOST_BYTES >> 20} MiB", file=sys.stderr)
    return int(size > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
