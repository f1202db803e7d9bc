"""The dialects of kernels, each imported at its first use."""

from .xdsl_support.fast_parser import lazy

OWN = {
    "ptx": lazy("tcgen05_dialect.ptx.dialect", "PTX"),
    "tcgen05": lazy("tcgen05_dialect.tcgen05.dialect", "TCGEN05"),
    "ws": lazy("tcgen05_dialect.ws.dialect", "WS"),
}
"""Name -> dialect of this project."""
DIALECTS = {
    "arith": lazy("xdsl.dialects.arith", "Arith"),
    "builtin": lazy("xdsl.dialects.builtin", "Builtin"),
    "cf": lazy("xdsl.dialects.cf", "Cf"),
    "func": lazy("xdsl.dialects.func", "Func"),
    "math": lazy("xdsl.dialects.math", "Math"),
    "scf": lazy("xdsl.dialects.scf", "Scf"),
    "vector": lazy("xdsl.dialects.vector", "Vector"),
    **OWN,
}
"""Name -> dialect that a kernel may use."""
