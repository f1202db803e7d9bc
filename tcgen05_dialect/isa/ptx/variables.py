"""Variables in global, constant and local memory (5.1, 5.4)."""

from __future__ import annotations

LOCAL = "local"
INITIALISED = ("global", "const")
"""State spaces whose variables may have initial values (5.4.4)."""
SPACES = (*INITIALISED, LOCAL)
ADDRESS_BYTES = 8
"""Size of an address among initial values (5.4.4)."""
