"""Waiting for loads and stores: tcgen05.wait (9.7.16.8.5)."""

from tcgen05_dialect.isa.model.instruction import Mnemonic, Qualifier
from tcgen05_dialect.isa.model.rule import rule

_SECTION = "9.7.16.8.5"
OPERATION = Qualifier(
    "wait",
    {"ld": "::ld", "st": "::st"},
    rule("T5-WAIT-001"),
)
WAIT = Mnemonic("tcgen05.wait{operation}.sync.aligned", _SECTION, {"operation": OPERATION})
