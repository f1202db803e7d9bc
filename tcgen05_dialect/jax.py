"""JAX functions as kernels: `lower` compiles them, and `emulated` runs them inside `jax.jit`."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import jax
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp

from .compiler import lower_tensors, make_context
from .contraction.expression import unused
from .reporting.diagnostics import CompileError, diagnosed
from .stablehlo import from_mlir
from .tensor_program import TensorProgram

_JAX: Any = jax
"""The module without its types, of which many are unknown."""
__all__ = ["TensorProgram", "emulated", "lower"]


def lower(
    function: Callable[..., Any], *shapes: Any, tf32: bool = False, target: str | None = None
) -> TensorProgram:
    """
    The kernels of a function of JAX for arguments of these shapes, each an array or a
    `jax.ShapeDtypeStruct`. With `tf32`, tensor cores multiply f32 with 10 bits after the point.

    Raises CompileError for operations that kernels do not have; it names the line of the function.
    """
    module = _JAX.jit(function).lower(*shapes).compiler_ir("stablehlo")
    with diagnosed():
        parsed = from_mlir(make_context(), module)
    name = getattr(function, "__name__", "")
    functions = {op.sym_name.data: op for op in parsed.ops if isinstance(op, FuncOp)}
    if name.isidentifier():
        # A function that is inside `jax.jit` is in the module, too.
        functions["main"].sym_name = StringAttr(unused(name, functions))
    programs = lower_tensors(parsed, None, tf32)
    if not programs:
        raise CompileError("the function has no tensors")
    return TensorProgram(programs[0], target)


def emulated(function: Callable[..., Any] | None = None, *, tf32: bool = False) -> Any:
    """A decorator: the emulator computes the function, also inside `jax.jit`, by
    `jax.pure_callback`."""
    if function is None:
        return partial(emulated, tf32=tf32)
    programs: dict[Any, TensorProgram] = {}

    @wraps(function)
    def call(*arrays: Any) -> Any:
        shapes = tuple(_JAX.ShapeDtypeStruct(each.shape, each.dtype) for each in arrays)
        key = tuple((each.shape, each.dtype) for each in shapes)
        if key not in programs:
            programs[key] = lower(function, *shapes, tf32=tf32)
        results = _JAX.eval_shape(function, *shapes)
        return _JAX.pure_callback(programs[key].emulate, results, *arrays)

    return call
