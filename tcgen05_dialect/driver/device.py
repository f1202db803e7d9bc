"""
The device of the emulated CUDA driver: its name and attributes (CUDA driver API, device management;
CUDA programming guide, compute capabilities), and the numbers that stand for enumerators.
"""

from collections.abc import Mapping

from ..isa.ptx.kernel import MAX_THREADS
from ..isa.shared_memory.tensor_map import CUDA_ELEMENTS, CUDA_SWIZZLES
from ..isa.targets import (
    MULTIPROCESSOR_THREADS,
    MULTIPROCESSORS,
    REGISTERS,
    RESERVED_SHARED_BYTES,
    SHARED_BYTES,
)
from ..isa.tensor_memory.alloc import WARP_LANES
from .numbers import DeviceAttribute

NAME = "tcgen05 emulator of a B200 (no GPU)"
CAPABILITY = 100
"""Compute capability, ten times."""
TARGET = f"sm_{CAPABILITY}a"
SHARED_WITHOUT_OPT_IN = 48 << 10
"""Bytes of shared memory, static and dynamic, of a launch whose kernel has not raised its limit."""
MULTIPROCESSOR_SHARED = SHARED_BYTES["a"] + RESERVED_SHARED_BYTES
MOST_BLOCKS = 32
"""Largest number of CTAs of a multiprocessor."""
PORTABLE_CLUSTER = 8
MOST_GRID = (1 << 31) - 1, 65535, 65535
MOST_BLOCK = 1024, 1024, 64

ATTRIBUTES: Mapping[int, int] = {
    1: MAX_THREADS,
    **dict(enumerate(MOST_BLOCK, 2)),
    **dict(enumerate(MOST_GRID, 5)),
    8: SHARED_WITHOUT_OPT_IN,
    9: 64 << 10,  # constant memory
    10: WARP_LANES,
    11: (1 << 31) - 1,  # pitch
    12: REGISTERS,
    13: 1_965_000,  # clock rate in kHz
    14: 512,  # alignment of textures
    15: 1,  # copies overlap with kernels
    DeviceAttribute.MULTIPROCESSOR_COUNT: MULTIPROCESSORS,
    17: 0,  # limit on the time of kernels
    18: 0,  # integrated
    19: 1,  # maps host memory
    20: 0,  # compute mode
    31: 1,  # concurrent kernels
    32: 1,  # error correction
    36: 3_996_000,  # memory clock rate in kHz
    37: 8192,  # width of the memory bus in bits
    38: 126 << 20,  # bytes of the level 2 cache
    39: MULTIPROCESSOR_THREADS,
    40: 1,  # asynchronous engines
    41: 1,  # unified addressing
    DeviceAttribute.CAPABILITY_MAJOR: CAPABILITY // 10,
    DeviceAttribute.CAPABILITY_MINOR: CAPABILITY % 10,
    78: 1,  # stream priorities
    79: 1,  # caches global memory in level 1
    80: 1,  # caches local memory in level 1
    81: MULTIPROCESSOR_SHARED,
    82: REGISTERS,
    83: 1,  # managed memory
    84: 0,  # on a board with several
    85: 0,
    86: 1,  # native atomics between host and device
    88: 0,  # pageable memory access
    89: 1,  # concurrent managed access
    90: 1,  # compute preemption
    91: 1,  # host pointers of registered memory
    95: 1,  # cooperative launch
    DeviceAttribute.MOST_SHARED: SHARED_BYTES["a"],
    98: 0,  # flush of remote writes
    99: 0,  # registers host memory
    100: 0,  # pageable memory access by the tables of the host
    101: 1,  # direct access of managed memory by the host
    102: 0,  # virtual memory management
    106: MOST_BLOCKS,
    111: RESERVED_SHARED_BYTES,
    115: 1,  # memory pools
    120: 1,  # cluster launch
    127: 1,  # tensor maps
}
"""CUdevice_attribute -> its value. Rates and the sizes of buses and caches are those of a B200;
nothing depends on them."""

_BY_CUDA_NAME = {name: element for element, name in CUDA_ELEMENTS.items()}
# fmt: off
_DATA_TYPES = (
    "UINT8", "UINT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT16", "FLOAT32", "FLOAT64",
    "BFLOAT16", "FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", "16U4_ALIGN8B", "16U4_ALIGN16B",
    "16U6_ALIGN16B",
)
"""CU_TENSOR_MAP_DATA_TYPE_, in the order of their numbers."""
_SWIZZLES = (
    "NONE", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B",
)
"""CU_TENSOR_MAP_SWIZZLE_, in the order of their numbers."""
# fmt: on
INTERLEAVES = "NONE", "16B", "32B"


def element_of(number: int) -> tuple[str | None, str]:
    """The element type with a number, None if the emulator does not have it; and its CUDA name."""
    name = _DATA_TYPES[number] if number in range(len(_DATA_TYPES)) else str(number)
    return _BY_CUDA_NAME.get(name), f"CU_TENSOR_MAP_DATA_TYPE_{name}"


def swizzle_of(number: int) -> tuple[str | None, str]:
    """The swizzle mode with a number, None if the emulator does not have it; and its CUDA name."""
    name = _SWIZZLES[number] if number in range(len(_SWIZZLES)) else str(number)
    found = next((mode for mode, cuda in CUDA_SWIZZLES.items() if cuda == name), None)
    return found, f"CU_TENSOR_MAP_SWIZZLE_{name}"
