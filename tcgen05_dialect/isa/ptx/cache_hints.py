"""applypriority and discard: the cache line that they act on (9.7.9.16, 9.7.9.17)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.table import Place

APPLYPRIORITY = "9.7.9.16"
DISCARD = "9.7.9.17"
PREFETCHU = "9.7.9.15"
_LINE_BYTES = 128
LINE = Place(_LINE_BYTES, _LINE_BYTES)
"""The bytes that one instruction acts on."""
