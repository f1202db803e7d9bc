"""Answers of the language server: fixes, explanations, completion, places of names, hints."""

import asyncio
import gc
import logging
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from lsprotocol import types as lsp

from ..reporting.diagnostics import Edit, Finding
from ..reporting.project import internal_error
from . import words
from .definitions import Name, Span, Text
from .server import RUN_LIMIT, STATIC_LIMIT, Server, diagnostic
from .tasks import Refused

VALUE_LIMIT = 1.0
"""Longest wait of a hover for the facts about a value, in seconds."""
CHECK, FIX = "tcgen05.check", "tcgen05.fixAll"
"""Commands for a document, whose URI is the argument: check it with runs, and apply all fixes."""
_KINDS = {
    "operation": lsp.CompletionItemKind.Function,
    "type": lsp.CompletionItemKind.Class,
    "attribute": lsp.CompletionItemKind.Property,
    "rule": lsp.CompletionItemKind.Constant,
    "name": lsp.CompletionItemKind.Variable,
    "qualifier": lsp.CompletionItemKind.EnumMember,
    "directive": lsp.CompletionItemKind.Keyword,
}
_WORD = re.compile(r"(?<![%@^\w$.])[!#]?[\w$][\w$.:-]*")


def _actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    text = ls.text(params.text_document.uri)
    first, last = params.range.start.line, params.range.end.line
    found: list[lsp.CodeAction] = []
    for finding in ls.findings(text):
        is_here = finding.file == text.name and first <= finding.line - 1 <= last
        if finding.suppressed or not is_here:
            continue
        if finding.edits:
            found.append(_action(text, finding, finding.fix, finding.edits))
        if finding.severity == "warning" and finding.rule:
            end = len(text.lines[finding.line - 1]) + 1
            comment = text.comment(f"tcgen05: allow {finding.rule}")
            allow = Edit(finding.line, end, finding.line, end, f"  {comment}")
            found.append(_action(text, finding, f"Allow {finding.rule} in this line", [allow]))
    if any(each.edits for each in ls.findings(text)):
        command = lsp.Command("Fix all that tcgen05 can fix", FIX, arguments=[text.uri])
        kind = lsp.CodeActionKind.SourceFixAll
        found.append(lsp.CodeAction(command.title, kind, command=command))
    return found


def _action(text: Text, finding: Finding, title: str, edits: Sequence[Edit]) -> lsp.CodeAction:
    changes = [
        lsp.TextEdit(
            lsp.Range(text.place(e.line, e.column), text.place(e.end_line, e.end_column)), e.text
        )
        for e in edits
    ]
    return lsp.CodeAction(
        title,
        lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(text, finding)],
        is_preferred=bool(finding.edits),
        edit=lsp.WorkspaceEdit({text.uri: changes}),
    )


async def _fix_all(ls: Server, uri: str) -> None:
    text = ls.text(uri)
    try:
        fixed = await ls.runs.ask(RUN_LIMIT, "fix", text.name, text.source)
    except Refused as refused:
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(refused)))
        return
    if fixed != text.source and text.version == ls.text(uri).version:
        whole = lsp.TextEdit(text.range((0, len(text.source))), fixed)
        edit = lsp.WorkspaceEdit({uri: [whole]})
        await ls.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, "Fix all"))


async def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    text = ls.text(params.text_document.uri)
    before, after = text.split(params.position)
    line, column = before + after, len(before)
    said: list[str] = []
    at = next((m for m in _WORD.finditer(line) if m.start() <= column <= m.end()), None)
    number = params.position.line + 1
    if at is not None and (meaning := words.about(at[0], text.language, line)):
        said.append(meaning)
        hints = ls.state(text.uri).checked.hints if "." in at[0] else ()
        said += [f"```\n{each.detail}```" for each in hints if each.line == number and each.detail]
    if not any(said) and (found := text.names.at(text.index(params.position))) is not None:
        said.append(await _about_name(ls, text, found[0], number))
    content = "\n\n".join(filter(None, said))
    markdown = lsp.MarkupContent(lsp.MarkupKind.Markdown, content)
    return lsp.Hover(markdown) if content else None


async def _about_name(ls: Server, text: Text, name: Name, line: int) -> str:
    """The line that defines a name, and the facts about its value."""
    defined = text.position(name.definitions[0][0]).line + 1 if name.definitions else 0
    shown = text.lines[defined - 1].strip() if defined else ""
    said = [f"```{text.language.replace('IR', 'mlir').lower()}\n{shown}\n```"] if shown else []
    if name.text.startswith("%"):
        arguments = text.name, text.source, line, defined, name.text[1:]
        asked = asyncio.ensure_future(ls.static.ask(STATIC_LIMIT, "value", *arguments))
        with suppress(Refused, TimeoutError):
            said.append(await asyncio.wait_for(asyncio.shield(asked), VALUE_LIMIT))
    return "\n\n".join(filter(None, said))


