"""Facts of tiles in shared memory: layouts, swizzle modes, descriptors and tensor maps."""
