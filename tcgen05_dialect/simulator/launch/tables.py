"""Tables of launch files: their legal keys, and checked access to their values."""

from collections.abc import Mapping
from typing import Any, cast

from ..machine.errors import refused

_LAUNCH = (
    "kernel",
    "grid",
    "block",
    "cluster",
    "dynamic_shared_memory",
    "args",
    "sizes",
    "arrays",
    "maps",
    "expected",
    "tolerance",
)
KEYS = {
    "": (*_LAUNCH, "launches"),
    "launches": _LAUNCH,
    "arrays": ("shape", "type", "fill", "view"),
    "maps": ("array", "box", "swizzle", "element", "fill"),
}
"""Kind of a table (empty for the whole file) -> its legal keys; other tables take any name."""


def check_keys(given: Mapping[str, Any], table: str) -> None:
    """Raise LaunchError for a key that is not legal in a table of this kind."""
    for key in given:
        if key not in KEYS[table]:
            raise refused(key, KEYS[table], "a key of a launch file")


def laid_over(given: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge `changes` into tables recursively; values are replaced."""
    merged = dict(given)
    for key, value in changes.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            value = laid_over(cast("dict[str, Any]", below), cast("dict[str, Any]", value))
        merged[key] = value
    return merged


def table(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The table under a key, by default an empty one. Raises LaunchError."""
    found = given.get(key, {})
    if not isinstance(found, dict):
        raise refused(found, "a table", key)
    return cast("dict[str, Any]", found)


def list_of(given: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key, by default an empty one. Raises LaunchError."""
    found = given.get(key, [])
    if not isinstance(found, list):
        raise refused(found, "a list", key)
    return cast("list[Any]", found)


def text(value: Any, what: str) -> str:
    """The value if it is a text. Raises LaunchError."""
    if isinstance(value, str):
        return value
    raise refused(value, "a text", what)


def found_in(values: Mapping[str, Any], name: Any, what: str) -> Any:
    """The value with a name. Raises LaunchError if there is none."""
    if not isinstance(name, str) or name not in values:
        raise refused(name, tuple(values), what)
    return values[name]
