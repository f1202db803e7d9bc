"""Readers of functions of tensors as expressions."""
