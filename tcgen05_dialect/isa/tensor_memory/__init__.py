"""Facts of tensor memory, and of the instructions that allocate it and move its data."""
