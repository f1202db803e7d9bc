"""The languages of host programs: the texts of statements, and the frame around them."""

from typing import NamedTuple


class Language(NamedTuple):
    """Texts with fields in braces: of the statements of a program, and its frame, where each field
    begins with a dollar sign."""

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
    frame: str


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
    frame=r"""// Launches the kernel $kernel of $file, and checks its result.
//   c++ -std=c++17 -I CUDA/include HOST.cpp -lcuda
// The folder, an argument, has the PTX and the arrays: tcgen05 host --data FOLDER writes them.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using Bytes = std::vector<char>;

static void done(CUresult status, const char *call) {
  if (status == CUDA_SUCCESS) return;
  const char *name = "unknown error";
  cuGetErrorName(status, &name);
  std::fprintf(stderr, "%s returns %s\n", call, name);
  std::exit(1);
}
#define DONE(call) done(call, #call)

static Bytes content(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) std::fprintf(stderr, "cannot read %s\n", path.c_str()), std::exit(2);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

static CUdeviceptr to_device(const Bytes &bytes) {
  CUdeviceptr address;
  DONE(cuMemAlloc(&address, bytes.size()));
  DONE(cuMemcpyHtoD(address, bytes.data(), bytes.size()));
  return address;
}

// Extents, box and steps are in elements, strides in bytes; the innermost dimension comes first.
[[maybe_unused]]
static CUtensorMap tensor_map(CUdeviceptr address, CUtensorMapDataType element,
                              std::vector<cuuint64_t> extents, std::vector<cuuint64_t> strides,
                              std::vector<cuuint32_t> box, std::vector<cuuint32_t> steps,
                              CUtensorMapSwizzle swizzle, CUtensorMapFloatOOBfill fill) {
  CUtensorMap map;
  DONE(cuTensorMapEncodeTiled(&map, element, extents.size(), (void *)address, extents.data(),
                              strides.data(), box.data(), steps.data(),
                              CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, fill));
  return map;
}

template <class T> static T value(const char *at) {
  T found;
  std::memcpy(&found, at, sizeof found);
  return found;
}

// A number with a sign, an exponent and a fraction, of so many bits.
[[maybe_unused]] static double decode(uint32_t bits, int exponent, int fraction, bool infinite) {
  int most = (1 << exponent) - 1, field = bits >> fraction & most, bias = most / 2;
  double rest = bits & ((1 << fraction) - 1), one = 1 << fraction;
  double sign = bits >> (exponent + fraction) & 1 ? -1 : 1;
  if (field == most && (infinite || rest == one - 1)) return rest ? NAN : sign * INFINITY;
  return sign * std::ldexp(field ? rest + one : rest, (field ? field : 1) - bias - fraction);
}

static bool compare(const char *name, CUdeviceptr address, size_t size, const Bytes &expected,
                    size_t item, double (*number)(const char *)) {
  const double tolerance = $tolerance; // a fraction of the largest expected magnitude
  Bytes found(size);
  DONE(cuMemcpyDtoH(found.data(), address, size));
  double largest = 0;
  for (size_t at = 0; at < size; at += item) {
    double wanted = std::fabs(number(&expected[at]));
    if (std::isfinite(wanted) && wanted > largest) largest = wanted;
  }
  size_t different = 0;
  for (size_t at = 0; at < size; at += item) {
    double is = number(&found[at]), wanted = number(&expected[at]);
    different += !(is == wanted || (std::isnan(is) && std::isnan(wanted)) ||
                   std::fabs(is - wanted) <= tolerance * largest);
  }
  if (different) std::printf("%s: %zu of %zu elements differ\n", name, different, size / item);
  else std::printf("as expected: %s\n", name);
  return !different;
}

int main(int count, char **words) {
  std::string folder = count > 1 ? words[1] : ".";
  CUdevice device;
  CUcontext context;
  DONE(cuInit(0));
  DONE(cuDeviceGet(&device, 0));
  DONE(cuDevicePrimaryCtxRetain(&context, device));
  DONE(cuCtxSetCurrent(context));
  CUmodule module;
  CUfunction kernel;
  Bytes ptx = content(folder + "/$kernel.ptx");
  ptx.push_back(0);
  DONE(cuModuleLoadData(&module, ptx.data()));
  DONE(cuModuleGetFunction(&kernel, module, "$kernel"));

$arrays
$parameters
  void *parameters[] = {$arguments};

  CUlaunchConfig config = {};
  config.gridDimX = $grid_x, config.gridDimY = $grid_y, config.gridDimZ = $grid_z;
  config.blockDimX = $block_x, config.blockDimY = $block_y, config.blockDimZ = $block_z;
  config.sharedMemBytes = $shared;
$attributes
  CUevent start, stop;
  float milliseconds;
  DONE(cuEventCreate(&start, 0));
  DONE(cuEventCreate(&stop, 0));
  DONE(cuEventRecord(start, nullptr));
  DONE(cuLaunchKernelEx(&config, kernel, parameters, nullptr));
  DONE(cuEventRecord(stop, nullptr));
  DONE(cuEventSynchronize(stop));
  DONE(cuEventElapsedTime(&milliseconds, start, stop));
  std::printf("time %.3f ms\n", milliseconds);

  bool same = true;
$checks
  return same ? 0 : 1;
}
""",
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
    frame='''"""
Launches the kernel $kernel of $file, and checks its result, with cuda.bindings and numpy.

The folder, an argument, has the PTX and the arrays: tcgen05 host --data FOLDER writes them.
"""

import ctypes
import sys
from pathlib import Path
$imports
import numpy as np
from cuda.bindings import driver as cuda

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
TOLERANCE = $tolerance  # a fraction of the largest expected magnitude


def done(results):
    status, *values = results
    if status:
        sys.exit(f"the driver returns {status.name}")
    return values[0] if len(values) == 1 else values


def content(name):
    return (folder / name).read_bytes()


def to_device(data):
    address = done(cuda.cuMemAlloc(len(data)))
    done(cuda.cuMemcpyHtoD(address, data, len(data)))
    return ctypes.c_uint64(int(address))


def tensor_map(array, element, extents, strides, box, steps, swizzle, fill):
    """Extents, box and steps are in elements, strides in bytes; innermost dimension first."""
    encoded = done(
        cuda.cuTensorMapEncodeTiled(
            element,
            len(extents),
            array.value,
            [cuda.cuuint64_t(each) for each in extents],
            [cuda.cuuint64_t(each) for each in strides],
            [cuda.cuuint32_t(each) for each in box],
            [cuda.cuuint32_t(each) for each in steps],
            cuda.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            cuda.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            fill,
        )
    )
    data = ctypes.string_at(encoded.getPtr(), $map_bytes)
    return (ctypes.c_ubyte * $map_bytes).from_buffer_copy(data)


def compare(name, array, size, dtype):
    data = bytearray(size)
    done(cuda.cuMemcpyDtoH(data, array.value, size))
    found = np.frombuffer(data, dtype).astype(np.float64)
    wanted = np.frombuffer(content(f"{name}.expected.bin"), dtype).astype(np.float64)
    largest = np.abs(wanted[np.isfinite(wanted)]).max(initial=0)
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    with np.errstate(invalid="ignore"):
        same |= np.abs(found - wanted) <= TOLERANCE * largest
    different = int((~same).sum())
    if different:
        print(f"{name}: {different} of {same.size} elements differ")
    else:
        print(f"as expected: {name}")
    return not different


def main():
    done(cuda.cuInit(0))
    device = done(cuda.cuDeviceGet(0))
    done(cuda.cuCtxSetCurrent(done(cuda.cuDevicePrimaryCtxRetain(device))))
    module = done(cuda.cuModuleLoadData(content("$kernel.ptx") + b"\\0"))
    kernel = done(cuda.cuModuleGetFunction(module, b"$kernel"))

$arrays
$parameters
    parameters = [$arguments]
    pointers = (ctypes.c_void_p * len(parameters))(*map(ctypes.addressof, parameters))

    config = cuda.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = $grid_x, $grid_y, $grid_z
    config.blockDimX, config.blockDimY, config.blockDimZ = $block_x, $block_y, $block_z
    config.sharedMemBytes = $shared
$attributes
    start, stop = done(cuda.cuEventCreate(0)), done(cuda.cuEventCreate(0))
    done(cuda.cuEventRecord(start, 0))
    done(cuda.cuLaunchKernelEx(config, kernel, ctypes.addressof(pointers), 0))
    done(cuda.cuEventRecord(stop, 0))
    done(cuda.cuEventSynchronize(stop))
    print(f"time {done(cuda.cuEventElapsedTime(start, stop)):.3f} ms")

    same = True
$checks
    return 0 if same else 1


sys.exit(main())
''',
)
LANGUAGES = {"c++": CPP, "python": PYTHON}
