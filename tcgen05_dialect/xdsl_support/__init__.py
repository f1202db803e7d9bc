"""Replacements for slow or missing parts of xDSL."""
