"""Kernels on a CUDA device, and host programs that launch them."""
