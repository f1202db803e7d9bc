"""The classes of the dialect `tcgen05`. `make docs` writes this file."""

from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.sparse import ZeroColumnMask
from ..tcgen05 import alloc as _alloc
from ..tcgen05 import copies as _copies
from ..tcgen05 import descriptor as _descriptor
from ..tcgen05 import ld_st as _ld_st
from ..tcgen05 import mma as _mma
from ..tcgen05.types import InstructionDescriptorAttr as InstructionDescriptorAttr
from ..tcgen05.types import SharedMemoryDescriptorType as SharedMemoryDescriptorType
from ..tcgen05.types import TensorMemoryType as TensorMemoryType
from ..tcgen05.types import ZeroColumnMaskAttr as ZeroColumnMaskAttr
from ..xdsl_support.construction import Flag
from ..xdsl_support.construction import Integer
from ..xdsl_support.construction import Value
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Literal
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

class AdvanceOp(_descriptor.AdvanceOp):
    def __init__(self, descriptor: Value, *, k: Integer, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AllocOp(_alloc.AllocOp):
    def __init__(self, slot: Value, columns: Value, *, exclusive: Flag | None = ..., cta_group: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CommitOp(_alloc.CommitOp):
    def __init__(self, mbarrier: Value, *, multicast_mask: Value | None = ..., cta_group: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CpOp(_copies.CpOp):
    def __init__(self, address: Value, descriptor: Value, *, shape: Literal['shape_128x128b', 'shape_128x256b', 'shape_32x128b', 'shape_4x256b', 'shape_64x128b'] | StringAttr, multicast: Literal['warpx2_01_23', 'warpx2_02_13', 'warpx4'] | StringAttr | None = ..., format: Literal['b4x16_p64', 'b6x16_p32'] | StringAttr | None = ..., k: Integer | None = ..., cta_group: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class DeallocOp(_alloc.DeallocOp):
    def __init__(self, address: Value, columns: Value, *, exclusive: Flag | None = ..., cta_group: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class DescriptorOp(_descriptor.DescriptorOp):
    def __init__(self, address: Value, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class FenceOp(_alloc.FenceOp):
    def __init__(self, *, order: Literal['after_thread_sync', 'before_thread_sync'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LdOp(_ld_st.LdOp):
    def __init__(self, address: Value, *, pack: Flag | None = ..., shape: Literal['shape_16x128b', 'shape_16x256b', 'shape_16x32bx2', 'shape_16x64b', 'shape_32x32b'] | StringAttr, num: Literal['x1', 'x128', 'x16', 'x2', 'x32', 'x4', 'x64', 'x8'] | StringAttr, split_offset: Integer | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LdRedOp(_ld_st.LdRedOp):
    def __init__(self, address: Value, *, op: Literal['max', 'min'] | StringAttr, abs: Flag | None = ..., nan: Flag | None = ..., unsigned: Flag | None = ..., shape: Literal['shape_16x128b', 'shape_16x256b', 'shape_16x32bx2', 'shape_16x64b', 'shape_32x32b'] | StringAttr, num: Literal['x1', 'x128', 'x16', 'x2', 'x32', 'x4', 'x64', 'x8'] | StringAttr, split_offset: Integer | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LoadAddressOp(_alloc.LoadAddressOp):
    def __init__(self, slot: Value, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaBlockScaleOp(_mma.MmaBlockScaleOp):
    def __init__(self, d: Value, a: Value, b: Value, enable_input_d: Value, scale_a: Value, scale_b: Value, *, descriptor: Value | None = ..., idesc: InstructionDescriptorAttr | InstructionDescriptor | None = ..., kind: Literal['f16', 'f8f6f4', 'i8', 'mxf4', 'mxf4nvf4', 'mxf8f6f4', 'tf32'] | StringAttr | None = ..., collector: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., a_k: Integer | None = ..., b_k: Integer | None = ..., cta_group: Integer | None = ..., scale_vectorsize: Literal['block16', 'block32', 'scale_vec_1x', 'scale_vec_2x', 'scale_vec_4x'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaOp(_mma.MmaOp):
    def __init__(self, d: Value, a: Value, b: Value, enable_input_d: Value, disable_output_lane: Sequence[Value] = ..., *, descriptor: Value | None = ..., idesc: InstructionDescriptorAttr | InstructionDescriptor | None = ..., kind: Literal['f16', 'f8f6f4', 'i8', 'mxf4', 'mxf4nvf4', 'mxf8f6f4', 'tf32'] | StringAttr | None = ..., collector: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., a_k: Integer | None = ..., b_k: Integer | None = ..., cta_group: Integer | None = ..., ashift: Flag | None = ..., scale_input_d: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaSpBlockScaleOp(_mma.MmaSpBlockScaleOp):
    def __init__(self, d: Value, a: Value, b: Value, enable_input_d: Value, metadata: Value, scale_a: Value, scale_b: Value, *, descriptor: Value | None = ..., idesc: InstructionDescriptorAttr | InstructionDescriptor | None = ..., kind: Literal['f16', 'f8f6f4', 'i8', 'mxf4', 'mxf4nvf4', 'mxf8f6f4', 'tf32'] | StringAttr | None = ..., collector: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., a_k: Integer | None = ..., b_k: Integer | None = ..., cta_group: Integer | None = ..., scale_vectorsize: Literal['block16', 'block32', 'scale_vec_1x', 'scale_vec_2x', 'scale_vec_4x'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaSpOp(_mma.MmaSpOp):
    def __init__(self, d: Value, a: Value, b: Value, enable_input_d: Value, metadata: Value, disable_output_lane: Sequence[Value] = ..., *, descriptor: Value | None = ..., idesc: InstructionDescriptorAttr | InstructionDescriptor | None = ..., kind: Literal['f16', 'f8f6f4', 'i8', 'mxf4', 'mxf4nvf4', 'mxf8f6f4', 'tf32'] | StringAttr | None = ..., collector: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., a_k: Integer | None = ..., b_k: Integer | None = ..., cta_group: Integer | None = ..., ashift: Flag | None = ..., scale_input_d: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaWsOp(_mma.MmaWsOp):
    def __init__(self, d: Value, a: Value, b: Value, enable_input_d: Value, *, descriptor: Value | None = ..., mask: Value | None = ..., idesc: InstructionDescriptorAttr | InstructionDescriptor | None = ..., kind: Literal['f16', 'f8f6f4', 'i8', 'mxf4', 'mxf4nvf4', 'mxf8f6f4', 'tf32'] | StringAttr | None = ..., collector: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., a_k: Integer | None = ..., b_k: Integer | None = ..., cta_group: Integer | None = ..., collector_buffer: Literal['b0', 'b1', 'b2', 'b3'] | StringAttr | None = ..., zero_column_mask: ZeroColumnMaskAttr | ZeroColumnMask | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaWsSpOp(_mma.MmaWsSpOp):
    def __init__(self, d: Value, a: Value, b: Value, enable_input_d: Value, metadata: Value, *, descriptor: Value | None = ..., mask: Value | None = ..., idesc: InstructionDescriptorAttr | InstructionDescriptor | None = ..., kind: Literal['f16', 'f8f6f4', 'i8', 'mxf4', 'mxf4nvf4', 'mxf8f6f4', 'tf32'] | StringAttr | None = ..., collector: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., a_k: Integer | None = ..., b_k: Integer | None = ..., cta_group: Integer | None = ..., collector_buffer: Literal['b0', 'b1', 'b2', 'b3'] | StringAttr | None = ..., zero_column_mask: ZeroColumnMaskAttr | ZeroColumnMask | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RelinquishAllocPermitOp(_alloc.RelinquishAllocPermitOp):
    def __init__(self, *, cta_group: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ShiftOp(_copies.ShiftOp):
    def __init__(self, address: Value, *, cta_group: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SliceOp(_alloc.SliceOp):
    def __init__(self, source: Value, offsets: Sequence[Value | int] = ..., *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class StOp(_ld_st.StOp):
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, unpack: Flag | None = ..., shape: Literal['shape_16x128b', 'shape_16x256b', 'shape_16x32bx2', 'shape_16x64b', 'shape_32x32b'] | StringAttr, num: Literal['x1', 'x128', 'x16', 'x2', 'x32', 'x4', 'x64', 'x8'] | StringAttr, split_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TileOp(_descriptor.TileOp):
    def __init__(self, descriptor: Value, index: Value, *, stride: Integer | None = ..., result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class WaitOp(_alloc.WaitOp):
    def __init__(self, *, operation: Literal['ld', 'st'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...
