"""
Kernels for expressions of tensors: contractions, elementwise functions and layouts.

`expression` is the graph that a front end builds, `plan` divides it into kernels, `tiles` chooses
the tile of each, and `kernel` builds it in the sequential form of `ws`.
"""
