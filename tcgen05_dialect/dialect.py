"""The Dialect object of `tcgen05`."""

from xdsl.ir import Dialect

from .attributes import InstructionDescriptorAttr, ZeroColumnMaskAttr
from .ops.alloc import AllocOp, DeallocOp, LoadAddressOp, RelinquishAllocPermitOp
from .ops.commit import CommitOp
from .ops.cp import CpOp
from .ops.descriptor import AdvanceOp, DescriptorOp, TileOp
from .ops.fence import FenceOp
from .ops.ld_st import LdOp, LdRedOp, StOp
from .ops.mma import MmaBlockScaleOp, MmaOp, MmaSpBlockScaleOp, MmaSpOp, MmaWsOp, MmaWsSpOp
from .ops.shift import ShiftOp
from .ops.tensor_memory import SliceOp
from .ops.wait import WaitOp
from .types import SharedMemoryDescriptorType, TensorMemoryType

TCGEN05 = Dialect(
    "tcgen05",
    [
        AllocOp,
        DeallocOp,
        RelinquishAllocPermitOp,
        LoadAddressOp,
        SliceOp,
        DescriptorOp,
        TileOp,
        AdvanceOp,
        MmaOp,
        MmaBlockScaleOp,
        MmaSpOp,
        MmaSpBlockScaleOp,
        MmaWsOp,
        MmaWsSpOp,
        CpOp,
        ShiftOp,
        LdOp,
        LdRedOp,
        StOp,
        WaitOp,
        CommitOp,
        FenceOp,
    ],
    [
        TensorMemoryType,
        SharedMemoryDescriptorType,
        InstructionDescriptorAttr,
        ZeroColumnMaskAttr,
    ],
)
