/* A host program in which each allocation of the host's memory fails once. `failing PTX` */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static int left = -1, has_failed; /* allocations before the one that fails */
static int fails(void) { return left >= 0 && left-- == 0 ? has_failed = 1 : 0; }
void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }

enum { SIZE = 256, MOST = 100 };
static const char *const TEXT = ".version 8.6\n.target sm_100a\n.address_size 64\n"
                                ".global .align 4 .u32 counter = 5;\n.visible .entry k() { ret; }\n";
static int errors;
static void note(CUresult status) { errors += status != CUDA_SUCCESS; }
static void nothing(void *data) { (void)data; }

static size_t unused(void) {
  size_t found = 0, total;
  cuMemGetInfo(&found, &total);
  return found;
}

/* Make one of everything, and free it. */
static void work(const char *path, CUstream stream, CUdeviceptr data, CUdeviceptr *blocks) {
  CUmodule module = NULL, other = NULL;
  CUfunction function = NULL;
  CUdeviceptr variable;
  CUlinkState link = NULL;
  CUgraph graph = NULL;
  CUgraphExec executable = NULL;
  CUuserObject object = NULL;
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = data, .srcPitch = 4,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = data + 512, .dstPitch = 4,
                        .WidthInBytes = 4, .Height = 2};
  int step = 1, found[SIZE] = {0};
  void *parameters[] = {&data, &step};
  note(cuModuleLoad(&module, path));
  note(cuModuleLoadData(&other, TEXT));
  if (other) note(cuModuleGetGlobal(&variable, NULL, other, "counter"));
  if (module) note(cuModuleGetFunction(&function, module, "add"));
  note(cuLinkCreate(0, NULL, NULL, &link));
  if (link) note(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)TEXT, strlen(TEXT), "", 0, NULL, NULL));
  for (int i = 0; i < MOST; i++) note(cuMemAlloc(&blocks[i], 4096 + i));
  note(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  note(cuMemsetD32Async(data, 0, SIZE, stream));
  if (function) note(cuLaunchKernel(function, SIZE / 32, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
  note(cuMemcpy2DAsync(&copy, stream));
  cuStreamEndCapture(stream, &graph);
  note(cuUserObjectCreate(&object, NULL, nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  if (object && cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE)) cuUserObjectRelease(object, 1), errors++;
  if (graph) note(cuGraphInstantiate(&executable, graph, 0));
  for (int i = 0; executable && i < 2; i++) note(cuGraphLaunch(executable, stream));
  note(cuMemcpyDtoH(found, data, sizeof found));
  for (int i = 0; !errors && i < SIZE; i++)
    if (i != 128 && i != 129 && found[i] != i + 1) printf("wrong at %d: %d\n", i, found[i]), errors++;
  left = -1;
  if (executable) cuGraphExecDestroy(executable);
  if (graph) cuGraphDestroy(graph);
  if (link) cuLinkDestroy(link);
  for (int i = 0; i < MOST; i++) cuMemFree(blocks[i]), blocks[i] = 0;
  if (module) cuModuleUnload(module);
  if (other) cuModuleUnload(other);
}

int main(int argc, char **argv) {
  static CUdeviceptr blocks[MOST];
  CUcontext context;
  CUstream stream;
  CUdeviceptr data;
  int failures = -1, told = 0;
  (void)argc;
  note(cuInit(0));
  note(cuDevicePrimaryCtxRetain(&context, 0));
  note(cuCtxSetCurrent(context));
  note(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  note(cuMemAlloc(&data, 4 * SIZE));
  if (errors) return 3;
  size_t before = unused();
  do {
    errors = has_failed = 0, left = ++failures;
    work(argv[1], stream, data, blocks);
    told += has_failed && errors;
    if (unused() != before) printf("%zu bytes are lost\n", before - unused());
  } while (has_failed);
  printf("%d of %d failures are told, then %d\n", told, failures, errors);
  return 0;
}
