"""Asynchronous bulk copies of tensors by the tensor memory accelerator (9.7.9.25)."""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    var_operand_def,
)

from ..isa.model.place import Place
from ..isa.ptx.bulk_copy import CTA_GROUPS, DIMENSIONS, PENDING, TILE
from ..isa.ptx.mbarrier import BARRIER_OBJECT
from .instruction import EffectInstruction, immediate, instruction, opt_offset, opt_qualifier
from .register_types import B16, B32, B64, TENSOR_MAP
from .shared_accesses import PlaceInstruction


@instruction(
    "cp.async.bulk.tensor.#(coordinates)d.shared::cluster.global.tile"
    ".mbarrier::complete_tx::bytes?multicast_mask(.multicast::cluster).$cta_group"
    "?cache_policy(.L2::cache_hint) [%destination], [!tensor_map, {%coordinates}], [%mbarrier]"
    "?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)",
    limits={"coordinates": DIMENSIONS},
)
class CpAsyncBulkTensorLoadOp(PlaceInstruction):
    """Copy a box of a tensor from global to shared memory; `mbarrier` tracks its completion."""

    name = "ptx.cp.async.bulk.tensor.load"
    cta_group = opt_qualifier(*CTA_GROUPS)
    destination = operand_def(B32)
    destination_offset = opt_offset()
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    mbarrier = operand_def(B32)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)
    cache_policy = opt_operand_def(B64)
    PLACES: ClassVar[Mapping[str, Place]] = {"destination": TILE, "mbarrier": BARRIER_OBJECT}
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(
    "cp.async.bulk.tensor.#(coordinates)d.global.shared::cta.tile.bulk_group"
    "?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]"
    "?cache_policy(, %cache_policy)",
    limits={"coordinates": DIMENSIONS},
)
class CpAsyncBulkTensorStoreOp(PlaceInstruction):
    """Copy a box of a tensor from shared to global memory, as part of the current bulk group."""

    name = "ptx.cp.async.bulk.tensor.store"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    source = operand_def(B32)
    source_offset = opt_offset()
    PLACES: ClassVar[Mapping[str, Place]] = {"source": TILE}
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(
    "cp.async.bulk.prefetch.tensor.#(coordinates)d.L2.global.tile [!tensor_map, {%coordinates}]",
    limits={"coordinates": DIMENSIONS},
)
class CpAsyncBulkPrefetchTensorOp(EffectInstruction):
    """Prefetch a box of a tensor into the L2 cache."""

    name = "ptx.cp.async.bulk.prefetch.tensor"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)


@instruction("cp.async.bulk.commit_group")
class CpAsyncBulkCommitGroupOp(EffectInstruction):
    """Put the bulk copies that this thread has started since the last commit into a bulk group."""

    name = "ptx.cp.async.bulk.commit_group"


@instruction("cp.async.bulk.wait_group.$read $pending", limits={"pending": PENDING})
class CpAsyncBulkWaitGroupOp(EffectInstruction):
    """
    Wait until at most the latest `pending` bulk groups are incomplete; with `read`, until the
    earlier groups have read their sources.
    """

    name = "ptx.cp.async.bulk.wait_group"
    read = opt_qualifier("read")
    pending = immediate()


@instruction("prefetch.tensormap [%tensor_map]")
class PrefetchTensormapOp(EffectInstruction):
    """Prefetch a tensor map into the cache from which copies read it."""

    name = "ptx.prefetch.tensormap"
    tensor_map = operand_def(TENSOR_MAP)
