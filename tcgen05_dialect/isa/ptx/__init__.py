"""Facts of the rest of PTX that kernels use, and of the text of PTX."""
