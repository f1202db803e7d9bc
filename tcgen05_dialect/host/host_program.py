"""
Host programs that launch a kernel, in C++ or Python: memory, tensor maps, attributes, launch,
check. They read the PTX and the content of arrays from a folder.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from keyword import kwlist
from math import prod
from string import Template
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ..driver.device import PORTABLE_CLUSTER
from ..isa.ptx.kernel import ADDRESS_BYTES, TENSOR_MAP_BYTES
from ..isa.shared_memory.tensor_map import CUDA_ELEMENTS, CUDA_SWIZZLES
from ..ptx.types import ParamArrayType
from ..simulator.launch.binder import alignment_of, in_order, is_same, names_of, place_arguments
from ..simulator.launch.expected import PreparedLaunch
from ..simulator.machine.tensor_map import TensorMap
from ..simulator.machine.tensor_memory import aligned
from .launcher import CUDA_FILLS, Kernel

Array = npt.NDArray[Any]
_WORD = re.compile(r"\w+")
_PROSE = re.compile(r'"""[^"]*"""|(\b[bf])?"[^"\n]*"|(//|# ).*')
"""Strings and comments of a program."""
_CPP_WORDS = (
    "alignof asm auto case catch class compl const_cast consteval constexpr constinit decltype "
    "default delete do dynamic_cast enum explicit export extern friend goto inline int long "
    "mutable namespace new noexcept nullptr operator private protected public register "
    "reinterpret_cast requires short signed sizeof static_assert static_cast struct switch this "
    "thread_local throw typedef typeid typename union virtual volatile wchar_t xor"
)


class Language(NamedTuple):
    """A language of host programs: the texts of statements with fields in braces, and the name of
    the file with the frame around them, where each field begins with a dollar sign."""

    array: str
    content: str
    zeros: str
    number: str
    tensor_map: str
    structure: str
    piece: str
    argument: str
    attribute: str
    cluster: str
    check: str
    file: str

    @property
    def frame(self) -> str:
        return files(__package__ or "").joinpath(self.file).read_text("utf-8")


CPP = Language(
    array="  CUdeviceptr {name} = to_device({content});",
    content='content(folder + "/{name}.bin")',
    zeros="Bytes({size})",
    number="  uint{bits}_t {name} = {value};",
    tensor_map="  CUtensorMap {name} = tensor_map(\n"
    "      {array}, CU_TENSOR_MAP_DATA_TYPE_{element}, {{{extents}}}, {{{strides}}}, {{{box}}},\n"
    "      {{{steps}}}, CU_TENSOR_MAP_SWIZZLE_{swizzle}, CU_TENSOR_MAP_FLOAT_OOB_FILL_{fill});",
    structure="  alignas(64) unsigned char {name}[] = {{{numbers}}};",
    piece="  std::memcpy({name} + {at}, &{piece}, {size});",
    argument="&{name}",
    attribute="  DONE(cuFuncSetAttribute(kernel, {attribute}, {value}));",
    cluster="  CUlaunchAttribute cluster = {{}};\n"
    "  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;\n"
    "  cluster.value.clusterDim = {{{extents}}};\n"
    "  config.attrs = &cluster, config.numAttrs = 1;",
    check='  same &= compare("{name}", {name}, {size}, content(folder + "/{name}.expected.bin"), '
    "{item},\n                  [](const char *at) -> double {{ return {decoded}; }});",
    file="frame.cpp",
)
PYTHON = Language(
    array="    {name} = to_device({content})",
    content='content("{name}.bin")',
    zeros="bytes({size})",
    number="    {name} = ctypes.c_uint{bits}({value})",
    tensor_map="    {name} = tensor_map(\n        {array}, cuda.CUtensorMapDataType."
    "CU_TENSOR_MAP_DATA_TYPE_{element},\n        [{extents}], [{strides}], [{box}], [{steps}],\n"
    "        cuda.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_{swizzle},\n"
    "        cuda.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_{fill},\n    )",
    structure="    {name} = (ctypes.c_ubyte * {size})({numbers})",
    piece="    ctypes.memmove(ctypes.byref({name}, {at}), ctypes.byref({piece}), {size})",
    argument="{name}",
    attribute="    attribute = cuda.CUfunction_attribute.{attribute}\n"
    "    done(cuda.cuFuncSetAttribute(kernel, attribute, {value}))",
    cluster="    cluster = cuda.CUlaunchAttribute()\n"
    "    cluster.id = cuda.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION\n"
    "    extents = cluster.value.clusterDim\n"
    "    extents.x, extents.y, extents.z = {extents}\n"
    "    config.attrs, config.numAttrs = [cluster], 1",
    check='    same &= compare("{name}", {name}, {size}, {dtype})',
    file="frame.py.txt",
)
LANGUAGES = {"c++": CPP, "python": PYTHON}


