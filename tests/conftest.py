"""Settings of all tests."""

import gc
import os

from hypothesis import HealthCheck, settings

from .support.effort import part

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


def pytest_collection_finish() -> None:
    """
    Let the garbage collector pass over the collected tests, and run less often.

    IR is cyclic and made in great numbers. With the defaults of Python, a tenth of the time of the
    tests is spent on searching what stays alive.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
