"""The classes of the dialect `ptx`. `make docs` writes this file."""

from collections.abc import Mapping, Sequence
from typing import Literal

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block

from ..ptx import approximate as _approximate
from ..ptx import arithmetic as _arithmetic
from ..ptx import async_stores as _async_stores
from ..ptx import atomics as _atomics
from ..ptx import barrier_reduction as _barrier_reduction
from ..ptx import bits as _bits
from ..ptx import bulk_bytes as _bulk_bytes
from ..ptx import bulk_copy as _bulk_copy
from ..ptx import cache_hints as _cache_hints
from ..ptx import call as _call
from ..ptx import clusterlaunchcontrol as _clusterlaunchcontrol
from ..ptx import comparison as _comparison
from ..ptx import contract as _contract
from ..ptx import control_flow as _control_flow
from ..ptx import cp_async as _cp_async
from ..ptx import createpolicy as _createpolicy
from ..ptx import extended_precision as _extended_precision
from ..ptx import extrema as _extrema
from ..ptx import fences as _fences
from ..ptx import im2col as _im2col
from ..ptx import inline as _inline
from ..ptx import integers as _integers
from ..ptx import isspacep as _isspacep
from ..ptx import kernel as _kernel
from ..ptx import ldmatrix as _ldmatrix
from ..ptx import mbarrier as _mbarrier
from ..ptx import mbarrier_drop as _mbarrier_drop
from ..ptx import memory as _memory
from ..ptx import mixed_precision as _mixed_precision
from ..ptx import mma_sync as _mma_sync
from ..ptx import multimem as _multimem
from ..ptx import packed_conversion as _packed_conversion
from ..ptx import parameters as _parameters
from ..ptx import structure as _structure
from ..ptx import synchronization as _synchronization
from ..ptx import tcgen05 as _tcgen05
from ..ptx import tcgen05_mma as _tcgen05_mma
from ..ptx import tensormap as _tensormap
from ..ptx import variables as _variables
from ..ptx import warp as _warp
from ..ptx import wide as _wide
from ..ptx.target import TargetAttr as TargetAttr
from ..ptx.types import CarryType as CarryType
from ..ptx.types import ParamArrayType as ParamArrayType
from ..ptx.types import TensorMapType as TensorMapType
from ..ptx.variables import SymbolAddressAttr as SymbolAddressAttr
from .types import Body, Flag, Float, Integer, Integers, Items, Symbol, Text, Value

