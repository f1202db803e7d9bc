"""Attention kernels in `ws` of other sizes than those of the examples."""

import re

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.proposal.launch_facts import launch_facts
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import Source

_TYPES = (
    # Q and O; K; V; S; P; O in tensor memory; boxes of K and V.
    (r"(!q = !ws\.smem<128x)64(xbf16.*)>", r"\g<1>{d}\g<2>, mn_first>"),
    (r"(!k = !ws\.smem<)128x64(xbf16.*)>", r"\g<1>{keys}x{d}\g<2>, mn_first>"),
    (r"64x128(xbf16, mn_major)", r"{d}x{keys}\g<1>"),
    (r"(!tcgen05\.tmem<128x)128(xf32>)", r"\g<1>{keys}\g<2>"),
    (r"(!tcgen05\.tmem<128x)128(xbf16, a>)", r"\g<1>{keys}\g<2>"),
    (r"(!tcgen05\.tmem<128x)64(xf32>)", r"\g<1>{d}\g<2>"),
    (r"(!k_box = !ptx\.tensor_map<1x)128", r"\g<1>{keys}"),
    (r"vector<128x", r"vector<{keys} x"),
    (r"vector<64x", r"vector<{d} x"),
)
_NUMBERS = (
    (r"%c64 = arith.constant 64", r"%c64 = arith.constant {d}"),
    (r"%c128 = arith.constant 128", r"%c128 = arith.constant {keys}"),
)


def attention(text: str, d: int, keys: int = 128) -> str:
    """An example with heads of `d` elements, and blocks of so many keys."""
    for pattern, new in _TYPES:
        text, count = re.subn(pattern, new.format(d=d, keys=keys), text)
        assert count, f"the example has no {pattern}"
    for pattern, new in _NUMBERS:
        text = re.sub(pattern, new.format(d=d, keys=keys), text)
    return re.sub(r"vector<(\d+) x", r"vector<\1x", text)


def shared_bytes(text: str) -> int:
    """The dynamic shared memory that a kernel needs."""
    module = parse(Source("kernel.mlir", text))[0]
    (kernel,) = (each for each in module.ops if isinstance(each, KernelOp))
    return launch_facts(kernel).dynamic_shared_memory or 0
