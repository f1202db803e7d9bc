"""Asynchronous bulk copies and reductions of bytes (9.7.9.25.4)."""

from abc import ABC
from collections.abc import Mapping, Sequence

from xdsl.irdl import AttrSizedOperandSegments, operand_def, opt_operand_def

from ..isa.model.table import Place
from ..isa.ptx.bulk_bytes import (
    CHUNKS,
    FLOAT_SUM,
    GLOBAL_REDUCTION,
    IGNORED,
    REMOTE_REDUCTION,
    SIZE,
)
from .instruction import EffectInstruction, instruction, opt_offset, opt_qualifier, qualifier
from .known_values import constant_bits
from .register_types import B16, B32, B64, SHARED_ADDRESS
from .shared_accesses import PlaceInstruction
from .syntax import word_of


class BulkInstruction(PlaceInstruction, ABC):
    """An instruction on `size` bytes, from `source` to `destination`."""

    size = operand_def(B32)

    def places(self) -> Mapping[str, Place]:
        places = super().places()
        if (size := constant_bits(self.size)) is None:
            return places
        whole = CHUNKS._replace(bytes=size)
        return {name: whole if place is CHUNKS else place for name, place in places.items()}


_MECHANISM = "mbarrier::complete_tx::bytes"
_LOAD = (
    f"cp.async.bulk.shared::cluster.global.{_MECHANISM}?multicast_mask(.multicast::cluster)"
    "?cache_policy(.L2::cache_hint) [%destination], [%source], %size, [%mbarrier]"
    "?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)"
)
_LOAD_TO_CTA = (
    f"cp.async.bulk.shared::cta.global.{_MECHANISM}"
    "?cache_policy(.L2::cache_hint) [%destination], [%source], %size, [%mbarrier]"
    "?cache_policy(, %cache_policy)"
)
_IGNORING = (
    f"cp.async.bulk.shared::cta.global.{_MECHANISM}?cache_policy(.L2::cache_hint).ignore_oob "
    "[%destination], [%source], %size, %ignored_left, %ignored_right, [%mbarrier]"
    "?cache_policy(, %cache_policy)"
)
_STORE = (
    "cp.async.bulk.global.shared::cta.bulk_group?cache_policy(.L2::cache_hint)"
    "?byte_mask(.cp_mask) [%destination], [%source], %size"
    "?cache_policy(, %cache_policy)?byte_mask(, %byte_mask)"
)
_SIZES = {"size": SIZE}


@instruction(_LOAD, limits=_SIZES, also={"shared::cta": _LOAD_TO_CTA})
class CpAsyncBulkLoadOp(BulkInstruction):
    """
    Copy `size` bytes from global to shared memory; `mbarrier` tracks its completion. With a
    multicast mask, the copy and its completion go to the same places in each CTA of the mask.
    """

    name = "ptx.cp.async.bulk.load"
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    source = operand_def(B64)
    source_offset = opt_offset()
    size = operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(_IGNORING, limits={**_SIZES, "ignored_left": IGNORED, "ignored_right": IGNORED})
class CpAsyncBulkLoadIgnoreOobOp(BulkInstruction):
    """
    Copy `size` bytes from global to shared memory, of which `ignored_left` bytes at the beginning
    and `ignored_right` bytes at the end may be out of bounds: their copies are indeterminate.
    """

    name = "ptx.cp.async.bulk.load.ignore_oob"
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    source = operand_def(B64)
    source_offset = opt_offset()
    size = operand_def(B32)
    ignored_left = operand_def(B32)
    ignored_right = operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def features(self) -> Sequence[str]:
        return ("bulk_ignore_oob",)


@instruction(
    f"cp.async.bulk.shared::cluster.shared::cta.{_MECHANISM} "
    "[%destination], [%source], %size, [%mbarrier]",
    limits=_SIZES,
)
class CpAsyncBulkRemoteOp(BulkInstruction):
    """
    Copy `size` bytes from shared memory of this CTA to that of another CTA of the cluster;
    `mbarrier` tracks its completion.
    """

    name = "ptx.cp.async.bulk.remote"
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    size = operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()


@instruction(_STORE, limits=_SIZES)
class CpAsyncBulkStoreOp(BulkInstruction):
    """
    Copy `size` bytes from shared to global memory, as part of the current bulk group. Bit i of the
    byte mask tells whether byte i of each chunk of 16 bytes is copied.
    """

    name = "ptx.cp.async.bulk.store"
    destination = operand_def(B64)
    destination_offset = opt_offset()
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    size = operand_def(B32)
    cache_policy = opt_operand_def(B64)
    byte_mask = opt_operand_def(B16)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(
    "cp.async.bulk.prefetch.L2.global?cache_policy(.L2::cache_hint) [%source], %size"
    "?cache_policy(, %cache_policy)",
    limits=_SIZES,
)
class CpAsyncBulkPrefetchOp(EffectInstruction):
    """Prefetch `size` bytes of global memory into the L2 cache."""

    name = "ptx.cp.async.bulk.prefetch"
    source = operand_def(B64)
    source_offset = opt_offset()
    size = operand_def(B32)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(
    f"cp.reduce.async.bulk.shared::cluster.shared::cta.{_MECHANISM}.$operation.$type "
    "[%destination], [%source], %size, [%mbarrier]",
    REMOTE_REDUCTION,
    limits=_SIZES,
)
class CpReduceAsyncBulkRemoteOp(BulkInstruction):
    """
    Combine each number in shared memory of a CTA of the cluster with one of this CTA; `mbarrier`
    tracks its completion.
    """

    name = "ptx.cp.reduce.async.bulk.remote"
    operation = qualifier(*REMOTE_REDUCTION.values("operation"))
    type = qualifier(*REMOTE_REDUCTION.values("type"))
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    size = operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()


@instruction(
    "cp.reduce.async.bulk.global.shared::cta.bulk_group?cache_policy(.L2::cache_hint)"
    ".$operation.$noftz.$type [%destination], [%source], %size?cache_policy(, %cache_policy)",
    GLOBAL_REDUCTION,
    limits=_SIZES,
)
class CpReduceAsyncBulkStoreOp(BulkInstruction):
    """
    Combine each number in global memory with one in shared memory, as part of the current bulk
    group.
    """

    name = "ptx.cp.reduce.async.bulk.store"
    operation = qualifier(*GLOBAL_REDUCTION.values("operation"))
    noftz = opt_qualifier(*GLOBAL_REDUCTION.values("noftz"))
    type = qualifier(*GLOBAL_REDUCTION.values("type"))
    destination = operand_def(B64)
    destination_offset = opt_offset()
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    size = operand_def(B32)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def features(self) -> Sequence[str]:
        words = tuple(word_of(self, name) for name in ("operation", "noftz", "type"))
        return ("bulk_sum_of_f32",) if words == FLOAT_SUM else ()
