"""What the text of a kernel says about its launch, for launch files and hosts, and the grid that it
needs."""

import json
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from numbers import Integral
from typing import Any, NamedTuple

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.model.rule import extents_text
from ..isa.shared_memory.tensor_map import Box
from ..ptx.analysis.control_flow import operations_of
from ..ptx.analysis.known_values import constant_value
from ..ptx.kernel import KernelOp
from ..ptx.types import TensorMapType
from ..ptx.variables import used_variables
from ..simulator.launch.expected import PreparedLaunch
from ..simulator.launch.reference import Scope
from ..simulator.machine.errors import LaunchError
from ..ws.kernel import Kernel, memory_of, specialized, with_roles
from ..ws.roles import WarpSpecializeOp
from ..ws.vectors import GlobalLoadOp, GlobalStoreOp


class Matrix(NamedTuple):
    """A row-major matrix at a pointer: its extents, each a parameter or a number, and the type of
    its elements; `is_read` tells whether the kernel loads from it."""

    shape: tuple[str | int, ...]
    type: str
    is_read: bool


class LaunchFacts(NamedTuple):
    """
    What a kernel says about its launch. `grid` has expressions of the parameters, and `block` and
    `cluster` extents; each is None if the kernel does not give it, as is
    `dynamic_shared_memory` in bytes. A persistent kernel takes any smaller grid, too. `boxes` are
    those of tensor maps by the names of parameters, and `tiles` the elements of the tile of a
    cluster by the names of the parameters that are sizes of the result. `matrices` are those at
    pointers by the names of parameters.
    """

    kernel: str
    parameters: tuple[str, ...]
    grid: tuple[str, ...] | None
    is_persistent: bool
    block: tuple[int, ...] | None
    cluster: tuple[int, ...] | None
    dynamic_shared_memory: int | None
    boxes: Mapping[str, Box]
    tiles: Mapping[str, int]
    matrices: Mapping[str, Matrix]

    def grid_at(self, numbers: Mapping[str, int]) -> tuple[int, ...] | None:
        """The grid that the kernel needs with some numbers as arguments; None if it does not give
        it."""
        if self.grid is None:
            return None
        try:
            return Scope(numbers).integers(self.grid, "the grid", "grid")
        except LaunchError:
            return None


def launch_facts(kernel: KernelOp) -> LaunchFacts:
    """What a verified kernel says about its launch; it is not lowered."""
    kernel = with_roles(kernel)
    parameters = kernel.body.blocks[0].args
    names = {
        each: (None if kernel.is_read else each.name_hint) or kernel.parameter_name(each.index)
        for each in parameters
    }
    boxes = {
        names[each]: box
        for each in parameters
        if isinstance(each.type, TensorMapType) and (box := each.type.box) is not None
    }
    inside = operations_of(kernel)
    roles = specialized(kernel)
    return LaunchFacts(
        kernel.sym_name.data,
        tuple(names.values()),
        None if roles is None else _grid(roles, names),
        roles is not None and roles.persistent is not None,
        kernel.extents("reqntid") if roles is None else (roles.threads,),
        kernel.extents("cluster_dims"),
        _dynamic_bytes(kernel, roles),
        boxes,
        {} if roles is None else _tiles(roles, names),
        _matrices(inside, names),
    )


def _matrices(ops: Iterable[Operation], names: Mapping[BlockArgument, str]) -> Mapping[str, Matrix]:
    """The matrices that loads and stores of vectors describe, without those that they describe in
    different ways."""
    found: dict[str, Matrix | None] = {}
    for op in ops:
        if not isinstance(op, GlobalLoadOp | GlobalStoreOp):
            continue
        name = _name(op.pointer, names)
        extents = [_name(each, names) or constant_value(each) for each in (op.rows, op.columns)]
        shape = tuple(each for each in extents if each is not None)
        if name is None:
            continue
        matrix = Matrix(shape, op.element, isinstance(op, GlobalLoadOp))
        known = found.setdefault(name, matrix)
        if len(shape) < len(extents) or known is None or known[:2] != matrix[:2]:
            found[name] = None
        else:
            found[name] = known._replace(is_read=known.is_read or matrix.is_read)
    return {name: matrix for name, matrix in found.items() if matrix is not None}


def _tiles(roles: WarpSpecializeOp, names: Mapping[BlockArgument, str]) -> Mapping[str, int]:
    """The elements of the tile of a cluster along each size that is a parameter."""
    sizes = zip(roles.sizes, roles.tile, roles.cluster_tiles, strict=False)
    return {
        name: extent * tiles
        for size, extent, tiles in sizes
        if (name := _name(size, names)) is not None
    }


