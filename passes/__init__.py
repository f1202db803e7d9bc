"""The passes that lower `tcgen05`, `arith`, `scf` and `cf` to the `ptx` dialect, one per file."""
