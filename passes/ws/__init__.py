"""The lowering of `ws` to `ptx`, `tcgen05`, `scf` and `arith`."""
