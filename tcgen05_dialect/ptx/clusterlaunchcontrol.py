"""Clusters that take over the work of clusters that have not been launched (9.7.13.16)."""

from xdsl.irdl import operand_def, result_def, var_result_def

from ..isa.ptx.clusterlaunchcontrol import COORDINATES, DIMENSIONS, EVERY_CTA
from .instruction import (
    PureInstruction,
    instruction,
    opt_offset,
    opt_qualifier,
    opt_sinks,
    qualifier,
)
from .register_types import B32, B128, PRED, SHARED_ADDRESS
from .shared_accesses import PlaceInstruction


@instruction(
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.$multicast"
    ".b128 [%address], [%mbarrier]"
)
class ClusterlaunchcontrolTryCancelOp(PlaceInstruction):
    """
    Request to cancel the launch of a cluster that has not started, and write the response to shared
    memory; `mbarrier` tracks its completion.
    """

    name = "ptx.clusterlaunchcontrol.try_cancel"
    multicast = opt_qualifier(EVERY_CTA)
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()


@instruction("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %d, %response")
class ClusterlaunchcontrolIsCanceledOp(PureInstruction):
    """Whether a launch was cancelled."""

    name = "ptx.clusterlaunchcontrol.is_canceled"
    response = operand_def(B128)
    d = result_def(PRED)


@instruction(
    "clusterlaunchcontrol.query_cancel.$coordinate.b32.b128 %d, %response",
    spellings={"coordinate": {each: f".get_first_ctaid::{each}" for each in DIMENSIONS}},
)
class ClusterlaunchcontrolFirstCtaOp(PureInstruction):
    """A coordinate of the first CTA of the cancelled cluster, if a launch was cancelled."""

    name = "ptx.clusterlaunchcontrol.first_cta"
    coordinate = qualifier(*DIMENSIONS)
    response = operand_def(B128)
    d = result_def(B32)


@instruction(
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%coordinates}, %response",
    limits={"coordinates": COORDINATES},
)
class ClusterlaunchcontrolFirstCtaVectorOp(PureInstruction):
    """
    The coordinates of the first CTA of the cancelled cluster, if a launch was cancelled, and an
    unused number. The results `sinks` are printed as `_`.
    """

    name = "ptx.clusterlaunchcontrol.first_cta_vector"
    response = operand_def(B128)
    coordinates = var_result_def(B32)
    sinks = opt_sinks()
