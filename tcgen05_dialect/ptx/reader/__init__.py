"""The reader of PTX text."""
