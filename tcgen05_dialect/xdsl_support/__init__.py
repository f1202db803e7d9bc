"""Replacements for slow or missing parts of xDSL; each module states what it saves."""
