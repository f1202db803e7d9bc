"""cuTile kernels as kernels of `ws`: `lower` compiles them."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import UnregisteredOp

from .contraction.expression import Array, row_major
from .reporting.diagnostics import CompileError, Location, diagnosed
from .tensor_program import TensorProgram

__all__ = ["TensorProgram", "lower"]


def lower(
    kernel: Any, grid: Sequence[int], arguments: Sequence[Any], target: str | None = None
) -> TensorProgram:
    """
    The kernels of a kernel of cuTile, for the grid and the arguments of `ct.launch`.

    Arrays are row-major; any object with a shape and a dtype may stand for one. The arguments of
    the result are the arrays that the kernel reads, and its results those that it stores. Raises
    CompileError for operations that kernels do not have; it names the line of the kernel.
    """
    try:
        # Their types are not known where cuda-tile is not installed.
        ct: Any = import_module("cuda.tile")
        compiler: Any = import_module("cuda.tile._compile")
        signatures: Any = import_module("cuda.tile.compilation")
    except ImportError:
        message = "kernels of cuTile are read by cuda-tile, which is not installed; install"
        raise CompileError(f"{message} tcgen05-dialect[cutile]") from None
    from tcgen05_dialect.passes.tensors.cutile import ELEMENTS, TileReader

    def is_array(argument: Any) -> bool:
        return getattr(argument, "shape", ()) != ()

    def constraint(argument: Any) -> Any:
        if not is_array(argument):
            return argument.item() if hasattr(argument, "item") else argument
        name = str(argument.dtype).removeprefix("torch.")
        name = "bool_" if name == "bool" else name
        if name not in ELEMENTS:
            raise CompileError(f"kernels have no arrays of {name}")
        return signatures.ArrayConstraint(
            getattr(ct, name),
            len(argument.shape),
            index_dtype=ct.int32,
            stride_lower_bound_incl=0,
            alias_groups=(),
            may_alias_internally=False,
        )

    if not isinstance(kernel, ct.kernel):
        raise TypeError(f"expected a kernel made by ct.kernel; found {kernel!r}")
    function = kernel._annotated_function
    names = [*function.pysig.parameters]
    if len(arguments) != len(names):
        raise ValueError(f"the kernel needs {len(names)} arguments; found {len(arguments)}")
    convention = signatures.CallingConvention.cutile_python_v1()
    signature = signatures.KernelSignature([*map(constraint, arguments)], convention)
    options: Any = {"return_final_ir": True, "return_cubin": False}
    try:
        compiled: Any = compiler.compile_tile(
            function, [signature], bytecode_version=compiler.BytecodeVersion.V_13_4, **options
        )
    except ct.TileError as error:
        place: Any = error.loc
        location = Location(place.filename, place.line, place.col + 1) if place.filename else None
        raise CompileError(str(error.message), location) from None
    (block,) = compiled.final_ir
    flat = iter(block.params)
    parameters: dict[str, Any] = {}
    for name, argument in zip(names, arguments, strict=True):
        if is_array(argument):
            shape = tuple(argument.shape)
            element = ELEMENTS[str(constraint(argument).dtype)]
            strides = row_major(shape)
            array = Array(UnregisteredOp.with_name("x").create(), shape, element, name, strides)
            for value in (array, *shape, *strides):
                parameters[next(flat).name] = value
    try:
        with diagnosed():
            reader = TileReader(function.pyfunc.__name__, block, grid, parameters)
            return TensorProgram(reader.kernels(), target)
    except CompileError as error:
        # The message names the line of the kernel; frames of the reader say less.
        raise error.with_traceback(None) from None
