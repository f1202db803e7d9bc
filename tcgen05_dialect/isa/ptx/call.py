"""Functions of CUDA that kernels call: output and assertions."""

from __future__ import annotations

PRINTF = "vprintf"
"""Prints text: the address of a format string, and that of its arguments in local memory."""
ASSERTFAIL = "__assertfail"
"""Reports a failed assertion: the addresses of its text and of the name of the file, a line number,
the address of the name of the function, and the size of a character."""
HOST_FUNCTIONS = (PRINTF, ASSERTFAIL)
"""Functions without a body in PTX that every CUDA program may call."""
