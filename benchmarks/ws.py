"""
Processor time of the lowering of the examples in `ws`, in a process that has compiled before.

`lower-ws` is what the passes of `ws` add to a compilation; the other passes lower what they give,
as they lower a kernel that is written without `ws`.
"""

import time
from itertools import pairwise
from pathlib import Path

from tcgen05_dialect.passes.lower_to_ptx import LowerToPtx
from tcgen05_dialect.passes.lower_ws import LowerWs

from tcgen05_dialect.compiler import parse, verify, without_garbage_collection
from tcgen05_dialect.reporting.diagnostics import Source

KERNELS = sorted((Path(__file__).parent.parent / "examples" / "ws").glob("*.mlir"))
RUNS = 9


@without_garbage_collection()
def _measure(text: str) -> tuple[int, list[float]]:
    """The operations after the passes of `ws`, and the seconds of each stage."""
    module, context = parse(Source("kernel.mlir", text))
    times = [time.process_time()]
    verify(module)
    times.append(time.process_time())
    LowerWs().apply(context, module)
    times.append(time.process_time())
    operations = sum(1 for _ in module.walk())
    begin = time.process_time()
    LowerToPtx().apply(context, module)
    seconds = [later - earlier for earlier, later in pairwise(times)]
    return operations, [*seconds, time.process_time() - begin]


def main() -> None:
    """Print a line for each example: the fastest of several runs of each stage."""
    print(f"{'processor time, ms':24} {'verify':>8} {'lower-ws':>9} {'ops':>6} {'lower':>8}")
    for path in KERNELS:
        text = path.read_text()
        runs = [_measure(text) for _ in range(RUNS)]
        stages = zip(*(seconds for _, seconds in runs), strict=True)
        verification, own, others = (1e3 * min(each) for each in stages)
        print(f"{path.stem:24} {verification:8.1f} {own:9.1f} {runs[0][0]:6} {others:8.1f}")


if __name__ == "__main__":
    main()
