"""The PTX text of the values of a kernel: registers, immediates and addresses of variables."""

from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1, i16
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..isa.instructions.arithmetic import CONDITION_CODE
from ..isa.ptx import ptx_text
from ..isa.ptx.constant import FLOAT_PREFIXES
from ..isa.ptx.ptx_text import SINK
from ..isa.ptx.registers import copy_of
from ..reporting.diagnostics import OperationError
from ..xdsl_support.attributes import attribute_bits
from .register_types import register_class
from .structure import AddressOfOp, ConstantOp
from .types import CarryType
from .variables import ParameterAddressOp, VariableAddressOp

_FLOATS = tuple(FLOAT_PREFIXES.values())


def _immediate(value: Attribute) -> str:
    match value:
        case IntegerAttr():
            number = value.value.data
            # ptxas refuses a negative number for a 16-bit mask; a signed instruction takes the
            # unsigned form as the same number.
            return str(number % (1 << 16) if value.type == i16 else number)
        case FloatAttr():
            bits, width = attribute_bits(value), value.type.bitwidth
            # PTX has float constants only for these widths.
            return f"{FLOAT_PREFIXES.get(width, '0x')}{bits:0{width // 4}X}"
        case _:
            raise TypeError(f"no immediate for {value}")


class KernelNames(dict[SSAValue, str]):
    """
    The registers of a kernel, numbered in order of first use; constants become immediates.

    `shared` maps a value to the value whose register it has. With `keeps_addresses`, an address
    that is in a register is not also written as the name of its variable. `fixed` has the values
    whose registers have names instead of numbers.
    """

    def __init__(
        self,
        emit: Callable[[str], None],
        shared: Mapping[SSAValue, SSAValue] | None = None,
        keeps_addresses: bool = False,
        fixed: Mapping[SSAValue, str] | None = None,
    ) -> None:
        super().__init__()
        self._fixed = fixed or {}
        self._declared: list[str] = []
        """The declarations of registers with fixed names."""
        self._emit = emit
        self._keeps_addresses = keeps_addresses
        self._shared = shared or {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._classes: dict[int, tuple[str, str]] = {}
        """Identity of a type -> its register class; comparing types would be slower."""

    def __missing__(self, value: SSAValue) -> str:
        owner = value.owner
        if type(owner) is ConstantOp and value.type != i1:
            name = _immediate(owner.value)
        elif (first := self._shared.get(value)) is not None:
            name = self[first]
        elif isinstance(value.type, CarryType):
            name = CONDITION_CODE
        else:
            try:
                name = self._named(value) or self.fresh(value.type)
            except VerifyException as error:
                op = owner if isinstance(owner, Operation) else owner.parent_op()
                if op is None:
                    raise
                raise OperationError(op, str(error)) from error
        self[value] = name
        return name

    def _named(self, value: SSAValue) -> str:
        """The fixed name of a register, which is then declared; empty if it has none."""
        if name := self._fixed.get(value, ""):
            type_ = register_class(value.type)[0]
            self._declared.append(f"\t{ptx_text.REGISTER} .{type_} {name};")
        return name

    def is_shared(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two values have the same register; this names neither."""
        return self._shared.get(one, one) is self._shared.get(other, other)

    def fresh(self, type_: Attribute) -> str:
        """An unused register for values of a type. Raises VerifyException."""
        found = self._classes.get(id(type_))
        if found is None:
            found = self._classes[id(type_)] = register_class(type_)
        number = self._numbers.get(found, 0) + 1
        self._numbers[found] = number
        return f"{found[1]}{number}"

    def register(self, value: SSAValue) -> str:
        """A register that holds a value; a constant is moved into a new one."""
        if type(value.owner) is not ConstantOp or value.type == i1:
            return self[value]
        register = self.fresh(value.type)
        self._emit(f"{copy_of(register_class(value.type)[0])} {register}, {self[value]}")
        return register

    def element(self, value: SSAValue) -> str:
        """
        An element of a vector. Float constants are moved into registers, because PTX does not allow
        them beside integers.
        """
        name = self[value]
        return self.register(value) if name.startswith(_FLOATS) else name

    def discard(self, value: SSAValue) -> None:
        """Print a result as `_`."""
        self[value] = SINK

    def address(self, value: SSAValue, offset: int) -> str:
        """The text of an address operand between its brackets."""
        owner = value.owner
        if isinstance(owner, AddressOfOp | ParameterAddressOp | VariableAddressOp) and not (
            value in self and (self._keeps_addresses or owner.in_register is not None)
        ):
            if not isinstance(owner, ParameterAddressOp):
                return variable(owner, offset)
            else:
                return f"{owner.text}+{offset}" if offset else owner.text
        register = self.register(value)
        return f"{register}+{offset}" if offset else register

    def declarations(self) -> Iterator[str]:
        """The declarations of all registers in use."""
        for (type_, prefix), count in sorted(self._numbers.items()):
            yield f"\t{ptx_text.REGISTER} .{type_} {prefix}<{count + 1}>;"
        yield from self._declared


def variable(op: AddressOfOp | VariableAddressOp, offset: int = 0) -> str:
    """The PTX text of an address in a variable, `offset` bytes after the address of `op`."""
    name, offset = op.variable.string_value(), op.start + offset
    return f"{name}+{offset}" if offset else name
