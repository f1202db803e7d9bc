"""A host program whose module has variables, which keep their content from launch to launch."""

import numpy as np
from cuda.bindings import driver as cuda

TEXT = b"""
.version 8.6
.target sm_100a
.address_size 64
.global .align 4 .u32 counter = 5;
.global .align 8 .u64 pointer = generic(counter);
.const .align 4 .u32 step = 2;
.visible .entry count()
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	ld.global.u64 %rd1, [pointer];
	ld.const.u32 %r1, [step];
	atom.add.u32 %r2, [%rd1], %r1;
	ret;
}
"""


def content(address: object) -> int:
    found = np.empty(1, np.uint32)
    cuda.cuMemcpyDtoH(found.ctypes.data, address, found.nbytes)
    return int(found[0])


cuda.cuInit(0)
cuda.cuCtxCreate(None, 0, 0)
module = cuda.cuModuleLoadData(TEXT)[1]
function = cuda.cuModuleGetFunction(module, b"count")[1]
_, counter, size = cuda.cuModuleGetGlobal(module, b"counter")
_, step, _ = cuda.cuModuleGetGlobal(module, b"step")
for number in (2, 10, 0):
    cuda.cuMemcpyHtoD(step, np.array([number], np.uint32), 4)
    cuda.cuLaunchKernel(function, 3, 1, 1, 1, 1, 1, 0, 0, 0, 0)
    print(size, content(counter))
print(cuda.cuModuleGetGlobal(module, b"other")[0].name)
cuda.cuModuleUnload(module)
print(cuda.cuMemcpyDtoH(np.empty(1, np.uint32), counter, 4)[0].name)
