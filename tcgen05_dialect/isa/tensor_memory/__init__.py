"""Facts of tensor memory and of the instructions that manage it and move its data."""
