"""Launch files: descriptions of a launch in TOML. docs/launch_files.md is the reference."""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..machine.errors import LaunchError
from .launch_reader import LaunchReader, Parameters, PreparedLaunch
from .tables import check_keys, laid_over


def read_launch_file(
    path: Path | None,
    changes: Mapping[str, Any],
    sizes: Mapping[str, int],
    seed: int,
    parameters: Parameters,
    arguments: Collection[str] = (),
) -> PreparedLaunch:
    """
    Read a launch file, if any. `changes` has the structure of a launch file and overrides its
    values; `sizes` overrides its sizes. `seed` is the seed of random arrays. Each name in
    `arguments` must be one of the launch file or a parameter of the kernel.

    Raises LaunchError, and CompileError if the parameters of the kernel cannot be read.
    """
    try:
        given = {} if path is None else _content(path)
        check_keys(given, "")
        folder = Path() if path is None else path.parent
        reader = LaunchReader(laid_over(given, changes), folder, seed, parameters)
        with np.errstate(all="ignore"):
            if arguments:
                reader.check_arguments(given, arguments)
            return reader.read(sizes)
    except MemoryError as error:
        raise LaunchError("not enough memory for the arrays") from error


def _content(path: Path) -> dict[str, Any]:
    """Content of a file. Raises LaunchError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot read {path}: {error.strerror}"
        raise LaunchError(message, parts=("launch",)) from error
    except ValueError as error:
        # Invalid TOML, bytes that are not UTF-8, and numbers that Python cannot parse.
        raise LaunchError(f"not a launch file in TOML: {error}") from error
    except RecursionError as error:
        raise LaunchError("tables are nested too deeply") from error
