"""Timelines of runs: as a page, as a trace for Perfetto, and in a notebook."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ..reporting.diagnostics import Source
from ..simulator import Launch, Report, Run, simulate
from .bars import facts_of
from .page import as_frame, as_page
from .recording import AXIS, ESTIMATE, ESTIMATE_NOTE, Recording

if TYPE_CHECKING:
    from ..simulator.launch.arguments import Arguments


class Timeline(Recording):
    """The timeline of the CTA at a position of the grid."""

    report: Report
    """The report of the run, after its end."""

    @classmethod
    def of(
        cls,
        module: ModuleOp | str | Source,
        arguments: "Arguments",
        launch: Launch | None = None,
        run: Run | None = None,
        *,
        cta: Sequence[int] = (),
        **options: Any,
    ) -> "Timeline":
        """Run a kernel; see `simulate`, which takes the same arguments and options. Raises
        LaunchError if the launch has no such CTA."""
        launch, run, timeline = launch or Launch(), run or Run(), cls(cta)
        report = simulate(module, arguments, launch, replace(run, trace=timeline.add), **options)
        timeline.title = module.name if isinstance(module, Source) else launch.kernel or "kernel"
        timeline.about = [f"schedule {run.schedule}"]
        timeline.close(report, module, launch.kernel)
        return timeline

    def close(
        self, report: Report, module: ModuleOp | Source | str, kernel: str | None = None
    ) -> None:
        self.report = report
        super().close(report, module, kernel)

    def html(self) -> str:
        """A page that needs no network."""
        return as_page(self)

    def json(self) -> str:
        """A trace for Perfetto and chrome://tracing."""
        return as_trace(self)

    def __repr__(self) -> str:
        return f"<timeline of {self.title}, {self.cta}: {self.length} steps>"

    def _repr_html_(self) -> str:
        return as_frame(self)


_ORDER, _CYCLES = 1, 2
"""Numbers of the processes."""
_LANES = 100
"""Numbers of threads that a row may use."""


def as_trace(recording: Recording) -> str:
    """The text of a file."""
    record = {
        "traceEvents": [*_events(recording)],
        "displayTimeUnit": "ms",
        "otherData": {
            "title": recording.title,
            "cta": recording.cta,
            "axis": f"{AXIS}: 1 us is a step",
            "estimate": f"{ESTIMATE}: 1 us is a cycle. {ESTIMATE_NOTE}",
            "left out": recording.left_out,
            "findings": [finding._asdict() for finding in recording.findings],
        },
    }
    return json.dumps(record, separators=(",", ":")) + "\n"


def _events(recording: Recording) -> Iterator[dict[str, Any]]:
    threads: dict[str, int] = {}
    for number, row in enumerate(recording.rows, 1):
        threads[row.name] = number * _LANES
    for process, name in ((_ORDER, AXIS), (_CYCLES, ESTIMATE)):
        yield _named("process_name", process, 0, name=f"{recording.cta}: {name}")
        yield _named("process_sort_index", process, 0, sort_index=process)
    for row in recording.rows:
        first = threads[row.name]
        for thread in range(first, first + row.lanes):
            yield _named("thread_name", _ORDER, thread, name=row.title)
            yield _named("thread_sort_index", _ORDER, thread, sort_index=thread)
        yield _named("thread_name", _CYCLES, first, name=row.name)
        yield _named("thread_sort_index", _CYCLES, first, sort_index=first)
    for bar in recording.bars:
        place = {"pid": _ORDER, "tid": threads[bar.row] + bar.lane}
        event = {"ph": "X", "name": bar.name, "cat": bar.kind, "args": facts_of(bar)}
        yield event | place | {"ts": bar.start, "dur": bar.end - bar.start}
        begin, end = bar.cycles
        if bar.is_estimated:
            place = {"pid": _CYCLES, "tid": threads[bar.row]}
            yield event | place | {"ts": begin, "dur": end - begin}
        for finding in bar.findings:
            mark = {"ph": "i", "s": "t", "name": finding.message, "cat": finding.severity}
            yield mark | {"pid": _ORDER, "tid": threads[bar.row] + bar.lane, "ts": bar.start}
    numbers = count(1)
    for arrow in recording.arrows:
        flow = {"name": "ends the wait", "cat": "arrow", "id": next(numbers), "pid": _ORDER}
        source, target = arrow.source, arrow.target
        begin = {"ph": "s", "tid": threads[source.row] + source.lane, "ts": arrow.at - 0.5}
        yield flow | begin
        end = {"ph": "f", "bp": "e", "tid": threads[target.row] + target.lane}
        yield flow | end | {"ts": target.end - 0.5}


def _named(what: str, process: int, thread: int, **args: object) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": args}
