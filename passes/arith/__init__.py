"""Lowerings of `arith` operations, for the pass `convert-arith-to-ptx`."""
