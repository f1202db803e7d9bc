"""The operations, types and attributes of `ws`; the stub declares them."""

from ..ws.dialect import WS
from .public import classes_of

globals().update(classes_of(WS))
