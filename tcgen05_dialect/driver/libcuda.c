/* The CUDA driver API (libcuda.so.1) on a machine without a GPU. Memory of the device is memory of
 * this process, in an arena that the emulator shares. Requests about modules and kernels go to
 * the emulator, a Python process at the other end of a socket. All work is done when it is
 * submitted, which is an order that streams allow. The compiler includes the numbers of
 * numbers.py before this file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef int Result;
typedef uint64_t Pointer;
typedef unsigned int Word;
#define API __attribute__((visibility("default"))) Result

/* The emulator. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int connection = -1;
static pid_t emulator, owner;
static Result started = NOT_INITIALIZED; /* the outcome of cuInit, which stays */
static Result failed; /* the error of an earlier launch, which stays */
/* An emulator in this process: its answer is valid until the next question. */
typedef Result Answer(int what, const void *data, size_t size, const void **answer, uint64_t *length);
static Answer *inside;
API tcgen05EmulateWith(Answer *answer) { return inside = answer, SUCCESS; }

static int transfer(int writes, void *data, size_t size) {
  for (char *at = data; size;) {
    ssize_t n = writes ? send(connection, at, size, MSG_NOSIGNAL) : read(connection, at, size);
    if (n <= 0) return 0;
    at += n, size -= (size_t)n;
  }
  return 1;
}

/* Ask the emulator. The answer is allocated if `answer` is given, and ends with a zero byte. */
static Result ask(int what, const void *data, size_t size, char **answer, size_t *length) {
  uint64_t head[2] = {(uint64_t)what, size}, reply[2] = {UNKNOWN, 0};
  const void *kept = NULL;
  if (getpid() != owner) return NOT_INITIALIZED; /* as the driver after a fork */
  pthread_mutex_lock(&lock);
  if (inside) reply[0] = (uint64_t)inside(what, data, size, &kept, &reply[1]);
  int is_answered = inside || (connection >= 0 && transfer(1, head, sizeof head) && transfer(1, (void *)data, size) &&
                               transfer(0, reply, sizeof reply));
  char *text = is_answered ? calloc(1, reply[1] + 1) : NULL, scratch[256];
  if (inside && text) memcpy(text, kept, reply[1]);
  /* Without memory for it, the answer is read all the same, so that the next one can follow. */
  for (uint64_t rest = inside ? 0 : reply[1], part; rest && is_answered; rest -= part) {
    part = text || rest < sizeof scratch ? rest : sizeof scratch;
    is_answered = transfer(0, text ? text : scratch, part);
  }
  if (!is_answered && connection >= 0) {
    if (started == SUCCESS) fprintf(stderr, "tcgen05: the emulator of the emulated CUDA driver has ended; its findings are lost\n");
    close(connection), connection = -1;
  }
  pthread_mutex_unlock(&lock);
  if (length) *length = reply[1];
  if (answer) *answer = text; else free(text);
  return !is_answered ? UNKNOWN : !text ? OUT_OF_MEMORY : (Result)reply[0];
}

/* The line of the host program: of the Python code that runs in this process, if any does. */
static void where(char *text, size_t size) {
  *text = 0;
  int (*running)(void) = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
  int (*enter)(void) = dlsym(RTLD_DEFAULT, "PyGILState_Ensure");
  void (*leave)(int) = dlsym(RTLD_DEFAULT, "PyGILState_Release");
  void *(*import)(const char *) = dlsym(RTLD_DEFAULT, "PyImport_ImportModule");
  void *(*call)(void *, const char *, const char *, ...) = dlsym(RTLD_DEFAULT, "PyObject_CallMethod");
  const char *(*utf8)(void *) = dlsym(RTLD_DEFAULT, "PyUnicode_AsUTF8");
  void *(*format)(void *, void *) = dlsym(RTLD_DEFAULT, "PyUnicode_Join");
  void *(*make)(const char *) = dlsym(RTLD_DEFAULT, "PyUnicode_FromString");
  void (*clear)(void) = dlsym(RTLD_DEFAULT, "PyErr_Clear");
  void (*drop)(void *) = dlsym(RTLD_DEFAULT, "Py_DecRef");
  if (!running || !enter || !leave || !import || !call || !utf8 || !format || !make || !clear || !drop || !running())
    return;
  int state = enter();
  void *module = import("traceback");
  void *stack = module ? call(module, "format_stack", NULL) : NULL;
  void *empty = make(""), *joined = stack ? format(empty, stack) : NULL;
  const char *found = joined ? utf8(joined) : NULL;
  if (found) {
    size_t length = strlen(found), skipped = length >= size ? length - size + 1 : 0;
    memcpy(text, found + skipped, length - skipped + 1);
  }
  drop(module), drop(stack), drop(empty), drop(joined); /* NULL is allowed */
  clear();
  leave(state);
}

/* Say why a call is refused, and return its error. */
__attribute__((format(printf, 2, 3))) static Result refuse(Result code, const char *format, ...) {
  char text[4096 + 256];
  va_list values;
  where(text, 4096);
  size_t length = strlen(text) + 1;
  va_start(values, format);
  length += (size_t)vsnprintf(text + length, 256, format, values);
  va_end(values);
  if (started == SUCCESS) ask(REFUSED, text, length, NULL, NULL);
  else fprintf(stderr, "tcgen05: %s\n", text + strlen(text) + 1);
  return code;
}

/* Streams and events: slots of a table, which a new handle uses as late as possible. */

/* A graph: work in the order of its submission. A call has its data; `uses` counts handles. */
typedef Result Run(const uint64_t *arguments, void *data);
typedef struct Call { struct Call *next; Run *run; uint64_t arguments[6]; void *data; } Call;
typedef struct { void *content; void (*end)(void *); Word uses; } Object; /* of the user: what lives as long as graphs */
typedef struct Held { struct Held *next; Object *object; Word count; } Held;
/* `origin` is the stream whose capture is not yet ended. */
typedef struct { Call *first, **end; Held *held; const void *origin; void *handle; int uses; } Graph;
/* `graph` is that of a graph handle, or the one that captures a stream and its events. */
typedef struct { double seconds; int priority; Word flags, kind; uint64_t id; Graph *graph; } Handle;
enum { NOTHING, STREAM, EVENT, GRAPH, EXECUTABLE };
enum { DISABLE_TIMING = 2, MOST_HANDLES = 1 << 16 };
static Handle handles[MOST_HANDLES];
static uint64_t next_handle;
static pthread_mutex_t handling = PTHREAD_MUTEX_INITIALIZER;

static Result create(void **handle, Word kind, int priority, Word flags) {
  Result status = OUT_OF_MEMORY;
  if (!handle) return INVALID_VALUE;
  pthread_mutex_lock(&handling);
  for (size_t tried = 0; status && tried < MOST_HANDLES; tried++) {
    Handle *at = &handles[next_handle++ % MOST_HANDLES];
    if (at->kind) continue;
    *at = (Handle){.kind = kind, .priority = priority, .flags = flags, .id = next_handle};
    *handle = at, status = SUCCESS;
  }
  pthread_mutex_unlock(&handling);
  return status;
}
static Handle *handle_of(const void *handle, Word kind) {
  uint64_t at = (uint64_t)handle - (uint64_t)handles;
  Handle *found = at < sizeof handles && at % sizeof *handles == 0 ? &handles[at / sizeof *handles] : NULL;
  return found && found->kind == kind ? found : NULL;
}
static int is_default(const void *stream) { return (uintptr_t)stream <= 2; }
static Result on_stream(const void *stream) {
  if (is_default(stream) || handle_of(stream, STREAM)) return failed;
  return refuse(INVALID_HANDLE, "the handle %p is not a stream, or the stream was destroyed", stream);
}
static Result on_event(const void *event) {
  if (handle_of(event, EVENT)) return failed;
  return refuse(INVALID_HANDLE, "the handle %p is not an event, or the event was destroyed", event);
}
static Result destroy(void *handle, Word kind, Result status) {
  Handle *found = handle_of(handle, kind);
  if (found) found->kind = NOTHING;
  return found ? SUCCESS : status ? status : INVALID_HANDLE;
}

/* Do work now, or add it to the graph that captures the stream. The data belong to the call. */
static Result submit(void *stream, Run *run, const uint64_t *arguments, void *data) {
  Result status = on_stream(stream);
  Graph *graph = status || is_default(stream) ? NULL : handle_of(stream, STREAM)->graph;
  Call *call = graph ? calloc(1, sizeof *call) : NULL;
  if (call) {
    call->run = run, call->data = data;
    memcpy(call->arguments, arguments, sizeof call->arguments);
    *graph->end = call, graph->end = &call->next;
    return SUCCESS;
  }
  if (!status) status = graph ? OUT_OF_MEMORY : run(arguments, data);
  free(data);
  return status;
}
#define SUBMIT(stream, run, data, ...) submit(stream, run, (uint64_t[6]){__VA_ARGS__}, data)
#define ON_STREAM(name, ...) API name(__VA_ARGS__) { return on_stream(stream); }
#define ON_EVENT(name, ...) API name(__VA_ARGS__) { return on_event(event); }

