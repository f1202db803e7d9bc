"""The option `--timeline` of `tcgen05 sim`."""

import os
from argparse import Namespace

from ..isa.model.rule import plural
from ..reporting.diagnostics import Source
from ..simulator import Report
from ..simulator.machine.errors import LaunchError
from ..views.timeline import Timeline
from .files import CommandError, refuse_overwriting, write_output
from .launch_options import extents_of

_FORMATS = {".html": Timeline.html, ".json": Timeline.json}
"""Suffix of a file -> its format."""


class TimelineFile:
    """The timeline of the first launch, and the file for it that the options name. Raises
    CommandError for a file that it cannot write."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._path: str = options.timeline
        self._launches: list[str] = []
        suffix = os.path.splitext(self._path)[1]
        if self._path != "-" and suffix not in _FORMATS:
            legal = f"- or a file with the suffix {' or '.join(_FORMATS)}"
            raise CommandError(f"--timeline must be {legal}; found {self._path}")
        refuse_overwriting(options.file, self._path)
        self._format = _FORMATS.get(suffix, Timeline.json)
        self.timeline = Timeline(extents_of(options, "timeline_cta") or ())

    def begins(self, launch: str) -> bool:
        """Begin a launch; returns whether the timeline shows it."""
        self._launches.append(launch)
        return len(self._launches) == 1

    def ends(self, launch: str, report: Report, source: Source, kernel: str | None) -> None:
        """Take the report of a launch that has run."""
        if launch != self._launches[0] or len(self._launches) > 1:
            return
        timeline = self.timeline
        timeline.title = f"{os.path.basename(source.name)} {launch}".strip()
        options = self._options
        seed = f", seed {options.seed}" if options.schedule == "random" else ""
        timeline.about = [f"schedule {options.schedule}{seed}"]
        try:
            timeline.close(report, source, kernel)
        except LaunchError as error:
            raise CommandError(f"--timeline-cta: {error.message}") from None

    def write(self) -> None:
        """Write the file."""
        if others := len(self._launches) - 1:
            self.timeline.left_out.append(f"{others} other {plural('launch', others)}")
        write_output(self._path, self._format(self.timeline).encode())
