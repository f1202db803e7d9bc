"""The calculator: questions about instructions, descriptors and layouts, answered from `isa/`."""