/* Memory. */

#define ALIGNMENT 512ull
#define APART 65536ull /* between allocations, so that no access reaches the next one */
typedef struct { Pointer start; uint64_t size; uint32_t kind, state; } Block;
enum { OF_DEVICE, OF_HOST, MANAGED };
enum { FREE, LIVE, OF_MODULE }; /* the emulator itself knows what is in memory of a module */
static char *arena;
static int arena_file = -1;
static Block *blocks;
static size_t block_count, block_room, arena_end, live_bytes;
static const uint64_t total_bytes = 1ull << 35;

static Block *block_at(Pointer at) {
  size_t low = 0, high = block_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (blocks[middle].start <= at) low = middle + 1; else high = middle;
  }
  Block *found = low ? &blocks[low - 1] : NULL;
  return found && found->state && at < found->start + found->size ? found : NULL;
}

static int in_arena(Pointer at) { return at >= (Pointer)arena && at < (Pointer)arena + ARENA; }

/* Whether a range of memory may be copied: it is of the host, or inside one allocation. */
static int is_whole(Pointer at, uint64_t size) {
  if (!in_arena(at)) return at != 0 || !size;
  pthread_mutex_lock(&lock);
  Block *found = block_at(at);
  int whole = found && size <= found->start + found->size - at;
  pthread_mutex_unlock(&lock);
  return whole;
}

static __thread void *current;
static Result has_context(void) {
  return current ? SUCCESS : refuse(INVALID_CONTEXT, "no context is current in this thread: call cuCtxSetCurrent first");
}

