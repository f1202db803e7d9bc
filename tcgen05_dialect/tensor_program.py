"""A function of tensors as kernels: PTX, launches, verification, and runs in the emulator."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp, i1

from .contraction.expression import Array
from .contraction.flat import MatrixOperand
from .contraction.plan import type_name
from .contraction.program import Program, shared_bytes

if TYPE_CHECKING:
    import numpy.typing as npt

    from .contraction.kernel import BuiltKernel
    from .reporting.diagnostics import Finding
    from .verification import Effort


_MOST_STEPS = 1 << 40
"""The limit of instructions: no kernel of tensors has a loop without an end."""


class TensorProgram:
    """The kernels of a function of tensors."""

    def __init__(self, program: Program, target: str | None = None) -> None:
        self.program, self.target = program, target
        self.module = ModuleOp([each.op.clone() for each in program.kernels])
        """The kernels, in the dialect `ws`."""

    @cached_property
    def ptx(self) -> str:
        """The PTX text of all kernels. Raises CompileError."""
        from .compiler import compile_to_ptx

        return compile_to_ptx(self.module, target=self.target)

    def launch_file(self) -> str:
        """A launch file, with one launch for each kernel."""
        return self.program.launch_file()

    def verify(self, effort: "Effort" = "quick") -> "list[Finding]":
        """The findings about the kernels, with a remark that has the verdict on each."""
        from .check import check_source

        return check_source(self.module, self.target, verify=effort)

    def emulate(self, *arrays: "npt.NDArray[Any]") -> Any:
        """
        The results of the function for arrays, computed by the emulator: an array, or a tuple of
        them. Raises ValueError for other arguments, and CompileError if the emulator finds an
        error.
        """
        import numpy as np

        from .simulator.launch.arrays import TYPES

        program = self.program
        given = [np.asarray(each) for each in arrays]
        if len(given) != len(program.arguments):
            raise ValueError(f"expected {len(program.arguments)} arrays; found {len(given)}")
        memory: dict[str, npt.NDArray[Any]] = {}
        for array, content in zip(program.arguments, given, strict=True):
            dtype = np.dtype(TYPES[type_name(array.element)])
            if content.shape != array.shape:
                found = f"expected the shape {array.shape}; found {content.shape}"
                raise ValueError(f"{array.name}: {found}")
            if content.dtype == np.bool_:
                content = content.view(np.int8)
            if content.dtype.itemsize != dtype.itemsize or content.dtype.kind != dtype.kind:
                raise ValueError(f"{array.name}: expected {dtype}; found {content.dtype}")
            memory[array.name] = np.array(content, order="C").reshape(-1)
        for array in (*program.scratch, *program.results):
            dtype = np.dtype(TYPES[type_name(array.element)])
            memory[array.name] = np.zeros(array.room, dtype)
        for kernel in program.kernels:
            self._run(kernel, memory)
        results: list[Any] = []
        for array in program.results:
            found = memory[array.name][: array.elements].reshape(array.shape)
            results.append(found.view(np.bool_) if array.element == i1 else found)
        return results[0] if len(results) == 1 else tuple(results)

    def _run(self, kernel: "BuiltKernel", memory: "dict[str, npt.NDArray[Any]]") -> None:
        from .reporting.diagnostics import CompileError, has_errors
        from .simulator import Launch, Run, TensorMap, simulate

        arguments: list[Any] = []
        for operand in kernel.arguments:
            if isinstance(operand, MatrixOperand):
                box, content = operand.box, memory[operand.array.name]
                assert box is not None
                forms, extents = (box.extents, box.element, box.swizzle), operand.extents
                strides = operand.strides
                arguments.append(TensorMap.of(content, *forms, extents=extents, strides=strides))
            else:
                arguments.append(memory[operand.name] if isinstance(operand, Array) else operand)
        module = ModuleOp([kernel.op.clone()])
        launch = Launch(kernel.grid, dynamic_shared_memory=shared_bytes(kernel))
        run = Run(max_steps=_MOST_STEPS)
        report = simulate(module, arguments, launch, run, target=self.target)
        if has_errors(report.findings):
            raise CompileError(report.findings[0].message, findings=report.findings)