def _grid(roles: WarpSpecializeOp, names: Mapping[BlockArgument, str]) -> tuple[str, ...] | None:
    """The extents of the grid in CTAs; None if they do not follow from the parameters."""
    counts: list[str] = []
    for size, extent, tiles in zip(roles.sizes, roles.tile, roles.cluster_tiles, strict=False):
        extent *= tiles
        if (number := constant_value(size)) is not None:
            counts.append(str(-(-number // extent)))
        elif (name := _name(size, names)) is not None:
            counts.append(f"ceildiv({name}, {extent})" if extent > 1 else name)
        else:
            return None
    if not counts:
        return None
    if roles.persistent is not None:
        counts = [" * ".join(counts)]
    counts += ["1"] * (len(roles.cluster) - len(counts))
    grid = [
        f"{ctas} * {count}" if ctas > 1 and count != "1" else str(ctas) if ctas > 1 else count
        for ctas, count in zip(roles.cluster, counts, strict=True)
    ]
    while len(grid) > 1 and grid[-1] == "1":
        grid.pop()
    return tuple(grid)


def _name(size: SSAValue, names: Mapping[BlockArgument, str]) -> str | None:
    return names.get(size) if isinstance(size, BlockArgument) else None


def _dynamic_bytes(kernel: KernelOp, roles: WarpSpecializeOp | None) -> int | None:
    """Bytes of dynamic shared memory; None if the kernel does not say how many."""
    dynamic = [op for op in used_variables(kernel, kernel.body.blocks) if op.size is None]
    needs = [op.needs.value.data for op in dynamic if op.needs is not None]
    if len(needs) < len(dynamic):
        return None
    return max([0 if roles is None else memory_of(Kernel(roles)).shared_bytes, *needs])


def as_toml(facts: LaunchFacts) -> str:
    """The facts with the keys of launch files; comments say what the kernel does not give."""

    def given(key: str, value: object) -> str:
        return f"# {key}: the kernel does not give it" if value is None else row(key, value)

    lines = [
        row("kernel", facts.kernel),
        row("args", facts.parameters),
        given("grid", None) if facts.grid is None else grid_line(facts),
        given("block", facts.block),
        *([] if facts.cluster is None else [row("cluster", facts.cluster)]),
        given("dynamic_shared_memory", facts.dynamic_shared_memory),
    ]
    for name, box in facts.boxes.items():
        lines += ["", f"[maps.{json.dumps(name) if not name.isidentifier() else name}]"]
        lines += [row(key, getattr(box, part)) for key, part in _BOX]
    return "\n".join(lines) + "\n"


_BOX = ("box", "extents"), ("element", "element"), ("swizzle", "swizzle")
"""Key of a map in a launch file, and the part of the box."""


def row(key: str, value: object, comment: str = "") -> str:
    """The line of a key in a launch file."""
    return f"{key} = {json.dumps(value)}{comment and f'  # {comment}'}"


def grid_line(facts: LaunchFacts) -> str:
    """The line with the grid that a kernel gives."""
    return row("grid", facts.grid, "or less: a CTA takes several tiles" * facts.is_persistent)


def as_json(facts: LaunchFacts) -> str:
    """The facts as a JSON object; what the kernel does not give is null."""
    maps = {
        name: {key: getattr(box, part) for key, part in _BOX} for name, box in facts.boxes.items()
    }
    found: dict[str, Any] = {
        "kernel": facts.kernel,
        "args": facts.parameters,
        "grid": facts.grid,
        "persistent": facts.is_persistent,
        "block": facts.block,
        "cluster": facts.cluster,
        "dynamic_shared_memory": facts.dynamic_shared_memory,
        "maps": maps,
    }
    return f"{json.dumps(found, indent=2)}\n"


FORMATS = {"toml": as_toml, "json": as_json}
"""Name of a format -> its function."""


def grid_mismatch(facts: LaunchFacts, prepared: PreparedLaunch) -> str:
    """The sentence about a launch whose grid does not have the CTAs of all tiles; empty if it has,
    or if the kernel does not give its grid. A persistent kernel takes any smaller grid."""
    numbers = {
        name: int(given)
        for name, given in zip(facts.parameters, prepared.arguments, strict=False)
        if isinstance(given, Integral)
    }
    needed = facts.grid_at(numbers) or ()
    launch = prepared.launch
    given = tuple(launch.grid or launch.cluster or facts.cluster or (1,))
    pairs = [*zip_longest(given, needed, fillvalue=1)]
    if not needed or all(a == b or (a < b and facts.is_persistent) for a, b in pairs):
        return ""
    least = " at most" if facts.is_persistent else ""
    return (
        f"the grid is {extents_text(given)}; the tiles of ws.warp_specialize need{least} "
        f"{extents_text(needed)}"
    )
