"""
Kernels on a CUDA device: `Kernel` compiles one, and launches it through the driver API.

Arrays of other packages, such as torch, cupy, jax and numba, have `__dlpack__` or
`__cuda_array_interface__`; both give an address, a shape and an element type. Nothing is copied.
"""

import ctypes
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from math import prod
from threading import Lock
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import finalize

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp

from ..compiler import (
    Lowered,
    lower,
    make_context,
    print_ptx,
    read_kernels,
    verify,
    verify_kernels,
    without_garbage_collection,
)
from ..driver.device import MOST_GRID, PORTABLE_CLUSTER, SHARED_WITHOUT_OPT_IN
from ..isa.ptx.kernel import TENSOR_MAP_BYTES, ExtentLimits
from ..isa.shared_memory.tensor_map import CUDA_ELEMENTS, CUDA_SWIZZLES
from ..language import language_of, text_source
from ..reporting.diagnostics import Source, diagnosed
from ..reporting.project import check_type
from ..simulator import Launch
from ..simulator.launch.binder import in_order, place_arguments
from ..simulator.launch.launch import kernel_of, sizes_of
from ..simulator.machine.errors import refused
from ..simulator.machine.state import LaunchSizes
from ..simulator.machine.tensor_map import TensorMap

if TYPE_CHECKING:
    from ..simulator.launch.binder import Argument

Array = npt.NDArray[Any]
GRID = ExtentLimits(tuple(range(1, most + 1) for most in MOST_GRID), prod(MOST_GRID))
CUDA_FILLS = {"zero": "NONE", "nan": "NAN_REQUEST_ZERO_FMA"}
"""Fill of a tensor map -> its name in the driver API, after CU_TENSOR_MAP_FLOAT_OOB_FILL_."""


class CudaError(Exception):
    """A call of the driver API failed; the message names it, and says why."""


class NoDeviceError(CudaError):
    """There is no CUDA driver, or no device."""


def cuda_driver() -> Any:
    """The module `cuda.bindings.driver`, initialised. Raises NoDeviceError."""
    try:
        driver: Any = import_module("cuda.bindings.driver")
    except ModuleNotFoundError as error:
        text = f"{error.name} is missing: install tcgen05-dialect[cuda]"
        raise NoDeviceError(text) from error
    try:
        (status,) = driver.cuInit(0)
    except RuntimeError as error:  # The package does not find the library.
        raise NoDeviceError("there is no CUDA driver: libcuda.so.1 is missing") from error
    if status:
        raise NoDeviceError(f"there is no CUDA device: cuInit returns {status.name}")
    return driver


class Compiled(NamedTuple):
    """A module in the dialect `ptx`, its PTX text, and the text from which it was read."""

    module: ModuleOp
    ptx: str
    source: Source | None