static Result allocate_as(Pointer *result, uint64_t size, uint32_t kind, uint32_t state) {
  if (!result || !size) return INVALID_VALUE;
  if (!arena || getpid() != owner) return NOT_INITIALIZED;
  if (has_context()) return INVALID_CONTEXT;
  pthread_mutex_lock(&lock);
  Result status = size > total_bytes - live_bytes ? OUT_OF_MEMORY : SUCCESS;
  uint64_t room = (size + APART + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  size_t at = 0;
  /* The first place that is free and large enough, or a new one. */
  while (at < block_count && (blocks[at].state || blocks[at].size != size)) at++;
  if (!status && at == block_count) {
    if (arena_end + room > ARENA) status = OUT_OF_MEMORY;
    if (!status && block_count == block_room) {
      size_t larger = 2 * block_room + 64;
      Block *more = realloc(blocks, larger * sizeof *blocks);
      if (more) blocks = more, block_room = larger; else status = OUT_OF_MEMORY;
    }
    if (!status) {
      blocks[block_count++] = (Block){(Pointer)arena + arena_end, size, 0, FREE};
      arena_end += room;
    }
  }
  if (!status) {
    blocks[at].kind = kind, blocks[at].state = state, live_bytes += size;
    *result = blocks[at].start;
  }
  pthread_mutex_unlock(&lock);
  return status;
}

static Result allocate(Pointer *result, uint64_t size, uint32_t kind) { return allocate_as(result, size, kind, LIVE); }

static Result release_as(Pointer at, uint32_t state) {
  if (!at) return SUCCESS;
  pthread_mutex_lock(&lock);
  Block *found = block_at(at);
  Result status = found && found->start == at && found->state == state ? SUCCESS : INVALID_VALUE;
  if (!status) {
    found->state = FREE, live_bytes -= found->size;
    fallocate(arena_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              (off_t)(at - (Pointer)arena), (off_t)found->size);
  }
  pthread_mutex_unlock(&lock);
  return status ? refuse(status, "no allocation begins at %#llx, or it was freed before", (unsigned long long)at) : SUCCESS;
}

static Result release(Pointer at) { return release_as(at, LIVE); }

/* Memory of the host is anywhere else: its bounds are not known. */
static Result check(Pointer at, size_t size, int of_device) {
  if (of_device && size && !in_arena(at)) return refuse(INVALID_VALUE, "%#llx is no address of memory of the device", (unsigned long long)at);
  if (is_whole(at, size)) return SUCCESS;
  return refuse(INVALID_VALUE, "%zu bytes at %#llx are not inside one allocation", size, (unsigned long long)at);
}

static Result copy(Pointer to, Pointer from, size_t size, int to_device, int from_device) {
  if (failed) return failed;
  if (check(to, size, to_device) || check(from, size, from_device)) return INVALID_VALUE;
  memmove((void *)to, (void *)from, size);
  return SUCCESS;
}

static Result fill(Pointer to, size_t pitch, uint32_t value, size_t unit, size_t width, size_t rows) {
  if (failed) return failed;
  size_t before, last, size;
  if (!width || !rows) return SUCCESS;
  if (__builtin_mul_overflow(pitch, rows - 1, &before) || __builtin_mul_overflow(width, unit, &last) ||
      __builtin_add_overflow(before, last, &size)) return INVALID_VALUE;
  if (to % unit || check(to, size, 1)) return INVALID_VALUE;
  for (size_t row = 0; row < rows; row++)
    for (size_t at = 0; at < width; at++)
      memcpy((char *)to + row * pitch + at * unit, &value, unit);
  return SUCCESS;
}

API cuMemAlloc_v2(Pointer *p, size_t n) { return allocate(p, n, OF_DEVICE); }
API cuMemAllocManaged(Pointer *p, size_t n, Word flags) { return allocate(p, n, MANAGED); }
API cuMemAllocAsync(Pointer *p, size_t n, void *stream) { Result status = on_stream(stream); return status ? status : allocate(p, n, OF_DEVICE); }
API cuMemAllocFromPoolAsync(Pointer *p, size_t n, void *pool, void *stream) { return cuMemAllocAsync(p, n, stream); }
API cuMemAllocHost_v2(void **p, size_t n) { return allocate((Pointer *)p, n, OF_HOST); }
API cuMemHostAlloc(void **p, size_t n, Word flags) { return allocate((Pointer *)p, n, OF_HOST); }
API cuMemAllocPitch_v2(Pointer *p, size_t *pitch, size_t width, size_t rows, Word element) {
  size_t size;
  if (!pitch || width > SIZE_MAX - ALIGNMENT) return INVALID_VALUE;
  *pitch = (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return __builtin_mul_overflow(*pitch, rows, &size) ? OUT_OF_MEMORY : allocate(p, size, OF_DEVICE);
}
API cuMemFree_v2(Pointer p) { return release(p); }
static Result run_free(const uint64_t *a, void *data) { return release(a[0]); }
API cuMemFreeAsync(Pointer p, void *stream) {
  /* Memory of a graph stays, so that the graph can use it again. */
  Handle *known = handle_of(stream, STREAM);
  return known && known->graph ? SUCCESS : SUBMIT(stream, run_free, NULL, p);
}
API cuMemFreeHost(void *p) { return release((Pointer)p); }
API cuMemHostGetDevicePointer_v2(Pointer *p, void *host, Word flags) { return p && in_arena((Pointer)host) ? (*p = (Pointer)host, SUCCESS) : INVALID_VALUE; }
API cuMemHostGetFlags(Word *flags, void *p) { return flags && in_arena((Pointer)p) ? (*flags = 0, SUCCESS) : INVALID_VALUE; }
API cuMemGetInfo_v2(size_t *left, size_t *total) { return left && total ? (*total = total_bytes, *left = total_bytes - live_bytes, SUCCESS) : INVALID_VALUE; }
API cuMemGetAddressRange_v2(Pointer *start, size_t *size, Pointer at) {
  pthread_mutex_lock(&lock);
  Block *found = block_at(at);
  if (found && start) *start = found->start;
  if (found && size) *size = found->size;
  pthread_mutex_unlock(&lock);
  return found ? SUCCESS : INVALID_VALUE;
}
static Result run_copy(const uint64_t *a, void *data) { return copy(a[0], a[1], a[2], (int)a[3], (int)a[4]); }
static Result run_fill(const uint64_t *a, void *data) { return fill(a[0], a[1], (uint32_t)a[2], a[3], a[4], a[5]); }

/* A copy, and the same copy on a stream. */
#define COPY(name, name_async, To, to_device, From, from_device) \
  API name(To to, From from, size_t n) { return copy((Pointer)to, (Pointer)from, n, to_device, from_device); } \
  API name_async(To to, From from, size_t n, void *stream) { \
    return SUBMIT(stream, run_copy, NULL, (Pointer)to, (Pointer)from, n, to_device, from_device); \
  }
COPY(cuMemcpy, cuMemcpyAsync, Pointer, 0, Pointer, 0)
COPY(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2, Pointer, 1, const void *, 0)
COPY(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, void *, 0, Pointer, 1)
COPY(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, Pointer, 1, Pointer, 1)
typedef struct {
  size_t x, y; int kind; const void *host; Pointer device; void *array; size_t pitch;
} Place;
typedef struct { Place from, to; size_t width, rows; } Copy2D;
API cuMemcpy2D_v2(const Copy2D *c) {
  if (!c) return INVALID_VALUE;
  const Place *ends[] = {&c->from, &c->to};
  Pointer starts[2];
  for (int i = 0; i < 2; i++) {
    if (ends[i]->kind == 3) return NOT_SUPPORTED; /* an array */
    starts[i] = (ends[i]->kind == 1 ? (Pointer)ends[i]->host : ends[i]->device) + ends[i]->y * ends[i]->pitch + ends[i]->x;
  }
  for (size_t row = 0; row < c->rows; row++) {
    Result status = copy(starts[1] + row * c->to.pitch, starts[0] + row * c->from.pitch, c->width, c->to.kind == 2, c->from.kind == 2);
    if (status) return status;
  }
  return SUCCESS;
}
static Result run_copy_2d(const uint64_t *a, void *data) { return cuMemcpy2D_v2(data); }
API cuMemcpy2DAsync_v2(const Copy2D *c, void *stream) {
  Copy2D *data = c ? malloc(sizeof *data) : NULL;
  if (!data) return c ? OUT_OF_MEMORY : INVALID_VALUE;
  *data = *c;
  return SUBMIT(stream, run_copy_2d, data, 0);
}
API cuMemcpy2DUnaligned_v2(const Copy2D *c) { return cuMemcpy2D_v2(c); }
#define FILL(bits, Value) \
  API cuMemsetD##bits##_v2(Pointer p, Value v, size_t n) { return fill(p, 0, v, bits / 8, n, 1); } \
  API cuMemsetD2D##bits##_v2(Pointer p, size_t pitch, Value v, size_t w, size_t h) { return fill(p, pitch, v, bits / 8, w, h); } \
  API cuMemsetD2D##bits##Async(Pointer p, size_t pitch, Value v, size_t w, size_t h, void *stream) { \
    return SUBMIT(stream, run_fill, NULL, p, pitch, v, bits / 8, w, h); \
  } \
  API cuMemsetD##bits##Async(Pointer p, Value v, size_t n, void *stream) { return cuMemsetD2D##bits##Async(p, 0, v, n, 1, stream); }
FILL(8, uint8_t)
FILL(16, uint16_t)
FILL(32, uint32_t)
enum { CONTEXT = 1, MEMORY_TYPE, DEVICE_POINTER, HOST_POINTER, P2P_TOKENS = 5, SYNC_MEMOPS, BUFFER_ID,
       IS_MANAGED, DEVICE_ORDINAL, IS_LEGACY_IPC, RANGE_START, RANGE_SIZE, IS_MAPPED };
static int one_context;
API cuPointerGetAttribute(void *data, int what, Pointer at) {
  pthread_mutex_lock(&lock);
  Block *found = block_at(at);
  Block block = found ? *found : (Block){0};
  pthread_mutex_unlock(&lock);
  if (!found || !data) return INVALID_VALUE;
  switch (what) {
    case CONTEXT: *(void **)data = &one_context; return SUCCESS;
    case MEMORY_TYPE: *(Word *)data = block.kind == OF_HOST ? 1 : 2; return SUCCESS;
    case DEVICE_POINTER: case HOST_POINTER: *(Pointer *)data = at; return SUCCESS;
    case SYNC_MEMOPS: case IS_LEGACY_IPC: *(Word *)data = 0; return SUCCESS;
    case BUFFER_ID: *(uint64_t *)data = block.start; return SUCCESS;
    case IS_MANAGED: *(Word *)data = block.kind == MANAGED; return SUCCESS;
    case DEVICE_ORDINAL: *(int *)data = 0; return SUCCESS;
    case RANGE_START: *(Pointer *)data = block.start; return SUCCESS;
    case RANGE_SIZE: *(size_t *)data = block.size; return SUCCESS;
    case IS_MAPPED: *(Word *)data = 1; return SUCCESS;
    default: return NOT_SUPPORTED;
  }
}
API cuPointerGetAttributes(Word count, int *what, void **data, Pointer at) {
  if (count && (!what || !data)) return INVALID_VALUE;
  for (Word i = 0; i < count; i++) {
    /* As the driver does: attributes of memory that it does not know are 0. */
    size_t size = what[i] == MEMORY_TYPE || what[i] == IS_MANAGED || what[i] == DEVICE_ORDINAL ? 4 : 8;
    if (data[i] && cuPointerGetAttribute(data[i], what[i], at)) memset(data[i], 0, size);
  }
  return SUCCESS;
}

/* The device and its context. */

static Result start(void) {
  if (started != NOT_INITIALIZED) return getpid() == owner ? started : NOT_INITIALIZED;
  const char *python = getenv(PYTHON_VARIABLE);
  if (!python) python = "python3";
  int pair[2] = {-1, -1};
  pid_t child = 0;
  if ((arena_file = memfd_create("device", MFD_CLOEXEC)) < 0) return OUT_OF_MEMORY;
  if (!inside && socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return OUT_OF_MEMORY;
  if (ftruncate(arena_file, ARENA)) return OUT_OF_MEMORY;
  arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, arena_file, 0);
  if (arena == MAP_FAILED) return arena = NULL, OUT_OF_MEMORY;
  if (!inside) {
    char socket_text[16], file_text[16];
    snprintf(socket_text, sizeof socket_text, "%d", pair[1]);
    snprintf(file_text, sizeof file_text, "%d", arena_file);
    child = fork();
    if (!child) {
      fcntl(arena_file, F_SETFD, 0);
      close(pair[0]);
      /* -P: files of the host program must not hide modules of Python. */
      execlp(python, python, "-P", "-m", "tcgen05_dialect.driver.process", socket_text, file_text,
             (char *)NULL);
      _exit(127);
    }
    close(pair[1]);
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
  }
  connection = pair[0], emulator = child, owner = getpid();
  Result status = child < 0 ? UNKNOWN : ask(HELLO, &arena, sizeof arena, NULL, NULL);
  if (status) fprintf(stderr, "tcgen05: the emulated CUDA driver cannot start its emulator with %s\n", python);
  return started = status ? NO_DEVICE : SUCCESS;
}

/* The emulator writes its report when the host program ends. */
__attribute__((destructor)) static void stop(void) {
  if (!emulator || getpid() != owner) return;
  /* Children of this process have the socket, too: closing it would not end the emulator. */
  if (connection >= 0) shutdown(connection, SHUT_RDWR);
  waitpid(emulator, NULL, 0);
}

static Result attribute(int what, int *value) {
  char *answer = NULL;
  Result status = ask(ATTRIBUTE, &what, sizeof what, &answer, NULL);
  if (!status) memcpy(value, answer, sizeof *value);
  free(answer);
  return status;
}

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
API cuInit(Word flags) {
  pthread_mutex_lock(&starting);
  Result status = start();
  pthread_mutex_unlock(&starting);
  return status;
}
API cuDriverGetVersion(int *version) { return version ? (*version = DRIVER_VERSION, SUCCESS) : INVALID_VALUE; }
static Result on_device(int device, const void *result) { return started ? started : device ? INVALID_DEVICE : result ? SUCCESS : INVALID_VALUE; }
API cuDeviceGet(int *device, int ordinal) { Result status = on_device(ordinal, device); return status ? status : (*device = 0, SUCCESS); }
API cuDeviceGetCount(int *count) { Result status = on_device(0, count); return status ? status : (*count = 1, SUCCESS); }
API cuDeviceGetName(char *name, int size, int device) {
  char *answer = NULL;
  Result status = on_device(device, size > 0 ? name : NULL);
  if (!status) status = ask(HELLO, "", 0, &answer, NULL);
  if (!status) snprintf(name, (size_t)size, "%s", answer);
  free(answer);
  return status;
}
API cuDeviceGetUuid_v2(char *uuid, int device) { Result status = on_device(device, uuid); return status ? status : (memcpy(uuid, "tcgen05 emulator", 16), SUCCESS); }
API cuDeviceGetUuid(char *uuid, int device) { return cuDeviceGetUuid_v2(uuid, device); }
API cuDeviceTotalMem_v2(size_t *bytes, int device) { Result status = on_device(device, bytes); return status ? status : (*bytes = total_bytes, SUCCESS); }
API cuDeviceGetAttribute(int *value, int what, int device) { Result status = on_device(device, value); return status ? status : attribute(what, value); }
API cuDeviceComputeCapability(int *major, int *minor, int device) { if (!major || !minor) return INVALID_VALUE; Result r = attribute(CAPABILITY_MAJOR, major); return r ? r : attribute(CAPABILITY_MINOR, minor); }
API cuDeviceGetPCIBusId(char *text, int size, int device) { Result status = on_device(device, size > 0 ? text : NULL); if (!status) snprintf(text, (size_t)size, "0000:00:00.0"); return status; }
#define DOES_NOTHING(name, ...) API name(__VA_ARGS__) { return failed; }
#define GIVES(name, what, value, ...) API name(__VA_ARGS__) { return what ? (*what = value, SUCCESS) : INVALID_VALUE; }
GIVES(cuDeviceGetByPCIBusId, device, 0, int *device, const char *text)
GIVES(cuDeviceCanAccessPeer, can, 0, int *can, int device, int other)
static int one_pool;
GIVES(cuDeviceGetDefaultMemPool, pool, &one_pool, void **pool, int device)
GIVES(cuDeviceGetMemPool, pool, &one_pool, void **pool, int device)
GIVES(cuMemGetDefaultMemPool, pool, &one_pool, void **pool, void *location, int kind)
GIVES(cuMemGetMemPool, pool, &one_pool, void **pool, void *location, int kind)
GIVES(cuMemPoolCreate, pool, &one_pool, void **pool, const void *properties)
DOES_NOTHING(cuDeviceSetMemPool, int device, void *pool)
DOES_NOTHING(cuMemPoolDestroy, void *pool)
DOES_NOTHING(cuMemPoolTrimTo, void *pool, size_t bytes)
DOES_NOTHING(cuMemPoolSetAccess, void *pool, const void *map, size_t count)
DOES_NOTHING(cuMemPoolSetAttribute, void *pool, int what, void *value)
GIVES(cuMemPoolGetAccess, flags, 3, int *flags, void *pool, void *location)
API cuMemPoolGetAttribute(void *pool, int what, void *value) {
  if (!value) return INVALID_VALUE;
  if (what <= 3) *(int *)value = 1; else *(uint64_t *)value = what == 4 ? 0 : live_bytes;
  return SUCCESS;
}
DOES_NOTHING(cuMemAdvise_v2, Pointer p, size_t n, int advice, uint64_t location)
DOES_NOTHING(cuMemPrefetchAsync_v2, Pointer p, size_t n, uint64_t location, Word flags, void *stream)
API cuDevicePrimaryCtxRetain(void **context, int device) { Result status = on_device(device, context); return status ? status : (*context = &one_context, SUCCESS); }
DOES_NOTHING(cuDevicePrimaryCtxRelease_v2, int device)
API cuDevicePrimaryCtxReset_v2(int device) { failed = SUCCESS; return SUCCESS; }
DOES_NOTHING(cuDevicePrimaryCtxSetFlags_v2, int device, Word flags)
API cuDevicePrimaryCtxGetState(int device, Word *flags, int *active) { return flags && active ? (*flags = 0, *active = 1, SUCCESS) : INVALID_VALUE; }
static __thread void *pushed[16]; /* the contexts below the current one */
static __thread size_t pushed_count;
static int contexts; /* what cuCtxCreate has made: each is the same context */
static Result push(void *context) {
  if (context != &one_context || pushed_count == 16) return INVALID_CONTEXT;
  pushed[pushed_count++] = current, current = context;
  return SUCCESS;
}
#define CREATES(name, ...) API name(void **context, ##__VA_ARGS__) { \
    Result status = on_device(device, context); \
    if (status || (status = push(&one_context))) return status; \
    __atomic_add_fetch(&contexts, 1, __ATOMIC_RELAXED); \
    return *context = &one_context, SUCCESS; \
  }
