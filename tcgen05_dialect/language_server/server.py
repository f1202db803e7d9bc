"""
The state of the language server: documents, their checks in child processes, and the findings.

One child checks while the user types, and runs no kernels; a second child checks with runs when a
file is opened or saved. A result for an older text is dropped, and the text is checked again.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ..reporting.diagnostics import Finding
from ..reporting.formats import advised
from ..reporting.project import version
from ..reporting.suppressions import notes, visible
from ..verification import Effort
from .definitions import Text
from .tasks import Checked, Child, Refused
from .words import address_of

DELAY = 0.15
"""Seconds after the last change before a text is checked."""
STATIC_LIMIT, RUN_LIMIT = 10.0, 120.0
"""Longest check without runs, and with runs, in seconds."""
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "remark": lsp.DiagnosticSeverity.Information,
}


class _State:
    """State of a document: the results of the last check, and the checks in progress."""

    def __init__(self) -> None:
        self.version: int | None = None
        """The version of the text that was checked."""
        self.is_run = False
        self.checked = Checked([], [])
        self.typing: asyncio.Task[None] | None = None
        self.running: asyncio.Task[None] | None = None


class Server(LanguageServer):
    """The language server of `tcgen05 lsp`."""

    def __init__(self) -> None:
        full = lsp.TextDocumentSyncKind.Full
        super().__init__("tcgen05", version(), text_document_sync_kind=full)  # pyright: ignore[reportUnknownMemberType]
        self._states: dict[str, _State] = {}
        self._texts: dict[str, Text] = {}
        self.static, self.runs = Child("the check"), Child("the check with runs")

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log a message of the client that cannot be read."""
        self.log(f"{type(error).__name__}: {error}")

    def log(self, message: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, message))

    def text(self, uri: str) -> Text:
        """The current text of a document. Raises Refused for one that is not open."""
        if uri not in self.workspace.text_documents:
            raise Refused(f"{uri} is not open")
        document = self.workspace.get_text_document(uri)
        known = self._texts.get(uri)
        if known is None or known.version != document.version:
            known = self._texts[uri] = Text(document)
        return known

    def state(self, uri: str) -> _State:
        return self._states.setdefault(uri, _State())

    def changed(self, uri: str) -> None:
        """Check a text as soon as it has not changed for `DELAY` seconds."""
        state = self.state(uri)
        if state.running is not None:
            state.running.cancel()
        if state.typing is None or state.typing.done():
            state.typing = asyncio.ensure_future(self._check_when_quiet(uri))

    async def _check_when_quiet(self, uri: str) -> None:
        is_current = False
        while not is_current:
            before = self.text(uri).version
            await asyncio.sleep(DELAY)
            text = self.text(uri)
            is_current = text.version == before and await self._check(text, "off", self.static)

    def run(self, uri: str) -> None:
        """Check a text with runs."""
        state = self.state(uri)
        if state.running is not None:
            state.running.cancel()
        state.running = asyncio.ensure_future(self._run(self.text(uri)))

    async def _run(self, text: Text) -> None:
        await self._check(text, "thorough", self.runs)

    async def _check(self, text: Text, verify: Effort, child: Child) -> bool:
        """Check a text and publish the findings; returns whether the text is still current."""
        is_run = verify != "off"
        try:
            limit = RUN_LIMIT if is_run else STATIC_LIMIT
            checked: Checked = await child.ask(limit, "check", text.name, text.source, verify)
        except Refused as refused:
            # Keep the findings of the check without runs.
            remark = Finding(text.name, 0, 0, "remark", "", str(refused))
            found = dict.fromkeys((*self.findings(text), remark))
            checked = Checked([*found], self.state(text.uri).checked.hints)
        state = self.state(text.uri)
        if text.version != self.text(text.uri).version:
            return False
        if is_run or state.version != text.version or not state.is_run:
            state.version, state.is_run, state.checked = text.version, is_run, checked
            shown = [diagnostic(text, each) for each in visible(checked.findings)]
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(text.uri, shown, text.version)
            )
            workspace = self.client_capabilities.workspace
            if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
                self.workspace_inlay_hint_refresh(None)
        return True

    def closed(self, uri: str) -> None:
        """Forget a document."""
        state = self._states.pop(uri, _State())
        self._texts.pop(uri, None)
        for task in (state.typing, state.running):
            if task is not None:
                task.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def findings(self, text: Text) -> Sequence[Finding]:
        """The findings in a text; none if the last check was of an older text."""
        state = self.state(text.uri)
        return state.checked.findings if state.version == text.version else ()


def diagnostic(text: Text, finding: Finding) -> lsp.Diagnostic:
    """A finding for a client. A finding in another file, or without a place, is at the top."""
    is_here = finding.line and finding.file == text.name
    place = f"{finding.file}:{finding.line}: " if finding.line and not is_here else ""
    start = end = lsp.Position(0, 0)
    if is_here:
        start = text.place(finding.line, finding.column)
        end = text.place(finding.line, finding.column + _width(finding))
        if start == end:
            # What is missing at the end of a line is marked at its last character.
            start = text.place(finding.line, finding.column - 1)
    is_verified = finding.verdict == "verified"
    address = address_of(finding.rule)
    related = [
        lsp.DiagnosticRelatedInformation(text.line(line), message)
        for line, message in _related(text, finding)
    ]
    return lsp.Diagnostic(
        range=lsp.Range(start, end),
        message=place + advised(finding._replace(replay="")),
        severity=lsp.DiagnosticSeverity.Hint if is_verified else _SEVERITIES[finding.severity],
        code=finding.rule or None,
        code_description=lsp.CodeDescription(address) if address else None,
        source="tcgen05",
        related_information=related or None,
    )


_LINES = re.compile(r"\blines? (\d+(?:(?:, | and )\d+)*)")


def _related(text: Text, finding: Finding) -> Iterator[tuple[int, str]]:
    """The other lines that a finding is about, each with a note or with its code."""
    yield from ((each.line, each.message) for each in notes(finding) if each.file == text.name)
    if finding.rule and finding.file == text.name:
        listed = ",".join(match[1] for match in _LINES.finditer(finding.message))
        for line in dict.fromkeys(int(each) for each in re.findall(r"\d+", listed)):
            if line != finding.line and line <= len(text.lines):
                yield line, text.lines[line - 1].strip()


def _width(finding: Finding) -> int:
    """The number of characters that the carets below the source line mark."""
    _, _, carets = finding.excerpt.partition("\n")
    return max(1, carets.partition("\n")[0].count("^"))
