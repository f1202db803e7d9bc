"""The operations, types and attributes of `tcgen05`; the stub declares them."""

from ..tcgen05.dialect import TCGEN05
from . import classes_of, unknown

globals().update(classes_of(TCGEN05))


def __getattr__(name: str) -> object:
    raise unknown(__name__, name, globals())
