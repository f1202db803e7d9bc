"""JAX functions as kernels: `lower` compiles them, and `emulated` runs them inside `jax.jit`."""

from collections.abc import Callable
from functools import partial, wraps
from inspect import unwrap
from typing import Any

import jax
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    StringAttr,
)
from xdsl.dialects.func import FuncOp

from .compiler import lower_tensors, make_context
from .contraction.expression import unused
from .contraction.program import Program
from .reporting.diagnostics import CompileError, diagnosed
from .stablehlo import from_mlir
from .tensor_program import TensorProgram

_JAX: Any = jax
"""The module without its types, of which many are unknown."""
__all__ = ["TensorProgram", "emulated", "lower"]


class JaxProgram(TensorProgram):
    """The kernels of a function of JAX, whose arguments and results may be trees of arrays."""

    def __init__(self, program: Program, target: str | None, results: Any) -> None:
        super().__init__(program, target)
        self._results = results

    def emulate(self, *arrays: Any) -> Any:
        found = super().emulate(*_JAX.tree.leaves(arrays))
        leaves = found if len(self.program.results) > 1 else [found]
        return _JAX.tree.unflatten(self._results, leaves)


def lower(
    function: Callable[..., Any], *shapes: Any, tf32: bool = False, target: str | None = None
) -> JaxProgram:
    """
    The kernels of a function of JAX for arguments of these shapes: arrays, `jax.ShapeDtypeStruct`,
    or trees of them. With `tf32`, tensor cores multiply f32 with 10 bits after the point.

    Raises CompileError for operations that kernels do not have; it names the line of the function.
    """
    traced = _JAX.jit(function, keep_unused=True).lower(*shapes)
    try:
        program = _program(function, traced.compiler_ir("stablehlo"), tf32)
    except CompileError as error:
        # The frames inside say less than the message, which names the line of the function.
        raise error.with_traceback(None) from None
    return JaxProgram(program, target, _JAX.tree.structure(traced.out_info))


def _program(function: Callable[..., Any], module: Any, tf32: bool) -> Program:
    """The kernels of the module of a function. Raises CompileError."""
    with diagnosed():
        parsed = from_mlir(make_context(), module)
    place, name = _place(function), getattr(function, "__name__", "")
    functions = {op.sym_name.data: op for op in parsed.ops if isinstance(op, FuncOp)}
    main = functions["main"]
    for op in main.walk():
        # Arguments have no line; captured arrays have the line of `lower`.
        location = op.location
        if not isinstance(location, FileLineColLoc) or location.filename.data == __file__:
            op.location = place
    if name.isidentifier():
        # A function that is inside `jax.jit` is in the module, too.
        main.sym_name = StringAttr(unused(name, functions))
    programs = lower_tensors(parsed, None, tf32)
    if not programs:
        raise CompileError("the function has no tensors")
    return programs[0]


def _place(function: Callable[..., Any]) -> LocationAttr:
    """The first line of a function."""
    code = getattr(unwrap(function), "__code__", None)
    if code is None:
        return UNKNOWN_LOC
    line, column = IntAttr(code.co_firstlineno), IntAttr(1)
    return FileLineColLoc(StringAttr(code.co_filename), line, column)


def _same(*trees: Any) -> Any:
    return trees


def emulated(function: Callable[..., Any] | None = None, *, tf32: bool = False) -> Any:
    """A decorator: the emulator computes the function, also inside `jax.jit`, by
    `jax.pure_callback`."""
    if function is None:
        return partial(emulated, tf32=tf32)
    programs: dict[Any, JaxProgram] = {}

    @wraps(function)
    def call(*arrays: Any) -> Any:
        shapes = _JAX.eval_shape(_same, *arrays)
        leaves, structure = _JAX.tree.flatten(shapes)
        key = structure, *((each.shape, each.dtype) for each in leaves)
        if key not in programs:
            programs[key] = lower(function, *shapes, tf32=tf32)
        results = _JAX.eval_shape(function, *shapes)
        return _JAX.pure_callback(programs[key].emulate, results, *arrays)

    return call