CREATES(cuCtxCreate_v2, Word flags, int device)
CREATES(cuCtxCreate_v3, void *affinity, int count, Word flags, int device)
CREATES(cuCtxCreate_v4, void *parameters, Word flags, int device)
API cuCtxSetCurrent(void *context) {
  if (context && context != &one_context) return INVALID_CONTEXT;
  current = context;
  return SUCCESS;
}
API cuCtxPushCurrent_v2(void *context) { return push(context); }
API cuCtxPopCurrent_v2(void **context) {
  if (!current) return INVALID_CONTEXT;
  if (context) *context = current;
  current = pushed_count ? pushed[--pushed_count] : NULL;
  return SUCCESS;
}
API cuCtxDestroy_v2(void *context) {
  if (context != &one_context || __atomic_fetch_sub(&contexts, 1, __ATOMIC_RELAXED) <= 0) {
    if (context == &one_context) __atomic_add_fetch(&contexts, 1, __ATOMIC_RELAXED);
    return refuse(INVALID_CONTEXT, "the handle %p is not a context of cuCtxCreate, or the context was destroyed", context);
  }
  if (current == context) cuCtxPopCurrent_v2(&context);
  return SUCCESS;
}
GIVES(cuCtxGetCurrent, context, current, void **context)
API cuCtxGetDevice(int *device) { return !current ? INVALID_CONTEXT : device ? (*device = 0, SUCCESS) : INVALID_VALUE; }
GIVES(cuCtxGetDevice_v2, device, 0, int *device, void *context)
GIVES(cuCtxGetApiVersion, version, 13000, void *context, Word *version)
GIVES(cuCtxGetFlags, flags, 0, Word *flags)
GIVES(cuCtxGetId, id, 1, void *context, unsigned long long *id)
GIVES(cuCtxGetLimit, value, 1024, size_t *value, int limit)
GIVES(cuCtxGetCacheConfig, value, 0, int *value)
DOES_NOTHING(cuCtxSetLimit, int limit, size_t value)
DOES_NOTHING(cuCtxSetCacheConfig, int value)
DOES_NOTHING(cuCtxSetFlags, Word flags)
DOES_NOTHING(cuCtxSynchronize, void)
DOES_NOTHING(cuCtxSynchronize_v2, void *context)
API cuCtxGetStreamPriorityRange(int *least, int *greatest) { if (least) *least = 0; if (greatest) *greatest = -5; return SUCCESS; }

/* Streams and events. */

API cuStreamCreate(void **stream, Word flags) { return create(stream, STREAM, 0, flags); }
API cuStreamCreateWithPriority(void **stream, Word flags, int priority) { return create(stream, STREAM, priority, flags); }
ON_STREAM(cuStreamSynchronize, void *stream)
ON_STREAM(cuStreamQuery, void *stream)
ON_STREAM(cuStreamAttachMemAsync, void *stream, Pointer p, size_t n, Word flags)
API cuStreamWaitEvent(void *stream, void *event, Word flags) {
  Result status = on_stream(stream);
  if (status || (status = on_event(event))) return status;
  /* What captures the work before the event captures the work after it. */
  Graph *graph = ((Handle *)event)->graph;
  if (graph && !is_default(stream)) ((Handle *)stream)->graph = graph;
  return SUCCESS;
}
#define OF_STREAM(name, what, ...) \
  API name(__VA_ARGS__) { \
    Result status = on_stream(stream); \
    if (!value) return INVALID_VALUE; \
    return status ? status : (*value = what, SUCCESS); \
  }
OF_STREAM(cuStreamGetPriority, is_default(stream) ? 0 : handle_of(stream, STREAM)->priority, void *stream, int *value)
OF_STREAM(cuStreamGetFlags, is_default(stream) ? 0 : handle_of(stream, STREAM)->flags, void *stream, Word *value)
OF_STREAM(cuStreamGetId, is_default(stream) ? 0 : handle_of(stream, STREAM)->id, void *stream, unsigned long long *value)
OF_STREAM(cuStreamGetCtx, &one_context, void *stream, void **value)
OF_STREAM(cuStreamGetDevice, 0, void *stream, int *value)
#define IS_CAPTURED(stream) (!is_default(stream) && handle_of(stream, STREAM)->graph)
OF_STREAM(cuStreamIsCapturing, IS_CAPTURED(stream), void *stream, int *value)
API cuStreamGetCaptureInfo_v3(void *stream, int *state, uint64_t *id, void **graph, void *nodes, void *edges, size_t *count) {
  Result status = cuStreamIsCapturing(stream, state);
  if (status) return status;
  if (id) *id = *state ? (uint64_t)((Handle *)stream)->graph : 0;
  if (graph) *graph = *state ? ((Handle *)stream)->graph->handle : NULL;
  if (count) *count = 0;
  return SUCCESS;
}
API cuStreamGetCaptureInfo_v2(void *stream, int *state, uint64_t *id, void **graph, void *nodes, size_t *count) { return cuStreamGetCaptureInfo_v3(stream, state, id, graph, nodes, NULL, count); }
DOES_NOTHING(cuThreadExchangeStreamCaptureMode, int *mode)
API cuStreamAddCallback(void *stream, void (*call)(void *, Result, void *), void *data, Word flags) {
  Result status = call ? on_stream(stream) : INVALID_VALUE;
  if (!status) call(stream, status, data);
  return status;
}
static Result run_host(const uint64_t *a, void *data) { return ((void (*)(void *))a[0])((void *)a[1]), SUCCESS; }
API cuLaunchHostFunc(void *stream, void (*call)(void *), void *data) {
  return call ? SUBMIT(stream, run_host, NULL, (uint64_t)call, (uint64_t)data) : INVALID_VALUE;
}
API cuEventCreate(void **event, Word flags) { return create(event, EVENT, 0, flags); }
API cuEventDestroy_v2(void *event) { return destroy(event, EVENT, on_event(event)); }
API cuEventRecord(void *event, void *stream) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  Result status = on_stream(stream);
  if (status || (status = on_event(event))) return status;
  ((Handle *)event)->graph = is_default(stream) ? NULL : ((Handle *)stream)->graph;
  ((Handle *)event)->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  return SUCCESS;
}
API cuEventRecordWithFlags(void *event, void *stream, Word flags) { return cuEventRecord(event, stream); }
ON_EVENT(cuEventQuery, void *event)
ON_EVENT(cuEventSynchronize, void *event)
API cuEventElapsedTime_v2(float *milliseconds, Handle *first, Handle *last) {
  Result status = on_event(first);
  if (status || (status = on_event(last))) return status;
  if (!milliseconds) return INVALID_VALUE;
  if ((first->flags | last->flags) & DISABLE_TIMING || !first->seconds || !last->seconds)
    return refuse(INVALID_HANDLE, "an event does not measure time, or was never recorded");
  *milliseconds = (float)(1e3 * (last->seconds - first->seconds));
  return SUCCESS;
}
API cuEventElapsedTime(float *milliseconds, Handle *first, Handle *last) { return cuEventElapsedTime_v2(milliseconds, first, last); }

