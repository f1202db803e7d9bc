"""Rules whose violations only a run of the kernel can find."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

UNSUPPORTED = rule("T5-SIM-001")
BOUNDS = rule("T5-SIM-002")
ALIGNMENT = rule("T5-SIM-003")
DIVERGENCE = rule("T5-SIM-004")
RECONVERGENCE = rule("T5-SIM-030")
DEADLOCK = rule("T5-SIM-005")
STEPS = rule("T5-SIM-006")
TRAP = rule("T5-SIM-007")
BARRIER = rule("T5-SIM-008")
PHASES = rule("T5-SIM-022")
TENSOR_MEMORY = rule("T5-SIM-009")
TENSOR_MAP = rule("T5-SIM-012")
CHANGED_MAP = rule("T5-SIM-047")
UNWRITTEN = rule("T5-SIM-013")
UNDEFINED = rule("T5-SIM-042")
SCALE_COPIES = rule("T5-SIM-020")
COLLECTOR = rule("T5-SIM-021")
RACE = rule("T5-SIM-014")
PROXY = rule("T5-SIM-015")
TENSOR_ORDER = rule("T5-SIM-016")
INITIALISATION = rule("T5-SIM-017")
LIFETIME = rule("T5-SIM-018")
COLLECTIVE = rule("T5-SIM-023")
WARPGROUP = rule("T5-SIM-024")
REGISTER_POOL = rule("T5-SIM-052")
LAST_REQUEST = rule("T5-SIM-053")
FAILED_COORDINATES = rule("T5-SIM-054")
COMMIT = rule("T5-SIM-019")
