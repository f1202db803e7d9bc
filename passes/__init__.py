"""The passes that lower `ws`, `tcgen05`, `arith`, `math`, `scf` and `cf` to `ptx`, one per file."""
