"""Test bench for bulk copies: a cluster in the emulator, and boxes of one tensor."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import SSAValue

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.instructions import handlers_of
from tcgen05_dialect.simulator.machine.barrier import Mbarrier
from tcgen05_dialect.simulator.machine.machine import Group, Machine, Schedule
from tcgen05_dialect.simulator.machine.program import Program
from tcgen05_dialect.simulator.machine.run import run_machine
from tcgen05_dialect.simulator.machine.state import Cluster, Cta, LaunchSizes, Warp
from tcgen05_dialect.simulator.machine.tensor_map import TensorMap
from tcgen05_dialect.simulator.machine.tensor_memory import RANK_SHIFT, Memory, TensorMemory
from tcgen05_dialect.simulator.numbers.floats import dtype_of, uniform
from tcgen05_dialect.simulator.order.clocks import Clock, Clocks

Array = npt.NDArray[Any]

GLOBAL = 0x7F0000000000
MAP = 1 << 32
RESERVED = 1024
BARRIER = RESERVED
"""Where the barrier object lies in shared memory, and behind it, the tiles."""
TILES = 2 * RESERVED
SHARED_BYTES = 64 * 1024

LOAD = "ptx.cp.async.bulk.tensor.load [%tile], %map, {ORIGIN}, [%barrier]"
STORE = """
  ptx.cp.async.bulk.tensor.store %map, {ORIGIN}, [%tile]
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group 0
"""
"""What a kernel does; ORIGIN stands for the coordinates of the box."""
MULTICAST = LOAD.replace("load", "load multicast_mask(%mask)")
PAIR = LOAD.replace("load", 'load "cta_group::2"')
MULTICAST_PAIR = LOAD.replace("load", 'load "cta_group::2" multicast_mask(%mask)')


class Bench:
    """A cluster of CTAs with shared memory, of which one runs instructions on some lanes."""

    def __init__(self, tensor_map: TensorMap, ctas: int = 1, kind: str = "eager"):
        sizes = LaunchSizes((ctas, 1, 1), (32, 1, 1), (ctas, 1, 1))
        self.machine = Machine(Schedule(kind, 1), sizes, 10_000)
        data = tensor_map.array.reshape(-1).view(np.uint8)
        tensor = Memory("tensor", GLOBAL, data, np.ones(data.size, np.bool_))
        self.machine.global_space.add(tensor)
        self.machine.tensor_maps[MAP] = tensor_map.at(GLOBAL)
        self.cluster = Cluster(Clocks(1, ctas * WARP_LANES))
        for rank in range(ctas):
            memory = Memory.shared(f"CTA {rank}", (rank << RANK_SHIFT) + RESERVED, SHARED_BYTES)
            cta = Cta(self.cluster, (rank, 0, 0), rank, rank, memory, TensorMemory("none"))
            cta.mbarriers[BARRIER - RESERVED] = Mbarrier(
                f"barrier of {rank}",
                1,
                self.cluster.clocks,
                ModuleOp([]),
                (0, 0),
                self.machine.judge.report,
            )
            rows = rank * WARP_LANES + np.arange(WARP_LANES)
            # A warp that does not end, nor does the CTA before the copies are done.
            cta.warps.append(Warp(cta, 1, np.ones(WARP_LANES, np.bool_), [], rows))
            self.cluster.ctas.append(cta)
            self.cluster.space.add(memory)

    def barrier(self, rank: int = 0) -> Mbarrier:
        return self.cluster.ctas[rank].mbarriers[BARRIER - RESERVED]

    def expect(self, count: int) -> None:
        """Arrive at the barrier object of the first CTA, and expect bytes."""
        came = self.cluster.ctas[0].warps[0].brings(ModuleOp([]), 1, count)
        self.barrier().arrive(came, self.cluster.clocks.message(), np.array([0]))

    def tile(self, size: int, address: int = TILES, rank: int = 0) -> Array:
        """The bytes of shared memory at an address of a CTA."""
        start = address - RESERVED
        return self.cluster.ctas[rank].shared.bytes[start : start + size]

    def fill_shared(self, data: Array, address: int = TILES) -> None:
        shared, start = self.cluster.ctas[0].shared, address - RESERVED
        shared.bytes[start : start + data.size] = data
        shared.written[start : start + data.size] = True

    def run(
        self,
        body: str,
        origin: Sequence[int],
        tile: int = TILES,
        barrier: int = BARRIER,
        mask: int = 0,
        lanes: Sequence[int] = (0,),
        rank: int = 0,
        tensor_map: int = MAP,
        tile_step: int = 0,
    ) -> None:
        """
        Run instructions in one CTA, to whose shared memory the addresses belong; the tile of each
        lane lies `tile_step` bytes behind that of the one before. Then all threads know all.
        """
        names = [f"%x{index}" for index in range(len(origin))]
        text = (
            "ptx.kernel @copy(%map : i64, %tile : i32, %barrier : i32, %mask : i16"
            + "".join(f", {name} : i32" for name in names)
            + ") {\n"
            + body.replace("ORIGIN", ", ".join(names))
            + "\nptx.ret\n}"
        )
        module, _ = parse(Source("test", text))
        kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
        program = Program(kernel, handlers_of(map(type, kernel.walk())))
        window = rank << RANK_SHIFT
        given = (tensor_map, tile + window, barrier + window, mask, *origin)
        known: dict[SSAValue, int] = dict(zip(kernel.body.blocks[0].args, given, strict=True))
        values = {each: at for each, at in program.values.items() if isinstance(each, SSAValue)}
        # The kernel has no undefined values, hence no flags.
        assert len(values) == len(program.values)
        registers = [uniform(0, value.type) for value in values]
        for value, index in values.items():
            if isinstance(value.owner, ConstantOp):
                assert isinstance(value.owner.value, IntegerAttr)
                known[value] = value.owner.value.value.data
            registers[index] = uniform(known.get(value, 0), value.type)
            assert registers[index].dtype == dtype_of(value.type)
        tiles = program.values.get(kernel.body.blocks[0].args[1])
        if tiles is not None:
            steps = [lane * tile_step for lane in range(WARP_LANES)]
            registers[tiles] = registers[tiles] + np.array(steps, np.uint32)
        mask_of_lanes = np.isin(np.arange(32), lanes)
        rows = rank * WARP_LANES + np.arange(WARP_LANES)
        warp = Warp(self.cluster.ctas[rank], 0, mask_of_lanes, registers, rows)
        self.cluster.ctas[rank].warps.append(warp)
        self.machine.groups.append(Group(self.machine, warp, mask_of_lanes, program.entry, ()))
        run_machine(self.machine)
        clocks = self.cluster.clocks
        rows = np.arange(clocks.threads)
        clocks.acquire(rows, np.full_like(clocks.message(), 1 << 30))
        clocks.fence(rows, Clock.SEEN, *Clock)


def random_array(shape: Sequence[int], dtype: str) -> Array:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    data = np.random.default_rng(size).integers(1, 255, size, np.uint8)
    return data.view(dtype).reshape(shape)
