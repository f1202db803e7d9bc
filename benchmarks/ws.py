"""
Processor time of the lowering of the examples in `ws`, in a process that has compiled before.

`lower-ws` is what the passes of `ws` add to a compilation; the other passes lower what they give,
as they lower a kernel that is written without `ws`.

Most of this time is proportional to the operations that the passes make: xDSL alone takes 10 ms to
make and insert a thousand. The limit of `lower-ws` is therefore 10 ms for each thousand operations,
and 10 ms for a kernel of fewer. `least` is the time in which its operations are only made.
"""

import time
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from tcgen05_dialect.passes.lower_to_ptx import LowerToPtx
from tcgen05_dialect.passes.ws_lower import LowerWs
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation

from tcgen05_dialect.compiler import parse, verify, without_garbage_collection
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.xdsl_support.construction import CreatedOperation

KERNELS = sorted((Path(__file__).parent.parent / "examples" / "ws").glob("*.mlir"))
RUNS = 9
LIMIT = 10.0
"""Milliseconds for each thousand operations."""


@without_garbage_collection()
def _measure(text: str) -> list[float]:
    """The seconds of each stage."""
    module, context = parse(Source("kernel.mlir", text))
    times = [time.process_time()]
    verify(module)
    times.append(time.process_time())
    LowerWs().apply(context, module)
    times.append(time.process_time())
    LowerToPtx().apply(context, module)
    times.append(time.process_time())
    return [later - earlier for earlier, later in pairwise(times)]


def _made(text: str) -> int:
    """How many operations the passes of `ws` make."""
    module, context = parse(Source("kernel.mlir", text))
    with patch.object(Operation, "__post_init__") as made:
        LowerWs().apply(context, module)
    return made.call_count


@without_garbage_collection()
def _making() -> float:
    """The seconds in which an operation is made and inserted."""
    count = 1000
    block = Block(arg_types=[i32, i32])
    begin = time.process_time()
    for _ in range(count):
        block.add_op(CreatedOperation.made(arith.AddiOp, block.args, [i32]))
    return (time.process_time() - begin) / count


def main() -> None:
    """Print a line for each example: the fastest of several runs of each stage."""
    making = min(_making() for _ in range(RUNS))
    print(f"{'processor time, ms':22} verify lower-ws   ops  least  limit   lower")
    for path in KERNELS:
        text = path.read_text()
        verification, own, others = (
            1e3 * min(each) for each in zip(*(_measure(text) for _ in range(RUNS)), strict=True)
        )
        made = _made(text)
        limit = LIMIT * max(1, made / 1000)
        print(
            f"{path.stem:22} {verification:6.1f} {own:8.1f} {made:5} {1e3 * making * made:6.1f} "
            f"{limit:6.1f} {others:7.1f}"
        )


if __name__ == "__main__":
    main()