/* Graphs: what streams capture. */

API cuUserObjectCreate(Object **object, void *content, void (*end)(void *), Word count, Word flags) {
  if (!object || !end || !count) return INVALID_VALUE;
  if (!(*object = malloc(sizeof **object))) return OUT_OF_MEMORY;
  **object = (Object){content, end, count};
  return SUCCESS;
}
API cuUserObjectRetain(Object *object, Word count) { return object ? (__atomic_add_fetch(&object->uses, count, __ATOMIC_RELAXED), SUCCESS) : INVALID_HANDLE; }
API cuUserObjectRelease(Object *object, Word count) {
  if (!object || count > object->uses) return INVALID_VALUE;
  if (!__atomic_sub_fetch(&object->uses, count, __ATOMIC_RELAXED)) object->end(object->content), free(object);
  return SUCCESS;
}
API cuGraphRetainUserObject(void *graph, Object *object, Word count, Word moves) {
  Handle *known = handle_of(graph, GRAPH);
  Held *held = known && object ? malloc(sizeof *held) : NULL;
  if (!held) return known && object ? OUT_OF_MEMORY : INVALID_VALUE;
  *held = (Held){known->graph->held, object, count};
  known->graph->held = held;
  return moves ? SUCCESS : cuUserObjectRetain(object, count);
}
API cuGraphReleaseUserObject(void *graph, Object *object, Word count) {
  Handle *known = handle_of(graph, GRAPH);
  for (Held **at = known ? &known->graph->held : NULL; at && *at; at = &(*at)->next) {
    Held *held = *at;
    if (held->object != object || held->count != count) continue;
    *at = held->next;
    free(held);
    return cuUserObjectRelease(object, count);
  }
  return INVALID_VALUE;
}
static void drop(Graph *graph) {
  if (__atomic_sub_fetch(&graph->uses, 1, __ATOMIC_RELAXED)) return;
  for (Held *held = graph->held, *next; held; held = next) next = held->next, cuUserObjectRelease(held->object, held->count), free(held);
  for (Call *call = graph->first, *next; call; call = next) next = call->next, free(call->data), free(call);
  free(graph);
}
static Result share(void **handle, Word kind, Graph *graph) {
  Result status = create(handle, kind, 0, 0);
  if (status) return status;
  __atomic_add_fetch(&graph->uses, 1, __ATOMIC_RELAXED);
  ((Handle *)*handle)->graph = graph;
  return SUCCESS;
}
API cuStreamBeginCapture_v2(void *stream, int mode) {
  Result status = on_stream(stream);
  Graph *graph = NULL;
  if (status) return status;
  if (is_default(stream) || IS_CAPTURED(stream)) return refuse(INVALID_VALUE, "the stream is a default stream, or captured already");
  if (!(graph = calloc(1, sizeof *graph))) return OUT_OF_MEMORY;
  graph->end = &graph->first, graph->origin = stream;
  if ((status = share(&graph->handle, GRAPH, graph))) return free(graph), status;
  ((Handle *)stream)->graph = graph;
  return SUCCESS;
}
static void end_capture(Graph *graph) {
  graph->origin = NULL;
  for (size_t i = 0; i < MOST_HANDLES; i++)
    if (handles[i].graph == graph && handles[i].kind <= EVENT) handles[i].graph = NULL;
}
API cuStreamEndCapture(void *stream, void **graph) {
  Handle *known = handle_of(stream, STREAM);
  Graph *made = known ? known->graph : NULL;
  if (!graph) return INVALID_VALUE;
  if (!made || made->origin != stream) return refuse(INVALID_VALUE, "no capture began in the stream");
  end_capture(made);
  *graph = made->handle;
  return SUCCESS;
}
/* The graph of a handle, unless a stream still captures it. */
static Result whole_graph(void *handle, Word kind, Graph **graph) {
  Handle *known = handle_of(handle, kind);
  if (!known) return INVALID_HANDLE;
  *graph = known->graph;
  return known->graph->origin ? refuse(INVALID_VALUE, "a stream still captures the graph: end the capture first") : SUCCESS;
}
API cuGraphInstantiateWithFlags(void **executable, void *handle, unsigned long long flags) {
  Graph *graph;
  Result status = whole_graph(handle, GRAPH, &graph);
  return status ? status : share(executable, EXECUTABLE, graph);
}
API cuGraphInstantiateWithParams(void **executable, void *graph, void *parameters) { return cuGraphInstantiateWithFlags(executable, graph, 0); }
static Result destroy_graph(void *handle, Word kind) {
  Graph *graph;
  Result status = whole_graph(handle, kind, &graph);
  if (status) return status;
  destroy(handle, kind, INVALID_HANDLE), ((Handle *)handle)->graph = NULL;
  return drop(graph), SUCCESS;
}
API cuGraphDestroy(void *graph) { return destroy_graph(graph, GRAPH); }
API cuGraphExecDestroy(void *executable) { return destroy_graph(executable, EXECUTABLE); }
API cuStreamDestroy_v2(void *stream) {
  Handle *known = handle_of(stream, STREAM);
  Graph *graph = known ? known->graph : NULL;
  if (graph && graph->origin == stream) end_capture(graph), destroy_graph(graph->handle, GRAPH);
  return destroy(stream, STREAM, on_stream(stream));
}
API cuGraphUpload(void *executable, void *stream) { return handle_of(executable, EXECUTABLE) ? on_stream(stream) : INVALID_HANDLE; }
API cuGraphLaunch(void *executable, void *stream) {
  Result status = cuGraphUpload(executable, stream);
  if (status) return status;
  if (IS_CAPTURED(stream)) return refuse(NOT_SUPPORTED, "the emulated driver does not capture the launch of a graph");
  Graph *graph = ((Handle *)executable)->graph;
  __atomic_add_fetch(&graph->uses, 1, __ATOMIC_RELAXED); /* another thread may update the handle */
  for (Call *call = graph->first; call && !status; call = call->next) status = call->run(call->arguments, call->data);
  return drop(graph), status;
}
API cuGraphExecUpdate_v2(void *executable, void *graph, int *outcome) {
  Handle *old = handle_of(executable, EXECUTABLE);
  Graph *new;
  Result status = old ? whole_graph(graph, GRAPH, &new) : INVALID_HANDLE;
  if (status) return status;
  Call *before = old->graph->first, *after = new->first;
  while (before && after && before->run == after->run) before = before->next, after = after->next;
  if (outcome) *outcome = before || after ? 2 : 0; /* CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED */
  if (before || after) return GRAPH_EXEC_UPDATE_FAILURE;
  __atomic_add_fetch(&new->uses, 1, __ATOMIC_RELAXED);
  drop(old->graph), old->graph = new;
  return SUCCESS;
}

/* Modules and functions. A library is a module, and a kernel is a function. */

typedef struct Function Function;
typedef struct Module { uint64_t id; Pointer variables; Function *functions; struct Module *next; } Module;
struct Function {
  Function *next; Module *module; char *name;
  uint64_t id, count; uint64_t *places; /* offset and size of each parameter */
  int attributes[FUNCTION_ATTRIBUTES];
};
static Module *modules;
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER; /* of modules and their functions */

/* The link to a module in the list of them, to 0 for a handle that is none. */
static Module **link_to(const Module *module) {
  Module **at = &modules;
  while (*at && *at != module) at = &(*at)->next;
  return at;
}
static int is_function(const Function *function) {
  int found = 0;
  pthread_mutex_lock(&listing);
  for (Module *module = modules; module && !found; module = module->next)
    for (Function *at = module->functions; at && !found; at = at->next) found = at == function;
  pthread_mutex_unlock(&listing);
  return found;
}

