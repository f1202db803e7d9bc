"""Uniformity: which threads of a warp agree, and the errors that this proves without a run."""
