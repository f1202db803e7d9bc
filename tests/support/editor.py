"""An editor for tests: a client of the language server, which is a process of its own."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient, make_test_lsp_client

T = TypeVar("T")
_LIMIT = 30.0
"""Seconds after which a test fails that waits for the server."""


class Editor:
    """An editor with one document at a time."""

    def __init__(self, client: LanguageClient, loop: asyncio.AbstractEventLoop):
        self.client = client
        self.untyped: Any = client
        """The client, for its methods without types."""
        self._loop = loop
        self._version = 0
        self.uri = ""
        self.text = ""
        self.edits: list[lsp.ApplyWorkspaceEditParams] = []
        """The edits that the server has asked for."""

    def wait(self, answer: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(answer, _LIMIT))

    def open(self, name: str, text: str) -> None:
        """Open a document that need not exist as a file."""
        self.uri, self.text, self._version = Path(f"/nowhere/{name}").as_uri(), text, 1
        item = lsp.TextDocumentItem(self.uri, Path(name).suffix[1:], self._version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, text: str) -> None:
        self.text = text
        self._version += 1
        document = lsp.VersionedTextDocumentIdentifier(version=self._version, uri=self.uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))

    def save(self) -> None:
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(self.document))

    def close(self) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document))

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def published(
        self, until: Callable[[list[lsp.Diagnostic]], bool] = lambda _: True
    ) -> list[lsp.Diagnostic]:
        """The next diagnostics of the current text for which a condition holds."""

        async def found() -> list[lsp.Diagnostic]:
            while True:
                name = lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
                said: Any = await self.untyped.wait_for_notification(name)
                diagnostics: list[lsp.Diagnostic] = [*said.diagnostics]
                is_current = (said.uri, said.version) == (self.uri, self._version)
                if is_current and until(diagnostics):
                    return diagnostics

        return self.wait(found())

    def position(self, marked: str) -> lsp.Position:
        """The place of a bar in a part of the text, such as `%a|b = arith`, or after the part."""
        before, _, after = marked.partition("|")
        index = self.text.index(before + after) + len(before)
        line_start = self.text.rfind("\n", 0, index) + 1
        characters = len(self.text[line_start:index].encode("utf-16-le")) // 2
        return lsp.Position(self.text.count("\n", 0, index), characters)

    def hover(self, marked: str) -> str:
        params = lsp.HoverParams(self.document, self.position(marked))
        found = self.wait(self.client.text_document_hover_async(params))
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    def completions(self, marked: str) -> list[str]:
        params = lsp.CompletionParams(self.document, self.position(marked))
        found = self.wait(self.client.text_document_completion_async(params))
        assert isinstance(found, lsp.CompletionList)
        return [each.label for each in found.items]

    def definition(self, marked: str) -> list[str]:
        """The lines that define what is at a place."""
        params = lsp.DefinitionParams(self.document, self.position(marked))
        found: Any = self.wait(self.client.text_document_definition_async(params))
        lines = self.text.split("\n")
        return [lines[line].strip() for line in (int(each.range.start.line) for each in found)]

    def hints(self) -> dict[int, str]:
        """Line, counted from one -> the hint behind it."""
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(self.text.count("\n") + 1, 0))
        params = lsp.InlayHintParams(self.document, whole)
        found = self.wait(self.client.text_document_inlay_hint_async(params)) or ()
        return {each.position.line + 1: str(each.label) for each in found}

    def command(self, name: str, uri: str = "") -> list[str]:
        """Run a command of the server; returns the texts that it writes into the document."""
        self.edits.clear()
        asked = lsp.ExecuteCommandParams(name, [uri or self.uri])
        self.wait(self.untyped.workspace_execute_command_async(asked))
        changes = [(each.edit.changes or {})[self.uri] for each in self.edits]
        return [edit.new_text for each in changes for edit in each]

    def fix(self, diagnostic: lsp.Diagnostic, title: str) -> None:
        """Apply the quick fix of a diagnostic whose title begins with `title`."""
        context = lsp.CodeActionContext([diagnostic])
        params = lsp.CodeActionParams(self.document, diagnostic.range, context)
        found: Any = self.wait(self.client.text_document_code_action_async(params))
        (action,) = (each for each in found if each.title.startswith(title))
        edits: list[lsp.TextEdit] = [*action.edit.changes[self.uri]]
        lines = self.text.split("\n")
        for edit in reversed(edits):
            start, end = edit.range.start, edit.range.end
            before = [*lines[: start.line], lines[start.line][: start.character]]
            after = [lines[end.line][end.character :], *lines[end.line + 1 :]]
            lines = ("\n".join(before) + edit.new_text + "\n".join(after)).split("\n")
        self.change("\n".join(lines))


@contextmanager
def editor() -> Generator[Editor]:
    """An editor with a server; fails if the server does not end when it is asked to."""
    loop = asyncio.new_event_loop()
    client = make_test_lsp_client()
    made = Editor(client, loop)

    def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        made.edits.append(params)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    made.untyped.feature(lsp.WORKSPACE_APPLY_EDIT)(apply)
    try:
        made.wait(made.untyped.start_io(sys.executable, "-m", "tcgen05_dialect", "lsp"))
        params = lsp.InitializeParams(lsp.ClientCapabilities())
        made.wait(client.initialize_session(params))
        yield made
        made.wait(client.shutdown_session())
    finally:
        made.wait(client.stop())
        loop.close()
