"""The zero-column mask descriptor of tcgen05.mma.ws (9.7.16.4.3)."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_dialect.isa.model.bitfield import BitLayout, FieldReading, fixed, flag, number
from tcgen05_dialect.isa.model.rule import Violation, raise_any, rule
from tcgen05_dialect.isa.model.table import Table

_SECTION = "9.7.16.4.3"
MASK_RULE = rule("T5-DESC-010")
SHIFT_RULE = rule("T5-DESC-011")

SUB_MASKS = Table(
    "Zero-column mask",
    _SECTION,
    ("m", "sub_masks", "column_shift"),
    (
        (128, 1, range(33)),
        (64, 2, range(33)),
        (32, 4, range(17)),
    ),
    rule("T5-DESC-012"),
    {"column_shift": SHIFT_RULE},
)
"""By M: the number of sub-masks into which the N columns are divided, and the legal column
shifts."""

_COUNT = max(SUB_MASKS.values("sub_masks"))
MASK_LAYOUT = BitLayout(
    "Table 45",
    _SECTION,
    64,
    (
        *(number(f"start_count{i}", 8 * i, 8 * i + 7) for i in range(_COUNT)),
        *(flag(f"first_span{i}", 32 + i) for i in range(_COUNT)),
        fixed(36, 38),
        flag("non_zero", 39),
        number("skip_span", 40, 47),
        number("use_span", 48, 55),
        number("column_shift", 56, 61, SUB_MASKS.values("column_shift"), rule=SHIFT_RULE),
        fixed(62, 63),
    ),
    MASK_RULE,
    "zero-column mask",
)


@dataclass(frozen=True, slots=True)
class ZeroColumnMask:
    """The columns of B that are treated as zero.

    Runs of `skip_span + 1` zero columns and `use_span + 1` used columns alternate. (The text of the
    section swaps the two spans, but its examples do not.) Sub-mask i begins with a zero run if
    `first_span[i]` is set, else with a used run; the first `start_count[i]` columns of this run are
    missing. Without `non_zero` no column is zero. `column_shift` shifts the columns of B that the
    MMA reads.
    """

    start_count: tuple[int, ...] = (0,) * _COUNT
    first_span: tuple[bool, ...] = (False,) * _COUNT
    non_zero: bool = False
    skip_span: int = 0
    use_span: int = 0
    column_shift: int = 0

    def _fields(self) -> dict[str, int | bool]:
        return {
            **{f"start_count{i}": count for i, count in enumerate(self.start_count)},
            **{f"first_span{i}": first for i, first in enumerate(self.first_span)},
            "non_zero": self.non_zero,
            "skip_span": self.skip_span,
            "use_span": self.use_span,
            "column_shift": self.column_shift,
        }

    def encode(self) -> int:
        """The 64-bit value. Raises Violation that names every field without an encoding."""
        return MASK_LAYOUT.encode(**self._fields())

    @classmethod
    def decode(cls, value: int) -> ZeroColumnMask:
        """The mask with this 64-bit value. Raises Violation that names every wrong field."""
        fields = MASK_LAYOUT.decode(value)
        return cls(
            tuple(fields.pop(f"start_count{i}") for i in range(_COUNT)),
            tuple(fields.pop(f"first_span{i}") for i in range(_COUNT)),
            **fields,
        )

    @staticmethod
    def explain(value: int) -> list[FieldReading]:
        """The fields of a 64-bit value, each with its violation."""
        return MASK_LAYOUT.explain(value)

    def __str__(self) -> str:
        text = "no column zeroed"
        if self.non_zero:
            starts = ", ".join(
                f"{'zeroed' if first else 'used'} without {count}"
                for first, count in zip(self.first_span, self.start_count, strict=True)
            )
            text = (
                f"{self.skip_span + 1} zeroed, {self.use_span + 1} used; sub-masks begin {starts}"
            )
        return f"{text}; shifted by {self.column_shift}" if self.column_shift else text

    def violations(self, m: int | None) -> list[Violation]:
        """Violations of the mask in an MMA with this M; None if M is unknown."""
        found = MASK_LAYOUT.violations(**self._fields())
        if m is not None and not found:
            point = {"m": m, "column_shift": self.column_shift}
            if SUB_MASKS.row(**point) is None:
                found.append(SUB_MASKS.violation(**point))
        return found

    def verify(self, m: int) -> None:
        """Raise Violation that names all of `violations`."""
        raise_any(self.violations(m))

    def mask(self, m: int, n: int) -> int:
        """The generated mask: bit c is 1 if column c of the `n` columns of B is treated as zero.

        Raises Violation for an M without masks."""
        sub_masks: int = SUB_MASKS.value("sub_masks", m=m)
        if not self.non_zero:
            return 0
        zeroed, used = self.skip_span + 1, self.use_span + 1
        columns = n // sub_masks
        mask = 0
        for column in range(n):
            part, at = divmod(column, columns)
            phase = (at + self.start_count[part]) % (zeroed + used)
            is_zero = phase < zeroed if self.first_span[part] else phase >= used
            mask |= is_zero << column
        return mask
