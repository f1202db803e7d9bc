"""
Arithmetic on lanes: integers, floating point, conversions and comparisons.

The functions may cause floating-point warnings of numpy; a run ignores them.
"""
