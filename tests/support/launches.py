"""Launches as launch files and options describe them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tcgen05_dialect.simulator.launch.expected import PreparedLaunch
from tcgen05_dialect.simulator.launch.launch_file import Parameter, read_launches


def read(
    path: Path | None, changes: dict[str, Any] | None = None, names: Sequence[str] = ()
) -> PreparedLaunch:
    ((_, launch),) = read_launches(path, changes or {}, {}, 0, lambda _: [*map(Parameter, names)])
    return launch
