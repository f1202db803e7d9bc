"""The tcgen05 matrix products with raw operands (9.7.16.10)."""

from abc import ABC
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from typing_extensions import TypeVar
from xdsl.dialects.builtin import StringAttr, i32
from xdsl.irdl import operand_def, opt_operand_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..isa.element import PADDED_CONTAINER_BITS, element
from ..isa.mma import shapes
from ..isa.mma.instruction_descriptor import later_k_violations, without_later_k
from ..isa.mma.operation import Form, described, violations
from ..isa.mma.products import PRODUCTS, MatrixMemory, Operand, Product, product_of
from ..isa.model.rule import Violation, raise_any
from ..isa.model.table import Limit
from ..isa.practice import by_habit
from ..isa.ptx import ptx_text
from ..isa.shared_memory.descriptor import required_features, with_constant
from ..isa.targets import Version
from ..reporting.diagnostics import OperationWithWarnings
from .analysis.known_values import constant_bits, known_address
from .instruction import opt_immediate, opt_offset, opt_qualifier, qualifier
from .kernel import is_read
from .register_types import B32, B32_OR_B64, B64, PRED
from .tcgen05 import CTA_GROUPS, Tcgen05Instruction, optional, tcgen05
from .text.syntax import values_of, word_of

_DENSE = product_of(ws=False, sparse=False).mnemonic
_LIMITS: Mapping[str, Limit] = {"scale_input_d": shapes.SCALE_INPUT_D}


def _cta_groups(ws: bool) -> StringAttr:
    groups = shapes.SHAPES.values("cta_group", ws=ws)
    return qualifier(*(name for name, group in CTA_GROUPS.items() if group in groups))


def _kinds(scaled: bool) -> StringAttr:
    return qualifier(*shapes.kind_names(scaled))


def _product(name: str) -> Product:
    """The matrix product with this operation name."""
    return PRODUCTS[name.removeprefix("ptx.")]


def _operand(operand: Operand) -> str:
    """An operand in the notation of syntax lines; see `ptx/text/syntax.py`."""
    name = operand.name
    if operand.memories:
        is_address = "tensor" in operand.memories
        is_either = is_address and len(operand.memories) > 1
        return f"&{name}" if is_either else f"[!{name}]" if is_address else f"%{name}"
    return {"register": f"%{name}", "vector": f"{{!{name}}}", "immediate": f"${name}"}[
        operand.holder
    ]


def _operands(product: Product) -> str:
    first, *others = product.operands
    return _operand(first) + "".join(
        f"?{each.name}(, {_operand(each)})" if each.is_optional else f", {_operand(each)}"
        for each in others
    )


class Mma(Tcgen05Instruction, OperationWithWarnings, ABC):
    """`d = a * b + d`, or `d = a * b` if `enable_input_d` is false."""

    ADDRESS_REGISTERS: ClassVar[frozenset[str] | None] = ptx_text.MMA_ADDRESS_REGISTERS

    d = operand_def(B32)
    d_offset = opt_offset()
    a = operand_def(B32_OR_B64)
    a_offset = opt_offset()
    b = operand_def(B64)
    idesc = operand_def(B32)
    enable_input_d = operand_def(PRED)

    @property
    def product(self) -> Product:
        """The description of this matrix product."""
        return _product(self.name)

    def word(self, name: str) -> str | None:
        """The value of the qualifier `name`; None if it is absent."""
        return word_of(self, name)

    def count(self, name: str) -> int:
        """The number of values of the operand `name`, or 1 if the flag `name` is present."""
        if name in self.properties:
            return 1
        return len(values_of(self, name)) if hasattr(self, name) else 0

    @property
    def kind_name(self) -> str:
        """The kind, such as `f16`."""
        kind = self.word("kind")
        assert kind is not None
        return kind

    @property
    def ctas(self) -> int:
        """The number of CTAs in the cta_group: 1 or 2."""
        return CTA_GROUPS[self.word("cta_group") or ""]

    @property
    def a_memory(self) -> MatrixMemory:
        """The memory that holds matrix A."""
        return "tensor" if self.a.type == i32 else "shared"

    def form(self) -> Form:
        """The qualifiers, and the operands that are present."""
        return Form.of(self)

    def verify_(self) -> None:
        super().verify_()
        try:
            self._check_offset()
            self.check_form()
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def _check_offset(self) -> None:
        """Check that A has an offset only if it is an address. Raises Violation."""
        if self.a_offset is not None and self.a_memory != "tensor":
            found, legal = "an offset of a descriptor", "an offset of an address"
            raise ptx_text.OPERANDS_RULE.violation(found, legal, "a", culprit="a")

    def check_form(self) -> None:
        """Check qualifiers and constant operands. Raises Violation."""
        raise_any(each for each in self._violations() if each.rule.severity == "error")

    def warnings(self) -> Iterator[Violation]:
        yield from described(self.form(), self._idesc()).warnings
        bits = self._constant("idesc")
        if bits is not None and is_read(self):
            yield from later_k_violations(self.kind_name, bits)
        yield from (each for each in self._violations() if each.rule.severity == "warning")

    def _violations(self) -> Iterator[Violation]:
        form = self.form()
        found = violations(
            form,
            self._idesc(),
            addresses=self._known_addresses(form),
            descriptors=self._known_descriptors(form),
            mask=self._constant("zero_column_mask"),
        )
        for each in found:
            rule = by_habit(each.rule, is_read(self), is_operand=True)
            yield each if rule is each.rule else each.replaced(rule=rule)

    def _constant(self, name: str) -> int | None:
        """The bits of an operand; None if it is absent or not constant."""
        values = values_of(self, name) if hasattr(self, name) else ()
        return constant_bits(values[0]) if values else None

    def _idesc(self) -> int | None:
        """The bits of the instruction descriptor, or None if it is not constant. PTX text may set
        the bit for a larger K, which the manual reserves."""
        bits = self._constant("idesc")
        return bits if bits is None or not is_read(self) else without_later_k(self.kind_name, bits)

    @property
    def may_pad(self) -> bool:
        """Whether elements in shared memory may be padded: in some kinds, those of fewer than 8
        bits are."""
        if not shapes.KINDS[self.kind_name].pads:
            return False
        idesc = described(self.form(), self._idesc()).idesc
        if idesc is None:
            return True
        return any(element(each).bits < PADDED_CONTAINER_BITS for each in (idesc.a, idesc.b))

    def _known_addresses(self, form: Form) -> dict[str, int]:
        """The constant addresses in tensor memory, by operand name."""
        known = {each.name: known_address(self, each.name) for each in form.matrices_in("tensor")}
        return {name: address for name, address in known.items() if address is not None}

    def _known_descriptors(self, form: Form) -> dict[str, int]:
        """The constant shared memory descriptors, by operand name."""
        known = {each.name: self._constant(each.name) for each in form.matrices_in("shared")}
        completed = with_constant if is_read(self) else int
        return {name: completed(value) for name, value in known.items() if value is not None}

    def features(self) -> Sequence[str]:
        form = self.form()
        idesc = described(form, self._idesc()).idesc
        needed = [*form.required_features(k96=idesc is not None and idesc.k96)]
        for value in self._known_descriptors(form).values():
            needed += required_features(value)
        return needed


