"""The origin of the bytes of a run, and remarks that explain a wrong result by it."""
