"""Barrier objects, tiles and matrices of the rings of a kernel, as values."""

from collections.abc import Mapping

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, UnitAttr, f32
from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.tensor_memory.alloc import LANES, SLOT
from tcgen05_dialect.ptx.analysis.symbols import definitions
from tcgen05_dialect.ptx.instructions import AddOp
from tcgen05_dialect.ptx.kernel import KernelOp, SharedMemoryOp
from tcgen05_dialect.ptx.structure import AddressOfOp
from tcgen05_dialect.tcgen05.types import TensorMemoryType
from tcgen05_dialect.ws.kernel import Kernel, Memory, Place, memory_of
from tcgen05_dialect.ws.rings import RingOp
from tcgen05_dialect.xdsl_support.attributes import integer

from .emitter import Emitter, Value, known
from .memory_access import slice_of


class KernelMemory:
    """The variables of a kernel and their addresses; each address is a value for all roles."""

    def __init__(self, kernel: Kernel, function: KernelOp, emit: Emitter) -> None:
        self.sizes: Memory = memory_of(kernel)
        self._function = function
        module = function.parent_op()
        assert module is not None
        self._taken = {name for name, _ in definitions(module)}
        self.barriers: dict[RingOp, Mapping[str, SSAValue]] = {}
        self.tiles: SSAValue | None = None
        self.slot: SSAValue | None = None
        self.matrix: SSAValue | None = None
        if self.sizes.shared_bytes:
            needs = {"needs": self.sizes.shared_bytes}
            self.tiles = self._variable(emit, "tiles", needs, self.sizes.alignment)
        for ring, use in kernel.rings.items():
            if use.is_stored:
                continue
            size = {"size": ring.stages * BARRIER_OBJECT.bytes}
            emit.location = ring.location
            self.barriers[ring] = {
                side: self._variable(emit, f"{use.name}_{side}", size, BARRIER_OBJECT.alignment)
                for side in ("full", "empty")
            }
        if self.sizes.columns:
            self.slot = self._variable(emit, "tensor_memory", {"size": SLOT.bytes}, SLOT.alignment)

    @property
    def matrix_type(self) -> TensorMemoryType:
        """The type of the whole allocation of tensor memory."""
        return TensorMemoryType.get(LANES, self.sizes.allocated_columns, f32)

    def _variable(
        self, emit: Emitter, name: str, size: Mapping[str, int], alignment: int
    ) -> SSAValue:
        """The address of a new shared variable; `size` is its size or what it needs of the dynamic
        shared memory."""
        name = self._free_name(name)
        properties = {
            "sym_name": StringAttr(name),
            "alignment": integer(alignment, 64),
            **{key: integer(number, 64) for key, number in size.items()},
        }
        variable = SharedMemoryOp.create(properties=properties)
        variable.location = emit.location
        block = self._function.parent
        assert block is not None
        block.insert_op_before(variable, self._function)
        op = emit.add(AddressOfOp.of(SymbolRefAttr(name), 0))
        # An instruction with an address in the cluster would compute it from the name each time.
        op.properties["in_register"] = UnitAttr()
        address = op.result
        address.name_hint = name
        return address

    def _free_name(self, name: str) -> str:
        """The name or, if something else has it, the name after that of the kernel."""
        found, number = name, 0
        while found in self._taken:
            found = f"{self._function.sym_name.data}_{name}{f'_{number}' if number else ''}"
            number += 1
        self._taken.add(found)
        return found

    def barrier(self, emit: Emitter, ring: RingOp, side: str, stage: Value) -> SSAValue:
        """The address of a barrier object of a stage."""
        first, offset = self.barriers[ring][side], emit.times(stage, BARRIER_OBJECT.bytes)
        if known(offset) == 0:
            return first
        # The addition of arith would become another name.
        return emit.ptx(AddOp, {"a": (first,), "b": (offset,)}, {"type": "s32"}).d

    def address(self, emit: Emitter, place: Place, stage: Value) -> SSAValue:
        """The address of a tile in a stage."""
        assert self.tiles is not None
        first = emit.plus(self.tiles, place.start)
        return emit.plus(first, emit.times(stage, place.step))

    def buffer(self, emit: Emitter, place: Place, stage: Value) -> SSAValue:
        """A matrix in tensor memory in a stage."""
        assert self.matrix is not None and isinstance(place.type, TensorMemoryType)
        column = emit.plus(emit.times(stage, place.step), place.start)
        return slice_of(emit, self.matrix, 0, column, place.type)


def erase(op: Operation) -> None:
    """Remove an operation whose results have no uses."""
    op.detach()
    op.erase()
