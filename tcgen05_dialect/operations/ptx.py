"""The operations, types and attributes of `ptx`; the stub declares them."""

from ..ptx.dialect import PTX
from .public import classes_of

globals().update(classes_of(PTX))
