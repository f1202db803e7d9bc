"""Agreement of the threads of a warp, and the errors that follow from it without a run."""
