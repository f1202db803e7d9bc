"""
Kernels for expressions of tensors: contractions, elementwise functions and layouts.

`expression` is the graph that a front end builds, `flat` what one kernel computes in the iterations
of its loops, `plan` divides the graph into kernels, `kernel` builds them in the sequential form of
`ws`, and `program` describes their launches. `functions` tells which operations are functions of
tensors.
"""
