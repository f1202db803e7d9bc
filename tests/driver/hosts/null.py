"""
A host program that calls every function of the driver with null pointers and zeros, and asks for
functions of versions of CUDA. It ends before its child, which has its descriptors.
"""

import ctypes
import os
import time

from cuda.bindings import driver as cuda

cuda.cuInit(0)
cuda.cuCtxCreate(None, 0, 0)
library = ctypes.CDLL("libcuda.so.1")
names = [
    f"{name}{end}" for name in dir(cuda) if name.startswith("cu") for end in ("", "_v2", "_v3")
]
known = [name for name in names if hasattr(library, name)]
zeros = [ctypes.c_void_p(0)] * 16
codes = {name: library[name](*zeros) for name in known}
print(len(known) > 150, codes["cuMemAlloc_v2"], codes["cuEventElapsedTime_v2"])
pointer = ctypes.c_void_p()
for name, version, end in (
    ("cuCtxCreate", 3020, "_v2"),
    ("cuCtxCreate", 11040, "_v3"),
    ("cuCtxCreate", 12050, "_v4"),
    ("cuStreamGetCaptureInfo", 11030, "_v2"),
    ("cuStreamGetCaptureInfo", 12030, "_v3"),
    ("cuGetProcAddress", 11030, ""),
    ("cuGetProcAddress", 12000, "_v2"),
    ("cuMemAlloc", 3020, "_v2"),
):
    flags = ctypes.c_uint64(0)
    library.cuGetProcAddress_v2(name.encode(), ctypes.byref(pointer), version, flags, None)
    expected = ctypes.cast(library[name + end], ctypes.c_void_p).value
    print(name, version, pointer.value == expected)
parent = os.getpid()
if not os.fork():
    os.closerange(0, 3)
    while os.getppid() == parent:
        time.sleep(0.1)
    os._exit(0)