class AbsOp(_arithmetic.AbsOp):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32", "f64", "s16", "s32", "s64"]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ActivemaskOp(_warp.ActivemaskOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AddCcOp(_extended_precision.AddCcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddMixedOp(_mixed_precision.AddMixedOp):
    def __init__(
        self,
        a: Value,
        c: Value,
        *,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr | None = ...,
        saturate: Literal["sat"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        source: Literal["bf16", "f16"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddOp(_arithmetic.AddOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr | None = ...,
        flush: Literal["ftz"] | StringAttr | None = ...,
        saturate: Literal["sat"] | StringAttr | None = ...,
        type: Literal[
            "bf16",
            "bf16x2",
            "f16",
            "f16x2",
            "f32",
            "f32x2",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddPackedOp(_integers.AddPackedOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16x2", "u16x2"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddSatOp(_integers.AddSatOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddcCcOp(_extended_precision.AddcCcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        carry: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddcOp(_extended_precision.AddcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        carry: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AddressOfOp(_structure.AddressOfOp):
    def __init__(
        self,
        *,
        variable: Symbol,
        offset: Integer | None = ...,
        in_register: Flag | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AndOp(_arithmetic.AndOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["b16", "b32", "b64", "pred"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ApplypriorityOp(_cache_hints.ApplypriorityOp):
    def __init__(
        self,
        address: Value,
        *,
        space: Literal["global"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AssumeOp(_contract.AssumeOp):
    def __init__(
        self, condition: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class AtomCasOp(_atomics.AtomCasOp):
    def __init__(
        self,
        address: Value,
        compare: Value,
        value: Value,
        *,
        semantics: Literal["acq_rel", "acquire", "relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global", "shared", "shared::cluster", "shared::cta"]
        | StringAttr
        | None = ...,
        type: Literal["b128", "b16", "b32", "b64"] | StringAttr,
        spelling: Literal["no_result"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AtomOp(_atomics.AtomOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        *,
        cache_policy: Value | None = ...,
        semantics: Literal["acq_rel", "acquire", "relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global", "shared", "shared::cluster", "shared::cta"]
        | StringAttr
        | None = ...,
        operation: Literal["add", "and", "dec", "exch", "inc", "max", "min", "or", "xor"]
        | StringAttr,
        noftz: Literal["noftz"] | StringAttr | None = ...,
        type: Literal[
            "b128",
            "b32",
            "b64",
            "bf16",
            "bf16x2",
            "f16",
            "f16x2",
            "f32",
            "f64",
            "s32",
            "s64",
            "u32",
            "u64",
        ]
        | StringAttr,
        spelling: Literal["no_result"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class AtomVectorOp(_atomics.AtomVectorOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        cache_policy: Value | None = ...,
        semantics: Literal["acq_rel", "acquire", "relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global"] | StringAttr | None = ...,
        operation: Literal["add", "max", "min"] | StringAttr,
        noftz: Literal["noftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32"] | StringAttr,
        sinks: Integers | None = ...,
        address_offset: Integer | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BarArriveOp(_synchronization.BarArriveOp):
    def __init__(
        self,
        barrier: Value,
        threads: Value,
        *,
        spelling: Literal[
            "bar_cta", "barrier", "barrier_aligned", "barrier_cta", "barrier_cta_aligned"
        ]
        | StringAttr
        | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BarRedOp(_barrier_reduction.BarRedOp):
    def __init__(
        self,
        barrier: Value,
        a: Value,
        *,
        threads: Value | None = ...,
        operation: Literal["and", "or"] | StringAttr,
        spelling: Literal[
            "bar_cta", "barrier", "barrier_aligned", "barrier_cta", "barrier_cta_aligned"
        ]
        | StringAttr
        | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BarRedPopcOp(_barrier_reduction.BarRedPopcOp):
    def __init__(
        self,
        barrier: Value,
        a: Value,
        *,
        threads: Value | None = ...,
        spelling: Literal[
            "bar_cta", "barrier", "barrier_aligned", "barrier_cta", "barrier_cta_aligned"
        ]
        | StringAttr
        | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BarSyncOp(_synchronization.BarSyncOp):
    def __init__(
        self,
        barrier: Value,
        *,
        threads: Value | None = ...,
        spelling: Literal[
            "bar_cta", "barrier", "barrier_aligned", "barrier_cta", "barrier_cta_aligned"
        ]
        | StringAttr
        | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BarWarpSyncOp(_synchronization.BarWarpSyncOp):
    def __init__(
        self, mask: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class BarrierClusterArriveOp(_synchronization.BarrierClusterArriveOp):
    def __init__(
        self,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        aligned: Literal["aligned"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BarrierClusterWaitOp(_synchronization.BarrierClusterWaitOp):
    def __init__(
        self,
        *,
        semantics: Literal["acquire"] | StringAttr | None = ...,
        aligned: Literal["aligned"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BfeOp(_bits.BfeOp):
    def __init__(
        self,
        a: Value,
        position: Value,
        length: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BfiOp(_bits.BfiOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        position: Value,
        length: Value,
        *,
        type: Literal["b32", "b64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BfindOp(_bits.BfindOp):
    def __init__(
        self,
        a: Value,
        *,
        shift_amount: Literal["shiftamt"] | StringAttr | None = ...,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BmskOp(_integers.BmskOp):
    def __init__(
        self,
        position: Value,
        length: Value,
        *,
        mode: Literal["clamp", "wrap"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BraOp(_control_flow.BraOp):
    def __init__(
        self,
        successor: Block,
        arguments: Sequence[Value] = ...,
        *,
        uniform: Flag | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BrevOp(_bits.BrevOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["b32", "b64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class BrkptOp(_control_flow.BrkptOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BrxOp(_control_flow.BrxOp):
    def __init__(
        self,
        blocks: Sequence[Block],
        index: Value,
        arguments: Sequence[Value] = ...,
        *,
        counts: Integers,
        uniform: Flag | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CallOp(_call.CallOp):
    def __init__(
        self,
        arguments: Sequence[Value] = ...,
        *,
        callee: Symbol,
        parameters: Items,
        returned: Items,
        stores: Items,
        loads: Items,
        uniform: Flag | None = ...,
        result_types: Sequence[Attribute] = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ClusterlaunchcontrolFirstCtaOp(_clusterlaunchcontrol.ClusterlaunchcontrolFirstCtaOp):
    def __init__(
        self,
        response: Value,
        *,
        coordinate: Literal["x", "y", "z"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ClusterlaunchcontrolFirstCtaVectorOp(
    _clusterlaunchcontrol.ClusterlaunchcontrolFirstCtaVectorOp
):
    def __init__(
        self,
        response: Value,
        *,
        sinks: Integers | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ClusterlaunchcontrolIsCanceledOp(_clusterlaunchcontrol.ClusterlaunchcontrolIsCanceledOp):
    def __init__(
        self, response: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class ClusterlaunchcontrolTryCancelOp(_clusterlaunchcontrol.ClusterlaunchcontrolTryCancelOp):
    def __init__(
        self,
        address: Value,
        mbarrier: Value,
        *,
        multicast: Literal["multicast::cluster::all"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ClzOp(_bits.ClzOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["b32", "b64"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CnotOp(_integers.CnotOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["b16", "b32", "b64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CondBraOp(_control_flow.CondBraOp):
    def __init__(
        self,
        then_block: Block,
        else_block: Block,
        predicate: Value,
        then_arguments: Sequence[Value] = ...,
        else_arguments: Sequence[Value] = ...,
        *,
        uniform: Flag | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ConstantOp(_structure.ConstantOp):
    def __init__(
        self,
        *,
        value: Float | Integer,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CopysignOp(_comparison.CopysignOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["f32", "f64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CosOp(_approximate.CosOp):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkCommitGroupOp(_bulk_copy.CpAsyncBulkCommitGroupOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncBulkLoadIgnoreOobOp(_bulk_bytes.CpAsyncBulkLoadIgnoreOobOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        size: Value,
        ignored_left: Value,
        ignored_right: Value,
        mbarrier: Value,
        *,
        cache_policy: Value | None = ...,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkLoadOp(_bulk_bytes.CpAsyncBulkLoadOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        size: Value,
        mbarrier: Value,
        *,
        multicast_mask: Value | None = ...,
        cache_policy: Value | None = ...,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        spelling: Literal["shared::cta"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkPrefetchOp(_bulk_bytes.CpAsyncBulkPrefetchOp):
    def __init__(
        self,
        source: Value,
        size: Value,
        *,
        cache_policy: Value | None = ...,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkPrefetchTensorGather4Op(_bulk_copy.CpAsyncBulkPrefetchTensorGather4Op):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value] = ...,
        *,
        cache_policy: Value | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkPrefetchTensorIm2colOp(_im2col.CpAsyncBulkPrefetchTensorIm2colOp):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value] = ...,
        offsets: Sequence[Value] = ...,
        *,
        cache_policy: Value | None = ...,
        mode: Literal["im2col", "im2col::w", "im2col::w::128"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkPrefetchTensorOp(_bulk_copy.CpAsyncBulkPrefetchTensorOp):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value] = ...,
        *,
        cache_policy: Value | None = ...,
        spelling: Literal["without_tile"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkRemoteOp(_bulk_bytes.CpAsyncBulkRemoteOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        size: Value,
        mbarrier: Value,
        *,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkStoreOp(_bulk_bytes.CpAsyncBulkStoreOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        size: Value,
        *,
        cache_policy: Value | None = ...,
        byte_mask: Value | None = ...,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkTensorGather4Op(_bulk_copy.CpAsyncBulkTensorGather4Op):
    def __init__(
        self,
        destination: Value,
        tensor_map: Value,
        coordinates: Sequence[Value],
        mbarrier: Value,
        *,
        multicast_mask: Value | None = ...,
        cache_policy: Value | None = ...,
        cta_group: Literal["cta_group::1", "cta_group::2"] | StringAttr | None = ...,
        destination_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        spelling: Literal["shared::cta"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkTensorIm2colNoOffsOp(_im2col.CpAsyncBulkTensorIm2colNoOffsOp):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value],
        source: Value,
        *,
        cache_policy: Value | None = ...,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkTensorIm2colOp(_im2col.CpAsyncBulkTensorIm2colOp):
    def __init__(
        self,
        destination: Value,
        tensor_map: Value,
        coordinates: Sequence[Value],
        mbarrier: Value,
        offsets: Sequence[Value] = ...,
        *,
        multicast_mask: Value | None = ...,
        cache_policy: Value | None = ...,
        mode: Literal["im2col", "im2col::w", "im2col::w::128"] | StringAttr,
        cta_group: Literal["cta_group::1", "cta_group::2"] | StringAttr | None = ...,
        destination_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        spelling: Literal["shared::cta"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkTensorLoadOp(_bulk_copy.CpAsyncBulkTensorLoadOp):
    def __init__(
        self,
        destination: Value,
        tensor_map: Value,
        coordinates: Sequence[Value],
        mbarrier: Value,
        *,
        multicast_mask: Value | None = ...,
        cache_policy: Value | None = ...,
        cta_group: Literal["cta_group::1", "cta_group::2"] | StringAttr | None = ...,
        destination_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        spelling: Literal["shared::cta", "shared::cta_without_tile", "without_tile"]
        | StringAttr
        | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkTensorScatter4Op(_bulk_copy.CpAsyncBulkTensorScatter4Op):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value],
        source: Value,
        *,
        cache_policy: Value | None = ...,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkTensorStoreOp(_bulk_copy.CpAsyncBulkTensorStoreOp):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value],
        source: Value,
        *,
        cache_policy: Value | None = ...,
        source_offset: Integer | None = ...,
        spelling: Literal["without_tile"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncBulkWaitGroupOp(_bulk_copy.CpAsyncBulkWaitGroupOp):
    def __init__(
        self,
        *,
        read: Literal["read"] | StringAttr | None = ...,
        pending: Integer,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncCommitGroupOp(_cp_async.CpAsyncCommitGroupOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncMbarrierArriveOp(_cp_async.CpAsyncMbarrierArriveOp):
    def __init__(
        self,
        address: Value,
        *,
        increment: Literal["noinc"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncOp(_cp_async.CpAsyncOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        *,
        source_size: Value | None = ...,
        cache_policy: Value | None = ...,
        cache: Literal["ca", "cg"] | StringAttr,
        prefetch: Literal["L2::128B", "L2::256B", "L2::64B"] | StringAttr | None = ...,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        size: Integer,
        spelling: Literal["shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpAsyncWaitAllOp(_cp_async.CpAsyncWaitAllOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpAsyncWaitGroupOp(_cp_async.CpAsyncWaitGroupOp):
    def __init__(
        self, *, pending: Integer, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class CpReduceAsyncBulkRemoteOp(_bulk_bytes.CpReduceAsyncBulkRemoteOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        size: Value,
        mbarrier: Value,
        *,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        type: Literal["b32", "s32", "u32", "u64"] | StringAttr,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpReduceAsyncBulkStoreOp(_bulk_bytes.CpReduceAsyncBulkStoreOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        size: Value,
        *,
        cache_policy: Value | None = ...,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        noftz: Literal["noftz"] | StringAttr | None = ...,
        type: Literal["b32", "b64", "bf16", "f16", "f32", "f64", "s32", "s64", "u32", "u64"]
        | StringAttr,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpReduceAsyncBulkTensorIm2colNoOffsOp(_im2col.CpReduceAsyncBulkTensorIm2colNoOffsOp):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value],
        source: Value,
        *,
        cache_policy: Value | None = ...,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CpReduceAsyncBulkTensorOp(_bulk_copy.CpReduceAsyncBulkTensorOp):
    def __init__(
        self,
        tensor_map: Value,
        coordinates: Sequence[Value],
        source: Value,
        *,
        cache_policy: Value | None = ...,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        source_offset: Integer | None = ...,
        spelling: Literal["without_tile"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CreatepolicyCvtOp(_createpolicy.CreatepolicyCvtOp):
    def __init__(
        self, access_property: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class CreatepolicyFractionalOp(_createpolicy.CreatepolicyFractionalOp):
    def __init__(
        self,
        *,
        fraction: Value | None = ...,
        primary: Literal[
            "L2::evict_first", "L2::evict_last", "L2::evict_normal", "L2::evict_unchanged"
        ]
        | StringAttr,
        secondary: Literal["L2::evict_first", "L2::evict_unchanged"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CreatepolicyRangeOp(_createpolicy.CreatepolicyRangeOp):
    def __init__(
        self,
        address: Value,
        primary_size: Value,
        total_size: Value,
        *,
        primary: Literal[
            "L2::evict_first", "L2::evict_last", "L2::evict_normal", "L2::evict_unchanged"
        ]
        | StringAttr,
        secondary: Literal["L2::evict_first", "L2::evict_unchanged"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtOp(_arithmetic.CvtOp):
    def __init__(
        self,
        a: Value,
        *,
        rounding: Literal["rm", "rmi", "rn", "rna", "rni", "rp", "rpi", "rz", "rzi"]
        | StringAttr
        | None = ...,
        flush: Literal["ftz"] | StringAttr | None = ...,
        saturate: Literal["sat", "satfinite"] | StringAttr | None = ...,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal[
            "bf16",
            "f16",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "s8",
            "tf32",
            "u16",
            "u32",
            "u64",
            "u8",
        ]
        | StringAttr,
        source: Literal[
            "bf16", "f16", "f32", "f64", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtPackIntegersOp(_packed_conversion.CvtPackIntegersOp):
    def __init__(
        self,
        high: Value,
        low: Value,
        *,
        type: Literal["s16", "u16"] | StringAttr,
        source: Literal["s32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtPackNarrowOp(_packed_conversion.CvtPackNarrowOp):
    def __init__(
        self,
        high: Value,
        low: Value,
        *,
        rounding: Literal["rn", "rp", "rz"] | StringAttr,
        saturate: Literal["satfinite"] | StringAttr | None = ...,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal["e2m1x2", "e2m3x2", "e3m2x2", "e4m3x2", "e5m2x2", "ue8m0x2"] | StringAttr,
        source: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtPackOp(_arithmetic.CvtPackOp):
    def __init__(
        self,
        high: Value,
        low: Value,
        *,
        rounding: Literal["rn", "rz"] | StringAttr,
        saturate: Literal["satfinite"] | StringAttr | None = ...,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal["bf16x2", "f16x2"] | StringAttr,
        source: Literal["f32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtPackShortIntegersOp(_packed_conversion.CvtPackShortIntegersOp):
    def __init__(
        self,
        high: Value,
        low: Value,
        rest: Value,
        *,
        type: Literal["s2", "s4", "s8", "u2", "u4", "u8"] | StringAttr,
        source: Literal["s32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtPackedOp(_packed_conversion.CvtPackedOp):
    def __init__(
        self,
        a: Value,
        *,
        scale: Value | None = ...,
        rounding: Literal["rn", "rp", "rz"] | StringAttr,
        saturate: Literal["satfinite"] | StringAttr | None = ...,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal[
            "bf16x2", "e2m1x2", "e2m3x2", "e3m2x2", "e4m3x2", "e5m2x2", "f16x2", "ue8m0x2"
        ]
        | StringAttr,
        source: Literal[
            "bf16x2", "e2m1x2", "e2m3x2", "e3m2x2", "e4m3x2", "e5m2x2", "f16x2", "ue8m0x2"
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtStochasticOp(_packed_conversion.CvtStochasticOp):
    def __init__(
        self,
        values: Sequence[Value],
        random: Value,
        *,
        saturate: Literal["satfinite"] | StringAttr,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal["e2m1x4", "e2m3x4", "e3m2x4", "e4m3x4", "e5m2x4"] | StringAttr,
        source: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtStochasticPairOp(_packed_conversion.CvtStochasticPairOp):
    def __init__(
        self,
        high: Value,
        low: Value,
        random: Value,
        *,
        saturate: Literal["satfinite"] | StringAttr | None = ...,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal["bf16x2", "f16x2"] | StringAttr,
        source: Literal["f32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtaOp(_memory.CvtaOp):
    def __init__(
        self,
        a: Value,
        *,
        space: Literal[
            "const",
            "global",
            "local",
            "param",
            "param::entry",
            "shared",
            "shared::cluster",
            "shared::cta",
        ]
        | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class CvtaToOp(_memory.CvtaToOp):
    def __init__(
        self,
        a: Value,
        *,
        space: Literal[
            "const",
            "global",
            "local",
            "param",
            "param::entry",
            "shared",
            "shared::cluster",
            "shared::cta",
        ]
        | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class DeclarationOp(_inline.DeclarationOp):
    def __init__(self, *, text: Text, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class DiscardOp(_cache_hints.DiscardOp):
    def __init__(
        self,
        address: Value,
        *,
        space: Literal["global"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class DivOp(_arithmetic.DivOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        rounding: Literal["approx", "full", "rm", "rn", "rp", "rz"] | StringAttr | None = ...,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32", "f64", "s16", "s32", "s64", "u16", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Dp2aOp(_integers.Dp2aOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr,
        a_type: Literal["s32", "u32"] | StringAttr,
        b_type: Literal["s32", "u32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Dp4aOp(_bits.Dp4aOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        a_type: Literal["s32", "u32"] | StringAttr,
        b_type: Literal["s32", "u32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ElectSyncOp(_synchronization.ElectSyncOp):
    def __init__(
        self,
        mask: Value,
        *,
        spelling: Literal["no_leader"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Ex2Op(_arithmetic.Ex2Op):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ExitOp(_control_flow.ExitOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceAcquireSyncRestrictOp(_fences.FenceAcquireSyncRestrictOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceMbarrierInitOp(_synchronization.FenceMbarrierInitOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceOp(_synchronization.FenceOp):
    def __init__(
        self,
        *,
        semantics: Literal["acq_rel", "acquire", "release", "sc"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FenceProxyAliasOp(_fences.FenceProxyAliasOp):
    def __init__(
        self,
        *,
        spelling: Literal["membar"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FenceProxyAsyncAcquireOp(_fences.FenceProxyAsyncAcquireOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyAsyncOp(_synchronization.FenceProxyAsyncOp):
    def __init__(
        self,
        *,
        space: Literal["global", "shared::cluster", "shared::cta"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FenceProxyAsyncReleaseOp(_fences.FenceProxyAsyncReleaseOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceProxyTensormapAcquireOp(_fences.FenceProxyTensormapAcquireOp):
    def __init__(
        self,
        address: Value,
        *,
        semantics: Literal["acq_rel", "acquire"] | StringAttr,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FenceProxyTensormapReleaseOp(_fences.FenceProxyTensormapReleaseOp):
    def __init__(
        self,
        *,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FenceReleaseSyncRestrictOp(_fences.FenceReleaseSyncRestrictOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FmaMixedOp(_mixed_precision.FmaMixedOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr,
        saturate: Literal["sat"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        source: Literal["bf16", "f16"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FmaOp(_arithmetic.FmaOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        saturate: Literal["sat"] | StringAttr | None = ...,
        relu: Literal["relu"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32", "f32x2", "f64"] | StringAttr,
        spelling: Literal["mad"] | StringAttr | None = ...,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class FnsOp(_integers.FnsOp):
    def __init__(
        self,
        mask: Value,
        base: Value,
        offset: Value,
        *,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class GetctarankGenericOp(_memory.GetctarankGenericOp):
    def __init__(
        self, address: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class GetctarankOp(_memory.GetctarankOp):
    def __init__(
        self,
        address: Value,
        *,
        spelling: Literal["u64"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class GriddepcontrolOp(_synchronization.GriddepcontrolOp):
    def __init__(
        self,
        *,
        action: Literal["launch_dependents", "wait"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class GuardOp(_structure.GuardOp):
    def __init__(
        self,
        predicate: Value,
        kept: Sequence[Value] = ...,
        *,
        negated: Flag | None = ...,
        result_types: Sequence[Attribute] = ...,
        body: Body | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class InlineOp(_inline.InlineOp):
    def __init__(
        self,
        inputs: Sequence[Value] = ...,
        kept: Sequence[Value] = ...,
        *,
        text: Text,
        result_types: Sequence[Attribute] = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class IsspacepOp(_isspacep.IsspacepOp):
    def __init__(
        self,
        a: Value,
        *,
        space: Literal[
            "const",
            "global",
            "local",
            "param",
            "param::entry",
            "shared",
            "shared::cluster",
            "shared::cta",
        ]
        | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class KernelOp(_kernel.KernelOp):
    def __init__(
        self,
        *,
        sym_name: Text,
        maxntid: Integers | None = ...,
        reqntid: Integers | None = ...,
        cluster_dims: Integers | None = ...,
        minnctapersm: Integer | None = ...,
        maxnreg: Integer | None = ...,
        arg_attrs: Items | None = ...,
        declarations: Items | None = ...,
        directives: Items | None = ...,
        body: Body | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class LdOp(_memory.LdOp):
    def __init__(
        self,
        address: Value,
        *,
        cache_policy: Value | None = ...,
        semantics: Literal["acquire", "relaxed", "volatile", "weak"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal[
            "const", "global", "local", "param", "shared", "shared::cluster", "shared::cta"
        ]
        | StringAttr
        | None = ...,
        coherence: Literal["nc"] | StringAttr | None = ...,
        cache: Literal[
            "L1::evict_first",
            "L1::evict_last",
            "L1::evict_normal",
            "L1::evict_unchanged",
            "L1::no_allocate",
            "ca",
            "cg",
            "cs",
            "cv",
            "lu",
        ]
        | StringAttr
        | None = ...,
        eviction: Literal["L2::evict_first", "L2::evict_last", "L2::evict_normal"]
        | StringAttr
        | None = ...,
        prefetch: Literal["L2::128B", "L2::256B", "L2::64B"] | StringAttr | None = ...,
        type: Literal[
            "b128",
            "b16",
            "b32",
            "b64",
            "b8",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "s8",
            "u16",
            "u32",
            "u64",
            "u8",
        ]
        | StringAttr,
        address_offset: Integer | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class LdmatrixB8Op(_ldmatrix.LdmatrixB8Op):
    def __init__(
        self,
        address: Value,
        *,
        shape: Literal["m16n16", "m8n16"] | StringAttr,
        count: Literal["x1", "x2", "x4"] | StringAttr,
        transposed: Literal["trans"] | StringAttr | None = ...,
        type: Literal["b8", "b8x16"] | StringAttr,
        source: Literal["b4x16_p64", "b6x16_p32"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["shared"] | StringAttr | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class LdmatrixOp(_ldmatrix.LdmatrixOp):
    def __init__(
        self,
        address: Value,
        *,
        shape: Literal["m8n8"] | StringAttr,
        transposed: Literal["trans"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["shared"] | StringAttr | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Lg2Op(_arithmetic.Lg2Op):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class LoadParameterOp(_parameters.LoadParameterOp):
    def __init__(
        self,
        parameter: Value,
        *,
        result_type: Attribute,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Lop3Op(_bits.Lop3Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        table: Integer,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Lop3PredicateOp(_bits.Lop3PredicateOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        predicate: Value,
        *,
        operation: Literal["and", "or"] | StringAttr,
        table: Integer,
        spelling: Literal["no_result"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Mad24Op(_integers.Mad24Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr,
        type: Literal["s32", "u32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Mad24SatOp(_integers.Mad24SatOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadCcOp(_extended_precision.MadCcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadHiOp(_integers.MadHiOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s16", "s32", "s64", "u16", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadHiSatOp(_integers.MadHiSatOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadOp(_arithmetic.MadOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s16", "s32", "s64", "u16", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadWide16Op(_wide.MadWide16Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s16", "u16"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadWideOp(_arithmetic.MadWideOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s32", "u32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadcCcOp(_extended_precision.MadcCcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        carry: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MadcOp(_extended_precision.MadcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        carry: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MapaGenericOp(_memory.MapaGenericOp):
    def __init__(
        self, address: Value, rank: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class MapaOp(_memory.MapaOp):
    def __init__(
        self,
        address: Value,
        rank: Value,
        *,
        spelling: Literal["u64"] | StringAttr | None = ...,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MatchSyncAllOp(_warp.MatchSyncAllOp):
    def __init__(
        self,
        a: Value,
        mask: Value,
        *,
        type: Literal["b32", "b64"] | StringAttr,
        spelling: Literal["no_predicate"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MatchSyncAnyOp(_warp.MatchSyncAnyOp):
    def __init__(
        self,
        a: Value,
        mask: Value,
        *,
        type: Literal["b32", "b64"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Max3Op(_extrema.Max3Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        nan: Literal["NaN"] | StringAttr | None = ...,
        abs: Literal["abs"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MaxOp(_arithmetic.MaxOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        nan: Literal["NaN"] | StringAttr | None = ...,
        xorsign: Literal["xorsign"] | StringAttr | None = ...,
        type: Literal[
            "bf16", "bf16x2", "f16", "f16x2", "f32", "f64", "s16", "s32", "s64", "u16", "u32", "u64"
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MaxPackedOp(_integers.MaxPackedOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16x2", "u16x2"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MaxReluOp(_integers.MaxReluOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16x2", "s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropExpectTxOp(_mbarrier_drop.MbarrierArriveDropExpectTxOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropExpectTxRemoteOp(_mbarrier_drop.MbarrierArriveDropExpectTxRemoteOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropExpectTxStateOp(_mbarrier_drop.MbarrierArriveDropExpectTxStateOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropNoCompleteOp(_mbarrier_drop.MbarrierArriveDropNoCompleteOp):
    def __init__(
        self,
        address: Value,
        count: Value,
        *,
        semantics: Literal["release"] | StringAttr | None = ...,
        scope: Literal["cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropOp(_mbarrier_drop.MbarrierArriveDropOp):
    def __init__(
        self,
        address: Value,
        *,
        count: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropRemoteOp(_mbarrier_drop.MbarrierArriveDropRemoteOp):
    def __init__(
        self,
        address: Value,
        *,
        count: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveDropStateOp(_mbarrier_drop.MbarrierArriveDropStateOp):
    def __init__(
        self,
        address: Value,
        *,
        count: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveExpectTxOp(_mbarrier.MbarrierArriveExpectTxOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveExpectTxRemoteOp(_mbarrier.MbarrierArriveExpectTxRemoteOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveExpectTxStateOp(_mbarrier.MbarrierArriveExpectTxStateOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveNoCompleteOp(_mbarrier_drop.MbarrierArriveNoCompleteOp):
    def __init__(
        self,
        address: Value,
        count: Value,
        *,
        semantics: Literal["release"] | StringAttr | None = ...,
        scope: Literal["cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveOp(_mbarrier.MbarrierArriveOp):
    def __init__(
        self,
        address: Value,
        *,
        count: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveRemoteOp(_mbarrier.MbarrierArriveRemoteOp):
    def __init__(
        self,
        address: Value,
        *,
        count: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierArriveStateOp(_mbarrier.MbarrierArriveStateOp):
    def __init__(
        self,
        address: Value,
        *,
        count: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierCompleteTxOp(_mbarrier_drop.MbarrierCompleteTxOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierCompleteTxRemoteOp(_mbarrier_drop.MbarrierCompleteTxRemoteOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        semantics: Literal["relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierExpectTxOp(_mbarrier.MbarrierExpectTxOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        address_offset: Integer | None = ...,
        spelling: Literal[
            "cluster",
            "cluster_generic",
            "cluster_shared",
            "generic",
            "plain",
            "plain_generic",
            "plain_shared",
            "shared",
        ]
        | StringAttr
        | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierExpectTxRemoteOp(_mbarrier.MbarrierExpectTxRemoteOp):
    def __init__(
        self,
        address: Value,
        bytes: Value,
        *,
        address_offset: Integer | None = ...,
        spelling: Literal["cta", "plain"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierInitOp(_mbarrier.MbarrierInitOp):
    def __init__(
        self,
        address: Value,
        count: Value,
        *,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierInvalOp(_mbarrier.MbarrierInvalOp):
    def __init__(
        self,
        address: Value,
        *,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierPendingCountOp(_mbarrier_drop.MbarrierPendingCountOp):
    def __init__(
        self, state: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class MbarrierTestWaitOp(_mbarrier.MbarrierTestWaitOp):
    def __init__(
        self,
        address: Value,
        parity: Value,
        *,
        semantics: Literal["acquire", "relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierTestWaitStateOp(_mbarrier.MbarrierTestWaitStateOp):
    def __init__(
        self,
        address: Value,
        state: Value,
        *,
        semantics: Literal["acquire", "relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierTryWaitOp(_mbarrier.MbarrierTryWaitOp):
    def __init__(
        self,
        address: Value,
        parity: Value,
        *,
        time_limit: Value | None = ...,
        semantics: Literal["acquire", "relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierTryWaitStateOp(_mbarrier.MbarrierTryWaitStateOp):
    def __init__(
        self,
        address: Value,
        state: Value,
        *,
        time_limit: Value | None = ...,
        semantics: Literal["acquire", "relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic", "shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MbarrierWaitOp(_mbarrier.MbarrierWaitOp):
    def __init__(
        self,
        address: Value,
        parity: Value,
        *,
        semantics: Literal["acquire", "relaxed"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MembarOp(_fences.MembarOp):
    def __init__(
        self,
        *,
        scope: Literal["cta", "gpu", "sys"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Min3Op(_extrema.Min3Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        nan: Literal["NaN"] | StringAttr | None = ...,
        abs: Literal["abs"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MinOp(_arithmetic.MinOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        nan: Literal["NaN"] | StringAttr | None = ...,
        xorsign: Literal["xorsign"] | StringAttr | None = ...,
        type: Literal[
            "bf16", "bf16x2", "f16", "f16x2", "f32", "f64", "s16", "s32", "s64", "u16", "u32", "u64"
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MinPackedOp(_integers.MinPackedOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16x2", "u16x2"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MinReluOp(_integers.MinReluOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16x2", "s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MmaSyncF64Op(_mma_sync.MmaSyncF64Op):
    def __init__(
        self,
        a: Sequence[Value] = ...,
        b: Sequence[Value] = ...,
        c: Sequence[Value] = ...,
        *,
        shape: Literal["m16n8k16", "m16n8k4", "m16n8k8", "m8n8k4"] | StringAttr,
        d_type: Literal["f64"] | StringAttr,
        a_type: Literal["f64"] | StringAttr,
        b_type: Literal["f64"] | StringAttr,
        c_type: Literal["f64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MmaSyncOp(_mma_sync.MmaSyncOp):
    def __init__(
        self,
        a: Sequence[Value] = ...,
        b: Sequence[Value] = ...,
        c: Sequence[Value] = ...,
        *,
        shape: Literal[
            "m16n8k128",
            "m16n8k16",
            "m16n8k256",
            "m16n8k32",
            "m16n8k4",
            "m16n8k64",
            "m16n8k8",
            "m8n8k128",
            "m8n8k16",
            "m8n8k32",
            "m8n8k4",
        ]
        | StringAttr,
        a_layout: Literal["col", "row"] | StringAttr,
        b_layout: Literal["col", "row"] | StringAttr,
        saturate: Literal["satfinite"] | StringAttr | None = ...,
        d_type: Literal["f16", "f32", "s32"] | StringAttr,
        a_type: Literal["b1", "bf16", "e4m3", "e5m2", "f16", "s4", "s8", "tf32", "u4", "u8"]
        | StringAttr,
        b_type: Literal["b1", "bf16", "e4m3", "e5m2", "f16", "s4", "s8", "tf32", "u4", "u8"]
        | StringAttr,
        c_type: Literal["f16", "f32", "s32"] | StringAttr,
        bit_operation: Literal["and", "xor"] | StringAttr | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MovOp(_arithmetic.MovOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal[
            "b128",
            "b16",
            "b32",
            "b64",
            "f32",
            "f64",
            "pred",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MovmatrixOp(_ldmatrix.MovmatrixOp):
    def __init__(
        self,
        a: Value,
        *,
        shape: Literal["m8n8"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Mul24Op(_integers.Mul24Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr,
        type: Literal["s32", "u32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MulOp(_arithmetic.MulOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        half: Literal["hi", "lo"] | StringAttr | None = ...,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr | None = ...,
        flush: Literal["ftz"] | StringAttr | None = ...,
        saturate: Literal["sat"] | StringAttr | None = ...,
        type: Literal[
            "bf16",
            "bf16x2",
            "f16",
            "f16x2",
            "f32",
            "f32x2",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MulWide16Op(_wide.MulWide16Op):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16", "u16"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MulWideOp(_arithmetic.MulWideOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s32", "u32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MultimemLdReduceOp(_multimem.MultimemLdReduceOp):
    def __init__(
        self,
        address: Value,
        *,
        semantics: Literal["acquire", "relaxed", "weak"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global"] | StringAttr | None = ...,
        operation: Literal["add", "and", "max", "min", "or", "xor"] | StringAttr,
        accumulator: Literal["acc::f16", "acc::f32"] | StringAttr | None = ...,
        type: Literal[
            "b32",
            "b64",
            "bf16",
            "bf16x2",
            "e4m3x2",
            "e4m3x4",
            "e5m2x2",
            "e5m2x4",
            "f16",
            "f16x2",
            "f32",
            "f64",
            "s32",
            "s64",
            "u32",
            "u64",
        ]
        | StringAttr,
        address_offset: Integer | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MultimemRedOp(_multimem.MultimemRedOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global"] | StringAttr | None = ...,
        operation: Literal["add", "and", "max", "min", "or", "xor"] | StringAttr,
        type: Literal[
            "b32", "b64", "bf16", "bf16x2", "f16", "f16x2", "f32", "f64", "s32", "s64", "u32", "u64"
        ]
        | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class MultimemStOp(_multimem.MultimemStOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        semantics: Literal["relaxed", "release", "weak"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global"] | StringAttr | None = ...,
        type: Literal[
            "b32",
            "b64",
            "bf16",
            "bf16x2",
            "e4m3x2",
            "e4m3x4",
            "e5m2x2",
            "e5m2x4",
            "f16",
            "f16x2",
            "f32",
            "f64",
            "s32",
            "s64",
            "u32",
            "u64",
        ]
        | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class NanosleepOp(_synchronization.NanosleepOp):
    def __init__(
        self, duration: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class NegOp(_arithmetic.NegOp):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32", "f64", "s16", "s32", "s64"]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class NotOp(_arithmetic.NotOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["b16", "b32", "b64", "pred"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class OrOp(_arithmetic.OrOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["b16", "b32", "b64", "pred"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class PackOp(_arithmetic.PackOp):
    def __init__(
        self,
        parts: Sequence[Value] = ...,
        *,
        type: Literal["b128", "b16", "b32", "b64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ParameterAddressOp(_parameters.ParameterAddressOp):
    def __init__(
        self,
        parameter: Value,
        *,
        in_register: Flag | None = ...,
        result_type: Attribute,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class PmeventMaskOp(_control_flow.PmeventMaskOp):
    def __init__(
        self, *, events: Integer, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class PmeventOp(_control_flow.PmeventOp):
    def __init__(
        self, *, event: Integer, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class PopcOp(_bits.PopcOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["b32", "b64"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class PragmaOp(_inline.PragmaOp):
    def __init__(self, *, text: Text, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PrefetchOp(_memory.PrefetchOp):
    def __init__(
        self,
        address: Value,
        *,
        space: Literal["global", "local"] | StringAttr | None = ...,
        level: Literal["L1", "L2", "L2::evict_last", "L2::evict_normal"] | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class PrefetchTensormapOp(_bulk_copy.PrefetchTensormapOp):
    def __init__(
        self,
        tensor_map: Value,
        *,
        spelling: Literal["const", "param"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class PrefetchuOp(_cache_hints.PrefetchuOp):
    def __init__(
        self,
        address: Value,
        *,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class PrmtOp(_bits.PrmtOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        selector: Value,
        *,
        mode: Literal["b4e", "ecl", "ecr", "f4e", "rc16", "rc8"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RcpOp(_arithmetic.RcpOp):
    def __init__(
        self,
        a: Value,
        *,
        rounding: Literal["approx", "rm", "rn", "rp", "rz"] | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32", "f64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RedAsyncGlobalOp(_async_stores.RedAsyncGlobalOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        *,
        mmio: Literal["mmio"] | StringAttr | None = ...,
        semantics: Literal["release"] | StringAttr,
        scope: Literal["gpu", "sys"] | StringAttr,
        space: Literal["global"] | StringAttr | None = ...,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        type: Literal["b32", "s32", "s64", "u32", "u64"] | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RedAsyncOp(_async_stores.RedAsyncOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        mbarrier: Value,
        *,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        type: Literal["b32", "s32", "s64", "u32", "u64"] | StringAttr,
        address_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RedOp(_atomics.RedOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        *,
        cache_policy: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global", "shared", "shared::cluster", "shared::cta"]
        | StringAttr
        | None = ...,
        operation: Literal["add", "and", "dec", "inc", "max", "min", "or", "xor"] | StringAttr,
        noftz: Literal["noftz"] | StringAttr | None = ...,
        type: Literal[
            "b32", "b64", "bf16", "bf16x2", "f16", "f16x2", "f32", "f64", "s32", "s64", "u32", "u64"
        ]
        | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RedVectorOp(_atomics.RedVectorOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        cache_policy: Value | None = ...,
        semantics: Literal["relaxed", "release"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global"] | StringAttr | None = ...,
        operation: Literal["add", "max", "min"] | StringAttr,
        noftz: Literal["noftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32"] | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ReduxSyncOp(_warp.ReduxSyncOp):
    def __init__(
        self,
        a: Value,
        mask: Value,
        *,
        operation: Literal["add", "and", "max", "min", "or", "xor"] | StringAttr,
        abs: Literal["abs"] | StringAttr | None = ...,
        nan: Literal["NaN"] | StringAttr | None = ...,
        type: Literal["b32", "f32", "s32", "u32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RemOp(_arithmetic.RemOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s16", "s32", "s64", "u16", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class RetOp(_control_flow.RetOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RsqrtOp(_approximate.RsqrtOp):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32", "f64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SadOp(_integers.SadOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        type: Literal["s16", "s32", "s64", "u16", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SelpOp(_arithmetic.SelpOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        condition: Value,
        *,
        type: Literal["b16", "b32", "b64", "f32", "f64", "s16", "s32", "s64", "u16", "u32", "u64"]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SetCombinedOp(_comparison.SetCombinedOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        comparison: Literal[
            "eq",
            "equ",
            "ge",
            "geu",
            "gt",
            "gtu",
            "hi",
            "hs",
            "le",
            "leu",
            "lo",
            "ls",
            "lt",
            "ltu",
            "nan",
            "ne",
            "neu",
            "num",
        ]
        | StringAttr,
        combination: Literal["and", "or", "xor"] | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32", "s16", "s32", "u16", "u32"]
        | StringAttr,
        source: Literal[
            "b16",
            "b32",
            "b64",
            "bf16",
            "bf16x2",
            "f16",
            "f16x2",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SetOp(_comparison.SetOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        comparison: Literal[
            "eq",
            "equ",
            "ge",
            "geu",
            "gt",
            "gtu",
            "hi",
            "hs",
            "le",
            "leu",
            "lo",
            "ls",
            "lt",
            "ltu",
            "nan",
            "ne",
            "neu",
            "num",
        ]
        | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32", "s16", "s32", "u16", "u32"]
        | StringAttr,
        source: Literal[
            "b16",
            "b32",
            "b64",
            "bf16",
            "bf16x2",
            "f16",
            "f16x2",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SetmaxnregOp(_synchronization.SetmaxnregOp):
    def __init__(
        self,
        *,
        action: Literal["dec", "inc"] | StringAttr,
        registers: Integer,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SetpCombinedOp(_comparison.SetpCombinedOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        comparison: Literal[
            "eq",
            "equ",
            "ge",
            "geu",
            "gt",
            "gtu",
            "hi",
            "hs",
            "le",
            "leu",
            "lo",
            "ls",
            "lt",
            "ltu",
            "nan",
            "ne",
            "neu",
            "num",
        ]
        | StringAttr,
        combination: Literal["and", "or", "xor"] | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal[
            "b16",
            "b32",
            "b64",
            "bf16",
            "f16",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SetpOp(_arithmetic.SetpOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        comparison: Literal[
            "eq",
            "equ",
            "ge",
            "geu",
            "gt",
            "gtu",
            "hi",
            "hs",
            "le",
            "leu",
            "lo",
            "ls",
            "lt",
            "ltu",
            "nan",
            "ne",
            "neu",
            "num",
        ]
        | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal[
            "b16",
            "b32",
            "b64",
            "bf16",
            "f16",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SetpPairOp(_comparison.SetpPairOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        predicate: Value | None = ...,
        comparison: Literal[
            "eq",
            "equ",
            "ge",
            "geu",
            "gt",
            "gtu",
            "hi",
            "hs",
            "le",
            "leu",
            "lo",
            "ls",
            "lt",
            "ltu",
            "nan",
            "ne",
            "neu",
            "num",
        ]
        | StringAttr,
        combination: Literal["and", "or", "xor"] | StringAttr | None = ...,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal[
            "b16",
            "b32",
            "b64",
            "bf16x2",
            "f16x2",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        spelling: Literal["first_result", "other_result"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SharedMemoryOp(_kernel.SharedMemoryOp):
    def __init__(
        self,
        *,
        sym_name: Text,
        size: Integer | None = ...,
        needs: Integer | None = ...,
        alignment: Integer,
        at_least: Flag | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ShfOp(_bits.ShfOp):
    def __init__(
        self,
        low: Value,
        high: Value,
        amount: Value,
        *,
        direction: Literal["l", "r"] | StringAttr,
        mode: Literal["clamp", "wrap"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ShflSyncOp(_synchronization.ShflSyncOp):
    def __init__(
        self,
        a: Value,
        lane: Value,
        clamp: Value,
        mask: Value,
        *,
        mode: Literal["bfly", "down", "idx", "up"] | StringAttr,
        spelling: Literal["no_predicate"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ShlOp(_arithmetic.ShlOp):
    def __init__(
        self,
        a: Value,
        amount: Value,
        *,
        type: Literal["b16", "b32", "b64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class ShrOp(_arithmetic.ShrOp):
    def __init__(
        self,
        a: Value,
        amount: Value,
        *,
        type: Literal["b16", "b32", "b64", "s16", "s32", "s64", "u16", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SinOp(_approximate.SinOp):
    def __init__(
        self,
        a: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SlctOp(_comparison.SlctOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        c: Value,
        *,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["b16", "b32", "b64", "f32", "f64", "s16", "s32", "s64", "u16", "u32", "u64"]
        | StringAttr,
        source: Literal["f32", "s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SpecialPredicateOp(_structure.SpecialPredicateOp):
    def __init__(
        self,
        *,
        register: Literal["is_explicit_cluster"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SpecialRegister64Op(_structure.SpecialRegister64Op):
    def __init__(
        self,
        *,
        register: Literal[
            "clock64",
            "current_graph_exec",
            "globaltimer",
            "gridid",
            "pm0_64",
            "pm1_64",
            "pm2_64",
            "pm3_64",
            "pm4_64",
            "pm5_64",
            "pm6_64",
            "pm7_64",
        ]
        | StringAttr,
        spelling: Literal["b64", "s64"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SpecialRegisterOp(_structure.SpecialRegisterOp):
    def __init__(
        self,
        *,
        register: Literal[
            "aggr_smem_size",
            "cluster_ctaid.x",
            "cluster_ctaid.y",
            "cluster_ctaid.z",
            "cluster_ctarank",
            "cluster_nctaid.x",
            "cluster_nctaid.y",
            "cluster_nctaid.z",
            "cluster_nctarank",
            "clusterid.x",
            "clusterid.y",
            "clusterid.z",
            "ctaid.x",
            "ctaid.y",
            "ctaid.z",
            "dynamic_smem_size",
            "envreg0",
            "envreg1",
            "envreg10",
            "envreg11",
            "envreg12",
            "envreg13",
            "envreg14",
            "envreg15",
            "envreg16",
            "envreg17",
            "envreg18",
            "envreg19",
            "envreg2",
            "envreg20",
            "envreg21",
            "envreg22",
            "envreg23",
            "envreg24",
            "envreg25",
            "envreg26",
            "envreg27",
            "envreg28",
            "envreg29",
            "envreg3",
            "envreg30",
            "envreg31",
            "envreg4",
            "envreg5",
            "envreg6",
            "envreg7",
            "envreg8",
            "envreg9",
            "gridid",
            "laneid",
            "lanemask_eq",
            "lanemask_ge",
            "lanemask_gt",
            "lanemask_le",
            "lanemask_lt",
            "nclusterid.x",
            "nclusterid.y",
            "nclusterid.z",
            "nctaid.x",
            "nctaid.y",
            "nctaid.z",
            "ntid.x",
            "ntid.y",
            "ntid.z",
            "nwarpid",
            "reserved_smem_offset_0",
            "reserved_smem_offset_1",
            "reserved_smem_offset_begin",
            "reserved_smem_offset_cap",
            "reserved_smem_offset_end",
            "tid.x",
            "tid.y",
            "tid.z",
            "total_smem_size",
        ]
        | StringAttr,
        spelling: Literal["b32", "s32"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SqrtOp(_arithmetic.SqrtOp):
    def __init__(
        self,
        a: Value,
        *,
        rounding: Literal["approx", "rm", "rn", "rp", "rz"] | StringAttr,
        flush: Literal["ftz"] | StringAttr | None = ...,
        type: Literal["f32", "f64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class StAsyncGlobalOp(_async_stores.StAsyncGlobalOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        *,
        mmio: Literal["mmio"] | StringAttr | None = ...,
        semantics: Literal["release"] | StringAttr,
        scope: Literal["gpu", "sys"] | StringAttr,
        space: Literal["global"] | StringAttr | None = ...,
        type: Literal["b16", "b32", "b64", "f32", "f64", "s16", "s32", "s64", "u16", "u32", "u64"]
        | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class StAsyncOp(_async_stores.StAsyncOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value],
        mbarrier: Value,
        *,
        semantics: Literal["weak"] | StringAttr | None = ...,
        type: Literal["b128", "b32", "b64", "f32", "f64", "s32", "s64", "u32", "u64"] | StringAttr,
        address_offset: Integer | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class StBulkOp(_async_stores.StBulkOp):
    def __init__(
        self,
        address: Value,
        size: Value,
        *,
        semantics: Literal["weak"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["generic"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class StOp(_memory.StOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        cache_policy: Value | None = ...,
        semantics: Literal["relaxed", "release", "volatile", "weak"] | StringAttr | None = ...,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr | None = ...,
        space: Literal["global", "local", "shared", "shared::cluster", "shared::cta"]
        | StringAttr
        | None = ...,
        cache: Literal[
            "L1::evict_first",
            "L1::evict_last",
            "L1::evict_normal",
            "L1::evict_unchanged",
            "L1::no_allocate",
            "cg",
            "cs",
            "wb",
            "wt",
        ]
        | StringAttr
        | None = ...,
        eviction: Literal["L2::evict_first", "L2::evict_last", "L2::evict_normal"]
        | StringAttr
        | None = ...,
        type: Literal[
            "b128",
            "b16",
            "b32",
            "b64",
            "b8",
            "f32",
            "f64",
            "s16",
            "s32",
            "s64",
            "s8",
            "u16",
            "u32",
            "u64",
            "u8",
        ]
        | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class StmatrixB8Op(_ldmatrix.StmatrixB8Op):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        address_offset: Integer | None = ...,
        spelling: Literal["shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class StmatrixOp(_ldmatrix.StmatrixOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        shape: Literal["m8n8"] | StringAttr,
        transposed: Literal["trans"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        spelling: Literal["shared"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SubCcOp(_extended_precision.SubCcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SubMixedOp(_mixed_precision.SubMixedOp):
    def __init__(
        self,
        a: Value,
        c: Value,
        *,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr | None = ...,
        saturate: Literal["sat"] | StringAttr | None = ...,
        type: Literal["f32"] | StringAttr,
        source: Literal["bf16", "f16"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SubOp(_arithmetic.SubOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        rounding: Literal["rm", "rn", "rp", "rz"] | StringAttr | None = ...,
        flush: Literal["ftz"] | StringAttr | None = ...,
        saturate: Literal["sat"] | StringAttr | None = ...,
        type: Literal[
            "bf16",
            "bf16x2",
            "f16",
            "f16x2",
            "f32",
            "f32x2",
            "f64",
            "s16",
            "s32",
            "s64",
            "u16",
            "u32",
            "u64",
        ]
        | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SubSatOp(_integers.SubSatOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["s32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SubcCcOp(_extended_precision.SubcCcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        carry: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SubcOp(_extended_precision.SubcOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        carry: Value,
        *,
        type: Literal["s32", "s64", "u32", "u64"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class SzextOp(_integers.SzextOp):
    def __init__(
        self,
        a: Value,
        length: Value,
        *,
        mode: Literal["clamp", "wrap"] | StringAttr,
        type: Literal["s32", "u32"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TanhOp(_approximate.TanhOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["bf16", "bf16x2", "f16", "f16x2", "f32"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05AllocOp(_tcgen05.AllocOp):
    def __init__(
        self,
        address: Value,
        columns: Value,
        *,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        space: Literal["shared_cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        exclusive: Literal["exclusive"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05CommitOp(_tcgen05.CommitOp):
    def __init__(
        self,
        mbarrier: Value,
        *,
        multicast_mask: Value | None = ...,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        space: Literal["shared_cluster"] | StringAttr | None = ...,
        mbarrier_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05CpOp(_tcgen05.CpOp):
    def __init__(
        self,
        address: Value,
        descriptor: Value,
        *,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        shape: Literal[
            "shape_128x128b", "shape_128x256b", "shape_32x128b", "shape_4x256b", "shape_64x128b"
        ]
        | StringAttr,
        multicast: Literal["warpx2_01_23", "warpx2_02_13", "warpx4"] | StringAttr | None = ...,
        format: Literal["b4x16_p64", "b6x16_p32"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05DeallocOp(_tcgen05.DeallocOp):
    def __init__(
        self,
        taddr: Value,
        columns: Value,
        *,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        exclusive: Literal["exclusive"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05FenceOp(_tcgen05.FenceOp):
    def __init__(
        self,
        *,
        order: Literal["after_thread_sync", "before_thread_sync"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05LdOp(_tcgen05.LdOp):
    def __init__(
        self,
        address: Value,
        *,
        shape: Literal[
            "shape_16x128b", "shape_16x256b", "shape_16x32bx2", "shape_16x64b", "shape_32x32b"
        ]
        | StringAttr,
        num: Literal["x1", "x128", "x16", "x2", "x32", "x4", "x64", "x8"] | StringAttr,
        pack: Literal["pack"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        split_offset: Integer | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05LdRedOp(_tcgen05.LdRedOp):
    def __init__(
        self,
        address: Value,
        *,
        shape: Literal["shape_16x32bx2", "shape_32x32b"] | StringAttr,
        num: Literal["x128", "x16", "x2", "x32", "x4", "x64", "x8"] | StringAttr,
        op: Literal["max", "min"] | StringAttr,
        abs: Literal["abs"] | StringAttr | None = ...,
        nan: Literal["nan"] | StringAttr | None = ...,
        type: Literal["f32", "s32", "u32"] | StringAttr,
        address_offset: Integer | None = ...,
        split_offset: Integer | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05MmaBlockScaleOp(_tcgen05_mma.MmaBlockScaleOp):
    def __init__(
        self,
        d: Value,
        a: Value,
        b: Value,
        idesc: Value,
        scale_a: Value,
        scale_b: Value,
        enable_input_d: Value,
        *,
        d_offset: Integer | None = ...,
        a_offset: Integer | None = ...,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        kind: Literal["mxf4", "mxf4nvf4", "mxf8f6f4"] | StringAttr,
        scale_vectorsize: Literal[
            "block16", "block32", "scale_vec_1x", "scale_vec_2x", "scale_vec_4x"
        ]
        | StringAttr
        | None = ...,
        collector_buffer: Literal["a"] | StringAttr | None = ...,
        collector_op: Literal["discard", "fill", "lastuse", "use"] | StringAttr | None = ...,
        scale_a_offset: Integer | None = ...,
        scale_b_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05MmaOp(_tcgen05_mma.MmaOp):
    def __init__(
        self,
        d: Value,
        a: Value,
        b: Value,
        idesc: Value,
        enable_input_d: Value,
        *,
        disable_output_lane: Sequence[Value] = ...,
        d_offset: Integer | None = ...,
        a_offset: Integer | None = ...,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        kind: Literal["f16", "f8f6f4", "i8", "tf32"] | StringAttr,
        ashift: Literal["ashift"] | StringAttr | None = ...,
        collector_buffer: Literal["a"] | StringAttr | None = ...,
        collector_op: Literal["discard", "fill", "lastuse", "use"] | StringAttr | None = ...,
        scale_input_d: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05MmaSpBlockScaleOp(_tcgen05_mma.MmaSpBlockScaleOp):
    def __init__(
        self,
        d: Value,
        a: Value,
        b: Value,
        metadata: Value,
        idesc: Value,
        scale_a: Value,
        scale_b: Value,
        enable_input_d: Value,
        *,
        d_offset: Integer | None = ...,
        a_offset: Integer | None = ...,
        metadata_offset: Integer | None = ...,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        kind: Literal["mxf4", "mxf4nvf4", "mxf8f6f4"] | StringAttr,
        scale_vectorsize: Literal[
            "block16", "block32", "scale_vec_1x", "scale_vec_2x", "scale_vec_4x"
        ]
        | StringAttr
        | None = ...,
        collector_buffer: Literal["a"] | StringAttr | None = ...,
        collector_op: Literal["discard", "fill", "lastuse", "use"] | StringAttr | None = ...,
        scale_a_offset: Integer | None = ...,
        scale_b_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05MmaSpOp(_tcgen05_mma.MmaSpOp):
    def __init__(
        self,
        d: Value,
        a: Value,
        b: Value,
        metadata: Value,
        idesc: Value,
        enable_input_d: Value,
        *,
        disable_output_lane: Sequence[Value] = ...,
        d_offset: Integer | None = ...,
        a_offset: Integer | None = ...,
        metadata_offset: Integer | None = ...,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        kind: Literal["f16", "f8f6f4", "i8", "tf32"] | StringAttr,
        ashift: Literal["ashift"] | StringAttr | None = ...,
        collector_buffer: Literal["a"] | StringAttr | None = ...,
        collector_op: Literal["discard", "fill", "lastuse", "use"] | StringAttr | None = ...,
        scale_input_d: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05MmaWsOp(_tcgen05_mma.MmaWsOp):
    def __init__(
        self,
        d: Value,
        a: Value,
        b: Value,
        idesc: Value,
        enable_input_d: Value,
        *,
        zero_column_mask: Value | None = ...,
        d_offset: Integer | None = ...,
        a_offset: Integer | None = ...,
        cta_group: Literal["cta_group_1"] | StringAttr,
        kind: Literal["f16", "f8f6f4", "i8", "tf32"] | StringAttr,
        collector_buffer: Literal["b0", "b1", "b2", "b3"] | StringAttr | None = ...,
        collector_op: Literal["discard", "fill", "lastuse", "use"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05MmaWsSpOp(_tcgen05_mma.MmaWsSpOp):
    def __init__(
        self,
        d: Value,
        a: Value,
        b: Value,
        metadata: Value,
        idesc: Value,
        enable_input_d: Value,
        *,
        zero_column_mask: Value | None = ...,
        d_offset: Integer | None = ...,
        a_offset: Integer | None = ...,
        metadata_offset: Integer | None = ...,
        cta_group: Literal["cta_group_1"] | StringAttr,
        kind: Literal["f16", "f8f6f4", "i8", "tf32"] | StringAttr,
        collector_buffer: Literal["b0", "b1", "b2", "b3"] | StringAttr | None = ...,
        collector_op: Literal["discard", "fill", "lastuse", "use"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05RelinquishAllocPermitOp(_tcgen05.RelinquishAllocPermitOp):
    def __init__(
        self,
        *,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05ShiftOp(_tcgen05.ShiftOp):
    def __init__(
        self,
        address: Value,
        *,
        cta_group: Literal["cta_group_1", "cta_group_2"] | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05StOp(_tcgen05.StOp):
    def __init__(
        self,
        address: Value,
        values: Sequence[Value] = ...,
        *,
        shape: Literal[
            "shape_16x128b", "shape_16x256b", "shape_16x32bx2", "shape_16x64b", "shape_32x32b"
        ]
        | StringAttr,
        num: Literal["x1", "x128", "x16", "x2", "x32", "x4", "x64", "x8"] | StringAttr,
        unpack: Literal["unpack"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        split_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class Tcgen05WaitOp(_tcgen05.WaitOp):
    def __init__(
        self,
        *,
        operation: Literal["ld", "st"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TensormapCpFenceproxyOp(_tensormap.TensormapCpFenceproxyOp):
    def __init__(
        self,
        destination: Value,
        source: Value,
        *,
        scope: Literal["cluster", "cta", "gpu", "sys"] | StringAttr,
        destination_offset: Integer | None = ...,
        source_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TensormapReplaceDimensionOp(_tensormap.TensormapReplaceDimensionOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        *,
        field: Literal["box_dim", "element_stride", "global_dim", "global_stride"] | StringAttr,
        space: Literal["global", "shared::cta"] | StringAttr | None = ...,
        type: Literal["b32", "b64"] | StringAttr,
        address_offset: Integer | None = ...,
        ordinal: Integer,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TensormapReplaceModeOp(_tensormap.TensormapReplaceModeOp):
    def __init__(
        self,
        address: Value,
        *,
        field: Literal[
            "elemtype", "fill_mode", "interleave_layout", "swizzle_atomicity", "swizzle_mode"
        ]
        | StringAttr,
        space: Literal["global", "shared::cta"] | StringAttr | None = ...,
        address_offset: Integer | None = ...,
        value: Integer,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TensormapReplaceOp(_tensormap.TensormapReplaceOp):
    def __init__(
        self,
        address: Value,
        value: Value,
        *,
        field: Literal["global_address", "rank"] | StringAttr,
        space: Literal["global", "shared::cta"] | StringAttr | None = ...,
        type: Literal["b32", "b64"] | StringAttr,
        address_offset: Integer | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TestpOp(_comparison.TestpOp):
    def __init__(
        self,
        a: Value,
        *,
        test: Literal["finite", "infinite", "normal", "notanumber", "number", "subnormal"]
        | StringAttr,
        type: Literal["f32", "f64"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class TrapHereOp(_control_flow.TrapHereOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TrapOp(_control_flow.TrapOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class UndefinedOp(_structure.UndefinedOp):
    def __init__(
        self, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class UnpackOp(_arithmetic.UnpackOp):
    def __init__(
        self,
        a: Value,
        *,
        type: Literal["b128", "b16", "b32", "b64"] | StringAttr,
        sinks: Integers | None = ...,
        result_types: Sequence[Attribute] | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class VariableAddressOp(_variables.VariableAddressOp):
    def __init__(
        self,
        *,
        variable: Symbol,
        offset: Integer | None = ...,
        in_register: Flag | None = ...,
        result_type: Attribute,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class VariableOp(_variables.VariableOp):
    def __init__(
        self,
        *,
        space: Literal["const", "global", "local"] | StringAttr,
        sym_name: Text,
        size: Integer | None = ...,
        alignment: Integer,
        bytes: Integers | None = ...,
        addresses: Items | None = ...,
        linking: Text | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class VolatileRegisterOp(_structure.VolatileRegisterOp):
    def __init__(
        self,
        *,
        register: Literal[
            "clock",
            "clock_hi",
            "globaltimer_hi",
            "globaltimer_lo",
            "nsmid",
            "pm0",
            "pm1",
            "pm2",
            "pm3",
            "pm4",
            "pm5",
            "pm6",
            "pm7",
            "smid",
            "warpid",
        ]
        | StringAttr,
        spelling: Literal["b32", "s32"] | StringAttr | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class VoteSyncBallotOp(_warp.VoteSyncBallotOp):
    def __init__(
        self, a: Value, mask: Value, *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...

class VoteSyncOp(_warp.VoteSyncOp):
    def __init__(
        self,
        a: Value,
        mask: Value,
        *,
        mode: Literal["all", "any", "uni"] | StringAttr,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class XorOp(_arithmetic.XorOp):
    def __init__(
        self,
        a: Value,
        b: Value,
        *,
        type: Literal["b16", "b32", "b64", "pred"] | StringAttr,
        result_type: Attribute | None = ...,
        attributes: Mapping[str, Attribute] | None = ...,
    ) -> None: ...

class YieldOp(_structure.YieldOp):
    def __init__(
        self, arguments: Sequence[Value] = ..., *, attributes: Mapping[str, Attribute] | None = ...
    ) -> None: ...
