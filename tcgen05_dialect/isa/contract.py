"""Contracts: what the caller of a kernel promises about its arguments, and assumptions."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

CONTRACT_RULE = rule(
    "T5-CONTRACT-001",
    "5.1.6.1",
    subject="contract of a parameter",
    statement=(
        "The bounds and the factor in a contract are numbers that the parameter can have. Each "
        "label is shared by at least two pointers or tensor maps."
    ),
    why="Otherwise no launch could keep the contract, or the contract would have no effect.",
    fix="write a contract that the type of the parameter allows",
)
ASSUMPTION_RULE = rule(
    "T5-CONTRACT-002",
    "5.1.6.1",
    subject="assumption",
    statement="The condition of an assumption holds whenever a thread reaches the assumption.",
    why="Tools rely on the assumption; the kernel is not meant for other arguments.",
    fix="launch the kernel with arguments that it is made for, or correct the assumption",
    shown_by="run",
)
