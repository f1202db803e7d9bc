"""Facts of tiles in shared memory: layouts, swizzling, descriptors and tensor maps."""
