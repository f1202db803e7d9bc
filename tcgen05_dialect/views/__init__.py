"""Views of kernels: timelines of runs, and the use of memory."""
