"""Proposals of launches: what a kernel tells about the launch that it needs."""
