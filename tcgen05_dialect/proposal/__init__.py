"""Proposals of launches: what a kernel says about the launch that it needs."""
