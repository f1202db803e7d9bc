"""The command line: reads input, calls the library, and writes output."""