MmaT = TypeVar("MmaT", bound=Mma)
OPERATIONS: dict[str, type[Mma]] = {}
"""Name of a matrix product -> its operation."""


def _mma(op_type: type[MmaT]) -> type[MmaT]:
    """Define the operation of a matrix product; the operation's name tells which one."""
    product = _product(op_type.name)
    implied = {
        name: "{}" if name == "block_scale" and product.scaled else ""
        for name in product.mnemonic.qualifiers
        if not hasattr(op_type, name)
    }
    limits = {name: limit for name, limit in _LIMITS.items() if product.has(name)}
    define: Callable[[type[MmaT]], type[MmaT]] = tcgen05(
        product.mnemonic, _operands(product), implied=implied, limits=limits
    )
    defined = define(op_type)
    OPERATIONS[product.name] = defined
    return defined


class _Sparse(Tcgen05Instruction, ABC):
    """A product with a sparse A; `metadata` tells which elements of A are stored."""

    metadata = operand_def(B32)
    metadata_offset = opt_offset()


class _Unscaled(Tcgen05Instruction, ABC):
    """A product without scale factors."""

    cta_group = _cta_groups(ws=False)
    kind = _kinds(scaled=False)
    ashift = optional(_DENSE, "ashift")
    collector_buffer = opt_qualifier(*shapes.COLLECTOR.values("collector_buffer", ws=False))
    collector_op = opt_qualifier(*shapes.COLLECTOR.values("collector_op", ws=False))
    disable_output_lane = var_operand_def(B32)
    scale_input_d = opt_immediate()


class _Scaled(Tcgen05Instruction, ABC):
    """A product with scale factors for A and B in tensor memory."""

    cta_group = _cta_groups(ws=False)
    kind = _kinds(scaled=True)
    scale_vectorsize = optional(_DENSE, "scale_vectorsize")
    collector_buffer = opt_qualifier(*shapes.COLLECTOR.values("collector_buffer", ws=False))
    collector_op = opt_qualifier(*shapes.COLLECTOR.values("collector_op", ws=False))
    scale_a = operand_def(B32)
    scale_a_offset = opt_offset()
    scale_b = operand_def(B32)
    scale_b_offset = opt_offset()

    def spelled(self, text: str, version: Version) -> str:
        if self.scale_vectorsize is not None:
            return text
        size = shapes.assembled_vector_size(self.kind.data, version)
        short, explicit = shapes.BLOCK_SCALE.ptx(True), shapes.SCALE_VECTOR_SIZE.ptx(size)
        return text.replace(short, f"{short}{explicit}", 1)


class _WeightStationary(Tcgen05Instruction, ABC):
    """A weight-stationary product: B stays in a collector buffer."""

    cta_group = _cta_groups(ws=True)
    kind = _kinds(scaled=False)
    collector_buffer = opt_qualifier(*shapes.COLLECTOR.values("collector_buffer", ws=True))
    collector_op = opt_qualifier(*shapes.COLLECTOR.values("collector_op", ws=True))
    zero_column_mask = opt_operand_def(B64)


@_mma
class MmaOp(Mma, _Unscaled):
    """Multiply a dense A by B."""

    name = "ptx.tcgen05.mma"


@_mma
class MmaBlockScaleOp(Mma, _Scaled):
    """Multiply a dense A by B, with scale factors."""

    name = "ptx.tcgen05.mma.block_scale"


@_mma
class MmaSpOp(Mma, _Sparse, _Unscaled):
    """Multiply a sparse A by B."""

    name = "ptx.tcgen05.mma.sp"


@_mma
class MmaSpBlockScaleOp(Mma, _Sparse, _Scaled):
    """Multiply a sparse A by B, with scale factors."""

    name = "ptx.tcgen05.mma.sp.block_scale"


@_mma
class MmaWsOp(Mma, _WeightStationary):
    """Multiply a dense A by B, weight-stationary."""

    name = "ptx.tcgen05.mma.ws"


@_mma
class MmaWsSpOp(Mma, _Sparse, _WeightStationary):
    """Multiply a sparse A by B, weight-stationary."""

    name = "ptx.tcgen05.mma.ws.sp"
