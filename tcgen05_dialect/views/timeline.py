"""Timelines of runs: as a page, as a trace for Perfetto, and in a notebook."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ..reporting.diagnostics import Source
from ..simulator import Launch, Report, Run, simulate
from .chrome import as_trace
from .page import as_frame, as_page
from .recording import Recording

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
