"""The classes of the dialect `ws`. `make docs` writes this file."""

from ..ws import base as _base
from ..ws import copies as _copies
from ..ws import products as _products
from ..ws import regions as _regions
from ..ws import rings as _rings
from ..ws import roles as _roles
from ..ws import tma as _tma
from ..ws import vectors as _vectors
from ..ws.base import RingType as RingType
from ..ws.base import SharedTileType as SharedTileType
from ..ws.base import TokenType as TokenType
from ..xdsl_support.construction import Body
from ..xdsl_support.construction import Flag
from ..xdsl_support.construction import Integer
from ..xdsl_support.construction import Integers
from ..xdsl_support.construction import Text
from ..xdsl_support.construction import Value
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Literal
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

class AddressOp(_base.AddressOp):
    def __init__(self, tile: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class AllocOp(_rings.AllocOp):
    def __init__(self, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ConsumeOp(_regions.ConsumeOp):
    def __init__(self, ring: Value, *, by: Literal['mma', 'threads', 'tma'] | StringAttr, result_types: Sequence[Attribute] = ..., body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ConsumerReleaseOp(_regions.ConsumerReleaseOp):
    def __init__(self, token: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ConsumerWaitOp(_regions.ConsumerWaitOp):
    def __init__(self, ring: Value, *, by: Literal['mma', 'threads', 'tma'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ElectedOp(_roles.ElectedOp):
    def __init__(self, *, body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class GlobalLoadOp(_vectors.GlobalLoadOp):
    def __init__(self, pointer: Value, rows: Value, columns: Value, indices: Sequence[Value | int] = ..., *, stride: Value | None = ..., result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class GlobalStoreOp(_vectors.GlobalStoreOp):
    def __init__(self, value: Value, pointer: Value, rows: Value, columns: Value, indices: Sequence[Value | int] = ..., *, stride: Value | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class KeepFirstOp(_copies.KeepFirstOp):
    def __init__(self, count: Value, vector: Value, other: Value, *, result_type: Attribute | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LocalLoadOp(_vectors.LocalLoadOp):
    def __init__(self, tile: Value, indices: Sequence[Value | int] = ..., *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class LocalStoreOp(_vectors.LocalStoreOp):
    def __init__(self, value: Value, tile: Value, indices: Sequence[Value | int] = ..., *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MbarrierOp(_regions.MbarrierOp):
    def __init__(self, token: Value, *, barrier: Literal['empty', 'full'] | StringAttr, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class MmaOp(_products.MmaOp):
    def __init__(self, d: Value, a: Value, b: Value, *, metadata: Value | None = ..., scale_a: Value | None = ..., scale_b: Value | None = ..., accumulate: Value | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ProduceOp(_regions.ProduceOp):
    def __init__(self, ring: Value, *, by: Literal['mma', 'threads', 'tma'] | StringAttr, result_types: Sequence[Attribute] = ..., body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ProducerAcquireOp(_regions.ProducerAcquireOp):
    def __init__(self, ring: Value, *, by: Literal['mma', 'threads', 'tma'] | StringAttr, result_types: Sequence[Attribute] | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class ProducerCommitOp(_regions.ProducerCommitOp):
    def __init__(self, token: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RingOp(_rings.RingOp):
    def __init__(self, *, in_place: Flag | None = ..., result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RoleBarrierOp(_roles.RoleBarrierOp):
    def __init__(self, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class RoleOp(_roles.RoleOp):
    def __init__(self, *, sym_name: Text, warps: Integer, leader: Flag | None = ..., registers: Integer | None = ..., body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class SIToFPOp(_copies.SIToFPOp):
    def __init__(self, vector: Value, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TmaLoadOp(_tma.TmaLoadOp):
    def __init__(self, tensor_map: Value, tile: Value, indices: Sequence[Value | int] = ..., *, rows: Sequence[Value] = ..., multicast: Literal['x', 'y', 'z'] | StringAttr | None = ..., elements: Flag | None = ..., halves: Integers | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TmaStoreOp(_tma.TmaStoreOp):
    def __init__(self, tensor_map: Value, tile: Value, indices: Sequence[Value | int] = ..., *, rows: Sequence[Value] = ..., reduction: Literal['add', 'and', 'dec', 'inc', 'max', 'min', 'or', 'xor'] | StringAttr | None = ..., elements: Flag | None = ..., halves: Integers | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TmemCopyOp(_copies.TmemCopyOp):
    def __init__(self, tile: Value, matrix: Value, *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TmemLoadOp(_vectors.TmemLoadOp):
    def __init__(self, address: Value, indices: Sequence[Value | int] = ..., *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class TmemStoreOp(_vectors.TmemStoreOp):
    def __init__(self, value: Value, address: Value, indices: Sequence[Value | int] = ..., *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class UIToFPOp(_copies.UIToFPOp):
    def __init__(self, vector: Value, *, result_type: Attribute, attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class WarpSpecializeOp(_roles.WarpSpecializeOp):
    def __init__(self, sizes: Sequence[Value] = ..., *, extents: Integers, persistent: Flag | None = ..., clc: Flag | None = ..., group: Integer | None = ..., pair: Flag | None = ..., body: Body | None = ..., attributes: Mapping[str, Attribute] | None = ...) -> None: ...

class YieldOp(_regions.YieldOp):
    def __init__(self, values: Sequence[Value] = ..., *, attributes: Mapping[str, Attribute] | None = ...) -> None: ...
