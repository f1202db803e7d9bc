"""Data types of the facts: rules, tables, bit fields, limits, mnemonics and places."""
