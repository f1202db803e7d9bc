"""The classes of the instructions. `make docs` writes this file."""

from ..xdsl_support.construction import Integer
from ..xdsl_support.construction import Integers
from ..xdsl_support.construction import Value
from .analysis.operand_checks import PlaceInstruction
from .bases import BarrierInstruction
from .bases import BoxInstruction
from .bases import CarryIn
from .bases import CopyByThread
from .bases import CtaBarrier
from .bases import Expectation
from .bases import FractionalPolicy
from .bases import Packing
from .bases import PendingCount
from .bases import RegisterChange
from .bases import SharedAddressing
from .bases import SizedInstruction
from .bases import Terminator
from .instruction import EffectInstruction
from .instruction import PureInstruction
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Literal
from xdsl.dialects.builtin import DenseArrayBase
from xdsl.dialects.builtin import I32
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.ir import OpResult
from xdsl.irdl import Operand
from xdsl.irdl import OptOperand
from xdsl.irdl import VarOpResult
from xdsl.irdl import VarOperand

class AbsOp(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's16', 's32', 's64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ActivemaskOp(EffectInstruction):
    d: OpResult
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddCcOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult; carry_out: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddMixedOp(PureInstruction):
    rounding: StringAttr | None; saturate: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, c: Value, *, rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr | None = ..., saturate: Literal['sat'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, source: Literal['bf16', 'f16'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddOp(PureInstruction):
    rounding: StringAttr | None; flush: StringAttr | None; saturate: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr | None = ..., flush: Literal['ftz'] | StringAttr | None = ..., saturate: Literal['sat'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f32x2', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddPackedOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16x2', 'u16x2'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddSatOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddcCcOp(CarryIn):
    type: StringAttr; a: Operand; b: Operand; carry: Operand; d: OpResult; carry_out: OpResult
    def __init__(self, a: Value, b: Value, carry: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddcOp(CarryIn):
    type: StringAttr; a: Operand; b: Operand; carry: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, carry: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AndOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['b16', 'b32', 'b64', 'pred'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ApplypriorityOp(EffectInstruction):
    space: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand
    def __init__(self, address: Value, *, space: Literal['global'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AtomCasOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; compare: Operand; value: Operand; d: OpResult
    def __init__(self, address: Value, compare: Value, value: Value, *, semantics: Literal['acq_rel', 'acquire', 'relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr | None = ..., type: Literal['b128', 'b16', 'b32', 'b64'] | StringAttr, address_offset: Integer | None = ..., spelling: Literal['no_result'] | StringAttr | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AtomOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; operation: StringAttr; noftz: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; value: Operand; cache_policy: OptOperand; d: OpResult
    def __init__(self, address: Value, value: Value, *, cache_policy: Value | None = ..., semantics: Literal['acq_rel', 'acquire', 'relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr | None = ..., operation: Literal['add', 'and', 'dec', 'exch', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, noftz: Literal['noftz'] | StringAttr | None = ..., type: Literal['b128', 'b32', 'b64', 'bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., spelling: Literal['no_result'] | StringAttr | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AtomVectorOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; operation: StringAttr; noftz: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; sinks: DenseArrayBase[I32] | None; address: Operand; values: VarOperand; cache_policy: OptOperand; old: VarOpResult
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, cache_policy: Value | None = ..., semantics: Literal['acq_rel', 'acquire', 'relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global'] | StringAttr | None = ..., operation: Literal['add', 'max', 'min'] | StringAttr, noftz: Literal['noftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32'] | StringAttr, address_offset: Integer | None = ..., sinks: Integers | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarArriveOp(CtaBarrier):
    spelling: StringAttr | None; barrier: Operand; threads: Operand
    def __init__(self, barrier: Value, threads: Value, *, spelling: Literal['bar_cta', 'barrier', 'barrier_aligned', 'barrier_cta', 'barrier_cta_aligned'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarRedOp(CtaBarrier):
    operation: StringAttr; spelling: StringAttr | None; barrier: Operand; threads: OptOperand; a: Operand; d: OpResult
    def __init__(self, barrier: Value, a: Value, *, threads: Value | None = ..., operation: Literal['and', 'or'] | StringAttr, spelling: Literal['bar_cta', 'barrier', 'barrier_aligned', 'barrier_cta', 'barrier_cta_aligned'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarRedPopcOp(CtaBarrier):
    spelling: StringAttr | None; barrier: Operand; threads: OptOperand; a: Operand; d: OpResult
    def __init__(self, barrier: Value, a: Value, *, threads: Value | None = ..., spelling: Literal['bar_cta', 'barrier', 'barrier_aligned', 'barrier_cta', 'barrier_cta_aligned'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarSyncOp(CtaBarrier):
    spelling: StringAttr | None; barrier: Operand; threads: OptOperand
    def __init__(self, barrier: Value, *, threads: Value | None = ..., spelling: Literal['bar_cta', 'barrier', 'barrier_aligned', 'barrier_cta', 'barrier_cta_aligned'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarWarpSyncOp(EffectInstruction):
    mask: Operand
    def __init__(self, mask: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarrierClusterArriveOp(EffectInstruction):
    semantics: StringAttr | None; aligned: StringAttr | None
    def __init__(self, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., aligned: Literal['aligned'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BarrierClusterWaitOp(EffectInstruction):
    semantics: StringAttr | None; aligned: StringAttr | None
    def __init__(self, *, semantics: Literal['acquire'] | StringAttr | None = ..., aligned: Literal['aligned'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BfeOp(PureInstruction):
    type: StringAttr; a: Operand; position: Operand; length: Operand; d: OpResult
    def __init__(self, a: Value, position: Value, length: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BfiOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; position: Operand; length: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, position: Value, length: Value, *, type: Literal['b32', 'b64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BfindOp(PureInstruction):
    shift_amount: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, shift_amount: Literal['shiftamt'] | StringAttr | None = ..., type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BmskOp(PureInstruction):
    mode: StringAttr; position: Operand; length: Operand; d: OpResult
    def __init__(self, position: Value, length: Value, *, mode: Literal['clamp', 'wrap'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BrevOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['b32', 'b64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BrkptOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ClusterlaunchcontrolFirstCtaOp(PureInstruction):
    coordinate: StringAttr; response: Operand; d: OpResult
    def __init__(self, response: Value, *, coordinate: Literal['x', 'y', 'z'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ClusterlaunchcontrolFirstCtaVectorOp(PureInstruction):
    sinks: DenseArrayBase[I32] | None; response: Operand; coordinates: VarOpResult
    def __init__(self, response: Value, *, sinks: Integers | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ClusterlaunchcontrolIsCanceledOp(PureInstruction):
    response: Operand; d: OpResult
    def __init__(self, response: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ClusterlaunchcontrolTryCancelOp(PlaceInstruction):
    multicast: StringAttr | None; address_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; address: Operand; mbarrier: Operand
    def __init__(self, address: Value, mbarrier: Value, *, multicast: Literal['multicast::cluster::all'] | StringAttr | None = ..., address_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ClzOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['b32', 'b64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CnotOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['b16', 'b32', 'b64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CopysignOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['f32', 'f64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CosOp(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CosTurnsOp(PureInstruction):
    flush: StringAttr; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr, type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkCommitGroupOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkLoadIgnoreOobOp(SizedInstruction):
    destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; destination: Operand; source: Operand; size: Operand; ignored_left: Operand; ignored_right: Operand; mbarrier: Operand; cache_policy: OptOperand
    def __init__(self, destination: Value, source: Value, size: Value, ignored_left: Value, ignored_right: Value, mbarrier: Value, *, cache_policy: Value | None = ..., destination_offset: Integer | None = ..., source_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkLoadOp(SizedInstruction):
    destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; destination: Operand; source: Operand; size: Operand; mbarrier: Operand; multicast_mask: OptOperand; cache_policy: OptOperand
    def __init__(self, destination: Value, source: Value, size: Value, mbarrier: Value, *, multicast_mask: Value | None = ..., cache_policy: Value | None = ..., destination_offset: Integer | None = ..., source_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., spelling: Literal['shared::cta'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkPrefetchOp(EffectInstruction):
    source_offset: IntegerAttr[I32] | None; source: Operand; size: Operand; cache_policy: OptOperand
    def __init__(self, source: Value, size: Value, *, cache_policy: Value | None = ..., source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkPrefetchTensorGather4Op(EffectInstruction):
    tensor_map: Operand; coordinates: VarOperand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value] = ..., *, cache_policy: Value | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkPrefetchTensorIm2colOp(EffectInstruction):
    mode: StringAttr; tensor_map: Operand; coordinates: VarOperand; offsets: VarOperand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value] = ..., offsets: Sequence[Value] = ..., *, cache_policy: Value | None = ..., mode: Literal['im2col', 'im2col::w', 'im2col::w::128'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkPrefetchTensorOp(BoxInstruction):
    spelling: StringAttr | None; tensor_map: Operand; coordinates: VarOperand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value] = ..., *, cache_policy: Value | None = ..., spelling: Literal['without_tile'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkRemoteOp(SizedInstruction):
    destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; destination: Operand; source: Operand; size: Operand; mbarrier: Operand
    def __init__(self, destination: Value, source: Value, size: Value, mbarrier: Value, *, destination_offset: Integer | None = ..., source_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkStoreOp(SizedInstruction):
    destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; destination: Operand; source: Operand; size: Operand; cache_policy: OptOperand; byte_mask: OptOperand
    def __init__(self, destination: Value, source: Value, size: Value, *, cache_policy: Value | None = ..., byte_mask: Value | None = ..., destination_offset: Integer | None = ..., source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkTensorGather4Op(PlaceInstruction):
    cta_group: StringAttr | None; destination_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; destination: Operand; tensor_map: Operand; coordinates: VarOperand; mbarrier: Operand; multicast_mask: OptOperand; cache_policy: OptOperand
    def __init__(self, destination: Value, tensor_map: Value, coordinates: Sequence[Value], mbarrier: Value, *, multicast_mask: Value | None = ..., cache_policy: Value | None = ..., cta_group: Literal['cta_group::1', 'cta_group::2'] | StringAttr | None = ..., destination_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., spelling: Literal['shared::cta'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkTensorIm2colNoOffsOp(PlaceInstruction):
    source_offset: IntegerAttr[I32] | None; tensor_map: Operand; coordinates: VarOperand; source: Operand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value], source: Value, *, cache_policy: Value | None = ..., source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkTensorIm2colOp(PlaceInstruction):
    mode: StringAttr; cta_group: StringAttr | None; destination_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; destination: Operand; tensor_map: Operand; coordinates: VarOperand; mbarrier: Operand; offsets: VarOperand; multicast_mask: OptOperand; cache_policy: OptOperand
    def __init__(self, destination: Value, tensor_map: Value, coordinates: Sequence[Value], mbarrier: Value, offsets: Sequence[Value] = ..., *, multicast_mask: Value | None = ..., cache_policy: Value | None = ..., mode: Literal['im2col', 'im2col::w', 'im2col::w::128'] | StringAttr, cta_group: Literal['cta_group::1', 'cta_group::2'] | StringAttr | None = ..., destination_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., spelling: Literal['shared::cta'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkTensorLoadOp(BoxInstruction):
    cta_group: StringAttr | None; destination_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; destination: Operand; tensor_map: Operand; coordinates: VarOperand; mbarrier: Operand; multicast_mask: OptOperand; cache_policy: OptOperand
    def __init__(self, destination: Value, tensor_map: Value, coordinates: Sequence[Value], mbarrier: Value, *, multicast_mask: Value | None = ..., cache_policy: Value | None = ..., cta_group: Literal['cta_group::1', 'cta_group::2'] | StringAttr | None = ..., destination_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., spelling: Literal['shared::cta', 'shared::cta_without_tile', 'without_tile'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkTensorScatter4Op(PlaceInstruction):
    source_offset: IntegerAttr[I32] | None; tensor_map: Operand; coordinates: VarOperand; source: Operand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value], source: Value, *, cache_policy: Value | None = ..., source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkTensorStoreOp(BoxInstruction):
    source_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; tensor_map: Operand; coordinates: VarOperand; source: Operand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value], source: Value, *, cache_policy: Value | None = ..., source_offset: Integer | None = ..., spelling: Literal['without_tile'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkWaitGroupOp(EffectInstruction):
    read: StringAttr | None; pending: IntegerAttr[I32]
    def __init__(self, *, read: Literal['read'] | StringAttr | None = ..., pending: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncCommitGroupOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncMbarrierArriveOp(BarrierInstruction):
    increment: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand
    def __init__(self, address: Value, *, increment: Literal['noinc'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncOp(CopyByThread):
    cache: StringAttr; prefetch: StringAttr | None; destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; size: IntegerAttr[I32]; spelling: StringAttr | None; destination: Operand; source: Operand; source_size: OptOperand; cache_policy: OptOperand
    def __init__(self, destination: Value, source: Value, *, source_size: Value | None = ..., cache_policy: Value | None = ..., cache: Literal['ca', 'cg'] | StringAttr, prefetch: Literal['L2::128B', 'L2::256B', 'L2::64B'] | StringAttr | None = ..., destination_offset: Integer | None = ..., source_offset: Integer | None = ..., size: Integer, spelling: Literal['shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncWaitAllOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncWaitGroupOp(EffectInstruction):
    pending: IntegerAttr[I32]
    def __init__(self, *, pending: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpReduceAsyncBulkRemoteOp(SizedInstruction):
    operation: StringAttr; type: StringAttr; destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; destination: Operand; source: Operand; size: Operand; mbarrier: Operand
    def __init__(self, destination: Value, source: Value, size: Value, mbarrier: Value, *, operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, type: Literal['b32', 's32', 'u32', 'u64'] | StringAttr, destination_offset: Integer | None = ..., source_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpReduceAsyncBulkStoreOp(SizedInstruction):
    operation: StringAttr; noftz: StringAttr | None; type: StringAttr; destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; destination: Operand; source: Operand; size: Operand; cache_policy: OptOperand
    def __init__(self, destination: Value, source: Value, size: Value, *, cache_policy: Value | None = ..., operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, noftz: Literal['noftz'] | StringAttr | None = ..., type: Literal['b32', 'b64', 'bf16', 'f16', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, destination_offset: Integer | None = ..., source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpReduceAsyncBulkTensorIm2colNoOffsOp(PlaceInstruction):
    operation: StringAttr; source_offset: IntegerAttr[I32] | None; tensor_map: Operand; coordinates: VarOperand; source: Operand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value], source: Value, *, cache_policy: Value | None = ..., operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpReduceAsyncBulkTensorOp(BoxInstruction):
    operation: StringAttr; source_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; tensor_map: Operand; coordinates: VarOperand; source: Operand; cache_policy: OptOperand
    def __init__(self, tensor_map: Value, coordinates: Sequence[Value], source: Value, *, cache_policy: Value | None = ..., operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, source_offset: Integer | None = ..., spelling: Literal['without_tile'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CreatepolicyCvtOp(PureInstruction):
    access_property: Operand; d: OpResult
    def __init__(self, access_property: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CreatepolicyFractionalOp(FractionalPolicy):
    primary: StringAttr; secondary: StringAttr | None; fraction: OptOperand; d: OpResult
    def __init__(self, *, fraction: Value | None = ..., primary: Literal['L2::evict_first', 'L2::evict_last', 'L2::evict_normal', 'L2::evict_unchanged'] | StringAttr, secondary: Literal['L2::evict_first', 'L2::evict_unchanged'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CreatepolicyRangeOp(PureInstruction):
    primary: StringAttr; secondary: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; primary_size: Operand; total_size: Operand; d: OpResult
    def __init__(self, address: Value, primary_size: Value, total_size: Value, *, primary: Literal['L2::evict_first', 'L2::evict_last', 'L2::evict_normal', 'L2::evict_unchanged'] | StringAttr, secondary: Literal['L2::evict_first', 'L2::evict_unchanged'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtByteOp(PureInstruction):
    rounding: StringAttr; type: StringAttr; source: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, rounding: Literal['rmi', 'rni', 'rpi', 'rzi'] | StringAttr, type: Literal['s8', 'u8'] | StringAttr, source: Literal['bf16'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtOp(PureInstruction):
    rounding: StringAttr | None; flush: StringAttr | None; saturate: StringAttr | None; relu: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, rounding: Literal['rm', 'rmi', 'rn', 'rna', 'rni', 'rp', 'rpi', 'rz', 'rzi'] | StringAttr | None = ..., flush: Literal['ftz'] | StringAttr | None = ..., saturate: Literal['sat', 'satfinite'] | StringAttr | None = ..., relu: Literal['relu'] | StringAttr | None = ..., type: Literal['bf16', 'f16', 'f32', 'f64', 's16', 's32', 's64', 's8', 'tf32', 'u16', 'u32', 'u64', 'u8'] | StringAttr, source: Literal['bf16', 'f16', 'f32', 'f64', 's16', 's32', 's64', 's8', 'u16', 'u32', 'u64', 'u8'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtPackIntegersOp(PureInstruction):
    type: StringAttr; source: StringAttr; high: Operand; low: Operand; d: OpResult
    def __init__(self, high: Value, low: Value, *, type: Literal['s16', 'u16'] | StringAttr, source: Literal['s32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtPackNarrowOp(PureInstruction):
    rounding: StringAttr; saturate: StringAttr | None; relu: StringAttr | None; type: StringAttr; source: StringAttr; high: Operand; low: Operand; d: OpResult
    def __init__(self, high: Value, low: Value, *, rounding: Literal['rn', 'rp', 'rz'] | StringAttr, saturate: Literal['satfinite'] | StringAttr | None = ..., relu: Literal['relu'] | StringAttr | None = ..., type: Literal['e2m1x2', 'e2m3x2', 'e3m2x2', 'e4m3x2', 'e5m2x2', 'ue8m0x2'] | StringAttr, source: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtPackOp(PureInstruction):
    rounding: StringAttr; saturate: StringAttr | None; relu: StringAttr | None; type: StringAttr; source: StringAttr; high: Operand; low: Operand; d: OpResult
    def __init__(self, high: Value, low: Value, *, rounding: Literal['rn', 'rz'] | StringAttr, saturate: Literal['satfinite'] | StringAttr | None = ..., relu: Literal['relu'] | StringAttr | None = ..., type: Literal['bf16x2', 'f16x2'] | StringAttr, source: Literal['f32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtPackShortIntegersOp(PureInstruction):
    type: StringAttr; source: StringAttr; high: Operand; low: Operand; rest: Operand; d: OpResult
    def __init__(self, high: Value, low: Value, rest: Value, *, type: Literal['s2', 's4', 's8', 'u2', 'u4', 'u8'] | StringAttr, source: Literal['s32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtPackedOp(PureInstruction):
    rounding: StringAttr; saturate: StringAttr | None; relu: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; scale: OptOperand; d: OpResult
    def __init__(self, a: Value, *, scale: Value | None = ..., rounding: Literal['rn', 'rp', 'rz'] | StringAttr, saturate: Literal['satfinite'] | StringAttr | None = ..., relu: Literal['relu'] | StringAttr | None = ..., type: Literal['bf16x2', 'e2m1x2', 'e2m3x2', 'e3m2x2', 'e4m3x2', 'e5m2x2', 'f16x2', 'ue8m0x2'] | StringAttr, source: Literal['bf16x2', 'e2m1x2', 'e2m3x2', 'e3m2x2', 'e4m3x2', 'e5m2x2', 'f16x2', 'ue8m0x2'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtStochasticOp(PureInstruction):
    saturate: StringAttr; relu: StringAttr | None; type: StringAttr; source: StringAttr; values: VarOperand; random: Operand; d: OpResult
    def __init__(self, values: Sequence[Value], random: Value, *, saturate: Literal['satfinite'] | StringAttr, relu: Literal['relu'] | StringAttr | None = ..., type: Literal['e2m1x4', 'e2m3x4', 'e3m2x4', 'e4m3x4', 'e5m2x4'] | StringAttr, source: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtStochasticPairOp(PureInstruction):
    saturate: StringAttr | None; relu: StringAttr | None; type: StringAttr; source: StringAttr; high: Operand; low: Operand; random: Operand; d: OpResult
    def __init__(self, high: Value, low: Value, random: Value, *, saturate: Literal['satfinite'] | StringAttr | None = ..., relu: Literal['relu'] | StringAttr | None = ..., type: Literal['bf16x2', 'f16x2'] | StringAttr, source: Literal['f32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtaOp(PureInstruction):
    space: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, space: Literal['const', 'global', 'local', 'param', 'param::entry', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CvtaToOp(PureInstruction):
    space: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, space: Literal['const', 'global', 'local', 'param', 'param::entry', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class DiscardOp(PlaceInstruction):
    space: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand
    def __init__(self, address: Value, *, space: Literal['global'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class DivOp(PureInstruction):
    rounding: StringAttr | None; flush: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, rounding: Literal['approx', 'full', 'rm', 'rn', 'rp', 'rz'] | StringAttr | None = ..., flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Dp2aOp(PureInstruction):
    half: StringAttr; a_type: StringAttr; b_type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, half: Literal['hi', 'lo'] | StringAttr, a_type: Literal['s32', 'u32'] | StringAttr, b_type: Literal['s32', 'u32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Dp4aOp(PureInstruction):
    a_type: StringAttr; b_type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, a_type: Literal['s32', 'u32'] | StringAttr, b_type: Literal['s32', 'u32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ElectSyncOp(EffectInstruction):
    spelling: StringAttr | None; mask: Operand; leader: OpResult; elected: OpResult
    def __init__(self, mask: Value, *, spelling: Literal['no_leader'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Ex2Op(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ExitOp(Terminator):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceAcquireSyncRestrictOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceMbarrierInitOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceOp(EffectInstruction):
    semantics: StringAttr | None; scope: StringAttr
    def __init__(self, *, semantics: Literal['acq_rel', 'acquire', 'release', 'sc'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyAliasOp(EffectInstruction):
    spelling: StringAttr | None
    def __init__(self, *, spelling: Literal['membar'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyAsyncAcquireOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyAsyncOp(EffectInstruction):
    space: StringAttr | None
    def __init__(self, *, space: Literal['global', 'shared::cluster', 'shared::cta'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyAsyncReleaseOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyTensormapAcquireOp(EffectInstruction):
    semantics: StringAttr; scope: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand
    def __init__(self, address: Value, *, semantics: Literal['acq_rel', 'acquire'] | StringAttr, scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyTensormapReleaseOp(EffectInstruction):
    scope: StringAttr
    def __init__(self, *, scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceReleaseSyncRestrictOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FmaMixedOp(PureInstruction):
    rounding: StringAttr; saturate: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr, saturate: Literal['sat'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, source: Literal['bf16', 'f16'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FmaOp(PureInstruction):
    rounding: StringAttr; flush: StringAttr | None; saturate: StringAttr | None; relu: StringAttr | None; type: StringAttr; spelling: StringAttr | None; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., saturate: Literal['sat'] | StringAttr | None = ..., relu: Literal['relu'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f32x2', 'f64'] | StringAttr, spelling: Literal['mad'] | StringAttr | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FnsOp(PureInstruction):
    mask: Operand; base: Operand; offset: Operand; d: OpResult
    def __init__(self, mask: Value, base: Value, offset: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class GetctarankGenericOp(PureInstruction):
    address: Operand; d: OpResult
    def __init__(self, address: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class GetctarankOp(SharedAddressing):
    spelling: StringAttr | None; address: Operand; d: OpResult
    def __init__(self, address: Value, *, spelling: Literal['u64'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class GriddepcontrolOp(EffectInstruction):
    action: StringAttr
    def __init__(self, *, action: Literal['launch_dependents', 'wait'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class IsspacepOp(PureInstruction):
    space: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, space: Literal['const', 'global', 'local', 'param', 'param::entry', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LdOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; coherence: StringAttr | None; cache: StringAttr | None; eviction: StringAttr | None; prefetch: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; cache_policy: OptOperand; values: VarOpResult
    def __init__(self, address: Value, *, cache_policy: Value | None = ..., semantics: Literal['acquire', 'relaxed', 'volatile', 'weak'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['const', 'global', 'local', 'param', 'param::entry', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr | None = ..., coherence: Literal['nc'] | StringAttr | None = ..., cache: Literal['L1::evict_first', 'L1::evict_last', 'L1::evict_normal', 'L1::evict_unchanged', 'L1::no_allocate', 'ca', 'cg', 'cs', 'cv', 'lu'] | StringAttr | None = ..., eviction: Literal['L2::evict_first', 'L2::evict_last', 'L2::evict_normal'] | StringAttr | None = ..., prefetch: Literal['L2::128B', 'L2::256B', 'L2::64B'] | StringAttr | None = ..., type: Literal['b128', 'b16', 'b32', 'b64', 'b8', 'f32', 'f64', 's16', 's32', 's64', 's8', 'u16', 'u32', 'u64', 'u8'] | StringAttr, address_offset: Integer | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LdmatrixB8Op(PlaceInstruction):
    shape: StringAttr; count: StringAttr; transposed: StringAttr | None; type: StringAttr; source: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; values: VarOpResult
    def __init__(self, address: Value, *, shape: Literal['m16n16', 'm8n16'] | StringAttr, count: Literal['x1', 'x2', 'x4'] | StringAttr, transposed: Literal['trans'] | StringAttr | None = ..., type: Literal['b8', 'b8x16'] | StringAttr, source: Literal['b4x16_p64', 'b6x16_p32'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['shared'] | StringAttr | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LdmatrixOp(PlaceInstruction):
    shape: StringAttr; transposed: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; values: VarOpResult
    def __init__(self, address: Value, *, shape: Literal['m8n8'] | StringAttr, transposed: Literal['trans'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['shared'] | StringAttr | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Lg2Op(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Lop3Op(PureInstruction):
    table: IntegerAttr[I32]; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, table: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Lop3PredicateOp(PureInstruction):
    operation: StringAttr; table: IntegerAttr[I32]; spelling: StringAttr | None; a: Operand; b: Operand; c: Operand; predicate: Operand; d: OpResult; holds: OpResult
    def __init__(self, a: Value, b: Value, c: Value, predicate: Value, *, operation: Literal['and', 'or'] | StringAttr, table: Integer, spelling: Literal['no_result'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Mad24Op(PureInstruction):
    half: StringAttr; type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, half: Literal['hi', 'lo'] | StringAttr, type: Literal['s32', 'u32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Mad24SatOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadCcOp(PureInstruction):
    half: StringAttr; type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult; carry_out: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, half: Literal['hi', 'lo'] | StringAttr, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadHiOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadHiSatOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadWide16Op(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s16', 'u16'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadWideOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32', 'u32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadcCcOp(CarryIn):
    half: StringAttr; type: StringAttr; a: Operand; b: Operand; c: Operand; carry: Operand; d: OpResult; carry_out: OpResult
    def __init__(self, a: Value, b: Value, c: Value, carry: Value, *, half: Literal['hi', 'lo'] | StringAttr, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MadcOp(CarryIn):
    half: StringAttr; type: StringAttr; a: Operand; b: Operand; c: Operand; carry: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, carry: Value, *, half: Literal['hi', 'lo'] | StringAttr, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MapaGenericOp(PureInstruction):
    address: Operand; rank: Operand; d: OpResult
    def __init__(self, address: Value, rank: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MapaOp(SharedAddressing):
    spelling: StringAttr | None; address: Operand; rank: Operand; d: OpResult
    def __init__(self, address: Value, rank: Value, *, spelling: Literal['u64'] | StringAttr | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MatchSyncAllOp(EffectInstruction):
    type: StringAttr; spelling: StringAttr | None; a: Operand; mask: Operand; d: OpResult; agree: OpResult
    def __init__(self, a: Value, mask: Value, *, type: Literal['b32', 'b64'] | StringAttr, spelling: Literal['no_predicate'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MatchSyncAnyOp(EffectInstruction):
    type: StringAttr; a: Operand; mask: Operand; d: OpResult
    def __init__(self, a: Value, mask: Value, *, type: Literal['b32', 'b64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Max3Op(PureInstruction):
    flush: StringAttr | None; nan: StringAttr | None; abs: StringAttr | None; type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., nan: Literal['NaN'] | StringAttr | None = ..., abs: Literal['abs'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MaxOp(PureInstruction):
    flush: StringAttr | None; nan: StringAttr | None; xorsign: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., nan: Literal['NaN'] | StringAttr | None = ..., xorsign: Literal['xorsign'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MaxPackedOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16x2', 'u16x2'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MaxReluOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16x2', 's32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropExpectTxOp(Expectation):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropExpectTxRemoteOp(Expectation):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropExpectTxStateOp(Expectation):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand; state: OpResult
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropNoCompleteOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: Operand; state: OpResult
    def __init__(self, address: Value, count: Value, *, semantics: Literal['release'] | StringAttr | None = ..., scope: Literal['cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: OptOperand
    def __init__(self, address: Value, *, count: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropRemoteOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand; count: OptOperand
    def __init__(self, address: Value, *, count: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveDropStateOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: OptOperand; state: OpResult
    def __init__(self, address: Value, *, count: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveExpectTxOp(Expectation):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveExpectTxRemoteOp(Expectation):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveExpectTxStateOp(Expectation):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand; state: OpResult
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveNoCompleteOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: Operand; state: OpResult
    def __init__(self, address: Value, count: Value, *, semantics: Literal['release'] | StringAttr | None = ..., scope: Literal['cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: OptOperand
    def __init__(self, address: Value, *, count: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveRemoteOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand; count: OptOperand
    def __init__(self, address: Value, *, count: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierArriveStateOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: OptOperand; state: OpResult
    def __init__(self, address: Value, *, count: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierCompleteTxOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierCompleteTxRemoteOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, semantics: Literal['relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierExpectTxOp(Expectation):
    address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, address_offset: Integer | None = ..., spelling: Literal['cluster', 'cluster_generic', 'cluster_shared', 'generic', 'plain', 'plain_generic', 'plain_shared', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierExpectTxRemoteOp(Expectation):
    address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; bytes: Operand
    def __init__(self, address: Value, bytes: Value, *, address_offset: Integer | None = ..., spelling: Literal['cta', 'plain'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierInitOp(BarrierInstruction):
    address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; count: Operand
    def __init__(self, address: Value, count: Value, *, address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierInvalOp(BarrierInstruction):
    address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand
    def __init__(self, address: Value, *, address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierPendingCountOp(PendingCount):
    state: Operand; d: OpResult
    def __init__(self, state: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierTestWaitOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; state: Operand; done: OpResult
    def __init__(self, address: Value, state: Value, *, semantics: Literal['acquire', 'relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierTestWaitParityOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; parity: Operand; done: OpResult
    def __init__(self, address: Value, parity: Value, *, semantics: Literal['acquire', 'relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierTryWaitOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; state: Operand; time_limit: OptOperand; done: OpResult
    def __init__(self, address: Value, state: Value, *, time_limit: Value | None = ..., semantics: Literal['acquire', 'relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierTryWaitParityOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; parity: Operand; time_limit: OptOperand; done: OpResult
    def __init__(self, address: Value, parity: Value, *, time_limit: Value | None = ..., semantics: Literal['acquire', 'relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic', 'shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierWaitOp(BarrierInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; address_offset: IntegerAttr[I32] | None; address: Operand; parity: Operand
    def __init__(self, address: Value, parity: Value, *, semantics: Literal['acquire', 'relaxed'] | StringAttr | None = ..., scope: Literal['cluster', 'cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MembarOp(EffectInstruction):
    scope: StringAttr
    def __init__(self, *, scope: Literal['cta', 'gpu', 'sys'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Min3Op(PureInstruction):
    flush: StringAttr | None; nan: StringAttr | None; abs: StringAttr | None; type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., nan: Literal['NaN'] | StringAttr | None = ..., abs: Literal['abs'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MinOp(PureInstruction):
    flush: StringAttr | None; nan: StringAttr | None; xorsign: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., nan: Literal['NaN'] | StringAttr | None = ..., xorsign: Literal['xorsign'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MinPackedOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16x2', 'u16x2'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MinReluOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16x2', 's32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaSyncF64Op(EffectInstruction):
    shape: StringAttr; d_type: StringAttr; a_type: StringAttr; b_type: StringAttr; c_type: StringAttr; a: VarOperand; b: VarOperand; c: VarOperand; d: VarOpResult
    def __init__(self, a: Sequence[Value] = ..., b: Sequence[Value] = ..., c: Sequence[Value] = ..., *, shape: Literal['m16n8k16', 'm16n8k4', 'm16n8k8', 'm8n8k4'] | StringAttr, d_type: Literal['f64'] | StringAttr, a_type: Literal['f64'] | StringAttr, b_type: Literal['f64'] | StringAttr, c_type: Literal['f64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaSyncOp(EffectInstruction):
    shape: StringAttr; a_layout: StringAttr; b_layout: StringAttr; saturate: StringAttr | None; d_type: StringAttr; a_type: StringAttr; b_type: StringAttr; c_type: StringAttr; bit_operation: StringAttr | None; a: VarOperand; b: VarOperand; c: VarOperand; d: VarOpResult
    def __init__(self, a: Sequence[Value] = ..., b: Sequence[Value] = ..., c: Sequence[Value] = ..., *, shape: Literal['m16n8k128', 'm16n8k16', 'm16n8k256', 'm16n8k32', 'm16n8k4', 'm16n8k64', 'm16n8k8', 'm8n8k128', 'm8n8k16', 'm8n8k32', 'm8n8k4'] | StringAttr, a_layout: Literal['col', 'row'] | StringAttr, b_layout: Literal['col', 'row'] | StringAttr, saturate: Literal['satfinite'] | StringAttr | None = ..., d_type: Literal['f16', 'f32', 's32'] | StringAttr, a_type: Literal['b1', 'bf16', 'e4m3', 'e5m2', 'f16', 's4', 's8', 'tf32', 'u4', 'u8'] | StringAttr, b_type: Literal['b1', 'bf16', 'e4m3', 'e5m2', 'f16', 's4', 's8', 'tf32', 'u4', 'u8'] | StringAttr, c_type: Literal['f16', 'f32', 's32'] | StringAttr, bit_operation: Literal['and', 'xor'] | StringAttr | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MovOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['b128', 'b16', 'b32', 'b64', 'f32', 'f64', 'pred', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MovmatrixOp(EffectInstruction):
    shape: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, shape: Literal['m8n8'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Mul24Op(PureInstruction):
    half: StringAttr; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, half: Literal['hi', 'lo'] | StringAttr, type: Literal['s32', 'u32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MulOp(PureInstruction):
    half: StringAttr | None; rounding: StringAttr | None; flush: StringAttr | None; saturate: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, half: Literal['hi', 'lo'] | StringAttr | None = ..., rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr | None = ..., flush: Literal['ftz'] | StringAttr | None = ..., saturate: Literal['sat'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f32x2', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MulWide16Op(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16', 'u16'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MulWideOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s32', 'u32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MultimemLdReduceOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; operation: StringAttr; accumulator: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; values: VarOpResult
    def __init__(self, address: Value, *, semantics: Literal['acquire', 'relaxed', 'weak'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global'] | StringAttr | None = ..., operation: Literal['add', 'and', 'max', 'min', 'or', 'xor'] | StringAttr, accumulator: Literal['acc::f16', 'acc::f32'] | StringAttr | None = ..., type: Literal['b32', 'b64', 'bf16', 'bf16x2', 'e4m3x2', 'e4m3x4', 'e5m2x2', 'e5m2x4', 'f16', 'f16x2', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MultimemRedOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; operation: StringAttr; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; values: VarOperand
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global'] | StringAttr | None = ..., operation: Literal['add', 'and', 'max', 'min', 'or', 'xor'] | StringAttr, type: Literal['b32', 'b64', 'bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MultimemStOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; values: VarOperand
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, semantics: Literal['relaxed', 'release', 'weak'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global'] | StringAttr | None = ..., type: Literal['b32', 'b64', 'bf16', 'bf16x2', 'e4m3x2', 'e4m3x4', 'e5m2x2', 'e5m2x4', 'f16', 'f16x2', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class NanosleepOp(EffectInstruction):
    duration: Operand
    def __init__(self, duration: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class NegOp(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's16', 's32', 's64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class NotOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['b16', 'b32', 'b64', 'pred'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class OrOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['b16', 'b32', 'b64', 'pred'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PackOp(Packing):
    type: StringAttr; parts: VarOperand; d: OpResult
    def __init__(self, parts: Sequence[Value] = ..., *, type: Literal['b128', 'b16', 'b32', 'b64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PmeventMaskOp(EffectInstruction):
    events: IntegerAttr[I32]
    def __init__(self, *, events: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PmeventOp(EffectInstruction):
    event: IntegerAttr[I32]
    def __init__(self, *, event: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PopcOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['b32', 'b64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PrefetchOp(EffectInstruction):
    space: StringAttr | None; level: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand
    def __init__(self, address: Value, *, space: Literal['global', 'local'] | StringAttr | None = ..., level: Literal['L1', 'L2', 'L2::evict_last', 'L2::evict_normal'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PrefetchTensormapOp(EffectInstruction):
    tensor_map_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; tensor_map: Operand
    def __init__(self, tensor_map: Value, *, tensor_map_offset: Integer | None = ..., spelling: Literal['const', 'param'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PrefetchuOp(EffectInstruction):
    address_offset: IntegerAttr[I32] | None; address: Operand
    def __init__(self, address: Value, *, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PrmtOp(PureInstruction):
    mode: StringAttr | None; a: Operand; b: Operand; selector: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, selector: Value, *, mode: Literal['b4e', 'ecl', 'ecr', 'f4e', 'rc16', 'rc8'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RcpOp(PureInstruction):
    rounding: StringAttr; flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, rounding: Literal['approx', 'rm', 'rn', 'rp', 'rz'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32', 'f64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RedAsyncGlobalOp(PlaceInstruction):
    mmio: StringAttr | None; semantics: StringAttr; scope: StringAttr; space: StringAttr | None; operation: StringAttr; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; value: Operand
    def __init__(self, address: Value, value: Value, *, mmio: Literal['mmio'] | StringAttr | None = ..., semantics: Literal['release'] | StringAttr, scope: Literal['gpu', 'sys'] | StringAttr, space: Literal['global'] | StringAttr | None = ..., operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, type: Literal['b32', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RedAsyncOp(PlaceInstruction):
    operation: StringAttr; type: StringAttr; address_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; address: Operand; value: Operand; mbarrier: Operand
    def __init__(self, address: Value, value: Value, mbarrier: Value, *, operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, type: Literal['b32', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RedOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; operation: StringAttr; noftz: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; value: Operand; cache_policy: OptOperand
    def __init__(self, address: Value, value: Value, *, cache_policy: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr | None = ..., operation: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr, noftz: Literal['noftz'] | StringAttr | None = ..., type: Literal['b32', 'b64', 'bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RedVectorOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; operation: StringAttr; noftz: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; values: VarOperand; cache_policy: OptOperand
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, cache_policy: Value | None = ..., semantics: Literal['relaxed', 'release'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global'] | StringAttr | None = ..., operation: Literal['add', 'max', 'min'] | StringAttr, noftz: Literal['noftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ReduxSyncOp(EffectInstruction):
    operation: StringAttr; abs: StringAttr | None; nan: StringAttr | None; type: StringAttr; a: Operand; mask: Operand; d: OpResult
    def __init__(self, a: Value, mask: Value, *, operation: Literal['add', 'and', 'max', 'min', 'or', 'xor'] | StringAttr, abs: Literal['abs'] | StringAttr | None = ..., nan: Literal['NaN'] | StringAttr | None = ..., type: Literal['b32', 'f32', 's32', 'u32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RemOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RetOp(Terminator):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RsqrtOp(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32', 'f64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SadOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SelpOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; condition: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, condition: Value, *, type: Literal['b16', 'b32', 'b64', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SetCombinedOp(PureInstruction):
    comparison: StringAttr; combination: StringAttr; flush: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, comparison: Literal['eq', 'equ', 'ge', 'geu', 'gt', 'gtu', 'hi', 'hs', 'le', 'leu', 'lo', 'ls', 'lt', 'ltu', 'nan', 'ne', 'neu', 'num'] | StringAttr, combination: Literal['and', 'or', 'xor'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 's16', 's32', 'u16', 'u32'] | StringAttr, source: Literal['b16', 'b32', 'b64', 'bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SetOp(PureInstruction):
    comparison: StringAttr; flush: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, comparison: Literal['eq', 'equ', 'ge', 'geu', 'gt', 'gtu', 'hi', 'hs', 'le', 'leu', 'lo', 'ls', 'lt', 'ltu', 'nan', 'ne', 'neu', 'num'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 's16', 's32', 'u16', 'u32'] | StringAttr, source: Literal['b16', 'b32', 'b64', 'bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SetmaxnregOp(RegisterChange):
    action: StringAttr; registers: IntegerAttr[I32]
    def __init__(self, *, action: Literal['dec', 'inc'] | StringAttr, registers: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SetpCombinedOp(PureInstruction):
    comparison: StringAttr; combination: StringAttr; flush: StringAttr | None; type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, comparison: Literal['eq', 'equ', 'ge', 'geu', 'gt', 'gtu', 'hi', 'hs', 'le', 'leu', 'lo', 'ls', 'lt', 'ltu', 'nan', 'ne', 'neu', 'num'] | StringAttr, combination: Literal['and', 'or', 'xor'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['b16', 'b32', 'b64', 'bf16', 'f16', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SetpOp(PureInstruction):
    comparison: StringAttr; flush: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, comparison: Literal['eq', 'equ', 'ge', 'geu', 'gt', 'gtu', 'hi', 'hs', 'le', 'leu', 'lo', 'ls', 'lt', 'ltu', 'nan', 'ne', 'neu', 'num'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['b16', 'b32', 'b64', 'bf16', 'f16', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SetpPairOp(PureInstruction):
    comparison: StringAttr; combination: StringAttr | None; flush: StringAttr | None; type: StringAttr; spelling: StringAttr | None; a: Operand; b: Operand; predicate: OptOperand; d: OpResult; other: OpResult
    def __init__(self, a: Value, b: Value, *, predicate: Value | None = ..., comparison: Literal['eq', 'equ', 'ge', 'geu', 'gt', 'gtu', 'hi', 'hs', 'le', 'leu', 'lo', 'ls', 'lt', 'ltu', 'nan', 'ne', 'neu', 'num'] | StringAttr, combination: Literal['and', 'or', 'xor'] | StringAttr | None = ..., flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['b16', 'b32', 'b64', 'bf16x2', 'f16x2', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, spelling: Literal['first_result', 'other_result'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ShfOp(PureInstruction):
    direction: StringAttr; mode: StringAttr; low: Operand; high: Operand; amount: Operand; d: OpResult
    def __init__(self, low: Value, high: Value, amount: Value, *, direction: Literal['l', 'r'] | StringAttr, mode: Literal['clamp', 'wrap'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ShflSyncOp(EffectInstruction):
    mode: StringAttr; spelling: StringAttr | None; a: Operand; lane: Operand; clamp: Operand; mask: Operand; d: OpResult; in_range: OpResult
    def __init__(self, a: Value, lane: Value, clamp: Value, mask: Value, *, mode: Literal['bfly', 'down', 'idx', 'up'] | StringAttr, spelling: Literal['no_predicate'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ShlOp(PureInstruction):
    type: StringAttr; a: Operand; amount: Operand; d: OpResult
    def __init__(self, a: Value, amount: Value, *, type: Literal['b16', 'b32', 'b64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ShrOp(PureInstruction):
    type: StringAttr; a: Operand; amount: Operand; d: OpResult
    def __init__(self, a: Value, amount: Value, *, type: Literal['b16', 'b32', 'b64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SinOp(PureInstruction):
    flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SinTurnsOp(PureInstruction):
    flush: StringAttr; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, flush: Literal['ftz'] | StringAttr, type: Literal['f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SlctOp(PureInstruction):
    flush: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['b16', 'b32', 'b64', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, source: Literal['f32', 's32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SpecialRegisterB64Op(EffectInstruction):
    register: StringAttr; spelling: StringAttr | None; d: OpResult
    def __init__(self, *, register: Literal['clock64', 'current_graph_exec', 'globaltimer', 'gridid', 'pm0_64', 'pm1_64', 'pm2_64', 'pm3_64', 'pm4_64', 'pm5_64', 'pm6_64', 'pm7_64'] | StringAttr, spelling: Literal['b64', 's64'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SpecialRegisterOp(PureInstruction):
    register: StringAttr; spelling: StringAttr | None; d: OpResult
    def __init__(self, *, register: Literal['aggr_smem_size', 'cluster_ctaid.x', 'cluster_ctaid.y', 'cluster_ctaid.z', 'cluster_ctarank', 'cluster_nctaid.x', 'cluster_nctaid.y', 'cluster_nctaid.z', 'cluster_nctarank', 'clusterid.x', 'clusterid.y', 'clusterid.z', 'ctaid.x', 'ctaid.y', 'ctaid.z', 'dynamic_smem_size', 'envreg0', 'envreg1', 'envreg10', 'envreg11', 'envreg12', 'envreg13', 'envreg14', 'envreg15', 'envreg16', 'envreg17', 'envreg18', 'envreg19', 'envreg2', 'envreg20', 'envreg21', 'envreg22', 'envreg23', 'envreg24', 'envreg25', 'envreg26', 'envreg27', 'envreg28', 'envreg29', 'envreg3', 'envreg30', 'envreg31', 'envreg4', 'envreg5', 'envreg6', 'envreg7', 'envreg8', 'envreg9', 'gridid', 'laneid', 'lanemask_eq', 'lanemask_ge', 'lanemask_gt', 'lanemask_le', 'lanemask_lt', 'nclusterid.x', 'nclusterid.y', 'nclusterid.z', 'nctaid.x', 'nctaid.y', 'nctaid.z', 'ntid.x', 'ntid.y', 'ntid.z', 'nwarpid', 'reserved_smem_offset_0', 'reserved_smem_offset_1', 'reserved_smem_offset_begin', 'reserved_smem_offset_cap', 'reserved_smem_offset_end', 'tid.x', 'tid.y', 'tid.z', 'total_smem_size'] | StringAttr, spelling: Literal['b32', 's32'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SpecialRegisterPredOp(PureInstruction):
    register: StringAttr; d: OpResult
    def __init__(self, *, register: Literal['is_explicit_cluster'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SpecialRegisterVolatileOp(EffectInstruction):
    register: StringAttr; spelling: StringAttr | None; d: OpResult
    def __init__(self, *, register: Literal['clock', 'clock_hi', 'globaltimer_hi', 'globaltimer_lo', 'nsmid', 'pm0', 'pm1', 'pm2', 'pm3', 'pm4', 'pm5', 'pm6', 'pm7', 'smid', 'warpid'] | StringAttr, spelling: Literal['b32', 's32'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SqrtOp(PureInstruction):
    rounding: StringAttr; flush: StringAttr | None; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, rounding: Literal['approx', 'rm', 'rn', 'rp', 'rz'] | StringAttr, flush: Literal['ftz'] | StringAttr | None = ..., type: Literal['f32', 'f64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StAsyncGlobalOp(PlaceInstruction):
    mmio: StringAttr | None; semantics: StringAttr; scope: StringAttr; space: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; value: Operand
    def __init__(self, address: Value, value: Value, *, mmio: Literal['mmio'] | StringAttr | None = ..., semantics: Literal['release'] | StringAttr, scope: Literal['gpu', 'sys'] | StringAttr, space: Literal['global'] | StringAttr | None = ..., type: Literal['b16', 'b32', 'b64', 'f32', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StAsyncOp(PlaceInstruction):
    semantics: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; mbarrier_offset: IntegerAttr[I32] | None; address: Operand; values: VarOperand; mbarrier: Operand
    def __init__(self, address: Value, values: Sequence[Value], mbarrier: Value, *, semantics: Literal['weak'] | StringAttr | None = ..., type: Literal['b128', 'b32', 'b64', 'f32', 'f64', 's32', 's64', 'u32', 'u64'] | StringAttr, address_offset: Integer | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StBulkOp(SizedInstruction):
    semantics: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; size: Operand
    def __init__(self, address: Value, size: Value, *, semantics: Literal['weak'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['generic'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StOp(PlaceInstruction):
    semantics: StringAttr | None; scope: StringAttr | None; space: StringAttr | None; cache: StringAttr | None; eviction: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; values: VarOperand; cache_policy: OptOperand
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, cache_policy: Value | None = ..., semantics: Literal['relaxed', 'release', 'volatile', 'weak'] | StringAttr | None = ..., scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr | None = ..., space: Literal['global', 'local', 'shared', 'shared::cluster', 'shared::cta'] | StringAttr | None = ..., cache: Literal['L1::evict_first', 'L1::evict_last', 'L1::evict_normal', 'L1::evict_unchanged', 'L1::no_allocate', 'cg', 'cs', 'wb', 'wt'] | StringAttr | None = ..., eviction: Literal['L2::evict_first', 'L2::evict_last', 'L2::evict_normal'] | StringAttr | None = ..., type: Literal['b128', 'b16', 'b32', 'b64', 'b8', 'f32', 'f64', 's16', 's32', 's64', 's8', 'u16', 'u32', 'u64', 'u8'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StmatrixB8Op(PlaceInstruction):
    address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; values: VarOperand
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, address_offset: Integer | None = ..., spelling: Literal['shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StmatrixOp(PlaceInstruction):
    shape: StringAttr; transposed: StringAttr | None; address_offset: IntegerAttr[I32] | None; spelling: StringAttr | None; address: Operand; values: VarOperand
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, shape: Literal['m8n8'] | StringAttr, transposed: Literal['trans'] | StringAttr | None = ..., address_offset: Integer | None = ..., spelling: Literal['shared'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SubCcOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult; carry_out: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SubMixedOp(PureInstruction):
    rounding: StringAttr | None; saturate: StringAttr | None; type: StringAttr; source: StringAttr; a: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, c: Value, *, rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr | None = ..., saturate: Literal['sat'] | StringAttr | None = ..., type: Literal['f32'] | StringAttr, source: Literal['bf16', 'f16'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SubOp(PureInstruction):
    rounding: StringAttr | None; flush: StringAttr | None; saturate: StringAttr | None; type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, rounding: Literal['rm', 'rn', 'rp', 'rz'] | StringAttr | None = ..., flush: Literal['ftz'] | StringAttr | None = ..., saturate: Literal['sat'] | StringAttr | None = ..., type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32', 'f32x2', 'f64', 's16', 's32', 's64', 'u16', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SubSatOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['s32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SubcCcOp(CarryIn):
    type: StringAttr; a: Operand; b: Operand; carry: Operand; d: OpResult; carry_out: OpResult
    def __init__(self, a: Value, b: Value, carry: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SubcOp(CarryIn):
    type: StringAttr; a: Operand; b: Operand; carry: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, carry: Value, *, type: Literal['s32', 's64', 'u32', 'u64'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SzextOp(PureInstruction):
    mode: StringAttr; type: StringAttr; a: Operand; length: Operand; d: OpResult
    def __init__(self, a: Value, length: Value, *, mode: Literal['clamp', 'wrap'] | StringAttr, type: Literal['s32', 'u32'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TanhOp(PureInstruction):
    type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, type: Literal['bf16', 'bf16x2', 'f16', 'f16x2', 'f32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TensormapCpFenceproxyOp(PlaceInstruction):
    scope: StringAttr; destination_offset: IntegerAttr[I32] | None; source_offset: IntegerAttr[I32] | None; destination: Operand; source: Operand
    def __init__(self, destination: Value, source: Value, *, scope: Literal['cluster', 'cta', 'gpu', 'sys'] | StringAttr, destination_offset: Integer | None = ..., source_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TensormapReplaceDimensionOp(PlaceInstruction):
    field: StringAttr; space: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; ordinal: IntegerAttr[I32]; address: Operand; value: Operand
    def __init__(self, address: Value, value: Value, *, field: Literal['box_dim', 'element_stride', 'global_dim', 'global_stride'] | StringAttr, space: Literal['global', 'shared::cta'] | StringAttr | None = ..., type: Literal['b32', 'b64'] | StringAttr, address_offset: Integer | None = ..., ordinal: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TensormapReplaceModeOp(PlaceInstruction):
    field: StringAttr; space: StringAttr | None; address_offset: IntegerAttr[I32] | None; value: IntegerAttr[I32]; address: Operand
    def __init__(self, address: Value, *, field: Literal['elemtype', 'fill_mode', 'interleave_layout', 'swizzle_atomicity', 'swizzle_mode'] | StringAttr, space: Literal['global', 'shared::cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., value: Integer, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TensormapReplaceOp(PlaceInstruction):
    field: StringAttr; space: StringAttr | None; type: StringAttr; address_offset: IntegerAttr[I32] | None; address: Operand; value: Operand
    def __init__(self, address: Value, value: Value, *, field: Literal['global_address', 'rank'] | StringAttr, space: Literal['global', 'shared::cta'] | StringAttr | None = ..., type: Literal['b32', 'b64'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TestpOp(PureInstruction):
    test: StringAttr; type: StringAttr; a: Operand; d: OpResult
    def __init__(self, a: Value, *, test: Literal['finite', 'infinite', 'normal', 'notanumber', 'number', 'subnormal'] | StringAttr, type: Literal['f32', 'f64'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TrapHereOp(EffectInstruction):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TrapOp(Terminator):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class UnpackOp(Packing):
    type: StringAttr; sinks: DenseArrayBase[I32] | None; a: Operand; parts: VarOpResult
    def __init__(self, a: Value, *, type: Literal['b128', 'b16', 'b32', 'b64'] | StringAttr, sinks: Integers | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Vabsdiff2AddOp(PureInstruction):
    type: StringAttr; a_type: StringAttr; b_type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32', 'u32'] | StringAttr, a_type: Literal['s32', 'u32'] | StringAttr, b_type: Literal['s32', 'u32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Vabsdiff2Op(PureInstruction):
    type: StringAttr; a_type: StringAttr; b_type: StringAttr; saturate: StringAttr | None; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32', 'u32'] | StringAttr, a_type: Literal['s32', 'u32'] | StringAttr, b_type: Literal['s32', 'u32'] | StringAttr, saturate: Literal['sat'] | StringAttr | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Vabsdiff4AddOp(PureInstruction):
    type: StringAttr; a_type: StringAttr; b_type: StringAttr; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32', 'u32'] | StringAttr, a_type: Literal['s32', 'u32'] | StringAttr, b_type: Literal['s32', 'u32'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Vabsdiff4Op(PureInstruction):
    type: StringAttr; a_type: StringAttr; b_type: StringAttr; saturate: StringAttr | None; a: Operand; b: Operand; c: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, c: Value, *, type: Literal['s32', 'u32'] | StringAttr, a_type: Literal['s32', 'u32'] | StringAttr, b_type: Literal['s32', 'u32'] | StringAttr, saturate: Literal['sat'] | StringAttr | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class VoteSyncBallotOp(EffectInstruction):
    a: Operand; mask: Operand; d: OpResult
    def __init__(self, a: Value, mask: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class VoteSyncOp(EffectInstruction):
    mode: StringAttr; a: Operand; mask: Operand; d: OpResult
    def __init__(self, a: Value, mask: Value, *, mode: Literal['all', 'any', 'uni'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class XorOp(PureInstruction):
    type: StringAttr; a: Operand; b: Operand; d: OpResult
    def __init__(self, a: Value, b: Value, *, type: Literal['b16', 'b32', 'b64', 'pred'] | StringAttr, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...