def _complete(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    text = ls.text(params.text_document.uri)
    before, _ = text.split(params.position)
    names = dict.fromkeys(each.text for each in text.names.all)
    length, found = words.completions(before, text.language, names)
    line = params.position.line + 1
    start = text.place(line, len(before) - length + 1)
    items = [
        lsp.CompletionItem(
            each.text,
            kind=_KINDS[each.kind],
            detail=each.detail or None,
            sort_text=f"{index:04}",
            filter_text=each.text,
            text_edit=lsp.TextEdit(lsp.Range(start, params.position), each.text),
        )
        for index, each in enumerate(found)
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _places(choose: Callable[[Name], Iterable[Span]]) -> Callable[..., list[lsp.Location]]:
    def feature(ls: Server, params: lsp.TextDocumentPositionParams) -> list[lsp.Location]:
        text = ls.text(params.text_document.uri)
        found = text.names.at(text.index(params.position))
        return [] if found is None else [text.location(span) for span in choose(found[0])]

    return feature


def _references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    text = ls.text(params.text_document.uri)
    found = text.names.at(text.index(params.position))
    if found is None:
        return []
    left_out = () if params.context.include_declaration else found[0].definitions
    return [text.location(span) for span in found[0].places if span not in left_out]


def _symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    text = ls.text(params.text_document.uri)
    return [
        lsp.DocumentSymbol(
            name=each.text,
            detail=each.kind,
            kind=_symbol_kind(each.kind),
            range=(place := text.range(each.definitions[0])),
            selection_range=place,
        )
        for each in text.names.symbols
    ]


def _symbol_kind(kind: str) -> lsp.SymbolKind:
    is_function = kind.rpartition(".")[2] in ("kernel", "func", "entry", "role")
    return lsp.SymbolKind.Function if is_function else lsp.SymbolKind.Variable


def _inlay(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Verdicts behind the first lines of kernels, and decoded descriptors in PTX."""
    text = ls.text(params.text_document.uri)
    checked = ls.state(text.uri).checked
    found = [(each.line, each.verdict, each.message) for each in ls.findings(text) if each.verdict]
    if text.language == "PTX":
        found += [(each.line, each.text, f"```\n{each.detail}```") for each in checked.hints]
    return [
        lsp.InlayHint(
            text.place(line, len(text.lines[line - 1]) + 1),
            label,
            tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, detail),
            padding_left=True,
        )
        for line, label, detail in found
        if params.range.start.line < line <= min(params.range.end.line + 1, len(text.lines))
    ]


async def _initialized(ls: Server, _: lsp.InitializedParams) -> None:
    """Start the child processes, which takes as long as some checks."""
    with suppress(Refused):
        await ls.static.ask(RUN_LIMIT, "check", "", "", "off")
        await ls.runs.ask(RUN_LIMIT, "check", "", "", "off")


def _opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)
    ls.run(params.text_document.uri)


def _changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)


def _saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    ls.run(params.text_document.uri)


def _closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    ls.closed(params.text_document.uri)


def _check(ls: Server, uri: str) -> None:
    ls.run(uri)


_COMPLETION = lsp.CompletionOptions(trigger_characters=[".", "!", "#", "%", "@", "^", ":", "-"])
_ACTIONS = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll])
_FEATURES: dict[str, tuple[Callable[..., Any], Any]] = {
    lsp.INITIALIZED: (_initialized, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (_opened, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (_changed, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (_saved, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (_closed, None),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (_actions, _ACTIONS),
    lsp.TEXT_DOCUMENT_HOVER: (_hover, None),
    lsp.TEXT_DOCUMENT_COMPLETION: (_complete, _COMPLETION),
    lsp.TEXT_DOCUMENT_DEFINITION: (_places(lambda name: name.writes or name.definitions), None),
    lsp.TEXT_DOCUMENT_DECLARATION: (_places(lambda name: name.definitions), None),
    lsp.TEXT_DOCUMENT_REFERENCES: (_references, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_symbols, None),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (_inlay, None),
}


def _safe(answer: Callable[..., Any]) -> Callable[..., Any]:
    """A function that logs a failure of another function, and then gives no answer."""

    @wraps(answer)
    async def answered(ls: Server, *arguments: Any) -> Any:
        try:
            found = answer(ls, *arguments)
            return await found if iscoroutinefunction(answer) else found
        except Refused as refused:
            ls.log(str(refused))
        except Exception as error:
            ls.log(internal_error(error))
        return None

    return answered


def serve() -> None:
    """Serve an editor on the standard streams, until it ends the server."""
    # The command has turned it off, which suits short processes only.
    gc.enable()
    # Messages about messages would be lines without a frame, or tracebacks in the editor's log.
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Other output must not mix with the messages.
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nowhere:
        os.dup2(nowhere.fileno(), 0)
    server = Server()
    for name, (answer, options) in _FEATURES.items():
        server.feature(name, options)(_safe(answer))
    server.command(CHECK)(_safe(_check))
    server.command(FIX)(_safe(_fix_all))
    server.start_io(questions, answers)
