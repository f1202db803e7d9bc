"""Contracts: what the caller of a kernel promises about its arguments, and assumptions."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

CONTRACT_RULE = rule("T5-CONTRACT-001")
ASSUMPTION_RULE = rule("T5-CONTRACT-002")
