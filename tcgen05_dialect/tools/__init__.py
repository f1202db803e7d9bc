"""The command line. It reads, calls the library and writes; what it does is done elsewhere."""
