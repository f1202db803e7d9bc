"""Tables of launch files: their legal keys, and checked access to their values."""

from collections.abc import Mapping
from typing import Any, cast

from ...isa.model.rule import describe
from ..machine.errors import blaming, refused

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
    "structures",
    "expected",
    "tolerance",
    "guessed",
)
KEYS = {
    "": (*_LAUNCH, "launches"),
    "launches": _LAUNCH,
    "arrays": ("shape", "type", "fill", "view"),
    "maps": ("array", "box", "swizzle", "element", "fill"),
    "structures": ("type", "value"),
}
"""Kind of a table (empty for the whole file) -> its legal keys; other tables take any name."""


def check_keys(given: Mapping[str, Any], table: str, name: str = "") -> None:
    """Raise LaunchError for a key that is not legal in a table of this kind with this name."""
    where = f"[{table}.{name}]" if table else "a launch file"
    for key in given:
        if key not in KEYS[table]:
            above = f"write it above the first [table]; below, it is a key of {where}"
            part = f"{table}.{name}.{key}" if table else key
            with blaming(part):
                raise refused(
                    key, KEYS[table], f"a key of {where}", above if key in KEYS[""] else ""
                )


def shown(value: Any) -> str:
    """A value as TOML writes it, for messages."""
    match value:
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(shown, cast('list[Any]', value)))}]"
        case dict():
            return "a table"
        case _:
            return describe(value)


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
        with blaming(key):
            raise refused(shown(found), "a table", key)
    return cast("dict[str, Any]", found)


def list_of(given: Mapping[str, Any], key: str, part: str = "") -> list[Any]:
    """The list under a key of the part of a launch, by default an empty one. Raises LaunchError."""
    found = given.get(key, [])
    if not isinstance(found, list):
        with blaming(f"{part}.{key}" if part else key):
            raise refused(shown(found), "a list", key)
    return cast("list[Any]", found)


def text(value: Any, what: str) -> str:
    """The value if it is a text. Raises LaunchError."""
    if isinstance(value, str):
        return value
    raise refused(shown(value), "a text in quotes", what)


def found_in(values: Mapping[str, Any], name: Any, what: str) -> Any:
    """The value with a name. Raises LaunchError if there is none."""
    if not isinstance(name, str) or name not in values:
        raise refused(name, tuple(values), what)
    return values[name]
