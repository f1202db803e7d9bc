"""isspacep: state spaces (9.7.9.19)."""

from __future__ import annotations

from tcgen05_dialect.isa.ptx.memory import CVTA_SPACES

SPACES = CVTA_SPACES
"""The state spaces that an address may be in: those that cvta converts."""
