"""Analyses of whole modules: symbols, dominance, and the walk over operations."""
