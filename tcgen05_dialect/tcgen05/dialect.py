"""The Dialect object of `tcgen05`."""

from xdsl.ir import Dialect

from .alloc import AllocOp, DeallocOp, RelinquishAllocPermitOp
from .attributes import InstructionDescriptorAttr, ZeroColumnMaskAttr
from .commit import CommitOp
from .cp import CpOp
from .descriptor import AdvanceOp, DescriptorOp, TileOp
from .fence import FenceOp
from .ld_st import LdOp, LdRedOp, StOp
from .mma import MmaBlockScaleOp, MmaOp, MmaSpBlockScaleOp, MmaSpOp, MmaWsOp, MmaWsSpOp
from .shift import ShiftOp
from .tensor_memory import LoadAddressOp, SliceOp
from .types import SharedMemoryDescriptorType, TensorMemoryType
from .wait import WaitOp

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
