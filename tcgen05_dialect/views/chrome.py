"""Timelines in the trace event format of Chrome, which Perfetto and chrome://tracing open."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from .bars import Bar
from .recording import AXIS, ESTIMATE, ESTIMATE_NOTE, Recording

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


def facts_of(bar: Bar) -> dict[str, Any]:
    """What is known of a bar, by names for people."""
    begin, end = bar.cycles
    facts: dict[str, Any] = {"instruction": bar.instruction}
    if bar.line:
        facts["line"] = bar.line
    if bar.warp is not None:
        facts["warp"] = bar.warp
    if bar.count > 1:
        facts["operations"] = bar.count
    if bar.kind == "copy":
        facts["bytes"] = bar.bytes
    if bar.facts:
        facts["barrier"] = "; ".join(dict.fromkeys(bar.facts))
    if bar.is_open:
        facts["end"] = "it had not ended with the run"
    if bar.is_passed:
        facts["end"] = "it ended at once"
    if bar.is_estimated:
        facts["estimate"] = f"{end - begin:.0f} cycles from cycle {begin:.0f} on"
    return facts
