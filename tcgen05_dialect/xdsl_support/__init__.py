"""Replacements for slow or missing parts of xDSL; each module says what it saves."""
