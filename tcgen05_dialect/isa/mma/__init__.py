"""Facts of the matrix products: kinds, descriptors, accumulators, scale factors, sparsity."""
