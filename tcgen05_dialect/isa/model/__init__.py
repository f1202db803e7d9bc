"""Data types for facts: rules, tables, bit fields, limits, mnemonics and places."""
