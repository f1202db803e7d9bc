"""Verification of whole kernels without a run."""
