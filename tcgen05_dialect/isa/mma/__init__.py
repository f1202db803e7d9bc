"""Facts of the matrix products: kinds, descriptors, accumulators, scale factors and sparsity."""
