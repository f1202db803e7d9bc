"""Remarks: sentences that explain a wrong result, each with its place in the kernel."""

from typing import NamedTuple

from xdsl.ir import Operation


class Remark(NamedTuple):
    """A sentence about an operation, or about the whole kernel, and what may help."""

    op: Operation | None
    sentence: str
    help: str
