"""docs/effects.md: the effects of the instructions, from the rows of `isa/instructions`."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from tcgen05_dialect.isa.effects.model import Ordering, Participants
from tcgen05_dialect.isa.effects.table import EFFECTS, TCGEN05, described
from tcgen05_dialect.isa.instructions.table import FAMILIES, family, names_in
from tcgen05_dialect.isa.mma.products import PIPELINES, Pipeline

from .markdown import table
from .rules import link
from .shown import ROOT

FILE = ROOT / "docs" / "effects.md"
_INTRODUCTION = """\
# Effects of the instructions

What each instruction does besides computing registers: the memory that it reads and writes, who
makes these accesses and through which proxy, what a program must do before it may rely on them,
what the instruction orders, and which threads execute it. The verifiers, the emulator and the
verification of whole kernels read the data behind these tables. `tcgen05 explain tcgen05.cp` prints
the row of one instruction; `make docs` writes this page.

- An instruction of the `ptx` dialect that is not listed only computes its results.
- *reads*, *writes*: names in code are operands or qualifiers of the operation in `ptx`, for example
  of `ptx.tcgen05.cp`.
- *complete after*: the step that must come between the instruction and another access to the same
  memory. If the cell is empty, the accesses are complete before the next instruction of the thread.
- *orders*: the terms are those of the table below. If there are several cases, a qualifier of the
  instruction selects one. A scope that no qualifier gives is in parentheses.
- *waits for*: after the instruction, the accesses of these instructions are known to be complete.
  *tracks*: the instruction puts these instructions into a group, or makes a barrier object signal
  their end.
"""


def _families() -> Iterator[str]:
    yield from _family("The tcgen05 instructions (9.7.16)", [*TCGEN05])
    for each in FAMILIES:
        names = [name for name in names_in(each) if name in EFFECTS]
        if names:
            yield from _family(" ".join((family(each).__doc__ or "").split()).rstrip("."), names)


def _family(title: str, names: Sequence[str]) -> Iterator[str]:
    yield f"## {title}\n"
    rows = {name: described(EFFECTS[name]) for name in names}
    head = next(iter(rows.values()))
    yield from table(
        ("instruction", *head), ((f"`{name}`", *row.values()) for name, row in rows.items())
    )


def _orderings() -> Iterator[str]:
    yield from table(("term", "what is ordered"), ((e.name.lower(), e.value) for e in Ordering))
    yield from table(("executed by", ""), ((each.value, _NEEDS[each]) for each in Participants))


_NEEDS = {
    Participants.EACH: "Threads may execute it or not.",
    Participants.ONE: "Several threads with the same operands would repeat its effects.",
    Participants.NAMED: "The threads in the mask wait for each other.",
    Participants.RUNNING: "Threads that have ended do not count.",
    Participants.WHOLE: "No thread of the warp may have ended.",
}


_PIPELINES = """\
## Pipelines of tcgen05 operations (9.7.16.6)

Two operations that one thread issues are executed in this order if they form a pipeline. The
emulator also keeps the orders that the manual does not guarantee and on which kernels rely, with a
warning.
"""


def _pipelines() -> Iterator[str]:
    yield _PIPELINES
    pairs = groupby(sorted(PIPELINES, key=_pair), _pair)
    rows = (
        (f"`{first}` before `{second}`", *_promise(members)) for (first, second), members in pairs
    )
    yield from table(("order", "guaranteed by the manual", "relied on by kernels"), rows)


def _pair(pipeline: Pipeline) -> tuple[str, str]:
    return pipeline.first, pipeline.second


def _promise(members: Iterator[Pipeline]) -> tuple[str, str]:
    """What the manual guarantees of a pair, and what kernels rely on instead."""
    promised: list[str] = []
    relied: list[str] = []
    for pipeline in members:
        if pipeline.rule is not None:
            relied.append(f"{pipeline.rule.subject} ({link(pipeline.rule)})")
        elif pipeline.alike:
            promised.append("with the same accumulator and shape")
        else:
            shape = pipeline.shape
            promised.append("yes" if shape is None else f"`.{shape.removeprefix('shape_')}`")
    return "; ".join(promised) or "no", "; ".join(relied)


def text() -> str:
    """The text of the page."""
    parts = (_orderings(), _pipelines(), _families())
    return "\n".join([_INTRODUCTION, *(line for part in parts for line in part)]).rstrip() + "\n"
