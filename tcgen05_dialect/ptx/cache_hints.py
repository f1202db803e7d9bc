"""Instructions on cache lines (9.7.9.15, 9.7.9.16, 9.7.9.17)."""

from xdsl.irdl import operand_def

from ..isa.ptx.cache_hints import LINE
from .instruction import EffectInstruction, instruction, opt_offset, opt_qualifier
from .register_types import B64
from .shared_accesses import PlaceInstruction

_SPACE = "global"


@instruction("prefetchu.L1 [%address]")
class PrefetchuOp(EffectInstruction):
    """Prefetch the cache line at a generic address into the uniform cache."""

    name = "ptx.prefetchu"
    address = operand_def(B64)
    address_offset = opt_offset()


@instruction(f"applypriority.$space.L2::evict_normal [%address], {LINE.bytes}")
class ApplypriorityOp(EffectInstruction):
    """Give the cache line at an address in global memory the usual priority in the L2 cache."""

    name = "ptx.applypriority"
    space = opt_qualifier(_SPACE)
    address = operand_def(B64)
    address_offset = opt_offset()


@instruction(f"discard.$space.L2 [%address], {LINE.bytes}")
class DiscardOp(PlaceInstruction):
    """Drop the cache line at an address in global memory; its bytes are undefined until they are
    written again."""

    name = "ptx.discard"
    space = opt_qualifier(_SPACE)
    address = operand_def(B64)
    address_offset = opt_offset()
