"""Asynchronous bulk copies of tensors by the tensor memory accelerator (9.7.9.25)."""

from abc import ABC
from collections.abc import Mapping

from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.model.table import Place
from ..isa.ptx.bulk_copy import CTA_GROUPS, DIMENSIONS, PENDING, REDUCTION, ROW_COORDINATES, TILE
from ..isa.shared_memory.tensor_map import Box
from .instruction import (
    EffectInstruction,
    immediate,
    instruction,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .register_types import B16, B32, B64, SHARED_ADDRESS, TENSOR_MAP
from .shared_accesses import PlaceInstruction
from .types import TensorMapType


def box_of(tensor_map: SSAValue) -> Box | None:
    """The box that a tensor map copies; None if its type does not give it."""
    return type_.box if isinstance(type_ := tensor_map.type, TensorMapType) else None


class _BoxInstruction(PlaceInstruction, ABC):
    """An instruction on the box of a tensor map at `coordinates`; TILE is the place of its tile."""

    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)

    @property
    def box(self) -> Box | None:
        """The box that is copied; None if the type of the tensor map does not give it."""
        return box_of(self.tensor_map)

    def verify_(self) -> None:
        super().verify_()
        box, found = self.box, len(self.coordinates)
        if box is not None and found != (rank := len(box.extents)):
            legal = f"{rank}, as {self.tensor_map.type} has"
            violation = DIMENSIONS.rule.violation(found, legal, culprit="coordinates")
            raise VerifyException(str(violation)) from violation

    def places(self) -> Mapping[str, Place]:
        places = super().places()
        if (box := self.box) is None:
            return places
        tile = TILE._replace(bytes=box.shared_bytes)
        return {name: tile if place is TILE else place for name, place in places.items()}


LOAD = (
    "cp.async.bulk.tensor.#(coordinates)d.shared::cluster.global.tile"
    ".mbarrier::complete_tx::bytes?multicast_mask(.multicast::cluster).$cta_group"
    "?cache_policy(.L2::cache_hint) [%destination], [!tensor_map, {%coordinates}], [%mbarrier]"
    "?multicast_mask(, %multicast_mask)?cache_policy(, %cache_policy)"
)
LOAD_TO_CTA = (
    "cp.async.bulk.tensor.#(coordinates)d.shared::cta.global.tile"
    ".mbarrier::complete_tx::bytes.$cta_group"
    "?cache_policy(.L2::cache_hint) [%destination], [!tensor_map, {%coordinates}], [%mbarrier]"
    "?cache_policy(, %cache_policy)"
)
STORE = (
    "cp.async.bulk.tensor.#(coordinates)d.global.shared::cta.tile.bulk_group"
    "?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}], [%source]"
    "?cache_policy(, %cache_policy)"
)
PREFETCH = (
    "cp.async.bulk.prefetch.tensor.#(coordinates)d.L2.global.tile"
    "?cache_policy(.L2::cache_hint) [!tensor_map, {%coordinates}]?cache_policy(, %cache_policy)"
)


def _without_tile(line: str) -> str:
    """A syntax line without the load mode `.tile`, which is the default."""
    return line.replace(".tile", "")


@instruction(
    LOAD,
    limits={"coordinates": DIMENSIONS},
    also={
        "without_tile": _without_tile(LOAD),
        "shared::cta": LOAD_TO_CTA,
        "shared::cta_without_tile": _without_tile(LOAD_TO_CTA),
    },
)
class CpAsyncBulkTensorLoadOp(_BoxInstruction):
    """Copy a box of a tensor from global to shared memory; `mbarrier` tracks its completion."""

    name = "ptx.cp.async.bulk.tensor.load"
    cta_group = opt_qualifier(*CTA_GROUPS)
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(STORE, limits={"coordinates": DIMENSIONS}, also={"without_tile": _without_tile(STORE)})
class CpAsyncBulkTensorStoreOp(_BoxInstruction):
    """Copy a box of a tensor from shared to global memory, as part of the current bulk group."""

    name = "ptx.cp.async.bulk.tensor.store"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(
    PREFETCH, limits={"coordinates": DIMENSIONS}, also={"without_tile": _without_tile(PREFETCH)}
)
class CpAsyncBulkPrefetchTensorOp(_BoxInstruction):
    """Prefetch a box of a tensor into the L2 cache."""

    name = "ptx.cp.async.bulk.prefetch.tensor"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


REDUCE = STORE.replace("cp.async", "cp.reduce.async").replace(".tile", ".$operation.tile")


@instruction(
    REDUCE, limits={"coordinates": DIMENSIONS}, also={"without_tile": _without_tile(REDUCE)}
)
class CpReduceAsyncBulkTensorOp(_BoxInstruction):
    """
    Combine each element of a box of a tensor in global memory with one in shared memory, as part of
    the current bulk group. The tensor map gives the type of the elements.
    """

    name = "ptx.cp.reduce.async.bulk.tensor"
    operation = qualifier(*REDUCTION.values("operation"))
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        super().verify_()
        if (box := self.box) is not None:
            try:
                REDUCTION.check(operation=self.operation.data, element=box.element)
            except Violation as violation:
                raise VerifyException(str(violation)) from violation


TILE_STORES = CpAsyncBulkTensorStoreOp, CpReduceAsyncBulkTensorOp
"""Instructions that read a tile from shared memory, and write or combine a box with it."""


def _rows(line: str, mode: str) -> str:
    """The syntax line of a copy of four rows."""
    return line.replace("#(coordinates)d", "2d").replace(".tile", f".tile::{mode}")


@instruction(
    _rows(LOAD, "gather4"),
    limits={"coordinates": ROW_COORDINATES},
    also={"shared::cta": _rows(LOAD_TO_CTA, "gather4")},
)
class CpAsyncBulkTensorGather4Op(PlaceInstruction):
    """
    Copy four rows of a matrix to shared memory, one after the other. The coordinates are the column
    and the four rows.
    """

    name = "ptx.cp.async.bulk.tensor.gather4"
    cta_group = opt_qualifier(*CTA_GROUPS)
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    multicast_mask = opt_operand_def(B16)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(_rows(STORE, "scatter4"), limits={"coordinates": ROW_COORDINATES})
class CpAsyncBulkTensorScatter4Op(PlaceInstruction):
    """Copy four rows from shared memory to a matrix, as part of the current bulk group."""

    name = "ptx.cp.async.bulk.tensor.scatter4"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(_rows(PREFETCH, "gather4"), limits={"coordinates": ROW_COORDINATES})
class CpAsyncBulkPrefetchTensorGather4Op(EffectInstruction):
    """Prefetch four rows of a matrix into the L2 cache."""

    name = "ptx.cp.async.bulk.prefetch.tensor.gather4"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


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


@instruction(
    "prefetch.tensormap [%tensor_map]",
    also={
        "const": "prefetch.const.tensormap [%tensor_map]",
        "param": "prefetch.param.tensormap [%tensor_map]",
    },
)
class PrefetchTensormapOp(EffectInstruction):
    """Prefetch a tensor map into the cache from which copies read it."""

    name = "ptx.prefetch.tensormap"
    tensor_map = operand_def(TENSOR_MAP)