static Result load(Module **module, const char *text, size_t size) {
  char *answer = NULL, place[4096];
  Result status = cuInit(0);
  if (status || (status = failed) || (status = has_context())) return status;
  if (!module || !text) return INVALID_VALUE;
  where(place, sizeof place);
  size_t before = strlen(place) + 1;
  char *sent = malloc(before + size);
  if (!sent || !(*module = calloc(1, sizeof **module))) return free(sent), OUT_OF_MEMORY;
  memcpy(sent, place, before);
  memcpy(sent + before, text, size);
  status = ask(LOAD, sent, before + size, &answer, NULL);
  free(sent);
  if (!status) {
    uint64_t room, placed[2];
    memcpy(&(*module)->id, answer, 8);
    memcpy(&room, answer + 8, 8);
    if (room && !(status = allocate_as(&(*module)->variables, room, OF_DEVICE, OF_MODULE))) {
      placed[0] = (*module)->id, placed[1] = (*module)->variables;
      status = ask(PLACE, placed, sizeof placed, NULL, NULL);
    }
    if (status) ask(UNLOAD, &(*module)->id, 8, NULL, NULL), release_as((*module)->variables, OF_MODULE);
  }
  if (!status) {
    pthread_mutex_lock(&listing);
    (*module)->next = modules, modules = *module;
    pthread_mutex_unlock(&listing);
  } else free(*module), *module = NULL;
  free(answer);
  return status;
}
static size_t image_size(const void *image) {
  const unsigned char *bytes = image;
  if (!image) return 0;
  /* A cubin or a fat binary: the emulator refuses it by its first bytes. */
  return bytes[0] == 0x7f || bytes[0] == 0x50 ? 16 : strlen(image);
}
static Result load_file(Module **module, const char *path) {
  if (!path) return INVALID_VALUE;
  FILE *file = fopen(path, "rb");
  if (!file) return FILE_NOT_FOUND;
  struct stat about;
  if (fstat(fileno(file), &about) || !S_ISREG(about.st_mode)) return fclose(file), INVALID_VALUE;
  size_t size = (size_t)about.st_size;
  char *text = calloc(1, size + 1);
  if (text) size = fread(text, 1, size, file);
  fclose(file);
  Result status = text ? load(module, text, size) : OUT_OF_MEMORY;
  free(text);
  return status;
}
API cuModuleLoad(Module **module, const char *path) { return load_file(module, path); }
API cuModuleLoadData(Module **module, const void *image) { return load(module, image, image_size(image)); }
API cuModuleLoadDataEx(Module **module, const void *image, Word n, void *options, void **values) { return cuModuleLoadData(module, image); }
API cuModuleLoadFatBinary(Module **module, const void *image) { return cuModuleLoadData(module, image); }
static void forget(Function *function) { free(function->name), free(function->places), free(function); }
API cuModuleUnload(Module *module) {
  pthread_mutex_lock(&listing);
  Module **link = link_to(module);
  int is_known = module && *link;
  if (is_known) *link = module->next;
  pthread_mutex_unlock(&listing);
  if (!is_known) return INVALID_HANDLE;
  for (Function *at = module->functions, *next; at; at = next) next = at->next, forget(at);
  if (module->variables) release_as(module->variables, OF_MODULE);
  Result status = ask(UNLOAD, &module->id, 8, NULL, NULL);
  free(module);
  return status;
}
API cuLibraryLoadData(Module **module, const void *image, void *jit, void **jit_values, Word n, void *options, void **values, Word m) { return cuModuleLoadData(module, image); }
API cuLibraryLoadFromFile(Module **module, const char *path, void *jit, void **jit_values, Word n, void *options, void **values, Word m) { return load_file(module, path); }
API cuLibraryUnload(Module *module) { return cuModuleUnload(module); }
API cuLibraryGetModule(Module **module, Module *library) {
  pthread_mutex_lock(&listing);
  int is_known = library && *link_to(library);
  pthread_mutex_unlock(&listing);
  return !is_known ? INVALID_HANDLE : module ? (*module = library, SUCCESS) : INVALID_VALUE;
}
GIVES(cuModuleGetLoadingMode, mode, 1, int *mode)
/* Ask about what has a name in a module. */
static Result ask_about(int what, const Module *module, const char *name, char **answer, size_t *length) {
  size_t size = strlen(name);
  char *sent = malloc(8 + size);
  if (!sent) return OUT_OF_MEMORY;
  memcpy(sent, &module->id, 8);
  memcpy(sent + 8, name, size);
  Result status = ask(what, sent, 8 + size, answer, length);
  return free(sent), status;
}
API cuModuleGetFunction(Function **function, Module *module, const char *name) {
  if (!function || !name) return INVALID_VALUE;
  *function = NULL;
  pthread_mutex_lock(&listing);
  int is_known = module && *link_to(module);
  for (Function *at = is_known ? module->functions : NULL; at && !*function; at = at->next)
    if (!strcmp(at->name, name)) *function = at;
  pthread_mutex_unlock(&listing);
  if (!is_known || *function) return is_known ? SUCCESS : INVALID_HANDLE;
  size_t length = 0;
  char *answer = NULL;
  Result status = ask_about(FUNCTION, module, name, &answer, &length);
  Function *made = status ? NULL : calloc(1, sizeof *made);
  if (made) {
    size_t head = 8 + sizeof made->attributes;
    *made = (Function){.module = module, .name = strdup(name), .count = (length - head) / 16, .places = malloc(length - head + 1)};
    memcpy(&made->id, answer, 8);
    memcpy(made->attributes, answer + 8, sizeof made->attributes);
    if (made->places) memcpy(made->places, answer + head, length - head);
    if (!made->name || !made->places) forget(made), made = NULL;
  }
  free(answer);
  if (!made) return status ? status : OUT_OF_MEMORY;
  pthread_mutex_lock(&listing);
  made->next = module->functions, *function = module->functions = made;
  pthread_mutex_unlock(&listing);
  return SUCCESS;
}
API cuModuleGetGlobal_v2(Pointer *address, size_t *size, Module *module, const char *name) {
  uint64_t found[2] = {0, 0};
  char *answer = NULL;
  if (!name) return INVALID_VALUE;
  pthread_mutex_lock(&listing);
  int is_known = module && *link_to(module);
  pthread_mutex_unlock(&listing);
  if (!is_known) return INVALID_HANDLE;
  Result status = ask_about(VARIABLE, module, name, &answer, NULL);
  if (!status) memcpy(found, answer, sizeof found);
  free(answer);
  if (address) *address = found[0];
  if (size) *size = found[1];
  return status;
}
API cuLibraryGetGlobal(Pointer *address, size_t *size, Module *module, const char *name) { return cuModuleGetGlobal_v2(address, size, module, name); }
API cuLibraryGetKernel(Function **kernel, Module *module, const char *name) { return cuModuleGetFunction(kernel, module, name); }
API cuKernelGetFunction(Function **function, Function *kernel) { return !is_function(kernel) ? INVALID_HANDLE : function ? (*function = kernel, SUCCESS) : INVALID_VALUE; }
#define OF_FUNCTION(name, what, function, field, Kind) \
  API name(Kind *what, Function *function) { return !is_function(function) ? INVALID_HANDLE : what ? (*what = function->field, SUCCESS) : INVALID_VALUE; }
OF_FUNCTION(cuKernelGetLibrary, module, kernel, module, Module *)
OF_FUNCTION(cuFuncGetModule, module, function, module, Module *)
OF_FUNCTION(cuKernelGetName, name, kernel, name, const char *)
OF_FUNCTION(cuFuncGetName, name, function, name, const char *)
GIVES(cuFuncIsLoaded, state, 1, int *state, Function *function)
DOES_NOTHING(cuFuncLoad, Function *function)
DOES_NOTHING(cuFuncSetCacheConfig, Function *function, int value)
DOES_NOTHING(cuKernelSetCacheConfig, Function *kernel, int value, int device)
API cuFuncGetAttribute(int *value, int what, Function *function) {
  if (!is_function(function)) return INVALID_HANDLE;
  if (!value || what < 0 || what >= FUNCTION_ATTRIBUTES) return INVALID_VALUE;
  *value = function->attributes[what];
  return SUCCESS;
}
API cuFuncSetAttribute(Function *function, int what, int value) {
  int most = 0;
  if (!is_function(function)) return INVALID_HANDLE;
  if (what == MOST_DYNAMIC) {
    Result status = attribute(MOST_SHARED, &most); /* the limit with the opt-in, for static and dynamic */
    if (status || value < 0 || value + function->attributes[SHARED] > most) return status ? status : INVALID_VALUE;
  } else if (what < CARVEOUT || what > CLUSTER_POLICY) return INVALID_VALUE;
  function->attributes[what] = value;
  return SUCCESS;
}
API cuKernelGetAttribute(int *value, int what, Function *kernel, int device) { return cuFuncGetAttribute(value, what, kernel); }
API cuKernelSetAttribute(int what, int value, Function *kernel, int device) { return cuFuncSetAttribute(kernel, what, value); }
API cuFuncGetParamInfo(Function *function, size_t index, size_t *offset, size_t *size) {
  if (!is_function(function)) return INVALID_HANDLE;
  if (index >= function->count) return INVALID_VALUE;
  if (offset) *offset = function->places[2 * index];
  if (size) *size = function->places[2 * index + 1];
  return SUCCESS;
}
API cuKernelGetParamInfo(Function *kernel, size_t index, size_t *offset, size_t *size) { return cuFuncGetParamInfo(kernel, index, offset, size); }

