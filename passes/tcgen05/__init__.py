"""Lowering of the families of `tcgen05`."""
