"""Time of a call without the collector, whose searches grow with what earlier tests have left."""

import time
from collections.abc import Callable

from tcgen05_dialect.compiler import without_garbage_collection


def seconds_of(run: Callable[[], object]) -> float:
    """Seconds of processor time of a call."""
    with without_garbage_collection():
        begin = time.process_time()
        run()
        return time.process_time() - begin
