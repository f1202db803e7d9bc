"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# A busy machine is slow now and then: time says nothing about the properties that are tested.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
