"""Right kernels with a ring of stages, as different compilers and programmers write them."""

import re
from collections.abc import Mapping

from .ring_kernels import (
    COMMIT,
    IS_LATER,
    WAIT,
    addresses,
    consumer,
    copies,
    counted,
    init,
    load,
    multiply,
    producer,
    product,
    specialised,
)

_NEXT = """
%next = arith.addi %stage, %c1 : i32
%wraps = arith.cmpi eq, %next, %c3 : i32
%next_stage = arith.select %wraps, %c0, %next : i32
"""
_LOAD = load()
_MULTIPLY = f"{IS_LATER}\n{multiply()}"
_FREE = WAIT.format(barrier="%f", parity="%parity")
_LOADED = WAIT.format(barrier="%l", parity="%parity")


_TAGGED = re.compile(r"%(i|at|l|f|a_tile|b_tile|column|is_later|a|b)\b")
"""Names that each stage of an unrolled ring defines."""


def carried(first: str, parity: str, flip: str, body: str) -> str:
    """A loop that carries its stage, wrapped by select, and a word from which parities come."""
    return f"""
%ends:2 = scf.for %i = %c0 to %blocks step %c1
    iter_args(%stage = %c0, %word = {first}) -> (i32, i32) : i32 {{
  {parity}
  {addresses()}
  {body}
  {_NEXT}
  {flip}
  scf.yield %next_stage, %next_word : i32, i32
}}
"""


_TOGGLED = (
    "%parity = arith.addi %word, %c0 : i32",
    "%flip = arith.extui %wraps : i1 to i32\n%next_word = arith.xori %word, %flip : i32",
)
_BITS = (
    "%shifted = arith.shrui %word, %stage : i32\n%parity = arith.andi %shifted, %c1 : i32",
    "%bit = arith.shli %c1, %stage : i32\n%next_word = arith.xori %word, %bit : i32",
)


def _carried(first: tuple[str, str], parity: str, flip: str) -> str:
    return specialised(
        3,
        init(3),
        carried(first[0], parity, flip, f"{_FREE}\n{_LOAD}"),
        carried(first[1], parity, flip, f"{_LOADED}\n{_MULTIPLY}") + COMMIT,
    )


def _rotated() -> str:
    """Triton's ring: it increments the stage before the wait, so it starts at the last stage."""

    def loop(phase: str, wait: str, body: str) -> str:
        return f"""
%ends:2 = scf.for %i = %c0 to %blocks step %c1
    iter_args(%before = %c2, %phase = {phase}) -> (i32, i32) : i32 {{
  %next = arith.addi %before, %c1 : i32
  %wraps = arith.cmpi eq, %next, %c3 : i32
  %stage = arith.select %wraps, %c0, %next : i32
  %flip = arith.extui %wraps : i1 to i32
  %parity = arith.xori %phase, %flip : i32
  {addresses()}
  {wait}
  {body}
  scf.yield %stage, %parity : i32, i32
}}
"""

    return specialised(
        3, init(3), loop("%c0", _FREE, _LOAD), loop("%c1", _LOADED, _MULTIPLY) + COMMIT
    )


def _unrolled() -> str:
    """nvcc's ring: rounds of three stages, and a remainder."""

    def loop(first: str, wait: str, body: str) -> str:
        stages = ""
        for n in range(3):
            names = _TAGGED.sub(rf"%\1_{n}", f"{addresses('STAGE')}{wait}\n{body}")
            stages += f"%i_{n} = arith.addi %first_block, %c{n} : i32\n"
            stages += names.replace("STAGE", f"%c{n}")
        return f"""
%rounds = arith.divui %blocks, %c3 : i32
%end = arith.muli %rounds, %c3 : i32
%last = scf.for %round = %c0 to %rounds step %c1 iter_args(%parity = {first}) -> (i32) : i32 {{
  %first_block = arith.muli %round, %c3 : i32
  {stages}
  %other = arith.xori %parity, %c1 : i32
  scf.yield %other : i32
}}
scf.for %i = %end to %blocks step %c1 : i32 {{
  %stage = arith.subi %i, %end : i32
  {addresses()}
  {wait.replace("%parity", "%last")}
  {body}
}}
"""

    return specialised(
        3, init(3), loop("%c1", _FREE, _LOAD), loop("%c0", _LOADED, _MULTIPLY) + COMMIT
    )


def _speculative() -> str:
    """CuTe's ring: a try_wait of the next stage before the work, a wait if it was too early."""

    def loop(first: str, barrier: str, body: str) -> str:
        of = {"%f": "%free", "%l": "%loaded"}[barrier]
        return f"""
%first_done = ptx.mbarrier.try_wait.parity [{of}], {first}
%ends:3 = scf.for %i = %c0 to %blocks step %c1
    iter_args(%stage = %c0, %word = {first}, %done = %first_done) -> (i32, i32, i1) : i32 {{
  {addresses()}
  %again = arith.xori %done, %true : i1
  scf.if %again {{
    {WAIT.format(barrier=barrier, parity="%word")}
  }}
  {_NEXT}
  {_TOGGLED[1]}
  %next_at = arith.muli %next_stage, %c8 : i32
  %asked = arith.addi {of}, %next_at : i32
  %following = arith.addi %i, %c1 : i32
  %more = arith.cmpi ult, %following, %blocks : i32
  %next_done = scf.if %more -> (i1) {{
    %early = ptx.mbarrier.try_wait.parity [%asked], %next_word
    scf.yield %early : i1
  }} else {{
    scf.yield %true : i1
  }}
  {body}
  scf.yield %next_stage, %next_word, %next_done : i32, i32, i1
}}
"""

    return specialised(3, init(3), loop("%c1", "%f", _LOAD), loop("%c0", "%l", _MULTIPLY) + COMMIT)


