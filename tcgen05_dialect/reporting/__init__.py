"""Diagnostics, findings and their formats, and the rules with their example programs."""
