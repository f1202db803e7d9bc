"""Fences other than those of `synchronization` (9.7.13.4)."""

from __future__ import annotations

from tcgen05_dialect.isa.ptx.memory import SCOPES

MEMBAR_SCOPES = {"cta": ".cta", "gpu": ".gl", "sys": ".sys"}
"""Scope of membar -> its name in PTX."""
TENSORMAP_SEMANTICS = ("acquire", "acq_rel")
"""Semantics of the fences that name a tensor map."""
TENSORMAP_SCOPES = SCOPES
