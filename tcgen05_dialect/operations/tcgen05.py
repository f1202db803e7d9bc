"""The operations, types and attributes of `tcgen05`; the stub declares them."""

from ..tcgen05.dialect import TCGEN05
from .public import classes_of

globals().update(classes_of(TCGEN05))
