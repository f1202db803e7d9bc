"""Facts of PTX other than tcgen05: further instructions that kernels use, and PTX text."""
