"""Launches of kernels: launch files, arguments, arrays and results."""
