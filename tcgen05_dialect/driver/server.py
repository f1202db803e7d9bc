"""Server of the emulated CUDA driver: answers the requests of the library `libcuda.c`."""

import json
import os
import re
import struct
import sys
from collections.abc import Callable, Mapping
from fcntl import LOCK_EX, flock
from threading import Lock

import numpy as np
import numpy.typing as npt

from ..isa.model.rule import Violation, extents_text
from ..isa.targets import MULTIPROCESSOR_THREADS, NEWEST, RESERVED_SHARED_BYTES
from ..reporting.diagnostics import CompileError, Finding, has_errors
from ..reporting.formats import render
from ..simulator.machine.tensor_map import TensorMap, encoded
from . import CALLS, REPORT, SCHEDULE, STEPS
from .device import (
    ATTRIBUTES,
    INTERLEAVES,
    MOST_BLOCKS,
    MULTIPROCESSOR_SHARED,
    NAME,
    TARGET,
    element_of,
    swizzle_of,
)
from .kernels import (
    Allocations,
    Block,
    Known,
    LaunchRequest,
    Modules,
    Refused,
)
from .numbers import FUNCTION_ATTRIBUTES, FunctionAttribute, Request, Result

_LAUNCH = struct.Struct(f"<Q3I3I3II{FUNCTION_ATTRIBUTES}iII3Q")
_BLOCK = struct.Struct("<QQII")
_MAP = struct.Struct("<6iI4xQ5Q5Q5I5I3i3iII")
_FRAME = re.compile(r'^  File "(.+)", line (\d+)', re.MULTILINE)
_OWN = os.path.dirname(os.path.dirname(__file__)) + os.sep, f"{os.sep}bin{os.sep}tcgen05"
"""Parts of paths of this project, whose lines say nothing about a host program."""
_PACKAGES = re.compile(r"[\\/](cuda|site-packages|numba)[\\/]|^<")
_LIVE = 1
_SMALLEST = f"""
.version {NEWEST}
.target {TARGET}
.address_size 64
.visible .entry k(.param .u64 p) {{ .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; ret; }}
""".encode()


def read_smallest() -> None:
    """Read a module, which imports what reading needs: now, while the host program goes on."""
    Modules({}).load(_SMALLEST, "")