/* The linker: of one text of PTX it makes that text. */

typedef struct { char *text; size_t size; } Link;
API cuLinkCreate_v2(Word count, int *options, void **values, Link **link) {
  return !link ? INVALID_VALUE : (*link = calloc(1, sizeof **link)) ? SUCCESS : OUT_OF_MEMORY;
}
API cuLinkAddData_v2(Link *link, int kind, void *data, size_t size, const char *name, Word count, int *options, void **values) {
  if (!link) return INVALID_HANDLE;
  if (!data) return INVALID_VALUE;
  if (kind != 1 || link->text) return NOT_SUPPORTED; /* CU_JIT_INPUT_PTX */
  if (!(link->text = calloc(1, size + 1))) return OUT_OF_MEMORY;
  memcpy(link->text, data, size);
  link->size = size + 1;
  return SUCCESS;
}
API cuLinkComplete(Link *link, void **image, size_t *size) {
  if (!link || !image) return INVALID_VALUE;
  *image = link->text;
  if (size) *size = link->size;
  return link->text ? SUCCESS : INVALID_VALUE;
}
API cuLinkDestroy(Link *link) { if (!link) return INVALID_HANDLE; free(link->text), free(link); return SUCCESS; }

/* Launches. */

typedef struct { Word grid[3], block[3], shared; void *stream; struct Attribute *attributes; Word count; } Config;
struct Attribute { int id; char pad[4]; union { Word words[16]; } value; };
typedef struct {
  uint64_t function; Word grid[3], block[3], cluster[3], shared; int attributes[FUNCTION_ATTRIBUTES];
  Word cooperative, is_sized; uint64_t parameters, blocks, place;
} Request;
/* Ask for a launch; the data are the request, the parameters and the line of the host. */
static Result run_launch(const uint64_t *a, void *data) {
  Request head = *(Request *)data; /* threads may launch a graph at the same time */
  if (failed) return failed;
  if (!is_function((Function *)a[0])) return INVALID_HANDLE; /* of a graph, since its module went */
  size_t before = sizeof head + head.parameters;
  pthread_mutex_lock(&lock);
  head.blocks = block_count * sizeof *blocks;
  char *sent = malloc(before + head.blocks + head.place);
  if (sent) memcpy(sent + before, blocks, head.blocks);
  pthread_mutex_unlock(&lock);
  if (!sent) return OUT_OF_MEMORY;
  memcpy(sent, data, before);
  memcpy(sent, &head, sizeof head);
  memcpy(sent + before + head.blocks, (char *)data + before, head.place);
  Result status = ask(LAUNCH, sent, before + head.blocks + head.place, NULL, NULL);
  free(sent);
  if (status >= 700 && status < 800) failed = status;
  return status;
}
static Result launch(const Config *config, Function *function, void **parameters, void **extra, Word cooperative) {
  if (!config || (config->count && !config->attributes)) return INVALID_VALUE;
  Result usable = on_stream(config->stream);
  if (usable) return usable;
  if (!is_function(function)) return refuse(INVALID_HANDLE, "the handle of the function is none of a loaded module");
  if (has_context()) return INVALID_CONTEXT;
  Request head = {.function = function->id, .shared = config->shared, .cooperative = cooperative};
  memcpy(head.grid, config->grid, sizeof head.grid);
  memcpy(head.block, config->block, sizeof head.block);
  memcpy(head.attributes, function->attributes, sizeof head.attributes);
  for (Word i = 0; i < config->count; i++) {
    if (config->attributes[i].id == CLUSTER) memcpy(head.cluster, config->attributes[i].value.words, sizeof head.cluster);
    if (config->attributes[i].id == COOPERATIVE) head.cooperative = config->attributes[i].value.words[0];
  }
  uint64_t last = function->count ? 2 * (function->count - 1) : 0;
  uint64_t size = function->count ? function->places[last] + function->places[last + 1] : 0;
  const void *buffer = NULL;
  const size_t *given = NULL;
  /* Pairs (1, buffer) and (2, address of its size), up to 0. */
  for (; extra && (uintptr_t)*extra; extra += 2) {
    if ((uintptr_t)*extra == 1) buffer = extra[1];
    if ((uintptr_t)*extra == 2) given = extra[1];
  }
  if (buffer && given) size = *given, head.is_sized = 1;
  if (!buffer && function->count && !parameters) return INVALID_VALUE;
  for (uint64_t i = 0; !buffer && i < function->count; i++)
    if (!parameters[i]) return refuse(INVALID_VALUE, "the address of parameter %d is 0", (int)i);
  char place[4096];
  where(place, sizeof place);
  head.parameters = size, head.place = strlen(place);
  char *sent = calloc(1, sizeof head + size + head.place), *at = sent + sizeof head;
  if (!sent) return OUT_OF_MEMORY;
  memcpy(sent, &head, sizeof head);
  if (buffer) memcpy(at, buffer, size);
  for (uint64_t i = 0; !buffer && i < function->count; i++)
    memcpy(at + function->places[2 * i], parameters[i], function->places[2 * i + 1]);
  memcpy(at + size, place, head.place);
  return SUBMIT(config->stream, run_launch, sent, (uint64_t)function);
}
API cuLaunchKernel(Function *function, Word gx, Word gy, Word gz, Word bx, Word by, Word bz, Word shared, void *stream, void **parameters, void **extra) {
  Config config = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};
  return launch(&config, function, parameters, extra, 0);
}
API cuLaunchCooperativeKernel(Function *function, Word gx, Word gy, Word gz, Word bx, Word by, Word bz, Word shared, void *stream, void **parameters) {
  Config config = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};
  return launch(&config, function, parameters, NULL, 1);
}
API cuLaunchKernelEx(const Config *config, Function *function, void **parameters, void **extra) { return launch(config, function, parameters, extra, 0); }

static Result occupancy(int *value, Function *function, const Word *numbers) {
  char *answer = NULL;
  if (!is_function(function)) return INVALID_HANDLE;
  if (!value) return INVALID_VALUE;
  uint64_t sent[5] = {function->id, numbers[0], numbers[1], numbers[2], (uint64_t)function->attributes[MOST_DYNAMIC]};
  Result status = ask(OCCUPANCY, sent, sizeof sent, &answer, NULL);
  if (!status) memcpy(value, answer, sizeof *value);
  free(answer);
  return status;
}
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, Function *function, int block, size_t shared) {
  return occupancy(count, function, (Word[]){(Word)block, (Word)shared, 1});
}
API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, Function *function, int block, size_t shared, Word flags) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(count, function, block, shared);
}
API cuOccupancyMaxPotentialBlockSize(int *grid, int *block, Function *function, size_t (*bytes)(int), size_t shared, int limit) {
  int count = 0, processors = 0;
  if (!is_function(function)) return INVALID_HANDLE;
  if (!grid || !block) return INVALID_VALUE;
  *block = function->attributes[MOST_THREADS];
  if (limit && limit < *block) *block = limit;
  Result status = occupancy(&count, function, (Word[]){(Word)*block, (Word)(bytes ? bytes(*block) : shared), 1});
  if (!status) status = attribute(MULTIPROCESSOR_COUNT, &processors);
  *grid = count * processors;
  return status;
}
API cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, Function *function, size_t (*bytes)(int), size_t shared, int limit, Word flags) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, bytes, shared, limit);
}
API cuOccupancyMaxActiveClusters(int *count, Function *function, const Config *config) {
  Word ctas = 1;
  if (!count || !config) return INVALID_VALUE;
  for (Word i = 0; i < config->count; i++)
    if (config->attributes[i].id == CLUSTER) for (int axis = 0; axis < 3; axis++) ctas *= config->attributes[i].value.words[axis];
  int active = 0, processors = 0;
  Result status = occupancy(&active, function, (Word[]){config->block[0] * config->block[1] * config->block[2], config->shared, ctas});
  if (!status) status = attribute(MULTIPROCESSOR_COUNT, &processors);
  *count = active * processors / (int)(ctas ? ctas : 1);
  return status;
}
API cuOccupancyMaxPotentialClusterSize(int *size, Function *function, const Config *config) {
  if (!is_function(function)) return INVALID_HANDLE;
  if (!size) return INVALID_VALUE;
  *size = function->attributes[LARGE_CLUSTER] ? 16 : 8;
  return SUCCESS;
}

/* Tensor maps. */