class Kernel:
    """
    A kernel of a module, or of text of IR or PTX, for the CUDA devices of this machine. `name`
    selects one of several; `target` and `ptx_version` are as for `compile_to_ptx`. Raises
    CompileError for a module that does not compile, LaunchError for an unknown name, and TypeError
    for arguments of other types.
    """

    def __init__(
        self,
        module: ModuleOp | str | Source | Compiled,
        name: str | None = None,
        *,
        target: str | None = None,
        ptx_version: str | None = None,
    ) -> None:
        types = ModuleOp, str, Source, Compiled
        check_type("module", module, types, "a module, a Source, or a str")
        check_type("name", name, (str, NoneType), "the name of a kernel, or None")
        given = text_source(module) if isinstance(module, str) else module
        if not isinstance(given, Compiled):
            given = compiled(given, target, ptx_version)
        with diagnosed(given.source):
            self.op, self.ptx = kernel_of(given.module, name), given.ptx
        self._kernel: Any = None
        self._shared: dict[int, int] = {}
        """Device -> the bytes of dynamic shared memory that the kernel may have there."""
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self.op.sym_name.data

    def sizes(self, launch: Launch | None = None) -> LaunchSizes:
        """The extents of a launch, within the limits of the device. Raises LaunchError."""
        return sizes_of(self.op, launch or Launch(), GRID)

    def launch(
        self,
        arguments: Sequence[Any] | Mapping[str, Any],
        launch: Launch | None = None,
        *,
        stream: Any = 0,
        timed: bool = False,
    ) -> float | None:
        """
        Launch the kernel on the current device. Arguments and launch are as for `simulate`.

        An array is a tensor in memory of the device, with `__dlpack__` or
        `__cuda_array_interface__`, as torch, cupy and jax have, or an array of numpy, whose content
        is copied to the device and, after the kernel, back. `stream` is a stream with
        `__cuda_stream__`, or a handle of the driver API. The kernel may still run when this
        returns, unless an array is of numpy. With `timed`, the call waits for the kernel, and
        returns the milliseconds between events before and after it.

        Raises LaunchError for a launch that does not match the kernel, NoDeviceError, and CudaError
        if the driver refuses it or the kernel fails.
        """
        check_type("launch", launch, (Launch, NoneType), "a Launch, or None")
        device = Device(stream)
        # Arguments of the wrong number and name are refused before tensors are looked at.
        sizes, given = self.sizes(launch), in_order(self.op, arguments)
        given = [device.argument(each) for each in given]
        with device.copies() as copies:
            binder, _ = place_arguments(self.op, given, copies.address_of)
            content = bytearray(binder.content)
            for at, piece in binder.pieces.items():
                if isinstance(piece, TensorMap):
                    encoded = device.tensor_map(piece)
                    content[at : at + len(encoded)] = encoded
            kernel = self._loaded(device, sizes)
            buffer = (ctypes.c_char * len(content)).from_buffer(content)
            start = ctypes.addressof(buffer)
            places = [start + each.base for each in binder.parameters]
            pointers = (ctypes.c_void_p * len(places))(*places)
            milliseconds = device.launch(kernel, sizes, pointers, buffer, timed=timed)
            copies.read_back()
        return milliseconds

    def _loaded(self, device: "Device", sizes: LaunchSizes) -> Any:
        """The kernel in the driver, with the attributes that a launch needs."""
        cuda, number = device.cuda, device.number
        attributes = cuda.CUfunction_attribute
        with self._lock:
            if self._kernel is None:
                text = self.ptx.encode() + b"\0"
                library = done(cuda.cuLibraryLoadData, text, [], [], 0, [], [], 0)
                finalize(self, cuda.cuLibraryUnload, library).atexit = False
                self._kernel = done(cuda.cuLibraryGetKernel, library, self.name.encode())
            kernel = self._kernel
            # Other threads may launch with more: the limit only grows.
            if sizes.dynamic_shared_memory > self._shared.get(number, SHARED_WITHOUT_OPT_IN):
                self._shared[number] = sizes.dynamic_shared_memory
                limit = attributes.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                done(cuda.cuKernelSetAttribute, limit, sizes.dynamic_shared_memory, kernel, number)
            if prod(sizes.cluster) > PORTABLE_CLUSTER:
                large = attributes.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
                done(cuda.cuKernelSetAttribute, large, 1, kernel, number)
        return kernel


@without_garbage_collection()
def compiled(
    module: ModuleOp | Source,
    target: str | None = None,
    ptx_version: str | None = None,
    checks_operands: bool = True,
) -> Compiled:
    """A compiled module; `checks_operands` is as in `verify_kernels`. Raises CompileError."""
    source = module if isinstance(module, Source) else None
    if isinstance(module, ModuleOp):
        verify(module)
        clone = module.clone()
        lowered = Lowered(clone, lower(clone, make_context(), target, ptx_version))
    else:
        lowered = read_kernels(module, target, ptx_version)
    if source is not None and language_of(source.name, source.text) == "PTX":
        return Compiled(lowered.module, source.text, source)
    verify_kernels(lowered.module, source, checks_operands)
    return Compiled(lowered.module, print_ptx(lowered.module, lowered.target, source), source)


def done(call: Any, *arguments: Any) -> Any:
    """The result of a call of the driver API. Raises CudaError."""
    status, *values = call(*arguments)
    if status:
        raise CudaError(f"{call.__name__} returns {status.name}")
    return values[0] if len(values) == 1 else values


_CPU, _ON_DEVICE = 1, (2, 3, 13)
"""DLDeviceType: memory of the host; of a CUDA device, or memory of the host that it reads."""
_LEGACY_STREAM = 1
"""The default stream in both protocols, which refuse 0."""
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}
"""DLDataTypeCode -> kind of a numpy type."""
_OTHER_TYPES: Mapping[tuple[int, int], Any] = {
    (4, 16): ml_dtypes.bfloat16,
    (10, 8): ml_dtypes.float8_e4m3fn,
    (12, 8): ml_dtypes.float8_e5m2,
    (14, 8): ml_dtypes.float8_e8m0fnu,
}
"""DLDataTypeCode and bits -> element type that numpy itself lacks."""


