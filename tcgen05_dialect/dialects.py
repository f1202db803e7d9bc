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
    "linalg": lazy("tcgen05_dialect.xdsl_support.linalg", "LINALG"),
    "math": lazy("xdsl.dialects.math", "Math"),
    "scf": lazy("xdsl.dialects.scf", "Scf"),
    "tensor": lazy("xdsl.dialects.tensor", "Tensor"),
    "vector": lazy("xdsl.dialects.vector", "Vector"),
    **OWN,
}
"""Name -> dialect that a kernel may use."""
