"""createpolicy: eviction priorities of cache policies (9.7.9.18)."""

PRIMARY = ("L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged")
"""Priorities of the accesses that a policy selects."""
SECONDARY = ("L2::evict_first", "L2::evict_unchanged")
"""Priorities of the other accesses."""
