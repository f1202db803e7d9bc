"""`tcgen05 lsp`: the language server."""

from .files import CommandError


def serve() -> None:
    """Serve an editor on the standard streams. Raises CommandError if pygls is not installed."""
    try:
        from ..language_server.features import serve as serve_editor
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise CommandError(f"{package} is missing: install tcgen05-dialect[lsp]") from error
    serve_editor()
