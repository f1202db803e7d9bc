"""Control, events and special registers (9.7.12, 9.7.19, 10)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, StateSpace
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit
from tcgen05_dialect.isa.ptx.ptx_text import (
    CONSTANT_B32 as CONSTANT_B32,
)
from tcgen05_dialect.isa.ptx.ptx_text import (
    PREDICATES as PREDICATES,
)
from tcgen05_dialect.isa.ptx.ptx_text import (
    VOLATILE_B32 as VOLATILE_B32,
)
from tcgen05_dialect.isa.ptx.ptx_text import (
    VOLATILE_B64 as VOLATILE_B64,
)

_COUNT = 16
_EVENT_RULE = rule("T5-PTX-173", last=_COUNT - 1, count=_COUNT)
EVENTS = Limit(_EVENT_RULE, range(_COUNT))
EVENT_MASKS = Limit(_EVENT_RULE, range(1 << _COUNT))
COUNTER = Effects(reads=(Area(StateSpace.COUNTER, ("register",), proxy=None),))

INSTRUCTIONS = r"""
ret | ret | 9.7.12.6 | base Terminator | unordered | Return from the kernel.
exit | exit | 9.7.12.7 | base Terminator | unordered | End the thread.
brkpt | brkpt | 9.7.19.1 | - | unordered | Stop the thread if a debugger is attached.
pmevent | pmevent $event | 9.7.19.3 | event in EVENTS | unordered
    | Trigger a performance monitor event.
pmevent.mask | pmevent.mask $events | 9.7.19.3 | events in EVENT_MASKS | unordered
    | Trigger the performance monitor events of a mask.
trap_here | trap | 9.7.19.4 | - | unordered
    | Abort the kernel with an error, at a place where other instructions follow in the text.
trap | trap | 9.7.19.4 | base Terminator | unordered | Abort the kernel with an error.
special_register | mov.u32 %d, %$register
      / b32: mov.b32 %d, %$register
      / s32: mov.s32 %d, %$register | 10 | register CONSTANT_B32; d B32; as bits d | pure
    | The value of a 32-bit special register that is constant for the thread.
special_register.volatile | mov.u32 %d, %$register
      / b32: mov.b32 %d, %$register
      / s32: mov.s32 %d, %$register | 10 | register VOLATILE_B32; d B32; as bits d | COUNTER
    | The current value of a 32-bit special register.
special_register.b64 | mov.u64 %d, %$register
      / b64: mov.b64 %d, %$register
      / s64: mov.s64 %d, %$register | 10 | register VOLATILE_B64; d B64; as bits d | COUNTER
    | The current value of a 64-bit special register.
special_register.pred | mov.pred %d, %$register | 10 | register is_explicit_cluster; d PRED | pure
    | The value of a special register that is a predicate.
"""
