// Launches the kernel $kernel of $file, and checks its result.
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
