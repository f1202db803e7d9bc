"""
Tests of rings whose first tiles come before the loop, where the other side of the ring takes its
number of tiles from another parameter: a launch keeps the two consistent.
"""

import pytest

from .test_pairs import verdict
from .test_sizes import EFFORTS, Effort, ring
from .test_styles import replaced

_RING = ring(4)
_PRODUCER = _RING.index("    scf.for %i = %c0 to %n")
_BETWEEN = _RING.index("  scf.if %consumes {")
_CONSUMER = _RING.index("    scf.for %i = %c0 to %n", _BETWEEN)
_END = "  }\n  ptx.ret\n}\n"


def _peeled(loop: str) -> str:
    """A loop over %n tiles as one over the first four, and one over the others of %m."""
    first = replaced(loop, "to %n step", "to %stages step")
    others = replaced(loop, "%c0 to %n step", "%stages to %m step")
    return first + others


def _of_two_parameters(text: str) -> str:
    return replaced(text, "(%n : i32,", "(%n : i32, %m : i32,")


def producer(after: str = "") -> str:
    """The first tiles of the producer come before its loop; `after` comes behind it."""
    loop = _RING[_PRODUCER:_BETWEEN].removesuffix("  }\n")
    text = f"{_RING[:_PRODUCER]}{_peeled(loop)}{after}  }}\n{_RING[_BETWEEN:]}"
    return _of_two_parameters(text)


def consumer() -> str:
    """The first tiles of the consumer come before its loop."""
    loop = _RING[_CONSUMER:].removesuffix(_END)
    return _of_two_parameters(f"{_RING[:_CONSUMER]}{_peeled(loop)}{_END}")


_DRAIN = """    scf.for %j = %c0 to %stages step %c1 : i32 {
      %i = arith.addi %j, %m : i32
      %stage = arith.remui %i, %stages : i32
      %offset = arith.shli %stage, %c3 : i32
      %stage_free = arith.addi %free, %offset : i32
      %round = arith.divui %i, %stages : i32
      %round_before = arith.addi %round, %c1 : i32
      %parity = arith.andi %round_before, %c1 : i32
      ptx.mbarrier.wait [%stage_free], %parity
    }
"""
KERNELS = {"producer": producer(), "drained producer": producer(_DRAIN), "consumer": consumer()}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("effort", EFFORTS)
def test_right(kernel: str, effort: Effort) -> None:
    found = verdict(KERNELS[kernel], effort)
    assert (found.findings, found.word) == ((), "verified")


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("wait", ["[%stage_free], %parity", "[%stage_full], %parity"])
def test_wrong(kernel: str, wait: str) -> None:
    assert verdict(KERNELS[kernel].replace(f"ptx.mbarrier.wait {wait}", "")).findings


@pytest.mark.parametrize("arrival", ["[%stage_free]", "[%stage_full]"])
def test_deadlock(arrival: str) -> None:
    """A deadlock at all sizes is an error."""
    assert verdict(consumer().replace(f"ptx.mbarrier.arrive {arrival}", "")).findings
