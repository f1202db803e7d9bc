"""clusterlaunchcontrol: cancelled launches of clusters (9.7.13.16)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place

RESPONSE = Place(16, 16)
"""The response to a request: an opaque number of 128 bits (9.7.13.16.1)."""
DIMENSIONS = ("x", "y", "z")
EVERY_CTA = "multicast::cluster::all"
"""Qualifier of a request whose response goes to each CTA of the cluster."""
COORDINATES = Limit(
    rule("T5-PTX-046"),
    frozenset((4,)),
)
