"""The instruction descriptor of tcgen05.mma: the bits of its fields for each kind, and its
conflicts with the form (9.7.16.4.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Any

from tcgen05_dialect.isa.element import element
from tcgen05_dialect.isa.mma.shapes import (
    A_MEMORY,
    K96,
    K96_RULE,
    KIND,
    KINDS,
    N_OF_CUTLASS,
    SHAPES,
    SHAPES_OF_CUTLASS,
    TRANSPOSE_NEGATE,
    TRANSPOSED_B_8BIT,
    TRANSPOSED_B_BITS,
    TYPE_RULE,
    instruction_k,
    required_features,
)
from tcgen05_dialect.isa.model.bitfield import (
    BOOLEANS,
    BitField,
    BitLayout,
    FieldReading,
    FieldViolation,
    coded,
    fixed,
    flag,
    number,
    with_conflicts,
)
from tcgen05_dialect.isa.model.rule import Violation, alternatives, raise_any, rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.shared_memory.layout import SWIZZLE_COMBINATIONS

_SECTION = "9.7.16.4.2"
BITS_RULE = rule("T5-IDESC-003")
LATER_K_RULE = rule("T5-IDESC-011")
SATURATE_RULE = rule("T5-IDESC-004")
MAX_SHIFT_RULE = rule("T5-IDESC-007")

_D_CODES = {"f16": 0, "f32": 1, "s32": 2}
_F8F6F4_CODES = {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}
_E2M1_CODES = {"e2m1": 1}
_AB_CODES = {
    "f16": {"f16": 0, "bf16": 1},
    "tf32": {"tf32": 2},
    "f8f6f4": _F8F6F4_CODES,
    "i8": {"u8": 0, "s8": 1},
    "mxf8f6f4": _F8F6F4_CODES,
    "mxf4": _E2M1_CODES,
    "mxf4nvf4": _E2M1_CODES,
}
_SCALE_CODES = {"ue4m3": 0, "ue8m0": 1}
MAX_SHIFT_CODES = {0: 0, 8: 1, 16: 2, 32: 3}

_NOUN = "instruction descriptor"
COLUMN_FIELDS = {"scale": "scale_type", "k": "k96"}
"""Columns of Table 39 -> the field, where the names differ."""
_COLUMNS = {field: column for column, field in COLUMN_FIELDS.items()}


def _legal(codes: dict[str, int], column: str, kind: str) -> dict[str, int]:
    """The part of `codes` that is legal for the kind in Table 39."""
    legal = SHAPES.values(column, kind=kind)
    return {value: code for value, code in codes.items() if value in legal}


def _meanings(codes: dict[str, int]) -> dict[int, str]:
    """The meanings of all codes, legal for the kind or not."""
    return {code: value for value, code in codes.items()}


def _elsewhere(kind: str) -> dict[int, str]:
    """The meanings of codes of A and B in other kinds with the same format."""
    names: dict[int, dict[str, None]] = {}
    for other, codes in _AB_CODES.items():
        for name, code in codes.items():
            if other != kind and KINDS[other].block_scaled == KINDS[kind].block_scaled:
                names.setdefault(code, {})[name] = None
    return {
        code: f"the code that means {alternatives(each)} in other kinds"
        for code, each in names.items()
    }


def _types(
    name: str, lo: int, hi: int, codes: dict[str, int], kind: str, meanings: dict[int, str]
) -> BitField:
    """A field for an element type of Table 39."""
    column = _COLUMNS.get(name, name)
    title = SHAPES.titles[column]
    return coded(name, lo, hi, _legal(codes, column, kind), TYPE_RULE, meanings, title)


def _extents(name: str, lo: int, hi: int, legal: Collection[int], shift: int) -> BitField:
    """A field for M or N."""
    return number(name, lo, hi, legal, shift, SHAPES.rule, SHAPES.titles[name])


def _common(kind: str) -> tuple[BitField, ...]:
    """The fields that Tables 42, 43 and 44 share."""
    transpose = TRANSPOSE_NEGATE.values("transpose", kind=kind)
    negate = TRANSPOSE_NEGATE.values("negate", kind=kind)
    rule = TRANSPOSE_NEGATE.rule
    return (
        flag("sparse", 2),
        fixed(6, 6),
        _types("a", 7, 9, _AB_CODES[kind], kind, _elsewhere(kind)),
        flag("negate_a", 13, negate, rule),
        flag("negate_b", 14, negate, rule),
        flag("transpose_a", 15, transpose, rule),
        flag("transpose_b", 16, transpose, rule),
        _extents("n", 17, 22, SHAPES.values("n"), 3),
    )


_LATER_K = (fixed(29, 29), fixed(31, 31))
"""The reserved bit that selects a larger K on later GPUs: in Table 42, and in Table 43."""


def _table42(kind: str) -> BitLayout:
    return BitLayout(
        f"Table 42, kind {kind}",
        _SECTION,
        32,
        (
            *_common(kind),
            number("sparsity_selector", 0, 1),
            flag("saturate", 3, BOOLEANS if kind == "i8" else (False,), SATURATE_RULE),
            _types("d", 4, 5, _D_CODES, kind, _meanings(_D_CODES)),
            _types("b", 10, 12, _AB_CODES[kind], kind, _elsewhere(kind)),
            fixed(23, 23),
            _extents("m", 24, 28, SHAPES.values("m", kind=kind), 4),
            _LATER_K[0],
            coded("max_shift", 30, 31, MAX_SHIFT_CODES, MAX_SHIFT_RULE),
        ),
        BITS_RULE,
        _NOUN,
        {"kind": kind},
    )


def _block_scaled(kind: str) -> BitLayout:
    # Imported here, because most kernels have no scale factors and imports cost start-up time.
    from tcgen05_dialect.isa.mma.scale import ID_RULE

    codes, meanings = _AB_CODES[kind], _elsewhere(kind)
    if K96 in SHAPES.values("k", kind=kind):
        name = "Table 44"
        own = (_types("b", 10, 11, codes, kind, meanings), fixed(12, 12), flag("k96", 31))
    else:
        name = "Table 43"
        own = (_types("b", 10, 12, codes, kind, meanings), _LATER_K[1])
    return BitLayout(
        f"{name}, kind {kind}",
        _SECTION,
        32,
        (
            *_common(kind),
            *own,
            fixed(0, 1),
            fixed(3, 3),
            number("sfb_id", 4, 5, rule=ID_RULE),
            _types("scale_type", 23, 23, _SCALE_CODES, kind, _meanings(_SCALE_CODES)),
            fixed(24, 26),
            _extents("m", 27, 28, SHAPES.values("m", kind=kind), 7),
            number("sfa_id", 29, 30, rule=ID_RULE),
        ),
        BITS_RULE,
        _NOUN,
        {"kind": kind},
    )


@cache
def descriptor_layout(kind: str) -> BitLayout:
    """The format of the descriptor for a kind: Table 42, 43 or 44. Raises Violation."""
    KIND.check(kind)
    return _block_scaled(kind) if KINDS[kind].block_scaled else _table42(kind)


@cache
def _later_k(kind: str) -> BitField | None:
    return next((field for field in descriptor_layout(kind).fields if field in _LATER_K), None)


def without_later_k(kind: str, value: int) -> int:
    """The bits of a descriptor, without the reserved bit that selects a larger K on later GPUs."""
    field = _later_k(kind)
    return value if field is None else value & ~(1 << field.lo)


def later_k_violations(kind: str, value: int) -> Iterator[Violation]:
    """The warning of a descriptor in PTX text that has this bit."""
    field = _later_k(kind)
    if field is not None and field.raw(value):
        what = f"{field.place} of the {_NOUN}"
        yield LATER_K_RULE.violation(1, 0, what, culprit="idesc")


@cache
def _signs(kind: str) -> int:
    names = ("negate_a", "negate_b")
    return sum(1 << field.lo for field in descriptor_layout(kind).fields if field.name in names)


def without_signs(kind: str, value: int) -> int:
    """The bits of a descriptor, without those that negate A and B."""
    return value & ~_signs(kind)


def shape_of(kind: str, value: int) -> str:
    """M and N in the bits of a descriptor, legal or not, as `128x250`."""
    fields = (descriptor_layout(kind).field(name) for name in ("m", "n"))
    return "x".join(str(field.found(field.raw(value))) for field in fields)


ABSENT_RULE = rule("T5-IDESC-005")
SELECTOR_RULE = rule("T5-IDESC-006")
REUSED_SHIFT_RULE = rule("T5-IDESC-008")

SPARSITY_SELECTORS = Table(
    "Sparsity selector",
    "9.7.16.10.8.4",
    ("kind", "sparse", "sparsity_selector"),
    (
        (("f16", "tf32"), True, range(4)),
        (("f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"), True, 0),
        (tuple(KINDS), False, 0),
    ),
    SELECTOR_RULE,
)
MAX_SHIFTS = Table(
    "Maximum shift",
    _SECTION,
    ("ws", "max_shift"),
    ((False, 0), (True, tuple(MAX_SHIFT_CODES))),
    MAX_SHIFT_RULE,
    titles={"ws": ".ws"},
)


_QUALIFIERS = ("ws", "cta_group")
"""Columns of Table 39 without a field in the descriptor."""


@dataclass(frozen=True, slots=True)
class InstructionDescriptor:
    """Shapes, types and options of an MMA.

    `a`, `b`, `d` and `scale_type` are names of `element.ELEMENTS`; `m` and `n` count elements;
    `max_shift` counts columns. A field that is not in the format of the kind keeps its default;
    without a field, `d` is f32.
    """

    kind: str
    m: int
    n: int
    a: str
    b: str
    d: str
    transpose_a: bool = False
    transpose_b: bool = False
    negate_a: bool = False
    negate_b: bool = False
    saturate: bool = False
    sparse: bool = False
    sparsity_selector: int = 0
    max_shift: int = 0
    scale_type: str | None = None
    sfa_id: int = 0
    sfb_id: int = 0
    k96: bool = False

    def _fields(self, layout: BitLayout) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in layout.parameters}

    def _absent_violations(self, layout: BitLayout) -> list[Violation]:
        """Violations by fields that are set but not in the format."""
        return [
            ABSENT_RULE.violation(
                getattr(self, name),
                frozenset((value or None,)),
                name,
                given=layout.given,
                titles=SHAPES.titles,
            )
            for name, value in _implied(self.kind).items()
            if getattr(self, name) != value
        ]

    def _field_violations(
        self, layout: BitLayout, except_for: tuple[str, ...] = ()
    ) -> list[Violation]:
        """Violations by fields whose value has no encoding."""
        values = self._fields(layout)
        for name in except_for:
            values[name] = next(iter(SHAPES.values(name, kind=self.kind)))
        return layout.violations(**values) + self._absent_violations(layout)

    def _extent_violations(self, ws: bool, cta_group: int) -> Iterator[Violation]:
        """Violations by an M or N without an encoding. They name the extents that are legal
        together with the other values in the program."""
        shape = self._shape(ws, cta_group)
        wrong = [
            name for name in ("m", "n") if shape[name] not in SHAPES.values(name, kind=self.kind)
        ]
        for name in wrong:
            point = {each: value for each, value in shape.items() if each not in wrong}
            if SHAPES.row(**point) is not None:
                yield SHAPES.violation(**point, **{name: shape[name]})

    def encode(self) -> int:
        """The 32-bit value. Raises Violation that names every field without an encoding."""
        layout = descriptor_layout(self.kind)
        if self._absent_violations(layout):
            raise_any(self._field_violations(layout))
        return layout.encode(**self._fields(layout))

    @classmethod
    def decode(cls, kind: str, value: int) -> InstructionDescriptor:
        """The descriptor with this 32-bit value. Raises Violation that names every wrong field."""
        return cls(kind=kind, **_implied(kind), **descriptor_layout(kind).decode(value))

    @staticmethod
    def explain(kind: str, value: int) -> list[FieldReading]:
        """The fields of a 32-bit value in the format of `kind`, each with its violation, if any: an
        illegal field, or a conflict in the closest form of the MMA if no form accepts the value."""
        readings = descriptor_layout(kind).explain(value)
        if not all(reading.is_legal for reading in readings):
            return readings
        descriptor = InstructionDescriptor.decode(kind, value)
        forms = [
            (ws, cta_group)
            for ws in sorted(SHAPES.values("ws", kind=kind))
            for cta_group in sorted(SHAPES.values("cta_group", kind=kind, ws=ws))
        ]
        # The conflicts in the closest form of the MMA; none if a form accepts the descriptor.
        found = {form: list(descriptor._conflicts(*form, "shared")) for form in forms}
        nearest = min(forms, key=lambda form: (len(found[form]), -descriptor._agreement(*form)))
        return with_conflicts(readings, found[nearest])

    def __str__(self) -> str:
        text = f"{self.kind}, {self.a} x {self.b} -> {self.d}, {self.m}x{self.n}"
        for name, default in OPTIONS.items():
            value = getattr(self, name)
            if value != default:
                text += f", {name}" if value is True else f", {name} {value}"
        return text

    @property
    def k(self) -> int:
        """K extent of the instruction in elements. Raises Violation."""
        return instruction_k(self.kind, self.sparse, self.k96)

    def required_features(self) -> tuple[str, ...]:
        """Features (see `targets.FEATURES`) that a target must have for this descriptor."""
        return required_features(self.kind, self.sparse, self.k96)

    def _shape(self, ws: bool, cta_group: int) -> dict[str, Any]:
        """The point of Table 39 for this descriptor."""
        return {
            "kind": self.kind,
            "ws": ws,
            "cta_group": cta_group,
            "sparse": self.sparse,
            "d": self.d,
            "a": self.a,
            "b": self.b,
            "scale": self.scale_type,
            "m": self.m,
            "n": self.n,
            "k": K96 if self.k96 else instruction_k(self.kind, self.sparse),
        }

    def _agreement(self, ws: bool, cta_group: int) -> int:
        """The number of columns of Table 39 before the first one with an illegal value."""
        shape = self._shape(ws, cta_group)
        if SHAPES.row(**shape) is not None:
            return len(shape)
        return SHAPES.columns.index(SHAPES.wrong_column(**shape))

    def _conflicts(self, ws: bool, cta_group: int, a_memory: str) -> Iterator[FieldViolation]:
        """Conflicts between fields, or between fields and qualifiers. Each field must have an
        encoding."""
        kind, sparse = self.kind, self.sparse
        shape = self._shape(ws, cta_group)
        if SHAPES_OF_CUTLASS.row(**shape) is None:
            yield from _conflict(SHAPES, shape, COLUMN_FIELDS)
        yield from _conflict(A_MEMORY, {"a_memory": a_memory, "transpose_a": self.transpose_a})
        selector = {"kind": kind, "sparse": sparse, "sparsity_selector": self.sparsity_selector}
        yield from _conflict(SPARSITY_SELECTORS, selector)
        yield from _conflict(MAX_SHIFTS, {"ws": ws, "max_shift": self.max_shift})
        # Table 39 reports a type that the kind does not have.
        if KINDS[kind].block_scaled and self.scale_type in SHAPES.values("scale", kind=kind):
            yield from self._id_conflicts()
        for name in ("a", "b"):
            if getattr(self, field := f"transpose_{name}"):
                point = {"bits": element(getattr(self, name)).bits, "major": "mn_major"}
                for _, violation in _conflict(SWIZZLE_COMBINATIONS, point):
                    yield field, violation.about(field)
        if self.transpose_b and element(self.b).bits == TRANSPOSED_B_BITS:
            yield from _conflict(TRANSPOSED_B_8BIT, {"cta_group": cta_group, "n": self.n})

    def _id_conflicts(self) -> Iterator[FieldViolation]:
        """Conflicts of the IDs of scale factors."""
        from tcgen05_dialect.isa.mma.scale import SCALE_FACTOR_IDS

        for name in ("sfa_id", "sfb_id"):
            point = {
                "kind": self.kind,
                "scale": self.scale_type,
                "k96": self.k96,
                "id": getattr(self, name),
            }
            for _, violation in _conflict(SCALE_FACTOR_IDS, point):
                yield name, violation.named_as({"id": name})

    def violations(self, ws: bool, cta_group: int, a_memory: str = "shared") -> list[Violation]:
        """Violations of the descriptor in an MMA with these qualifiers; `a_memory` is "shared" or
        "tensor". If a field has no encoding, conflicts between fields are not reported."""
        found = [
            *self._extent_violations(ws, cta_group),
            *self._field_violations(descriptor_layout(self.kind), ("m", "n")),
        ]
        found = found or [violation for _, violation in self._conflicts(ws, cta_group, a_memory)]
        return [
            each if each.culprit in _QUALIFIERS else each.replaced(culprit="idesc")
            for each in found
        ]

    def warnings(self, ws: bool, cta_group: int, a_memory: str) -> Iterator[Violation]:
        """The warnings for a legal descriptor in an MMA with these qualifiers."""
        shape = self._shape(ws, cta_group)
        if SHAPES.row(**shape) is None:
            yield SHAPES.violation(**shape).replaced(rule=K96_RULE, culprit="idesc")
        form = {name: shape[name] for name in ("kind", "sparse", "cta_group", "m")}
        point = {**form, "a_memory": a_memory, "n": self.n}
        for _, violation in _conflict(N_OF_CUTLASS, point):
            if violation.culprit == "n":
                given = {"a_memory": a_memory, **violation.given}
                yield violation.replaced(given=given, culprit="idesc")

    def verify(self, ws: bool, cta_group: int, a_memory: str = "shared") -> None:
        """Raise Violation that names all of `violations`."""
        raise_any(self.violations(ws, cta_group, a_memory))


OPTIONS: Mapping[str, Any] = {
    field.name: field.default
    for field in fields(InstructionDescriptor)
    if field.default is not MISSING
}
"""Optional fields, with their defaults."""


def _conflict(
    table: Table, point: Mapping[str, Any], fields: Mapping[str, str] = MappingProxyType({})
) -> Iterator[FieldViolation]:
    """The violation of a point that a table lacks, and its field; `fields` are those with another
    name than their column."""
    if table.row(**point) is None:
        column = table.wrong_column(**point)
        yield fields.get(column, column), table.violation(**point)


@cache
def _implied(kind: str) -> dict[str, Any]:
    """The fields that are not in the format of `kind`, with their implied values."""
    present = {field.name for field in descriptor_layout(kind).parameters} | {"kind"}
    return {
        field.name: "f32" if field.name == "d" else field.default
        for field in fields(InstructionDescriptor)
        if field.name not in present
    }
