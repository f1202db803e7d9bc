"""Launch files: descriptions of launches in TOML. docs/launch_files.md is the reference."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..machine.errors import LaunchError, blaming, refused
from .argument_reader import Parameters
from .key_places import syntax_error
from .launch_reader import LaunchReader
from .prepared_launch import PreparedLaunch
from .tables import check_keys, laid_over, table


def read_launches(
    path: Path | None,
    changes: Mapping[str, Any],
    sizes: Mapping[str, int | float],
    seed: int,
    parameters: Parameters,
    arguments: Collection[str] = (),
    only: str | None = None,
) -> Iterator[tuple[str, PreparedLaunch]]:
    """
    Launches of a launch file, each with its name; without a table `launches` there is one, whose
    name is empty. `only` selects one of several.

    `changes` has the structure of a launch file and overrides its values; `sizes` overrides its
    sizes. `seed` is the seed of random arrays. Each name in `arguments` must be one of the launch
    file or a parameter of the kernel. Without a path, the changes describe the launch.

    Raises LaunchError, and CompileError if the parameters of the kernel cannot be read.
    """
    given = {} if path is None else _content(path)
    check_keys(given, "")
    named = table(given, "launches")
    shared = {key: value for key, value in given.items() if key != "launches"}
    folder = Path() if path is None else path.parent
    if only is not None and only not in named:
        with blaming("only"):
            raise refused(only, tuple(named), "the name of a launch")
    for name in named or [""]:
        if only not in (None, name):
            continue
        try:
            with np.errstate(all="ignore"), blaming(*([f"launches.{name}"] if name else [])):
                own = table(named, name)
                check_keys(own, "launches", name)
                own = laid_over(shared, own)
                reader = LaunchReader(laid_over(own, changes), folder, seed, parameters)
                if arguments:
                    reader.check_arguments(own, arguments)
                launch = reader.read(sizes)
                by_option = {*sizes, *arguments, *changes}
                launch.guessed = [each for each in launch.guessed if each not in by_option]
        except MemoryError as error:
            raise LaunchError("not enough memory for the arrays") from error
        except LaunchError as error:
            raise error.in_launch(name) from error
        yield name, launch


def _content(path: Path) -> dict[str, Any]:
    """Content of a file. Raises LaunchError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot read {path}: {error.strerror}"
        raise LaunchError(message, culprits=("launch",)) from error
    except ValueError as error:
        # Invalid TOML, bytes that are not UTF-8, and numbers that Python cannot parse.
        raise syntax_error(error, path) from error
    except RecursionError as error:
        raise LaunchError("tables are nested too deeply") from error
