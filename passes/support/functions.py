"""Functions in the input of other passes, which first inline them."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tcgen05_dialect.ptx.analysis.control_flow import has_functions


def without_functions(module: ModuleOp) -> list[Operation]:
    """Run `tcgen05-inline-functions`; return what `inline_functions` returns."""
    if not has_functions(module):
        return []
    # Imported here, because few programs have functions.
    from ..inline_functions import inline_functions

    return inline_functions(module)
