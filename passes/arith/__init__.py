"""The lowerings of `arith` operations, which the pass `convert-arith-to-ptx` applies."""
