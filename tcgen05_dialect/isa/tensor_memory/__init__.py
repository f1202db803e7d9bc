"""Facts of tensor memory, and of the instructions that allocate it and copy its data."""
