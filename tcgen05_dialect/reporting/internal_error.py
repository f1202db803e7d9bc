"""Messages for internal errors of the tools; no input should cause one."""

import os

TRACEBACK_VARIABLE = "TCGEN05_TRACEBACK"


def internal_error(error: Exception) -> str:
    """The message of an error that no input may cause; raises it if a traceback is wanted."""
    from ..isa.model.rule import printable

    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    from .project import HOME, version

    found = printable(f"{type(error).__name__}: {error}")
    return (
        f"internal error: {found} (tcgen05 {version()}; please report it at {HOME}/issues, with "
        f"the traceback that {TRACEBACK_VARIABLE}=1 shows)"
    )
