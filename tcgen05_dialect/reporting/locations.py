"""Locations of operations: the place in the text that was read, and the program it comes from."""

from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, FusedLoc
from xdsl.ir import Attribute


def text_place(location: Attribute) -> FileLineColLoc | None:
    """The place in the text that was read; None if it is not known."""
    match location:
        case FileLineColLoc():
            return location
        case FusedLoc(locations=places):
            # The importer of PTX puts the place in the program before that in the PTX text.
            found = [place for place in _members(places) if isinstance(place, FileLineColLoc)]
            return found[-1] if found else None
        case _:
            return None


def origin(location: Attribute) -> str:
    """
    The place in the program from which a compiler made the text, such as `kernel.py:66:9`, with the
    calls that the compiler inlined; empty if it is not known.
    """
    if not isinstance(location, FusedLoc):
        return ""
    members = _members(location.locations)
    return _described(members[0]) if len(members) > 1 else ""


def _members(places: Attribute) -> list[Attribute]:
    return list(getattr(places, "data", ()))


def _described(location: Attribute) -> str:
    parts: list[str] = []
    while isinstance(location, CallSiteLoc):
        parts.append(_described(location.callee))
        location = location.caller
    if isinstance(location, FileLineColLoc):
        name, line, column = location.filename.data, location.line.data, location.column.data
        parts.append(f"{name}:{line}:{column}")
    return ", inlined at ".join(filter(None, parts))
