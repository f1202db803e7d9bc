"""The table in docs/simulator.md of the orders that the emulator guarantees, from the data of
`isa`."""

from collections.abc import Iterator
from itertools import groupby

from tcgen05_dialect.isa.mma.products import PIPELINES, Pipeline
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.reporting.rules import rules

from .markdown import table
from .rules import link
from .shown import ROOT

FILE = ROOT / "docs" / "simulator.md"
_BEGIN, _END = "<!-- orders -->\n", "<!-- end of orders -->\n"
_HEAD = ("order", "guaranteed by the manual", "what kernels do instead (warning)")


def _rows() -> Iterator[tuple[str, str, str]]:
    pairs = sorted(PIPELINES, key=_pair)
    for (first, second), members in groupby(pairs, _pair):
        each = list(members)
        promised = "; ".join(_condition(pipeline) for pipeline in each if pipeline.rule is None)
        relied = "; ".join(
            f"{pipeline.rule.subject}: {_practice(pipeline.rule)}"
            for pipeline in each
            if pipeline.rule
        )
        yield f"`{first}` before `{second}`", promised or "no", relied
    known = [pipeline.rule for pipeline in PIPELINES]
    for rule in rules().values():
        if rule.severity == "warning" and rule.shown_by == "run" and rule not in known:
            yield rule.subject, rule.statement.rstrip("."), _practice(rule)


def _pair(pipeline: Pipeline) -> tuple[str, str]:
    return pipeline.first, pipeline.second


def _condition(pipeline: Pipeline) -> str:
    if pipeline.alike:
        return "with the same accumulator and shape"
    return "yes" if pipeline.shape is None else f"`.{pipeline.shape.removeprefix('shape_')}`"


def _practice(rule: Rule) -> str:
    return f"{rule.practice} ({link(rule)})"


def text() -> str:
    """The text of the page with the current table."""
    page = FILE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    lines = "\n".join(table(_HEAD, _rows())).rstrip("\n")
    return f"{before}{_BEGIN}\n{lines}\n\n{_END}{after}"
