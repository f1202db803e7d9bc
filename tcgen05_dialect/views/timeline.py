"""Timelines of runs: as a page of HTML, which needs no network, as a trace for Perfetto, and in a
notebook."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ..reporting.diagnostics import Finding, Source
from ..simulator import Launch, Report, Run, simulate
from .bars import ELSEWHERE, KINDS, Bar, Row, facts_of
from .recording import AXIS, ESTIMATE, ESTIMATE_NOTE, Recording

if TYPE_CHECKING:
    from ..simulator.launch.binder import Arguments

_LANE, _AXIS, _GAP = 19, 22, 6
"""Pixels of a lane, of the axis, and of what a row has besides lanes, as in the style."""
_TICK, _WIDTH = 60, 1000
"""Least distance of ticks, and the usual width of a chart, in pixels."""
_FRAME = 1000
"""Most pixels of the height of a page in a notebook."""
_LEAST_STEP, _LEAST_CYCLE = 3.0, 0.05
"""Least width of a step and of a cycle in pixels, until the reader zooms out."""


class _Placed(NamedTuple):
    """A bar in a chart: where it begins and how long it is."""

    bar: Bar
    start: float
    length: float


class _Line(NamedTuple):
    """A row of a chart, with its bars in some lanes."""

    row: Row
    bars: Sequence[_Placed]
    lanes: int

    @property
    def label(self) -> str:
        """The name of the row."""
        name, role, work = escape(self.row.name), escape(self.row.role), escape(self.row.work)
        if role:
            word, _, number = name.rpartition(" ")
            return f"{role} <i><u>{word} </u>{number}</i>"
        return f"{name} <i>{work}</i>" if work else name


def as_page(recording: Recording) -> str:
    """The text of a file."""
    parts = {"TITLE": escape(f"Timeline of {recording.title}"), "BODY": "\n".join(_body(recording))}
    # A kernel may have one of these names.
    return re.sub("|".join(parts), lambda match: parts[match[0]], _template())


def as_frame(recording: Recording) -> str:
    """The page in a frame, for a notebook."""
    lanes = sum(row.lanes + 1 for row in recording.rows)
    height = min(_FRAME, _FRAME // 2 + (lanes + 5 * len(recording.findings)) * _LANE)
    page = escape(as_page(recording), quote=True)
    return f'<iframe srcdoc="{page}" style="width: 100%; height: {height}px; border: 0"></iframe>'


@cache
def _template() -> str:
    return files(__package__ or "").joinpath("page.html").read_text("utf-8")


def _body(recording: Recording) -> Iterator[str]:
    yield f"<h1>{escape(recording.title)}: {escape(recording.cta)}</h1>"
    numbers = {id(bar): number for number, bar in enumerate(recording.bars)}
    yield from _findings(recording, numbers)
    about = [f"{recording.length} steps", *recording.about]
    left_out = f"; left out: {', '.join(recording.left_out)}" if recording.left_out else ""
    yield f"<h2>{escape(AXIS.capitalize())}</h2>"
    yield f"<p>{escape(', '.join(about) + left_out)}. A step begins or ends a bar.</p>"
    lines = [
        _Line(row, [_Placed(bar, bar.start, bar.end - bar.start) for bar in bars], row.lanes)
        for row in recording.rows
        for bars in [[bar for bar in recording.bars if bar.row == row.name]]
    ]
    yield from _chart(recording, lines, numbers, recording.length, _LEAST_STEP, "step", True)
    estimated = [
        _Line(line.row, shown, 1)
        for line in lines
        for bars in [[bar for bar, *_ in line.bars if bar.is_estimated]]
        for shown in [[_Placed(bar, bar.cycles[0], bar.cycles[1] - bar.cycles[0]) for bar in bars]]
        if shown
    ]
    if not estimated:
        return
    yield f"<h2>{escape(ESTIMATE.capitalize())}</h2>"
    is_alone = all(row.name != ELSEWHERE for row in recording.rows)
    others = "" if is_alone else " So does what other CTAs do."
    yield f"<p>{escape(ESTIMATE_NOTE + others)}</p>"
    cycles = max((bar.cycles[1] for bar in recording.bars), default=0)
    yield from _chart(recording, estimated, numbers, cycles, _LEAST_CYCLE, "cycle", False)


def _findings(recording: Recording, numbers: dict[int, int]) -> Iterator[str]:
    """The errors, and the warnings, which unfold if there are several."""
    errors = [each for each in recording.findings if each.severity == "error"]
    warnings = [each for each in recording.findings if each.severity != "error"]
    places = {id(each): bar for bar in recording.bars for each in bar.findings}
    for found in (errors, warnings):
        items = "".join(_finding(each, places.get(id(each)), numbers) for each in found)
        unfolded = f'<ul class="findings">{items}</ul>' if found else ""
        if found is warnings and len(found) > 1:
            unfolded = f"<details><summary>{len(found)} warnings</summary>{unfolded}</details>"
        yield unfolded


def _finding(finding: Finding, bar: Bar | None, numbers: dict[int, int]) -> str:
    rule, kind = f"[{finding.rule}]" if finding.rule else "", escape(finding.severity)
    line = f"line {finding.line}" if finding.line else ""
    if bar is not None:
        line = f'<a href="#b{numbers[id(bar)]}">{line}</a>'
    drawing = f"<pre>{escape(finding.drawing)}</pre>" if finding.drawing else ""
    help_ = f"<div>help: {escape(finding.help)}</div>" if finding.help else ""
    text = f"<b>{kind}{escape(rule)}</b> {line} {escape(finding.message)}{drawing}{help_}"
    return f'<li class="{kind}">{text}</li>'


def _chart(
    recording: Recording,
    lines: Sequence[_Line],
    numbers: dict[int, int],
    length: float,
    least: float,
    unit: str,
    is_order: bool,
) -> Iterator[str]:
    """The tools and the chart of the rows."""
    yield from _tools({placed.bar.kind for line in lines for placed in line.bars}, is_order)
    yield f'<div class="chart" data-n="{length:g}" data-least="{least:g}">'
    yield f'<div class="field" style="--n:{length:g}">'
    yield f'<div class="row axis"><div class="name">{unit}</div><div class="space">'
    ticks = _ticks(length, least)
    yield "".join(f'<div class="t" style="--s:{tick}">{tick}</div>' for tick in ticks)
    yield "</div></div>"
    for line in lines:
        kind = "warp" if line.row.name.startswith("warp") else "unit"
        yield f'<div class="row {kind}" style="--lanes:{line.lanes}">'
        yield f'<div class="name">{line.label}</div><div class="space">'
        for bar, start, width in line.bars:
            lane = bar.lane if is_order else 0
            yield _bar(bar, numbers[id(bar)], start, width, lane, is_order)
        yield "</div></div>"
    yield "".join(f'<div class="g" style="--s:{tick}"></div>' for tick in ticks)
    if is_order:
        yield from _arrows(recording, lines, numbers)
    yield "</div></div>"


def _tools(kinds: set[str], is_order: bool) -> Iterator[str]:
    keys = [
        f'<span><span class="b key {kind}"></span>{what}</span>'
        for kind, what in KINDS.items()
        if kind in kinds
    ]
    if is_order:
        keys.append('<span><span class="key arrow"></span>ends a wait</span>')
    buttons = "".join(
        f'<button type="button" data-do="{do}" title="{title}">{text}</button> '
        for do, text, title in (
            ("out", "&minus;", "narrower"),
            ("fit", "fit", "the whole run"),
            ("in", "+", "wider"),
        )
    )
    yield f'<div class="bar-of-tools">{"".join(keys)}<span class="zoom">{buttons}</span></div>'


def _ticks(length: float, least: float) -> Sequence[int]:
    unit = max(least, _WIDTH / max(1, length))
    step = next(
        size * 10**power
        for power in range(12)
        for size in (1, 2, 5)
        if size * 10**power * unit >= _TICK
    )
    return range(0, int(length) + 1, step)


def _bar(bar: Bar, number: int, start: float, width: float, lane: int, is_order: bool) -> str:
    classes = [
        "b",
        bar.kind,
        "passed" if bar.is_passed else "",
        "open" if bar.is_open else "",
        "paired" if bar.related else "",
        *({"error": "bad", "warning": "caution"}.get(each.severity, "") for each in bar.findings),
    ]
    facts = [f"{key}: {value}" for key, value in facts_of(bar).items()]
    facts += [f"{each.severity}: {each.message}" for each in bar.findings]
    facts += [f"named by an error: {each.message}" for each in bar.related]
    text = "\n".join([bar.name, *facts])
    identity = f' id="b{number}"' if is_order else ""
    return (
        f'<div class="{" ".join(filter(None, classes))}" data-id="{number}"{identity} '
        f'style="--s:{start:g};--w:{width:g}{f";--l:{lane}" * bool(lane)}" '
        f'title="{escape(text, quote=True)}"><span>{escape(bar.name)}</span></div>'
    )


def _arrows(recording: Recording, lines: Sequence[_Line], numbers: dict[int, int]) -> Iterator[str]:
    tops: dict[str, int] = {}
    top = _AXIS
    for line in lines:
        tops[line.row.name] = top
        top += line.lanes * _LANE + _GAP
    paths: list[str] = []
    heads: list[str] = []

    def edge(bar: Bar, is_low: bool) -> int:
        return tops[bar.row] + 3 + bar.lane * _LANE + is_low * (_LANE - 2)

    for source, at, target in recording.arrows:
        is_down = edge(source, False) < edge(target, False)
        y, end = edge(source, is_down), edge(target, not is_down)
        x, to = at - 0.5, target.end - 0.5
        late = ' class="late"' if target.is_passed else ""
        of = f"{numbers[id(source)]} {numbers[id(target)]}"
        bend = (y + end) / 2
        curve = f"M{x:g} {y}C{x:g} {bend:g} {to:g} {bend:g} {to:g} {end}"
        paths.append(f'<path{late} data-of="{of}" d="{curve}"/>')
        if not target.is_passed:
            way = "down" if is_down else "up"
            heads.append(f'<div class="head {way}" style="--s:{to:g};top:{end}px"></div>')
    box = f'viewBox="0 0 {recording.length} {top}" preserveAspectRatio="none"'
    yield f'<svg class="arrows" {box} style="height:{top}px">{"".join(paths)}</svg>'
    yield "".join(heads)


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
