"""Launches of kernels: launch files, arguments, buffers and results."""
