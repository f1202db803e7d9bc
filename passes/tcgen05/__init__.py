"""Lowerings of the families of `tcgen05`."""
