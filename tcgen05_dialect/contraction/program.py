"""Programs: the kernels that compute the results of a function of tensors, and their launches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from json import dumps

from ..ws.kernel import Kernel, memory_of, specialized, with_roles
from .expression import Array, Tensor, row_major, unused
from .flat import MatrixOperand
from .kernel import BuiltKernel, build
from .plan import Planner, type_name


@dataclass(frozen=True)
class Program:
    """
    A function of tensors as kernels, which are launched in order.

    `arguments` and `results` are the arrays of the function, and `scratch` those between kernels.
    """

    name: str
    arguments: Sequence[Array]
    results: Sequence[Array]
    scratch: Sequence[Array]
    kernels: Sequence[BuiltKernel]

    @property
    def arrays(self) -> list[Array]:
        """All arrays, by the order in which they are known."""
        return [*self.arguments, *self.scratch, *self.results]

    def launch_file(self) -> str:
        """A launch file for `tcgen05 sim`, with a launch for each kernel if there are several."""
        return "\n".join(_lines(self)) + "\n"


def program(
    name: str,
    arguments: Sequence[Array],
    results: Sequence[Tensor],
    is_tf32: bool,
    names: Sequence[str] = (),
) -> Program:
    """The kernels that compute tensors; `names` are those of the results. Raises
    OperationError."""
    own = {each.name for each in arguments}
    planner = Planner(name, is_tf32, own)
    if not names:
        names = ["result"] if len(results) == 1 else [f"result{at}" for at in range(len(results))]
    arrays = [
        Array(each.op, each.shape, each.element, unused(name, own), row_major(each.shape))
        for name, each in zip(names, results, strict=True)
    ]
    planner.plan([*zip(results, arrays, strict=True)])
    kernels = [build(each) for each in planner.kernels]
    return Program(name, arguments, arrays, planner.arrays, kernels)


def shared_bytes(kernel: BuiltKernel) -> int:
    """The bytes of dynamic shared memory of a kernel."""
    roles = specialized(with_roles(kernel.op))
    assert roles is not None
    return memory_of(Kernel(roles)).shared_bytes


def _lines(program: Program) -> Iterator[str]:
    several = len(program.kernels) > 1
    if several:
        yield from _cells(sequence=True)
    for each in program.kernels:
        if several:
            yield f"[launches.{each.plan.name}]"
        names = [_argument(each, at) for at in range(len(each.arguments))]
        yield from _cells(
            kernel=each.plan.name,
            grid=each.grid,
            dynamic_shared_memory=shared_bytes(each),
            args=names,
        )
    read = {each.name for each in program.arguments}
    for array in program.arrays:
        yield f"[arrays.{array.name}]"
        has_gaps = array.strides != row_major(array.shape)
        shape = [array.room] if has_gaps else array.shape
        fill = {"fill": "random"} if array.name in read else {}
        yield from _cells(shape=shape, type=type_name(array.element), **fill)
    for each in program.kernels:
        for at, operand in enumerate(each.arguments):
            if isinstance(operand, MatrixOperand) and (box := operand.box) is not None:
                yield f"[maps.{_argument(each, at)}]"
                yield from _cells(
                    array=operand.array.name,
                    box=box.extents,
                    element=str(box.element),
                    swizzle=str(box.swizzle),
                    extents=operand.extents,
                    strides=operand.strides,
                )


def _cells(**cells: object) -> Iterator[str]:
    """Lines of TOML, which writes these values as JSON does."""
    for key, value in cells.items():
        yield f"{key} = {dumps(value)}"
    yield ""


def _argument(kernel: BuiltKernel, at: int) -> str:
    operand = kernel.arguments[at]
    if isinstance(operand, MatrixOperand):
        return f"{kernel.plan.name}_{'ab'[at]}_map"
    return operand.name if isinstance(operand, Array) else str(operand)