class DeviceArray(np.ndarray[Any, Any]):
    """An array in memory of the device: its elements cannot be read here."""

    def __repr__(self) -> str:
        return f"<array of {self.dtype} of shape {self.shape} in memory of the device>"

    __str__ = __repr__


class _Tensor(ctypes.Structure):
    """DLTensor, the first part of what a capsule of DLPack points to."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Memory:
    """Memory that numpy views without reading it; `owner` keeps it alive."""

    def __init__(self, owner: object, **interface: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, **interface}


def is_foreign(argument: object) -> bool:
    """Whether an argument is an array of another package."""
    names = "__dlpack__", "__cuda_array_interface__"
    return not isinstance(argument, np.ndarray | np.generic) and any(
        hasattr(argument, name) for name in names
    )


def as_array(tensor: Any, stream: int = 0) -> tuple[npt.NDArray[Any], int | None]:
    """An array that views the memory of a tensor, a DeviceArray unless it is of the host; and the
    stream that still writes it, or None if work of `stream` may begin. Raises LaunchError."""
    if hasattr(tensor, "__dlpack__"):
        if (kind := int(tensor.__dlpack_device__()[0])) == _CPU:
            return np.asarray(tensor), None
        if kind in _ON_DEVICE:
            return _from_dlpack(tensor, stream), None
        legal = "one in memory of the host or of a CUDA device"
        raise refused(f"an array on a device of DLPack's kind {kind}", legal, "an argument")
    given: dict[str, Any] = tensor.__cuda_array_interface__
    keys = "data", "shape", "typestr", "strides"
    memory = _Memory(tensor, **{key: given[key] for key in keys if key in given})
    return np.asarray(memory).view(DeviceArray), given.get("stream")


def _from_dlpack(tensor: Any, stream: int) -> DeviceArray:
    capsule = tensor.__dlpack__(stream=stream or _LEGACY_STREAM)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found = _Tensor.from_address(cast(int, pointer(capsule, b"dltensor")))
    code, bits, rank = found.code, found.bits, found.rank
    dtype = _OTHER_TYPES.get((code, bits))
    if dtype is None and (code not in _KINDS or found.lanes != 1 or bits % 8):
        what = f"an array of elements of {bits} bits with DLPack's type code {code}"
        raise refused(what, "one of numbers of whole bytes, or of bool", "an argument")
    strides = None
    if found.strides:
        strides = tuple(each * bits // 8 for each in found.strides[:rank])
    memory = _Memory(
        capsule,
        data=((found.data or 0) + found.offset, False),
        shape=tuple(found.shape[:rank]),
        strides=strides,
        typestr=f"|V{bits // 8}" if dtype else np.dtype(f"{_KINDS[code]}{bits // 8}").str,
    )
    array = np.asarray(memory)
    return (array.view(dtype) if dtype else array).view(DeviceArray)


class Device:
    """The current device, or the first one, with a stream."""

    def __init__(self, stream: Any = 0) -> None:
        self.cuda = cuda = cuda_driver()
        if hasattr(stream, "__cuda_stream__"):  # The protocol of cuda.core: a version, a handle.
            _, stream = stream.__cuda_stream__()
        self.stream = int(stream)
        if not int(done(cuda.cuCtxGetCurrent)):
            context = done(cuda.cuDevicePrimaryCtxRetain, done(cuda.cuDeviceGet, 0))
            done(cuda.cuCtxSetCurrent, context)
        self.number = int(done(cuda.cuCtxGetDevice))

    def argument(self, given: Any) -> "Argument":
        """An argument of a kernel, with arrays of other packages as numpy describes them; the
        stream waits until they are written. Raises LaunchError."""
        if isinstance(given, Mapping):
            members = cast("Mapping[int, Any]", given)
            return {offset: cast(Any, self.argument(each)) for offset, each in members.items()}
        if not is_foreign(given):
            return given
        array, other = as_array(given, self.stream)
        if other is not None and other != self.stream:
            with self._event() as written:
                done(self.cuda.cuEventRecord, written, other)
                done(self.cuda.cuStreamWaitEvent, self.stream, written, 0)
        return array

    @contextmanager
    def _event(self) -> Generator[Any]:
        event = done(self.cuda.cuEventCreate, 0)
        try:
            yield event
        finally:
            done(self.cuda.cuEventDestroy, event)

    @contextmanager
    def copies(self) -> Generator["Copies"]:
        """Copies of the arrays of the host, which are freed at the end."""
        copies = Copies(self)
        try:
            yield copies
        finally:
            copies.free()

    def tensor_map(self, given: TensorMap) -> bytes:
        """The bytes of a tensor map, as the driver encodes it. Raises CudaError."""
        cuda, rank = self.cuda, len(given.extents)
        wide, narrow = cuda.cuuint64_t, cuda.cuuint32_t
        element = f"CU_TENSOR_MAP_DATA_TYPE_{CUDA_ELEMENTS[given.element]}"
        swizzle = f"CU_TENSOR_MAP_SWIZZLE_{CUDA_SWIZZLES[given.swizzle]}"
        fill = f"CU_TENSOR_MAP_FLOAT_OOB_FILL_{CUDA_FILLS[given.fill]}"
        encoded = done(
            cuda.cuTensorMapEncodeTiled,
            getattr(cuda.CUtensorMapDataType, element),
            rank,
            given.address,
            [wide(each) for each in given.extents],
            [wide(each) for each in given.strides],
            [narrow(each) for each in given.box],
            [narrow(each) for each in given.element_strides],
            cuda.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
            getattr(cuda.CUtensorMapSwizzle, swizzle),
            cuda.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            getattr(cuda.CUtensorMapFloatOOBfill, fill),
        )
        return ctypes.string_at(encoded.getPtr(), TENSOR_MAP_BYTES)

    def launch(
        self, kernel: Any, sizes: LaunchSizes, pointers: Any, content: Any, *, timed: bool
    ) -> float | None:
        """Launch a kernel; `content` are the bytes of the parameters, to which `pointers` point.
        Raises CudaError."""
        cuda, config = self.cuda, self.cuda.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = sizes.grid
        config.blockDimX, config.blockDimY, config.blockDimZ = sizes.block
        config.sharedMemBytes, config.hStream = sizes.dynamic_shared_memory, self.stream
        if prod(sizes.cluster) > 1:
            attribute = cuda.CUlaunchAttribute()
            attribute.id = cuda.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
            extents = attribute.value.clusterDim
            extents.x, extents.y, extents.z = sizes.cluster
            config.attrs, config.numAttrs = [attribute], 1
        call = cuda.cuLaunchKernelEx, config, kernel, ctypes.addressof(pointers), 0
        if not timed:
            done(*call)
            return None
        with self._event() as before, self._event() as after:
            done(cuda.cuEventRecord, before, self.stream)
            done(*call)
            done(cuda.cuEventRecord, after, self.stream)
            done(cuda.cuEventSynchronize, after)
            return done(cuda.cuEventElapsedTime, before, after)


class Copies:
    """Copies of arrays of the host in memory of the device."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._copies: list[tuple[Array, Any]] = []

    def address_of(self, name: str, array: Array) -> int:
        """The address of an array in memory of the device, where it is copied if it is of the
        host. Raises CudaError."""
        if isinstance(array, DeviceArray):
            return array.__array_interface__["data"][0]
        cuda = self._device.cuda
        address = done(cuda.cuMemAlloc, max(1, array.nbytes))
        self._copies.append((array, address))
        if array.nbytes:
            stream = self._device.stream
            done(cuda.cuMemcpyHtoDAsync, address, array.ctypes.data, array.nbytes, stream)
        return int(address)

    def read_back(self) -> None:
        """Copy the arrays back, after the work of the stream. Raises CudaError."""
        cuda, stream = self._device.cuda, self._device.stream
        for array, address in self._copies:
            if array.nbytes:
                done(cuda.cuMemcpyDtoHAsync, array.ctypes.data, address, array.nbytes, stream)
        if self._copies:
            done(cuda.cuStreamSynchronize, stream)

    def free(self) -> None:
        """Free the copies; after an error of the kernel, the driver frees nothing."""
        for _, address in self._copies:
            self._device.cuda.cuMemFree(address)
