"""
Locations, made without the verification of their parameters, which takes most of the time of xDSL's
constructors.

Uses that attributes of xDSL are frozen dataclasses. It can be deleted when xDSL makes attributes as
fast.
"""

from functools import lru_cache

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NoneAttr,
    StringAttr,
)

_number = lru_cache(maxsize=1024)(IntAttr)
"""The attribute for a line or column number."""
_NONE = NoneAttr()
_set = object.__setattr__


def file_line_column(file: StringAttr, line: int, column: int) -> FileLineColLoc:
    """A place in a file; line and column count from one."""
    location = FileLineColLoc.__new__(FileLineColLoc)
    _set(location, "filename", file)
    _set(location, "line", _number(line))
    _set(location, "column", _number(column))
    return location


def fused(*locations: LocationAttr) -> FusedLoc:
    """Several locations of one operation."""
    places = ArrayAttr.__new__(ArrayAttr)
    _set(places, "data", locations)
    location = FusedLoc.__new__(FusedLoc)
    _set(location, "locations", places)
    _set(location, "metadata", _NONE)
    return location
