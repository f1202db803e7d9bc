/* A host program in C: launches on several streams, from several threads. `streams PTX COUNT` */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                      \
  do {                                                                   \
    CUresult status = call;                                              \
    const char *name = "";                                               \
    if (status != CUDA_SUCCESS) {                                        \
      cuGetErrorName(status, &name);                                     \
      printf("%s: %s\n", #call, name);                                   \
      exit(3);                                                           \
    }                                                                    \
  } while (0)

enum { SIZE = 256, THREADS = 4 };
static CUcontext context;
static CUfunction kernel;
static int count;

static void *work(void *argument) {
  int first = (int)(size_t)argument, *found = malloc(SIZE * sizeof *found);
  CUstream stream;
  CUevent begin, end;
  CUdeviceptr data;
  float milliseconds;
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuMemAllocAsync(&data, SIZE * sizeof *found, stream));
  CHECK(cuMemsetD32Async(data, (unsigned)first, SIZE, stream));
  CHECK(cuEventRecord(begin, stream));
  for (int i = 0; i < count; i++) {
    int step = i;
    void *parameters[] = {&data, &step};
    CHECK(cuLaunchKernel(kernel, SIZE / 32, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
  }
  CHECK(cuEventRecord(end, stream));
  CHECK(cuMemcpyDtoHAsync(found, data, SIZE * sizeof *found, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuEventElapsedTime(&milliseconds, begin, end));
  for (int i = 0; i < SIZE; i++)
    if (found[i] != first + count * i + count * (count - 1) / 2) printf("wrong at %d: %d\n", i, found[i]);
  CHECK(cuMemFreeAsync(data, stream));
  CHECK(cuStreamDestroy(stream));
  free(found);
  return NULL;
}

int main(int argc, char **argv) {
  CUdevice device;
  CUmodule module;
  char name[100];
  pthread_t threads[THREADS];
  count = atoi(argv[2]);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&kernel, module, "add"));
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(1000 * i));
  for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(cuModuleUnload(module));
  printf("%s: done\n", name);
  return 0;
}
