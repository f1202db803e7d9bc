"""
Arithmetic on lanes: integers, floating point, conversions and comparisons.

The functions leave numpy's floating-point warnings to the caller: a run ignores them.
"""
