"""A host program whose kernel counts down by 2 to 0, and so never ends for an odd number."""

import sys

import numpy as np
from cuda.bindings import driver as cuda

TEXT = b"""
.version 8.6
.target sm_100a
.address_size 64
.visible .entry count(.param .u32 number)
{
	.reg .b32 %r<2>;
	.reg .pred %p<2>;
	ld.param.u32 %r1, [number];
L:
	sub.u32 %r1, %r1, 2;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra L;
	ret;
}
"""

cuda.cuInit(0)
cuda.cuCtxCreate(None, 0, 0)
module = cuda.cuModuleLoadData(TEXT)[1]
function = cuda.cuModuleGetFunction(module, b"count")[1]
number = np.array([int(sys.argv[1])], np.uint32)
addresses = np.array([number.ctypes.data], np.uint64)
launch = cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, addresses.ctypes.data, 0)
print(launch[0].name, cuda.cuCtxSynchronize()[0].name)
