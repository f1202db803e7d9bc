"""
Numbers that the library of the emulated CUDA driver shares with the emulator: numbers of the driver
API, and requests of the library. `header` writes them in C.
"""

from enum import IntEnum

PYTHON = "TCGEN05_DRIVER_PYTHON"
"""Variable of the environment: the Python of the emulator."""
ARENA = 1 << 36
"""The size of the address range of device memory in bytes."""


class Result(IntEnum):
    """CUresult: the name without `CUDA_ERROR_`, the number, and the text of cuGetErrorString."""

    text: str

    def __new__(cls, number: int, text: str) -> "Result":
        result = int.__new__(cls, number)
        result._value_, result.text = number, text
        return result

    SUCCESS = 0, "no error"
    INVALID_VALUE = 1, "invalid argument"
    OUT_OF_MEMORY = 2, "out of memory"
    NOT_INITIALIZED = 3, "initialization error"
    NO_DEVICE = 100, "no CUDA-capable device is detected"
    INVALID_DEVICE = 101, "invalid device ordinal"
    INVALID_IMAGE = 200, "device kernel image is invalid"
    INVALID_CONTEXT = 201, "invalid device context"
    NO_BINARY_FOR_GPU = 209, "no kernel image is available for execution on the device"
    INVALID_PTX = 218, "a PTX JIT compilation failed"
    UNSUPPORTED_PTX_VERSION = 222, "the provided PTX was compiled with an unsupported toolchain."
    FILE_NOT_FOUND = 301, "file not found"
    INVALID_HANDLE = 400, "invalid resource handle"
    NOT_FOUND = 500, "named symbol not found"
    LAUNCH_OUT_OF_RESOURCES = 701, "too many resources requested for launch"
    LAUNCH_FAILED = 719, "unspecified launch failure"
    NOT_SUPPORTED = 801, "operation not supported"
    GRAPH_EXEC_UPDATE_FAILURE = 910, "the graph update was not performed"
    INVALID_CLUSTER_SIZE = 912, "cluster misconfiguration"
    UNKNOWN = 999, "unknown error"


class DeviceAttribute(IntEnum):
    """CUdevice_attribute: the attributes that the library itself reads."""

    MULTIPROCESSOR_COUNT = 16
    CAPABILITY_MAJOR = 75
    CAPABILITY_MINOR = 76
    MOST_SHARED = 97


class FunctionAttribute(IntEnum):
    """CUfunction_attribute."""

    MOST_THREADS = 0
    SHARED = 1
    PTX_VERSION = 5
    BINARY_VERSION = 6
    MOST_DYNAMIC = 8
    CARVEOUT = 9
    CLUSTER_IS_SET = 10
    CLUSTER_WIDTH = 11
    LARGE_CLUSTER = 14
    CLUSTER_POLICY = 15


class LaunchAttribute(IntEnum):
    """CUlaunchAttributeID."""

    COOPERATIVE = 2
    CLUSTER = 4


class Request(IntEnum):
    """Requests of the library to the emulator."""

    HELLO = 0
    ATTRIBUTE = 1
    LOAD = 2
    FUNCTION = 3
    LAUNCH = 4
    ENCODE = 5
    OCCUPANCY = 6
    MISSING = 7
    UNLOAD = 8
    REFUSED = 9
    PLACE = 10
    VARIABLE = 11


FUNCTION_ATTRIBUTES = FunctionAttribute.CLUSTER_POLICY + 1
DRIVER_VERSION = 13050
"""The version of CUDA that the driver supports."""


def header() -> str:
    """The numbers in C."""
    kinds = Result, DeviceAttribute, FunctionAttribute, LaunchAttribute, Request
    lines = [f"enum {{ {', '.join(f'{x.name} = {x.value}' for x in kind)} }};" for kind in kinds]
    errors = (
        f'{{{x.value}, "CUDA_{"ERROR_" if x.value else ""}{x.name}", "{x.text}"}}' for x in Result
    )
    lines += [
        f"#define RESULTS {', '.join(errors)}",
        f"#define FUNCTION_ATTRIBUTES {FUNCTION_ATTRIBUTES}",
        f"#define DRIVER_VERSION {DRIVER_VERSION}",
        f'#define PYTHON_VARIABLE "{PYTHON}"',
        f"#define ARENA {ARENA}ull",
    ]
    return "".join(f"{line}\n" for line in lines)
