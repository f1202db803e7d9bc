"""The six matrix products: their operands and mnemonics (9.7.16.10.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.mma import kinds
from tcgen05_dialect.isa.model.instruction import Mnemonic

ACCUMULATOR, MATRIX_A, SCALE, METADATA = "accumulator", "a", "scale", "metadata"
"""Roles of matrices in tensor memory."""
MatrixMemory = Literal["shared", "tensor"]


class Operand(NamedTuple):
    """An operand of a matrix product.

    A matrix in tensor memory is given by an address, a matrix in shared memory by a descriptor.
    `memories` is empty if the operand is not a matrix. `title` is its name in messages, `role` the
    role of the matrix in tensor memory.
    """

    name: str
    title: str = ""
    memories: tuple[MatrixMemory, ...] = ()
    role: str = ""
    is_optional: bool = False
    holder: Literal["register", "vector", "immediate"] = "register"


D = Operand("d", "D", ("tensor",), ACCUMULATOR)
A = Operand("a", "A", ("shared", "tensor"), MATRIX_A)
_B = Operand("b", "B", ("shared",))
_METADATA = Operand("metadata", "the metadata", ("tensor",), METADATA)
_IDESC = Operand("idesc")
SCALE_A = Operand("scale_a", "scale_a", ("tensor",), SCALE)
_SCALE_B = Operand("scale_b", "scale_b", ("tensor",), SCALE)
_DISABLED = Operand("disable_output_lane", is_optional=True, holder="vector")
_ENABLE = Operand("enable_input_d")
_EXPONENT = Operand("scale_input_d", is_optional=True, holder="immediate")
_MASK = Operand("zero_column_mask", is_optional=True)

_UNSCALED = (_IDESC, _DISABLED, _ENABLE, _EXPONENT)
_SCALED = (_IDESC, SCALE_A, _SCALE_B, _ENABLE)
_MASKED = (_IDESC, _ENABLE, _MASK)

_QUALIFIERS = {
    "cta_group": CTA_GROUP,
    "kind": kinds.KIND,
    "block_scale": kinds.BLOCK_SCALE,
    "scale_vectorsize": kinds.SCALE_VECTOR_SIZE,
    "ashift": kinds.ASHIFT_QUALIFIER,
    "collector_buffer": kinds.COLLECTOR_BUFFER,
    "collector_op": kinds.COLLECTOR_OP,
}


def _mnemonic(name: str, section: str) -> Mnemonic:
    return Mnemonic(
        name + "".join(f"{{{qualifier}}}" for qualifier in _QUALIFIERS), section, _QUALIFIERS
    )


_DENSE = _mnemonic("tcgen05.mma", "9.7.16.10.9.1")
_SPARSE = _mnemonic("tcgen05.mma.sp", "9.7.16.10.9.2")
_WS = _mnemonic("tcgen05.mma.ws", "9.7.16.10.9.3")
_WS_SPARSE = _mnemonic("tcgen05.mma.ws.sp", "9.7.16.10.9.4")


@dataclass(frozen=True, eq=False)
class Product:
    """One of the six matrix products, compared by identity.

    `ws`: B stays in a collector buffer (weight-stationary). `sparse`: half of A is stored.
    `scaled`: A and B have scale factors. `operands` are in PTX order.
    """

    name: str
    ws: bool
    sparse: bool
    scaled: bool
    mnemonic: Mnemonic
    operands: tuple[Operand, ...]

    @property
    def short_name(self) -> str:
        """The name without `tcgen05.`."""
        return self.name.removeprefix("tcgen05.")

    @property
    def matrices(self) -> tuple[Operand, ...]:
        """The operands that are matrices."""
        return tuple(operand for operand in self.operands if operand.memories)

    def has(self, name: str) -> bool:
        """Whether the product has an operand of this name, optional or not."""
        return any(operand.name == name for operand in self.operands)


PRODUCTS = {
    product.name: product
    for product in (
        Product("tcgen05.mma", False, False, False, _DENSE, (D, A, _B, *_UNSCALED)),
        Product("tcgen05.mma.block_scale", False, False, True, _DENSE, (D, A, _B, *_SCALED)),
        Product("tcgen05.mma.sp", False, True, False, _SPARSE, (D, A, _B, _METADATA, *_UNSCALED)),
        Product(
            "tcgen05.mma.sp.block_scale",
            False,
            True,
            True,
            _SPARSE,
            (D, A, _B, _METADATA, *_SCALED),
        ),
        Product("tcgen05.mma.ws", True, False, False, _WS, (D, A, _B, *_MASKED)),
        Product(
            "tcgen05.mma.ws.sp", True, True, False, _WS_SPARSE, (D, A, _B, _METADATA, *_MASKED)
        ),
    )
}
"""The six matrix products by name."""
TITLES = {each.name: each.title for product in PRODUCTS.values() for each in product.matrices}


def product_of(ws: bool, sparse: bool, scaled: bool = False) -> Product:
    """The product with these properties. Raises ValueError if there is none."""
    for product in PRODUCTS.values():
        if (product.ws, product.sparse, product.scaled) == (ws, sparse, scaled):
            return product
    raise ValueError("no product with .ws has scale factors")
