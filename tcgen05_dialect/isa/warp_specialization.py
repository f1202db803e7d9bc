"""
Rules of warp-specialised kernels: which operations may use a stage, and how roles exchange stages.

These rules determine the waits of each role and the arrivals that end them. The lowering of `ws`
writes only kernels that need no other synchronisation.
"""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

TMA_RULE = rule("T5-WS-001")
MMA_RULE = rule("T5-WS-002")
THREADS_RULE = rule("T5-WS-003")
WRITE_RULE = rule("T5-WS-004")
PLACE_RULE = rule("T5-WS-005")
UNIFORM_RULE = rule("T5-WS-006")
TOKEN_RULE = rule("T5-WS-007")
SIZE_RULE = rule("T5-WS-009")
BALANCE_RULE = rule("T5-WS-011")
DEADLOCK_RULE = rule("T5-WS-012")
ROWS_RULE = rule("T5-WS-014")
BOX_RULE = rule("T5-WS-015")
RING_RULE = rule("T5-WS-016")
ROLE_RULE = rule("T5-WS-017")
OPERAND_RULE = rule("T5-WS-018")
COPY_RULE = rule("T5-WS-019")
REGISTERS_RULE = rule("T5-WS-020")
STORE_RULE = rule("T5-WS-021")
MULTICAST_RULE = rule("T5-WS-022")
TURN_RULE = rule("T5-WS-030")
VALUE_RULE = rule("T5-WS-031")
FORM_RULE = rule("T5-WS-032")
