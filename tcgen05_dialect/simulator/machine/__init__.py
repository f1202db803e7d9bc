"""The emulated machine: threads, memories, barriers and asynchronous units."""
