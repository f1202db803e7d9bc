"""The Dialect object of `tcgen05`."""

from xdsl.ir import Dialect

from .alloc import (
    AllocOp,
    CommitOp,
    DeallocOp,
    FenceOp,
    LoadAddressOp,
    RelinquishAllocPermitOp,
    SliceOp,
    WaitOp,
)
from .copies import CpOp, ShiftOp
from .descriptor import AdvanceOp, DescriptorOp, TileOp
from .ld_st import LdOp, LdRedOp, StOp
from .mma import MmaBlockScaleOp, MmaOp, MmaSpBlockScaleOp, MmaSpOp, MmaWsOp, MmaWsSpOp
from .types import (
    InstructionDescriptorAttr,
    SharedMemoryDescriptorType,
    TensorMemoryType,
    ZeroColumnMaskAttr,
)

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
