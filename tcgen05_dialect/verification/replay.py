"""Command that runs a kernel as the verifier did, but with data."""

import shlex
from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import BlockArgument

from ..isa.shared_memory.tensor_map import Box
from ..ptx.kernel import KernelOp
from ..ptx.types import ParamArrayType, TensorMapType
from .judgement import Setting
from .launches import ARRAY_BYTES, waiting_clusters
from .static.inventory import Inventory, pointers_of

_BITS = (8, 16, 32, 64)
_MOST = 1 << 24
"""Largest number of elements of an array that a tensor map describes."""


class File(NamedTuple):
    """A file with kernels; `is_only` if it has one, and `is_given` if it may lack a block or
    cluster that its kernels have."""

    name: str
    is_only: bool
    is_given: bool = False


def replay_of(kernel: KernelOp, setting: Setting, file: File) -> str:
    """
    A command that runs the kernel of a file at the sizes of a run. Empty if `sim` does not show the
    finding, because it ends with an earlier error, or if a launch cannot be described without
    knowing more, such as the elements of a tensor map whose type does not give them.
    """
    ops = Inventory(kernel)
    if not setting.is_first or waiting_clusters(ops):
        # In `sim`, no cluster waits while there is room for it.
        return ""
    pointers = pointers_of(kernel, ops)
    words = ["tcgen05", "sim", file.name, "--launch", "/dev/null", "--schedule", "lazy"]
    if not file.is_only:
        words += ["--kernel", kernel.sym_name.data]
    words += _sizes(kernel, setting, file)
    has_limit = kernel.extents("maxntid") is not None
    if kernel.declarations is None and (file.is_given or has_limit):
        words += ["--block", ",".join(map(str, kernel.extents("reqntid") or ()))]
    if kernel.declarations is not None:
        return _of_read(kernel, setting, words)
    for parameter in kernel.body.blocks[0].args:
        is_pointer = parameter in pointers
        value = f"zeros:u8:{ARRAY_BYTES}" if is_pointer else _value(parameter, setting)
        if not value or not parameter.name_hint:
            return ""
        words += ["--arg", f"{parameter.name_hint}={value}"]
    return shlex.join(words)


def _of_read(kernel: KernelOp, setting: Setting, words: list[str]) -> str:
    """
    The command for a kernel of PTX text, whose further parameters are members of the declared ones;
    see `members`. Empty if a member is used, which only a launch file can describe.
    """
    pointers = pointers_of(kernel, Inventory(kernel))
    words += ["--block", ",".join(map(str, kernel.extents("reqntid") or ()))]
    for parameter in kernel.body.blocks[0].args:
        if not parameter.uses:
            continue
        is_declared = parameter.index < len(kernel.declarations or ())
        is_pointer = parameter in pointers
        value = f"zeros:u8:{ARRAY_BYTES}" if is_pointer else _value(parameter, setting)
        if not value or not is_declared:
            return ""
        words += ["--arg", f"{kernel.parameter_name(parameter.index)}={value}"]
    return shlex.join(words)


def _sizes(kernel: KernelOp, setting: Setting, file: File) -> Iterator[str]:
    sizes = setting.sizes
    if sizes.grid != sizes.cluster:
        yield from ("--grid", ",".join(map(str, sizes.grid)))
    is_of_text = kernel.extents("cluster_dims") is not None and not file.is_given
    if not is_of_text and sizes.cluster != (1, 1, 1):
        yield from ("--cluster", ",".join(map(str, sizes.cluster)))
    if sizes.dynamic_shared_memory:
        yield from ("--dynamic-shared-memory", str(sizes.dynamic_shared_memory))


def _value(parameter: BlockArgument, setting: Setting) -> str:
    """The value of a parameter that is not a pointer; empty if it is not known."""
    type_ = parameter.type
    if isinstance(type_, TensorMapType):
        return "" if type_.box is None else _array(type_.box)
    if isinstance(type_, ParamArrayType):
        return ""
    # The verifier gives all floating-point numbers this value.
    return "1.0" if isinstance(type_, AnyFloat) else str(setting.values.get(parameter.index, 0))


def _array(box: Box) -> str:
    """An array with several boxes along each dimension; empty for packed elements."""
    shape = [extent * (4 if len(box.extents) < 3 else 2) for extent in reversed(box.extents)]
    if box.kind.bits not in _BITS or prod(shape) > _MOST:
        return ""
    return f"zeros:u{box.kind.bits}:{'x'.join(map(str, shape))}"