class HostProgram:
    """A host program in a language, for a launch of a kernel; `file` is the name of the kernel's
    file. Raises LaunchError."""

    def __init__(
        self, kernel: Kernel, launch: PreparedLaunch, file: str, language: Language
    ) -> None:
        self._kernel, self._launch, self._file, self._language = kernel, launch, file, language
        self._sizes = kernel.sizes(launch.launch)
        # The same names in all languages: they name files, too.
        self._taken = {*kwlist, *_CPP_WORDS.split()}
        for each in LANGUAGES.values():
            self._taken.update(_WORD.findall(_PROSE.sub("", each.frame)))
        self._arrays: list[tuple[str, Array]] = []
        arguments = in_order(kernel.op, launch.arguments)
        step = alignment_of(kernel.op, arguments)

        def place(name: str, array: Array) -> int:
            known = (key for key, each in launch.arrays.items() if is_same(each, array))
            self._arrays.append((self._free(next(known, name)), array))
            # Any address that keeps the contracts.
            return aligned(1 << 20, step)

        self._binder, _ = place_arguments(kernel.op, arguments, place)

    def _free(self, name: str) -> str:
        """A name for a variable of the program, which nothing else has."""
        name = re.sub(r"\W|^(?=\d)", "_", name, flags=re.ASCII)
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def _name_of(self, array: Any) -> str:
        return next(name for name, each in self._arrays if is_same(each, array))

    def _expected(self) -> Iterator[tuple[str, Array]]:
        """The name and the expected content of each array that is checked."""
        for key, content in self._launch.expected.items():
            array = self._launch.arrays[key]
            if any(is_same(each, array) for _, each in self._arrays):
                yield self._name_of(array), content

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The name and the content of each file that the program reads."""
        yield f"{self._kernel.name}.ptx", self._kernel.ptx.encode()
        for name, array in self._arrays:
            if any(array.tobytes()):
                yield f"{name}.bin", array.tobytes()
        for name, content in self._expected():
            yield f"{name}.expected.bin", content.tobytes()

    def text(self) -> str:
        """The program."""
        sizes, language = self._sizes, self._language
        arguments: list[str] = []
        extents = {
            f"{what}_{axis}": extent
            for what in ("grid", "block")
            for axis, extent in zip("xyz", getattr(sizes, what), strict=True)
        }
        # The package of element types that numpy lacks.
        others = any(not hasattr(np, content.dtype.name) for _, content in self._expected())
        imports = "\nimport ml_dtypes" if others else ""
        return Template(language.frame).substitute(
            kernel=self._kernel.name,
            file=self._file,
            tolerance=self._launch.tolerance,
            shared=sizes.dynamic_shared_memory,
            map_bytes=TENSOR_MAP_BYTES,
            **extents,
            arrays="\n".join(self._array(*each) for each in self._arrays),
            parameters="\n".join(self._parameters(arguments)),
            arguments=", ".join(arguments),
            attributes="\n".join(self._attributes()),
            checks="\n".join(self._checks()),
            imports=imports,
        )

    def _array(self, name: str, array: Array) -> str:
        content = self._language.content if any(array.tobytes()) else self._language.zeros
        # The driver allocates no memory of 0 bytes.
        content = content.format(name=name, size=max(1, array.nbytes))
        return self._language.array.format(name=name, content=content)

    def _parameters(self, arguments: list[str]) -> Iterator[str]:
        """The statements that make the parameters; adds the arguments that refer to them."""
        language, binder = self._language, self._binder
        values = self._kernel.op.body.blocks[0].args
        named = zip(names_of(self._kernel.op), values, binder.parameters, strict=True)
        for given, value, held in named:
            inside = range(held.base, held.end)
            pieces = {at - held.base: piece for at, piece in binder.pieces.items() if at in inside}
            size, content = len(inside), held.bytes.tobytes()
            if isinstance(pieces.get(0), np.ndarray) and size == ADDRESS_BYTES:
                arguments.append(language.argument.format(name=self._name_of(pieces[0])))
                continue
            name = self._free(given)
            arguments.append(language.argument.format(name=name))
            if isinstance(pieces.get(0), TensorMap) and size == TENSOR_MAP_BYTES:
                yield self._map(name, pieces[0])
            elif not isinstance(value.type, ParamArrayType):
                number = int.from_bytes(content, "little")
                yield language.number.format(name=name, bits=8 * size, value=number)
            else:
                numbers = ", ".join(map(str, content))
                yield language.structure.format(name=name, size=size, numbers=numbers)
                for at, piece in pieces.items():
                    source, length = "", ADDRESS_BYTES
                    if isinstance(piece, TensorMap):
                        source, length = self._free(f"{name}_{at}"), TENSOR_MAP_BYTES
                        yield self._map(source, piece)
                    source = source or self._name_of(piece)
                    yield language.piece.format(name=name, at=at, piece=source, size=length)

    def _map(self, name: str, given: Any) -> str:
        numbers = {
            "extents": given.extents,
            "strides": given.strides,
            "box": given.box,
            "steps": given.element_strides,
        }
        return self._language.tensor_map.format(
            name=name,
            array=self._name_of(given.array),
            element=CUDA_ELEMENTS[given.element],
            swizzle=CUDA_SWIZZLES[given.swizzle],
            fill=CUDA_FILLS[given.fill],
            **{key: ", ".join(map(str, each)) for key, each in numbers.items()},
        )

    def _attributes(self) -> Iterator[str]:
        """The statements that set attributes of the function and the launch."""
        cluster, attribute = self._sizes.cluster, self._language.attribute
        if shared := self._sizes.dynamic_shared_memory:
            name = "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
            yield attribute.format(attribute=name, value=shared)
        if prod(cluster) > PORTABLE_CLUSTER:
            name = "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED"
            yield attribute.format(attribute=name, value=1)
        if prod(cluster) > 1:
            yield self._language.cluster.format(extents=", ".join(map(str, cluster)))

    def _checks(self) -> Iterator[str]:
        for name, content in self._expected():
            dtype = content.dtype
            yield self._language.check.format(
                name=name,
                size=content.nbytes,
                item=content.itemsize,
                decoded=_decoded(dtype),
                dtype=f"{'np' if hasattr(np, dtype.name) else 'ml_dtypes'}.{dtype.name}",
            )


def _decoded(dtype: np.dtype[Any]) -> str:
    """The number at an address in C++."""
    bits, info = 8 * dtype.itemsize, cast(Any, ml_dtypes.finfo)
    if dtype.kind in "iu":
        return f"value<{'u' * (dtype.kind == 'u')}int{bits}_t>(at)"
    if dtype.name in ("float32", "float64"):
        return f"value<{'float' if bits == 32 else 'double'}>(at)"
    if dtype == ml_dtypes.float8_e8m0fnu:
        return f"std::ldexp(1.0, value<uint8_t>(at) + ({info(dtype).minexp}))"
    fraction = info(dtype).nmant
    infinite = str(bool(np.isinf(dtype.type(np.inf)))).lower()
    return f"decode(value<uint{bits}_t>(at), {bits - 1 - fraction}, {fraction}, {infinite})"
