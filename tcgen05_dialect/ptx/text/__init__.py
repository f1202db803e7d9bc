"""The text of instructions and modules: syntax lines, parsers and printers of IR, and PTX text."""
