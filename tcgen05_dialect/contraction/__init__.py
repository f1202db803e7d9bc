"""
Kernels for expressions of tensors: contractions, elementwise functions and layouts.

A front end builds the graph of `expression`. `plan` divides the graph into kernels; `flat` says
what a kernel computes in each iteration of its loops, and `operand` which matrices it multiplies.
`kernel` builds the kernels in the sequential form of `ws`, and `program` describes their launches.
`functions` tells which operations are functions of tensors.
"""