typedef struct {
  int kind, element, interleave, swizzle, promotion, fill; Word rank; uint64_t address;
  uint64_t extents[5], strides[5]; Word box[5], steps[5]; int lower[3], upper[3]; Word channels, pixels;
} Map;
static Result encode(void *result, Map *map, const uint64_t *extents, const uint64_t *strides, const Word *box, const Word *steps) {
  char *answer = NULL, place[4096];
  Result status = cuInit(0);
  if (status) return status;
  if (!result || !extents || !steps || !map->rank || map->rank > 5 || (map->rank > 1 && !strides)) return INVALID_VALUE;
  memcpy(map->extents, extents, map->rank * 8);
  if (map->rank > 1) memcpy(map->strides, strides, (map->rank - 1) * 8);
  if (box) memcpy(map->box, box, map->rank * 4);
  memcpy(map->steps, steps, map->rank * 4);
  where(place, sizeof place);
  char sent[sizeof *map + sizeof place];
  memcpy(sent, map, sizeof *map);
  strcpy(sent + sizeof *map, place);
  size_t length = 0;
  status = ask(ENCODE, sent, sizeof *map + strlen(place), &answer, &length);
  if (!status) memcpy(result, answer, length);
  free(answer);
  return status;
}
API cuTensorMapEncodeTiled(void *result, int element, Word rank, void *address, const uint64_t *extents, const uint64_t *strides, const Word *box, const Word *steps, int interleave, int swizzle, int promotion, int fill) {
  Map map = {.element = element, .rank = rank, .address = (uint64_t)address, .interleave = interleave, .swizzle = swizzle, .promotion = promotion, .fill = fill};
  return box ? encode(result, &map, extents, strides, box, steps) : INVALID_VALUE;
}
API cuTensorMapEncodeIm2col(void *result, int element, Word rank, void *address, const uint64_t *extents, const uint64_t *strides, const int *lower, const int *upper, Word channels, Word pixels, const Word *steps, int interleave, int swizzle, int promotion, int fill) {
  Map map = {.kind = 1, .element = element, .rank = rank, .address = (uint64_t)address, .interleave = interleave, .swizzle = swizzle, .promotion = promotion, .fill = fill, .channels = channels, .pixels = pixels};
  if (rank < 3 || rank > 5 || !lower || !upper) return INVALID_VALUE;
  memcpy(map.lower, lower, (rank - 2) * sizeof *lower);
  memcpy(map.upper, upper, (rank - 2) * sizeof *upper);
  return encode(result, &map, extents, strides, NULL, steps);
}
API cuTensorMapReplaceAddress(void *map, void *address) { return map ? (memcpy(map, &address, sizeof address), SUCCESS) : INVALID_VALUE; }

/* Errors, and the functions by their names. */

static const struct { Result code; const char *name, *text; } ERRORS[] = {RESULTS};
#define LOOKS_UP(function, field) \
  API function(Result code, const char **text) { \
    if (!text) return INVALID_VALUE; \
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) \
      if (ERRORS[i].code == code) return *text = ERRORS[i].field, SUCCESS; \
    return *text = NULL, INVALID_VALUE; \
  }
LOOKS_UP(cuGetErrorName, name)
LOOKS_UP(cuGetErrorString, text)
DOES_NOTHING(cuProfilerStart, void)
DOES_NOTHING(cuProfilerStop, void)
/* What only NVIDIA's driver has. The runtime library, often a part of the program, ends without it;
 * the compilers ask for it, too, and do without it. */
API cuGetExportTable(const void **table, const void *id) {
  static int is_told;
  Dl_info caller = {0};
  if (table) *table = NULL;
  dladdr(__builtin_return_address(0), &caller);
  int is_compiler = caller.dli_fname && (strstr(caller.dli_fname, "libnvrtc") || strstr(caller.dli_fname, "libnvJitLink"));
  if (!is_compiler && !__atomic_exchange_n(&is_told, 1, __ATOMIC_RELAXED))
    refuse(NOT_FOUND, "the program uses the CUDA runtime API, whose library works only with NVIDIA's own driver: the emulated driver runs programs that use the driver API");
  return NOT_FOUND;
}

/* NVRTC: host programs that compile CUDA C++ mostly ask for a cubin, which holds no PTX. This
 * library is preloaded, so that it can give the PTX of the same program instead. */
typedef int (*OfProgram)(void *, void *);
static OfProgram get_ptx, get_ptx_size;
#ifdef __x86_64__
#define FIRST_GLIBC "GLIBC_2.2.5"
#else
#define FIRST_GLIBC "GLIBC_2.17"
#endif
static int of_nvrtc(OfProgram found, const char *name, void *program, void *result) {
  void *linked = found ? NULL : dlsym(RTLD_DEFAULT, name);
  if (linked) found = (OfProgram)linked;
  return found ? found(program, result) : 7; /* NVRTC_ERROR_BUILTIN_OPERATION_FAILURE */
}
API nvrtcGetCUBIN(void *program, void *text) { return of_nvrtc(get_ptx, "nvrtcGetPTX", program, text); }
API nvrtcGetCUBINSize(void *program, void *size) { return of_nvrtc(get_ptx_size, "nvrtcGetPTXSize", program, size); }
__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name) {
  static void *(*look_up)(void *, const char *);
  if (!look_up) look_up = dlvsym(RTLD_NEXT, "dlsym", FIRST_GLIBC);
  if (!strcmp(name, "nvrtcGetCUBIN") && (get_ptx = look_up(handle, "nvrtcGetPTX"))) return (void *)nvrtcGetCUBIN;
  if (!strcmp(name, "nvrtcGetCUBINSize") && (get_ptx_size = look_up(handle, "nvrtcGetPTXSize"))) return (void *)nvrtcGetCUBINSize;
  return look_up(handle, name); /* a jump, so that RTLD_NEXT means the caller's */
}

/* A function for each missing name, which tells the name once. */
#define SLOTS 1024
static char *names[SLOTS];
static int told[SLOTS], slots;
static Result missing(int slot) {
  if (!__atomic_exchange_n(&told[slot], 1, __ATOMIC_RELAXED)) ask(MISSING, names[slot], strlen(names[slot]), NULL, NULL);
  return NOT_SUPPORTED;
}
#define STUB(n) static Result stub_##n(void) { return missing(0x##n); }
#define STUBS4(n) STUB(n##0) STUB(n##1) STUB(n##2) STUB(n##3) STUB(n##4) STUB(n##5) STUB(n##6) STUB(n##7) STUB(n##8) STUB(n##9) STUB(n##a) STUB(n##b) STUB(n##c) STUB(n##d) STUB(n##e) STUB(n##f)
#define STUBS8(n) STUBS4(n##0) STUBS4(n##1) STUBS4(n##2) STUBS4(n##3) STUBS4(n##4) STUBS4(n##5) STUBS4(n##6) STUBS4(n##7) STUBS4(n##8) STUBS4(n##9) STUBS4(n##a) STUBS4(n##b) STUBS4(n##c) STUBS4(n##d) STUBS4(n##e) STUBS4(n##f)
STUBS8(0) STUBS8(1) STUBS8(2) STUBS8(3)
#undef STUB
#define STUB(n) stub_##n,
static Result (*const stubs[SLOTS])(void) = {STUBS8(0) STUBS8(1) STUBS8(2) STUBS8(3)};

/* Functions with other parameters than the form before, and the version of CUDA that begins with them. */
static const struct { const char *name; int first; } SINCE[] = {
  {"cuCtxCreate_v3", 11040}, {"cuCtxCreate_v4", 12050}, {"cuCtxGetDevice_v2", 13000}, {"cuGetProcAddress_v2", 12000},
  {"cuGraphExecUpdate_v2", 12000}, {"cuStreamGetCaptureInfo_v2", 11030}, {"cuStreamGetCaptureInfo_v3", 12030},
};
static void *function_named(const char *symbol, int version) {
  static const char *const endings[] = {"_v4", "_v3", "_v2", ""};
  char name[256];
  static void *self;
  Dl_info info;
  if (!self && dladdr((void *)&cuInit, &info)) self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    snprintf(name, sizeof name, "%s%s", symbol, endings[i]);
    int is_later = 0;
    for (size_t at = 0; at < sizeof SINCE / sizeof *SINCE; at++)
      is_later |= !strcmp(SINCE[at].name, name) && version < SINCE[at].first;
    if (is_later) continue;
    void *found = self ? dlsym(self, name) : NULL;
    if (found) return found;
  }
  return NULL;
}
API cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
  if (!symbol || !function) return INVALID_VALUE;
  *function = function_named(symbol, version);
  pthread_mutex_lock(&listing);
  for (int slot = 0; !*function && slot < SLOTS; slot++) {
    if (slot == slots && (names[slots] = strdup(symbol))) slots++;
    if (names[slot] && !strcmp(names[slot], symbol)) *function = (void *)stubs[slot];
  }
  pthread_mutex_unlock(&listing);
  if (status) *status = *function ? 0 : 1;
  return *function ? SUCCESS : NOT_FOUND;
}
API cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) { return cuGetProcAddress_v2(symbol, function, version, flags, NULL); }
