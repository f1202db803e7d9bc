"""Partition of the sequential form into roles and rings."""
