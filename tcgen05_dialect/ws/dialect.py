"""The Dialect object of `ws`."""

from xdsl.ir import Dialect

from .base import AddressOp, RingType, SharedTileType, TokenType
from .copies import KeepFirstOp, SIToFPOp, TmemCopyOp, UIToFPOp
from .products import MmaOp
from .regions import (
    ConsumeOp,
    ConsumerReleaseOp,
    ConsumerWaitOp,
    MbarrierOp,
    ProduceOp,
    ProducerAcquireOp,
    ProducerCommitOp,
    YieldOp,
)
from .rings import AllocOp, RingOp
from .roles import ElectedOp, RoleBarrierOp, RoleOp, WarpSpecializeOp
from .tma import TmaLoadOp, TmaStoreOp
from .vectors import GlobalLoadOp, GlobalStoreOp, LocalLoadOp, LocalStoreOp, TmemLoadOp, TmemStoreOp

WS = Dialect(
    "ws",
    [
        RingOp,
        AllocOp,
        WarpSpecializeOp,
        RoleOp,
        ElectedOp,
        RoleBarrierOp,
        ProduceOp,
        ConsumeOp,
        YieldOp,
        ProducerAcquireOp,
        ProducerCommitOp,
        ConsumerWaitOp,
        ConsumerReleaseOp,
        MbarrierOp,
        TmaLoadOp,
        TmaStoreOp,
        MmaOp,
        TmemCopyOp,
        TmemLoadOp,
        TmemStoreOp,
        LocalLoadOp,
        LocalStoreOp,
        GlobalLoadOp,
        GlobalStoreOp,
        KeepFirstOp,
        SIToFPOp,
        UIToFPOp,
        AddressOp,
    ],
    [SharedTileType, RingType, TokenType],
)
