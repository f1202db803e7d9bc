"""Selection of one kernel of a module by its name."""

from xdsl.dialects.builtin import ModuleOp

from ..isa.model.rule import describe
from ..ptx.kernel import KernelOp
from ..reporting.diagnostics import CompileError


def kernel_named(module: ModuleOp, name: str | None) -> KernelOp:
    """The kernel with a name, or the only kernel of a module. Raises CompileError."""
    kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, KernelOp)}
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    if name is not None and name in kernels:
        return kernels[name]
    if not kernels:
        raise CompileError("the module has no kernel")
    asked = "--kernel must name one of" if name is None else f"no kernel is called {name}:"
    raise CompileError(f"{asked} the kernels of the module: {describe(tuple(kernels))}")
