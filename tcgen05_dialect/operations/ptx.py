"""The operations, types and attributes of `ptx`; the stub declares them."""

from ..ptx.dialect import PTX
from . import classes_of, unknown

globals().update(classes_of(PTX))


def __getattr__(name: str) -> object:
    raise unknown(__name__, name, globals())