def _wrapped(index: str) -> str:
    """A ring whose stage comes from the block by other arithmetic than a remainder."""

    def loop(parity: str, body: str) -> str:
        flip = "%parity = arith.xori %odd, %c1 : i32" if parity == "%c1" else ""
        if parity == "%c0":
            flip = "%parity = arith.addi %odd, %c0 : i32"
        return f"""
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  {index}
  %odd = arith.andi %round, %c1 : i32
  {flip}
  {addresses()}
  {body}
}}
"""

    return specialised(
        4,
        init(4),
        loop("%c1", f"{_FREE}\n{_LOAD}"),
        loop("%c0", f"{_LOADED}\n{_MULTIPLY}") + COMMIT,
    )


_MUL_HI = """
%third = arith.constant -1431655765 : i32
%high = ptx.mul hi u32 %i, %third
%round = ptx.shr u32 %high, %c1
%whole = arith.muli %round, %c3 : i32
%stage = arith.subi %i, %whole : i32
"""
_MAD = """
%third = arith.constant -1431655765 : i32
%high = ptx.mul hi u32 %i, %third
%round = ptx.shr u32 %high, %c1
%less = arith.constant -3 : i32
%stage = ptx.mad s32 %round, %less, %i
"""
_MASK = "%stage = ptx.and b32 %i, %c3\n%round = ptx.shr u32 %i, %c2"


def _drained(stages: int) -> str:
    """CuTe's tail: the producer waits at the end until all stages are free."""
    tail = counted(
        stages,
        WAIT.format(barrier="%f", parity="%parity_before"),
        before="%of_ring",
        end=f"%c{stages}",
    ).replace("%stage = ", "%of_ring = arith.addi %blocks, %i : i32\n%stage = ")
    return specialised(stages, init(stages), producer(stages) + tail, consumer(stages))


def _polled(shape: str) -> str:
    """Waits as loops around try_wait in blocks of their own."""
    loops = {
        "do while": """
scf.while () : () -> () {
  %done = ptx.mbarrier.try_wait.parity [BARRIER], PARITY
  %again = arith.xori %done, %true : i1
  scf.condition(%again)
} do {
  scf.yield
}
""",
        "if first": """
%at_once = ptx.mbarrier.try_wait.parity [BARRIER], PARITY
%not_yet = arith.xori %at_once, %true : i1
scf.if %not_yet {
  scf.while () : () -> () {
    %done = ptx.mbarrier.try_wait.parity [BARRIER], PARITY
    %again = arith.xori %done, %true : i1
    scf.condition(%again)
  } do {
    scf.yield
  }
}
""",
        "carried": """
%asked = ptx.mbarrier.try_wait.parity [BARRIER], PARITY
%ended = scf.while (%known = %asked) : (i1) -> i1 {
  %again = arith.xori %known, %true : i1
  scf.condition(%again) %known : i1
} do {
^bb0(%known : i1):
  %done = ptx.mbarrier.try_wait.parity [BARRIER], PARITY
  scf.yield %done : i1
}
""",
        "backoff": """
%tries = scf.while (%n = %c0) : (i32) -> i32 {
  %done = ptx.mbarrier.try_wait.parity [BARRIER], PARITY
  %again = arith.xori %done, %true : i1
  scf.condition(%again) %n : i32
} do {
^bb0(%n : i32):
  ptx.nanosleep %c20
  %m = arith.addi %n, %c1 : i32
  scf.yield %m : i32
}
""",
    }
    loop = loops[shape]
    free = loop.replace("BARRIER", "%f").replace("PARITY", "%parity_before")
    loaded = loop.replace("BARRIER", "%l").replace("PARITY", "%parity")
    return specialised(
        3,
        init(3),
        counted(3, f"{free}\n{_LOAD}"),
        counted(3, f"{loaded}\n{_MULTIPLY}") + COMMIT,
    )


def _pieces(*lines: str) -> str:
    """Bytes that are expected before the copies, with the arrival after them or in two pieces."""
    before, after = lines
    return specialised(
        3,
        init(3),
        counted(3, "ptx.mbarrier.wait [%f], %parity_before\n" + before + copies() + after),
        consumer(3),
    )


BODIES: Mapping[str, str] = {
    "counted": specialised(3, init(3), producer(3), consumer(3)),
    "toggled": _carried(("%c1", "%c0"), *_TOGGLED),
    "bits": _carried(("%c7", "%c0"), *_BITS),
    "rotated": _rotated(),
    "unrolled": _unrolled(),
    "speculative": _speculative(),
    "mul_hi": _wrapped(_MUL_HI),
    "mad": _wrapped(_MAD),
    "mask": _wrapped(_MASK),
    "drained": _drained(3),
    **{
        f"polled_{shape.replace(' ', '_')}": _polled(shape)
        for shape in ("do while", "if first", "carried", "backoff")
    },
    "expected_before": _pieces("ptx.mbarrier.expect_tx [%l], %c4352", "ptx.mbarrier.arrive [%l]"),
    "two_pieces": _pieces(
        "ptx.mbarrier.expect_tx [%l], %c4096", "ptx.mbarrier.arrive.expect_tx [%l], %c256"
    ),
}
KERNELS = {name: product(name, body, 4) for name, body in BODIES.items()}
