"""The game of the roles of a `ws` kernel: an execution of their control flow, without data."""
