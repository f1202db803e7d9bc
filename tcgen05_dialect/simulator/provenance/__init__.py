"""Origins of the bytes of a run, and remarks that use them to explain a wrong result."""