class Server:
    """Answers the library; `arena` is the memory of the device, from the address `base` on, and
    `known` are modules by their PTX."""

    def __init__(self, arena: npt.NDArray[np.uint8], base: int, known: Known):
        self._memory = Allocations(arena, base)
        self._modules = Modules(known)
        self._schedule = os.environ.get(SCHEDULE, "eager")
        self._max_steps = int(os.environ.get(STEPS, 0))
        self._calls = os.environ.get(CALLS)
        self.writing = Lock()
        """Held while files are written."""
        self._answers: Mapping[int, Callable[[bytes], bytes]] = {
            Request.HELLO: self._name,
            Request.ATTRIBUTE: self._attribute,
            Request.LOAD: self._load,
            Request.FUNCTION: self._function,
            Request.LAUNCH: self._launch,
            Request.ENCODE: self._encode,
            Request.OCCUPANCY: self._occupancy,
            Request.MISSING: self._missing,
            Request.UNLOAD: self._unload,
            Request.REFUSED: self._refused,
            Request.PLACE: self._place,
            Request.VARIABLE: self._variable,
        }

    def answer(self, what: int, data: bytes) -> tuple[int, bytes]:
        """The status and the answer for a question."""
        try:
            return 0, self._answers[what](data)
        except Refused as refused:
            return refused.code, b""
        except Exception as error:  # The host program goes on with an error code.
            _tell(f"internal error of the emulated CUDA driver: {type(error).__name__}: {error}")
            return Result.LAUNCH_FAILED, b""

    def _name(self, data: bytes) -> bytes:
        return NAME.encode()

    def _attribute(self, data: bytes) -> bytes:
        (number,) = struct.unpack("<i", data)
        if number not in ATTRIBUTES:
            # What is not listed is a capability that the emulated device lacks.
            return struct.pack("<i", 0)
        return struct.pack("<i", ATTRIBUTES[number])

    def _load(self, data: bytes) -> bytes:
        place, _, text = data.partition(b"\0")
        line = _line(place)
        try:
            number = self._modules.load(text, f"{line or 'host'}.ptx")
            return struct.pack("<QQ", number, self._modules[number].room)
        except Refused as refused:
            _tell(f"{line}: {refused.message}" if line else refused.message)
            raise
        except CompileError as error:
            self._show(f"{line}: this module cannot be loaded", error.findings)
            raise Refused("", Result.INVALID_PTX) from error

    def _place(self, data: bytes) -> bytes:
        module, address = struct.unpack("<QQ", data)
        content = self._memory.from_address(address)
        assert content is not None
        self._modules[module].place(address, content)
        return b""

    def _variable(self, data: bytes) -> bytes:
        (module,), name = struct.unpack_from("<Q", data), data[8:].decode()
        known = self._modules[module].variables
        if name not in known:
            _tell(f"the module has no variable {name}; it has: {', '.join(known) or 'none'}")
            raise Refused("", Result.NOT_FOUND)
        address, content = known[name]
        return struct.pack("<QQ", address, content.size)

    def _function(self, data: bytes) -> bytes:
        (module,) = struct.unpack_from("<Q", data)
        try:
            number, kernel = self._modules.kernel(module, data[8:].decode())
        except Refused as refused:
            _tell(refused.message)
            raise
        except CompileError as error:
            self._show("this kernel cannot be run", error.findings)
            raise Refused("", Result.INVALID_PTX) from error
        places = [each for place in kernel.parameters for each in place]
        layout = f"<Q{FUNCTION_ATTRIBUTES}i{len(places)}Q"
        return struct.pack(layout, number, *kernel.attributes, *places)

    def _unload(self, data: bytes) -> bytes:
        self._modules.unload(*struct.unpack("<Q", data))
        return b""

    def _launch(self, data: bytes) -> bytes:
        head = _LAUNCH.unpack_from(data)
        number, extents, shared = head[0], head[1:10], head[10]
        attributes, (_, is_sized, parameters, blocks, _) = head[11:-5], head[-5:]
        at = _LAUNCH.size + parameters
        content = data[_LAUNCH.size : at]
        found = _BLOCK.iter_unpack(data[at : at + blocks])
        live = [Block(start, size) for start, size, _, state in found if state == _LIVE]
        request = LaunchRequest(
            extents[:3], extents[3:6], extents[6:], shared, attributes, content, bool(is_sized)
        )
        module, kernel = self._modules.function(number)
        self._record(
            call="launch",
            kernel=kernel.name,
            grid=request.grid,
            block=request.block,
            cluster=request.cluster,
            shared_bytes=shared,
            attributes=attributes,
            parameters=[
                self._memory.relative(content[start : start + size]).hex()
                for start, size in kernel.parameters
            ],
        )
        line = _line(data[at + blocks :])
        what = f"{line}: " if line else ""
        what += f"launch of {kernel.name}, grid {extents_text(request.grid)}, "
        what += f"block {extents_text(request.block)}"
        memories = [*self._memory.memories(live)]
        try:
            variables = module.memories()
            findings, printed = kernel.run(
                request, memories, variables, self._schedule, self._max_steps
            )
        except Refused as refused:
            _tell(f"{what}: {refused.message}")
            raise
        sys.stdout.write(printed)
        sys.stdout.flush()
        if findings:
            self._show(what, findings)
        if has_errors(findings):
            raise Refused("", Result.LAUNCH_FAILED)
        return b""

    def _encode(self, data: bytes) -> bytes:
        kind, element, interleave, swizzle, promotion, fill, rank, address, *rest = (
            _MAP.unpack_from(data)
        )
        extents, strides, box, steps = (rest[5 * i : 5 * i + rank] for i in range(4))
        self._record(
            call="tensor map",
            element=element,
            address=address - self._memory.base,
            extents=extents,
            strides=strides[: rank - 1],
            box=box,
            element_strides=steps,
            interleave=interleave,
            swizzle=swizzle,
            l2_promotion=promotion,
            fill=fill,
        )
        what = f"{_line(data[_MAP.size :])}: this tensor map is refused: "
        name, cuda_name = element_of(element)
        mode, cuda_mode = swizzle_of(swizzle)
        for is_missing, which in (
            (kind != 0, "maps in im2col mode"),
            (name is None, f"elements of {cuda_name}"),
            (mode is None, cuda_mode),
            (interleave != 0, f"CU_TENSOR_MAP_INTERLEAVE_{INTERLEAVES[interleave % 3]}"),
        ):
            if is_missing:
                _tell(f"{what}the emulator does not support {which}")
                raise Refused("", Result.NOT_SUPPORTED)
        assert name is not None
        assert mode is not None
        rest_of_arena = self._memory.from_address(address)
        try:
            if rest_of_arena is None:
                _tell(f"{what}its address {address:#x} is not memory of the device")
                raise Refused("", Result.INVALID_VALUE)
            found = TensorMap(
                rest_of_arena,
                name,
                tuple(extents),
                tuple(strides[: rank - 1]),
                tuple(box),
                tuple(steps),
                mode,
                "nan" if fill else "zero",
                address,
            )
        except Violation as violation:
            _tell(what + str(violation))
            raise Refused("", Result.INVALID_VALUE) from violation
        return encoded(found)

    def _occupancy(self, data: bytes) -> bytes:
        number, threads, dynamic, _, _ = struct.unpack("<5Q", data)
        if not threads:
            raise Refused("", Result.INVALID_VALUE)
        _, kernel = self._modules.function(number)
        used = kernel.attributes[FunctionAttribute.SHARED] + dynamic + RESERVED_SHARED_BYTES
        most = MULTIPROCESSOR_THREADS // threads, MULTIPROCESSOR_SHARED // used, MOST_BLOCKS
        return struct.pack("<i", min(most))

    def _refused(self, data: bytes) -> bytes:
        place, _, text = data.partition(b"\0")
        line = _line(place)
        _tell(f"{line}: {text.decode()}" if line else text.decode())
        return b""

    def _missing(self, data: bytes) -> bytes:
        _tell(f"the emulated CUDA driver does not have {data.decode()}")
        return b""

    def _record(self, **call: object) -> None:
        """Write a call, if a file is given for them."""
        if self._calls:
            with self.writing, open(self._calls, "a", encoding="utf-8") as file:
                file.write(f"{json.dumps(call)}\n")

    def _show(self, what: str, findings: "tuple[Finding, ...] | list[Finding]") -> None:
        _tell(f"{what}\n{render(findings, 'text').rstrip()}")
        # At once: a host program may end at any time. Its processes share the file.
        if path := os.environ.get(REPORT):
            with self.writing, open(path, "r+", encoding="utf-8") as file:
                flock(file, LOCK_EX)
                before = json.loads(file.read() or "[]")
                file.seek(0)
                json.dump(before + json.loads(render(findings, "json")), file, indent=2)
                file.write("\n")
                file.truncate()


def _line(stack: bytes) -> str:
    """The file and line of the host program in the text of a Python stack; empty if there is none.
    The frames of packages come only if there are no others."""
    frames = _FRAME.findall(stack.decode(errors="replace"))
    frames = [each for each in frames if not any(part in each[0] for part in _OWN)]
    own = [each for each in frames if not _PACKAGES.search(each[0])] or frames
    if not own:
        return ""
    path, line = own[-1]
    return f"{path.removeprefix(os.getcwd() + os.sep)}:{line}"


def _tell(text: str) -> None:
    sys.stderr.write(f"tcgen05: {text}\n")
    sys.stderr.flush()
