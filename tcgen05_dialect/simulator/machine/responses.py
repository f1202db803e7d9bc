"""
Responses to requests for the work of clusters that have not started (9.7.13.16).

The manual leaves the response opaque. Here it has the coordinates of the first CTA of the cancelled
cluster, and a last word that is one if there is such a cluster.
"""

import numpy as np

from ...isa.ptx.clusterlaunchcontrol import RESPONSE
from ..numbers.lanes import Lanes
from .memory import Bytes
from .state import Extents

_WORDS = RESPONSE.bytes // 4


def response_to(cancelled: Extents | None) -> Bytes:
    """The response to a request that has cancelled the cluster with this first CTA, or none."""
    words = (0, 0, 0, 0) if cancelled is None else (*cancelled, 1)
    return np.array(words, np.uint32).view(np.uint8)


def coordinate(index: int, response: Lanes) -> Lanes:
    """A coordinate of the first CTA in the responses of lanes."""
    return _words(response)[:, index].copy()


def is_canceled(response: Lanes) -> Lanes:
    """Whether the responses of lanes say that a launch was cancelled."""
    return _words(response)[:, -1] != 0


def _words(response: Lanes) -> Lanes:
    """Responses as lanes x words."""
    return np.ascontiguousarray(response).view(np.uint32).reshape(-1, _WORDS)
