"""
What the text of a kernel says about its launch, for launch files and hosts.

Selection of one kernel of a module by its name.

The grid of a launch, compared with the one that the kernel needs.

Trial of a kernel: sizes with which it runs, and the memory that it then accesses.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from numbers import Integral
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import describe, extents_text
from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, DEADLOCK
from ..isa.shared_memory.tensor_map import Box
from ..ptx.analysis.control_flow import operations_of
from ..ptx.analysis.known_values import constant_value
from ..ptx.kernel import KernelOp
from ..ptx.structure import ConstantOp, InlineOp
from ..ptx.types import TensorMapType
from ..ptx.variables import used_variables
from ..reporting.diagnostics import CompileError, OperationError, rule_of
from ..simulator.launch.expected import PreparedLaunch
from ..simulator.launch.reference import Scope
from ..simulator.machine.errors import LaunchError
from ..simulator.machine.machine import Machine
from ..simulator.machine.state import LaunchSizes, Warp
from ..simulator.machine.tensor_memory import Memory
from ..simulator.order.events import Access
from ..simulator.order.race_detector import Shadowed
from ..simulator.order.shadow import Unchanged, Where
from ..verification.execution import Skeleton
from ..verification.knowledge import Undecided, may_choose
from ..verification.sizes import Chooser
from ..verification.static.boxes import Copies
from ..verification.static.outline import Outline
from ..verification.static.prepared import verifiable
from ..ws.kernel import Kernel, memory_of
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


def launch_facts(kernel: KernelOp) -> LaunchFacts:
    """What a verified kernel says about its launch; it is not lowered."""
    if any(isinstance(op, WarpSpecializeOp) and op.is_sequential for op in operations_of(kernel)):
        # Imported here, because few kernels have this form.
        from ..ws.partition.partition import with_roles

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
    roles = next((each for each in inside if isinstance(each, WarpSpecializeOp)), None)
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
    return "\n".join([*_lines(facts), *_maps(facts)]) + "\n"


def _lines(facts: LaunchFacts) -> Iterator[str]:
    yield f"kernel = {json.dumps(facts.kernel)}"
    yield f"args = {json.dumps(facts.parameters)}"
    if facts.grid is None:
        yield "# grid: the kernel does not give it"
    else:
        yield grid_line(facts)
    if facts.block is None:
        yield "# block: the kernel does not give it"
    else:
        yield f"block = {json.dumps(facts.block)}"
    if facts.cluster is not None:
        yield f"cluster = {json.dumps(facts.cluster)}"
    if facts.dynamic_shared_memory is None:
        yield "# dynamic_shared_memory: the kernel does not give it"
    else:
        yield f"dynamic_shared_memory = {facts.dynamic_shared_memory}"


def grid_line(facts: LaunchFacts) -> str:
    """The line with the grid that a kernel gives."""
    rest = "  # or less: a CTA takes several tiles" if facts.is_persistent else ""
    return f"grid = {json.dumps(facts.grid)}{rest}"


def _maps(facts: LaunchFacts) -> Iterator[str]:
    for name, box in facts.boxes.items():
        yield ""
        yield f"[maps.{json.dumps(name) if not name.isidentifier() else name}]"
        yield f"box = {json.dumps(box.extents)}"
        yield f"element = {json.dumps(box.element)}"
        yield f"swizzle = {json.dumps(box.swizzle)}"


def as_json(facts: LaunchFacts) -> str:
    """The facts as a JSON object; what the kernel does not give is null."""
    maps = {
        name: {"box": box.extents, "element": box.element, "swizzle": box.swizzle}
        for name, box in facts.boxes.items()
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


def kernel_named(module: ModuleOp, name: str | None) -> KernelOp:
    """The kernel with a name, or the only kernel of a module. Raises CompileError."""
    kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, KernelOp)}
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    if name is not None and name in kernels:
        return kernels[name]
    if not kernels:
        raise CompileError("the module has no kernel")
    asked = "--kernel must name one of" if name is None else f"no kernel is called {name}:"
    raise CompileError(f"{asked} the kernels of the module: {describe(tuple(kernels))}")


def grid_mismatch(facts: LaunchFacts, prepared: PreparedLaunch) -> str:
    """
    The sentence about a launch whose grid does not have the CTAs of all tiles; empty if it has, or
    if the kernel does not give its grid. A persistent kernel takes any smaller grid.
    """
    numbers = {
        name: int(given)
        for name, given in zip(facts.parameters, prepared.arguments, strict=False)
        if isinstance(given, Integral)
    }
    try:
        needed = Scope(numbers).integers(facts.grid or (), "the grid", "grid")
    except LaunchError:
        return ""
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


Coordinates = tuple[int, ...]
"""The coordinates of a box in a tensor, innermost dimension first."""
Key = tuple[int, int]
"""A parameter, or a member of it: the number of the parameter, and the first byte of the member."""
THREADS = 128
"""Threads of a CTA, if the kernel does not say how many."""
_CHOSEN = 1
"""What loads read on whose values control or addresses depend."""
_OF_SIZES = BOUNDS, ALIGNMENT, DEADLOCK, ASSUMPTION_RULE
"""Rules that a right kernel may break at sizes for which it is not made."""


class Trial(NamedTuple):
    """
    Sizes of a launch, and what a run without data accesses with them.

    `cluster` has the extents of a cluster. `numbers` are the values of numbers, `ends` the bytes of
    arrays up to the last access, `boxes` the bytes of boxes, if they are certain, `readers` what
    reads the boxes, if they are inferred, and `origins` the coordinates of the boxes that copies
    use. `deciding` are the arrays whose contents decide
    control or addresses. `is_run` tells whether the kernel ran with these sizes.
    """

    cluster: tuple[int, ...] = ()
    numbers: Mapping[Key, int] = {}
    ends: Mapping[Key, int] = {}
    boxes: Mapping[Key, int] = {}
    readers: Mapping[Key, Collection[str]] = {}
    origins: Mapping[Key, Collection[Coordinates]] = {}
    deciding: Collection[Key] = ()
    is_run: bool = False


def _leave_out_unknown(kernel: KernelOp) -> bool:
    """Remove the instructions that the emulator does not know. Their results become the previous
    contents of the registers, or 1. Return whether there were any."""
    unknown = [op for op in kernel.walk() if isinstance(op, InlineOp)]
    for op in unknown:
        for index, result in enumerate(op.outputs):
            value = op.kept[index] if op.kept else None
            if value is None:
                constant = ConstantOp(value=_CHOSEN, result_type=result.type)
                Rewriter.insert_op(constant, InsertPoint.before(op))
                value = constant.result
            result.replace_all_uses_with(value)
        Rewriter.erase_op(op)
    return bool(unknown)


@dataclass(eq=False)
class _Accesses(Copies):
    """Record of the accesses of a run to global memory; it accepts all of them."""

    ends: dict[Memory, int] = field(default_factory=dict[Memory, int])
    """Memory -> the byte after the last access."""
    read_by: dict[Operation, set[Memory]] = field(default_factory=dict[Operation, set[Memory]])
    """Operation -> the memories that it reads."""

    def threads(
        self,
        op: Operation,
        warp: Warp,
        memory: Shadowed,
        lanes: Any,
        where: Where,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        self._see(op, memory, where, written)

    def lanewise(
        self,
        access: Access,
        memory: Shadowed,
        lanes: Any,
        where: Where,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        self._see(access.source.op, memory, where, written)

    def read(
        self, access: Access, memory: Shadowed, where: Where, key: object, operand: str = ""
    ) -> None:
        self._see(access.source.op, memory, where, False)

    def write(self, access: Access, memory: Shadowed, where: Where, updated: bool = False) -> None:
        self._see(access.source.op, memory, where, True)

    def _see(self, op: Operation, memory: Shadowed, where: Where, written: bool) -> None:
        if isinstance(memory, Memory):
            self.ends[memory] = max(where.bounds[0].stop, self.ends.get(memory, 0))
            if not written:
                self.read_by.setdefault(op, set()).add(memory)

    def sources(self, loads: Collection[Operation], arrays: Collection[Memory]) -> set[Memory]:
        """The arrays whose contents loads may read: all, if copies bring what the loads read."""
        read = {memory for op in loads for memory in self.read_by.get(op, ())}
        if not read.issubset(arrays):
            read = {memory for each in self.read_by.values() for memory in each}
        return read.intersection(arrays)


class Trials:
    """
    The trials of a kernel in the `ptx` dialect.

    `first` is the first trial that runs or, if none does, the first trial; it is empty if no sizes
    can be chosen. Its grid is one cluster. Its parameters have the given `numbers`, by index, or
    larger ones if the contract of the kernel requires them.
    """

    def __init__(self, kernel: KernelOp, numbers: Mapping[int, int]):
        module = kernel.parent_op()
        assert isinstance(module, ModuleOp)
        copy = module.clone()
        for op in copy.ops:
            if isinstance(op, KernelOp) and not (op.extents("reqntid") or op.extents("maxntid")):
                op.properties["reqntid"] = DenseArrayBase.from_list(i32, [THREADS])
        (found,) = (each for each in verifiable(copy) if each.kernel.sym_name == kernel.sym_name)
        self._is_whole = not _leave_out_unknown(found.kernel)
        self._kernel, self._members = found.kernel, found.members
        self._contracts = found.kernel.contracts()
        self._used: tuple[Skeleton, LaunchSizes, Mapping[int, int]] | None = None
        self.first = Trial()
        # An instruction may be wrong with each value of its operands.
        with suppress(Undecided, LaunchError, OperationError, VerifyException):
            self.first = self._result(numbers)

    def other(self, numbers: Mapping[int, int], grid: tuple[int, ...] | None) -> Trial:
        """The trial with other numbers than those of the first one, and another grid."""
        if self._used is None:
            return Trial()
        skeleton, sizes, values = self._used
        if grid is not None:
            x, y, z = (*grid, 1, 1)[:3]
            sizes = replace(sizes, grid=(x, y, z))
        with suppress(LaunchError):
            found = self._observed(skeleton, sizes, {**values, **self._allowed(numbers)})
            # The first trial has shown other mistakes than those of sizes.
            return found._replace(is_run=skeleton.stopped is None)
        return Trial()

    def _allowed(self, numbers: Mapping[int, int]) -> dict[int, int]:
        return {index: self._contracts[index].smallest_from(n) for index, n in numbers.items()}

    def _result(self, numbers: Mapping[int, int]) -> Trial:
        """The first trial that runs, or else the first. Raises Undecided and LaunchError."""
        try:
            return self._first(numbers, chooses=False)
        except Undecided as error:
            if not error.by_data:
                raise
        return self._first(numbers, chooses=True)

    def _first(self, numbers: Mapping[int, int], chooses: bool) -> Trial:
        given, tried = self._allowed(numbers), dict[tuple[int, ...], Trial]()
        skeleton = self._skeleton(chooses)
        for index, cluster in enumerate(skeleton.clusters):
            # Another cluster has other boxes of tensor maps.
            skeleton = self._skeleton(chooses) if index else skeleton
            sizes, *_ = skeleton.launches(cluster)
            scenarios = Chooser(skeleton, sizes).scenarios(thorough=False)
            with suppress(Undecided):
                skeleton.infer_boxes(scenarios[0].values, sizes)
            for values in ({**scenario.values, **given} for scenario in scenarios):
                key = index, *values.values()
                if key in tried:
                    continue
                tried[key] = self._tried(skeleton, sizes, values)
                if tried[key].is_run:
                    self._used = skeleton, sizes, values
                    return tried[key]
        return next(iter(tried.values()))

    def _skeleton(self, chooses: bool) -> Skeleton:
        skeleton = Skeleton(self._kernel, chooses)
        if not chooses:
            skeleton.check()
        elif all(map(may_choose, skeleton.slice.undecided)):
            skeleton.knowledge.chosen = _CHOSEN
        return skeleton

    def _tried(self, skeleton: Skeleton, sizes: LaunchSizes, values: Mapping[int, int]) -> Trial:
        outcome = skeleton.run(values, sizes)
        if outcome.undecided is not None and outcome.undecided.by_data:
            raise outcome.undecided
        # Another mistake of the kernel is not a reason to doubt the sizes.
        of_sizes = outcome.error is not None and rule_of(outcome.error) in _OF_SIZES
        is_run = self._is_whole and outcome.undecided is None and not of_sizes
        return self._observed(skeleton, sizes, values)._replace(is_run=is_run)

    def _observed(self, skeleton: Skeleton, sizes: LaunchSizes, values: Mapping[int, int]) -> Trial:
        """What a run accesses; it accepts all accesses."""
        accesses = _Accesses()
        arrays, outlines = skeleton.observe(values, sizes, {}, _memory_of, accesses)
        ends = {
            self._key(number): accesses.ends[memory] - memory.origin
            for memory, number in arrays.items()
            if accesses.ends.get(memory, 0) > memory.origin
        }
        loads = [*skeleton.knowledge.chosen_for]
        deciding = {self._key(arrays[each]) for each in accesses.sources(loads, arrays)}
        return Trial(
            sizes.cluster,
            {self._key(number): value for number, value in values.items()},
            ends,
            {
                self._key(number): box.bytes
                for number, box in skeleton.boxes.items()
                if not (box.is_guess or box.readers)
            },
            {self._key(number): readers for number, readers in skeleton.readers.items()},
            {self._key(each.parameter): each.origins for each in outlines if each.origins},
            deciding,
        )

    def _key(self, number: int) -> Key:
        return self._members.get(number, (number, 0))


def _memory_of(machine: Machine) -> tuple[Mapping[Memory, int], list[Outline]]:
    """The arrays of a machine by the numbers of parameters, and its tensor maps."""
    maps: list[Any] = [*machine.tensor_maps.values()]
    space: Any = machine.global_space
    return space.arrays, maps
