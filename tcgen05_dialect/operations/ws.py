"""The operations, types and attributes of `ws`; the stub declares them."""

from ..ws.dialect import WS
from . import classes_of, unknown

globals().update(classes_of(WS))


def __getattr__(name: str) -> object:
    raise unknown(__name__, name, globals())
