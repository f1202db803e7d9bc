"""The classes of the dialect `ptx`. `make docs` writes this file."""

from ..ptx import contract as _contract
from ..ptx import control_flow as _control_flow
from ..ptx import kernel as _kernel
from ..ptx import structure as _structure
from ..ptx import tcgen05 as _tcgen05
from ..ptx import tcgen05_mma as _tcgen05_mma
from ..ptx import variables as _variables
from ..ptx.instructions import *
from ..ptx.types import CarryType as CarryType
from ..ptx.types import ParamArrayType as ParamArrayType
from ..ptx.types import TargetAttr as TargetAttr
from ..ptx.types import TensorMapType as TensorMapType
from ..ptx.variables import SymbolAddressAttr as SymbolAddressAttr
from ..xdsl_support.construction import Body
from ..xdsl_support.construction import Flag
from ..xdsl_support.construction import Float
from ..xdsl_support.construction import Integer
from ..xdsl_support.construction import Integers
from ..xdsl_support.construction import Items
from ..xdsl_support.construction import Symbol
from ..xdsl_support.construction import Text
from ..xdsl_support.construction import Value
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Literal
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.ir import Block

class AddressOfOp(_structure.AddressOfOp):
    def __init__(self, *, variable: Symbol, offset: Integer | None = ..., in_register: Flag | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AssumeOp(_contract.AssumeOp):
    def __init__(self, condition: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BraOp(_control_flow.BraOp):
    def __init__(self, successor: Block, arguments: Sequence[Value] = ..., *, uniform: Flag | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class BrxOp(_control_flow.BrxOp):
    def __init__(self, blocks: Sequence[Block], index: Value, arguments: Sequence[Value] = ..., *, counts: Integers, uniform: Flag | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CallOp(_control_flow.CallOp):
    def __init__(self, arguments: Sequence[Value] = ..., *, callee: Symbol, parameters: Items, returned: Items, stores: Items, loads: Items, uniform: Flag | None = ..., result_types: Sequence[Attribute] = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class CondBraOp(_control_flow.CondBraOp):
    def __init__(self, then_block: Block, else_block: Block, predicate: Value, then_arguments: Sequence[Value] = ..., else_arguments: Sequence[Value] = ..., *, uniform: Flag | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ConstantOp(_structure.ConstantOp):
    def __init__(self, *, value: Float | Integer, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class DeclarationOp(_structure.DeclarationOp):
    def __init__(self, *, text: Text, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class GuardOp(_structure.GuardOp):
    def __init__(self, predicate: Value, kept: Sequence[Value] = ..., *, negated: Flag | None = ..., result_types: Sequence[Attribute] = ..., body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class InlineOp(_structure.InlineOp):
    def __init__(self, inputs: Sequence[Value] = ..., kept: Sequence[Value] = ..., *, text: Text, result_types: Sequence[Attribute] = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class KernelOp(_kernel.KernelOp):
    def __init__(self, *, sym_name: Text, maxntid: Integers | None = ..., reqntid: Integers | None = ..., cluster_dims: Integers | None = ..., minnctapersm: Integer | None = ..., maxnreg: Integer | None = ..., arg_attrs: Items | None = ..., declarations: Items | None = ..., directives: Items | None = ..., body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LoadParameterOp(_variables.LoadParameterOp):
    def __init__(self, parameter: Value, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ParameterAddressOp(_variables.ParameterAddressOp):
    def __init__(self, parameter: Value, *, in_register: Flag | None = ..., result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class PragmaOp(_structure.PragmaOp):
    def __init__(self, *, text: Text, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SharedMemoryOp(_kernel.SharedMemoryOp):
    def __init__(self, *, sym_name: Text, size: Integer | None = ..., needs: Integer | None = ..., alignment: Integer, at_least: Flag | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05AllocOp(_tcgen05.AllocOp):
    def __init__(self, address: Value, columns: Value, *, cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, space: Literal['shared_cta'] | StringAttr | None = ..., address_offset: Integer | None = ..., exclusive: Literal['exclusive'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05CommitOp(_tcgen05.CommitOp):
    def __init__(self, mbarrier: Value, *, multicast_mask: Value | None = ..., cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, space: Literal['shared_cluster'] | StringAttr | None = ..., mbarrier_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05CpOp(_tcgen05.CpOp):
    def __init__(self, address: Value, descriptor: Value, *, cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, shape: Literal['shape_128x128b', 'shape_128x256b', 'shape_32x128b', 'shape_4x256b', 'shape_64x128b'] | StringAttr, multicast: Literal['warpx2_01_23', 'warpx2_02_13', 'warpx4'] | StringAttr | None = ..., format: Literal['b4x16_p64', 'b6x16_p32'] | StringAttr | None = ..., address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05DeallocOp(_tcgen05.DeallocOp):
    def __init__(self, taddr: Value, columns: Value, *, cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, exclusive: Literal['exclusive'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05FenceOp(_tcgen05.FenceOp):
    def __init__(self, *, order: Literal['after_thread_sync', 'before_thread_sync'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05LdOp(_tcgen05.LdOp):
    def __init__(self, address: Value, *, shape: Literal['shape_16x128b', 'shape_16x256b', 'shape_16x32bx2', 'shape_16x64b', 'shape_32x32b'] | StringAttr, num: Literal['x1', 'x128', 'x16', 'x2', 'x32', 'x4', 'x64', 'x8'] | StringAttr, pack: Literal['pack'] | StringAttr | None = ..., address_offset: Integer | None = ..., split_offset: Integer | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05LdRedOp(_tcgen05.LdRedOp):
    def __init__(self, address: Value, *, shape: Literal['shape_16x32bx2', 'shape_32x32b'] | StringAttr, num: Literal['x128', 'x16', 'x2', 'x32', 'x4', 'x64', 'x8'] | StringAttr, op: Literal['max', 'min'] | StringAttr, abs: Literal['abs'] | StringAttr | None = ..., nan: Literal['nan'] | StringAttr | None = ..., type: Literal['f32', 's32', 'u32'] | StringAttr, address_offset: Integer | None = ..., split_offset: Integer | None = ..., result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05MmaBlockScaleOp(_tcgen05_mma.MmaBlockScaleOp):
    def __init__(self, d: Value, a: Value, b: Value, idesc: Value, scale_a: Value, scale_b: Value, enable_input_d: Value, *, d_offset: Integer | None = ..., a_offset: Integer | None = ..., cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, kind: Literal['mxf4', 'mxf4nvf4', 'mxf8f6f4'] | StringAttr, scale_vectorsize: Literal['block16', 'block32', 'scale_vec_1x', 'scale_vec_2x', 'scale_vec_4x'] | StringAttr | None = ..., collector_buffer: Literal['a'] | StringAttr | None = ..., collector_op: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., scale_a_offset: Integer | None = ..., scale_b_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05MmaOp(_tcgen05_mma.MmaOp):
    def __init__(self, d: Value, a: Value, b: Value, idesc: Value, enable_input_d: Value, *, disable_output_lane: Sequence[Value] = ..., d_offset: Integer | None = ..., a_offset: Integer | None = ..., cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, kind: Literal['f16', 'f8f6f4', 'i8', 'tf32'] | StringAttr, ashift: Literal['ashift'] | StringAttr | None = ..., collector_buffer: Literal['a'] | StringAttr | None = ..., collector_op: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., scale_input_d: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05MmaSpBlockScaleOp(_tcgen05_mma.MmaSpBlockScaleOp):
    def __init__(self, d: Value, a: Value, b: Value, metadata: Value, idesc: Value, scale_a: Value, scale_b: Value, enable_input_d: Value, *, d_offset: Integer | None = ..., a_offset: Integer | None = ..., metadata_offset: Integer | None = ..., cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, kind: Literal['mxf4', 'mxf4nvf4', 'mxf8f6f4'] | StringAttr, scale_vectorsize: Literal['block16', 'block32', 'scale_vec_1x', 'scale_vec_2x', 'scale_vec_4x'] | StringAttr | None = ..., collector_buffer: Literal['a'] | StringAttr | None = ..., collector_op: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., scale_a_offset: Integer | None = ..., scale_b_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05MmaSpOp(_tcgen05_mma.MmaSpOp):
    def __init__(self, d: Value, a: Value, b: Value, metadata: Value, idesc: Value, enable_input_d: Value, *, disable_output_lane: Sequence[Value] = ..., d_offset: Integer | None = ..., a_offset: Integer | None = ..., metadata_offset: Integer | None = ..., cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, kind: Literal['f16', 'f8f6f4', 'i8', 'tf32'] | StringAttr, ashift: Literal['ashift'] | StringAttr | None = ..., collector_buffer: Literal['a'] | StringAttr | None = ..., collector_op: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., scale_input_d: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05MmaWsOp(_tcgen05_mma.MmaWsOp):
    def __init__(self, d: Value, a: Value, b: Value, idesc: Value, enable_input_d: Value, *, zero_column_mask: Value | None = ..., d_offset: Integer | None = ..., a_offset: Integer | None = ..., cta_group: Literal['cta_group_1'] | StringAttr, kind: Literal['f16', 'f8f6f4', 'i8', 'tf32'] | StringAttr, collector_buffer: Literal['b0', 'b1', 'b2', 'b3'] | StringAttr | None = ..., collector_op: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05MmaWsSpOp(_tcgen05_mma.MmaWsSpOp):
    def __init__(self, d: Value, a: Value, b: Value, metadata: Value, idesc: Value, enable_input_d: Value, *, zero_column_mask: Value | None = ..., d_offset: Integer | None = ..., a_offset: Integer | None = ..., metadata_offset: Integer | None = ..., cta_group: Literal['cta_group_1'] | StringAttr, kind: Literal['f16', 'f8f6f4', 'i8', 'tf32'] | StringAttr, collector_buffer: Literal['b0', 'b1', 'b2', 'b3'] | StringAttr | None = ..., collector_op: Literal['discard', 'fill', 'lastuse', 'use'] | StringAttr | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05RelinquishAllocPermitOp(_tcgen05.RelinquishAllocPermitOp):
    def __init__(self, *, cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05ShiftOp(_tcgen05.ShiftOp):
    def __init__(self, address: Value, *, cta_group: Literal['cta_group_1', 'cta_group_2'] | StringAttr, address_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05StOp(_tcgen05.StOp):
    def __init__(self, address: Value, values: Sequence[Value] = ..., *, shape: Literal['shape_16x128b', 'shape_16x256b', 'shape_16x32bx2', 'shape_16x64b', 'shape_32x32b'] | StringAttr, num: Literal['x1', 'x128', 'x16', 'x2', 'x32', 'x4', 'x64', 'x8'] | StringAttr, unpack: Literal['unpack'] | StringAttr | None = ..., address_offset: Integer | None = ..., split_offset: Integer | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class Tcgen05WaitOp(_tcgen05.WaitOp):
    def __init__(self, *, operation: Literal['ld', 'st'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class UndefinedOp(_structure.UndefinedOp):
    def __init__(self, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class VariableAddressOp(_variables.VariableAddressOp):
    def __init__(self, *, variable: Symbol, offset: Integer | None = ..., in_register: Flag | None = ..., result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class VariableOp(_variables.VariableOp):
    def __init__(self, *, space: Literal['const', 'global', 'local'] | StringAttr, sym_name: Text, size: Integer | None = ..., alignment: Integer, bytes: Integers | None = ..., addresses: Items | None = ..., linking: Text | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class YieldOp(_structure.YieldOp):
    def __init__(self, arguments: Sequence[Value] = ..., *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...
