"""Arithmetic on lanes: integers, floating point, conversions and comparisons."""
