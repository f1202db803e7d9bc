"""Facts of PTX apart from tcgen05: other instructions that kernels use, and the text of PTX."""
