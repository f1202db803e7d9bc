"""Warnings: rules that widely used kernels break (see also `mma/agreement.py`)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Rule, rule
from tcgen05_dialect.isa.shared_memory.descriptor import LAYOUT_RULE, UNSET_RULE
from tcgen05_dialect.isa.shared_memory.layout import ATOM_DISTANCE, ATOM_DISTANCE_IN_PTX
from tcgen05_dialect.isa.simulation import (
    BARRIER,
    BOUNDS,
    INITIALISATION,
    LIFETIME,
    PHASES,
    RACE,
    UNWRITTEN,
    WARPGROUP,
)

BEFORE_FENCE = rule("T5-SIM-028")
AFTER_FENCE = rule("T5-SIM-029")
OVERWRITE_FENCE = rule("T5-SIM-031")
SAME_VALUE = rule("T5-SIM-032")
INIT_FENCE = rule("T5-SIM-033")
PEER_START = rule("T5-SIM-034")
PEER_USES = rule("T5-SIM-035")
FIRST_LANES = rule("T5-SIM-036")
RELAXED_BARRIER = rule("T5-SIM-037")
SAME_STORE = rule("T5-SIM-038")
GENERIC_ADDRESS = rule("T5-SIM-039")
LOAD_READ = rule("T5-SIM-040")
LAST_STORE = rule("T5-SIM-041")
LATE_WAIT = rule("T5-SIM-043")
LANE_READS = rule("T5-SIM-044")
PEER_ALLOC = rule("T5-SIM-045")
REMOTE_INIT = rule("T5-SIM-046")
EMPTY_LANES = rule("T5-SIM-048")
LAST_COMMIT = rule("T5-SIM-049")
UNEQUAL_DECREASE = rule("T5-SIM-050")
REPEATED_INIT = rule("T5-SIM-051")
IN_IR = {
    REPEATED_INIT: BARRIER,
    UNEQUAL_DECREASE: WARPGROUP,
    LAST_COMMIT: RACE,
    EMPTY_LANES: UNWRITTEN,
    REMOTE_INIT: INITIALISATION,
    LANE_READS: RACE,
    PEER_ALLOC: RACE,
    LATE_WAIT: PHASES,
    FIRST_LANES: BOUNDS,
    RELAXED_BARRIER: RACE,
    SAME_STORE: RACE,
    GENERIC_ADDRESS: BOUNDS,
    LOAD_READ: RACE,
    LAST_STORE: LIFETIME,
    UNSET_RULE: LAYOUT_RULE,
    ATOM_DISTANCE_IN_PTX: ATOM_DISTANCE,
}
"""
Warning about a kernel of PTX text -> the error in a kernel of IR.

Compilers of NVIDIA and others generate such code. In IR, which people write, it is a mistake.
"""


def warnings_in_ptx(error: Rule) -> list[Rule]:
    """The warnings that a kernel of PTX text may get where one of IR gets the error."""
    warnings = (warning for warning, in_ir in IN_IR.items() if in_ir is error)
    return sorted(warnings, key=lambda warning: warning.id)
