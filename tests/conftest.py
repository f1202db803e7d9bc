"""Settings of all tests."""

import gc
import os

# The matrices of the emulator are too small for threads, as in a command.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from .support.effort import SWEEP, part

# A busy machine is slow now and then: time says nothing about the properties that are tested.
settings.register_profile(
    "untimed",
    max_examples=part(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")


# Tests are about what commands do, not about what earlier ones did.
os.environ["TCGEN05_CACHE"] = "off"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests with the marker `sweep` to a sweep."""
    left_out = [] if SWEEP else [each for each in items if each.get_closest_marker("sweep")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [each for each in items if not each.get_closest_marker("sweep")]


def pytest_collection_finish() -> None:
    """
    Let the garbage collector pass over the collected tests, and run less often.

    IR is cyclic and made in great numbers. With the defaults of Python, a tenth of the time of the
    tests is spent on searching what stays alive.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
