"""What a kernel of a file says about its launch, for `calc launch` and `launch-file`."""

from ..compiler import import_source, lower_tensors, parse, verify, with_functions
from ..proposal.facts import LaunchFacts, kernel_named, launch_facts
from ..reporting.diagnostics import Source
from .files import is_ptx


def read_facts(source: Source, kernel: str | None) -> LaunchFacts:
    """The facts of a kernel of IR or PTX. Raises CommandError and CompileError."""
    if is_ptx(source):
        module = import_source(source).module
    else:
        module, _ = parse(source)
        lower_tensors(module, source)
        verify(module, source)
        module = with_functions(module)
    return launch_facts(kernel_named(module, kernel))
