"""Tests of constant expressions in PTX text (PTX ISA 4.5), against ptxas 13.5."""

import random
import struct
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect import assemble
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.ptx import kernel as isa
from tcgen05_dialect.ptx_reader.constant_expression import evaluate, in_bits
from tcgen05_dialect.ptx_reader.tokens import PtxLexer, joined

from ..support.effort import part
from ..support.ptxas_verdicts import HEADER, TARGET, refused
from ..support.timing import seconds_of

_DATA = ".nv.global.init"
_BATCH = 500
"""How many expressions ptxas is given at once."""


def words(text: str) -> tuple[str, ...]:
    lexer = PtxLexer(text)
    found: list[str] = []
    while (token := lexer.next()).kind != "end":
        found.append(token.text)
    return tuple(found)


def values(expressions: Sequence[str]) -> list[int]:
    """What ptxas computes: the initial values of a variable, which the cubin holds."""
    # So that the section is never one of zeros, which would hold no bytes.
    numbers = ",\n".join([*expressions, "1"])
    count = len(expressions) + 1
    text = f"{HEADER}.visible .global .align 8 .u64 x[{count}] = {{\n{numbers}\n}};\n"
    data = _section(assemble(text, TARGET).cubin, _DATA)
    return list(struct.unpack(f"<{count}Q", data[: 8 * count]))[:-1]


def _section(elf: bytes, name: str) -> bytes:
    """The bytes of a section of a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    count, names = struct.unpack_from("<HH", elf, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + 64 * index) for index in range(count)]
    for header in headers:
        start = headers[names][4] + header[0]
        if elf[start : elf.index(b"\0", start)].decode() == name:
            return elf[header[4] : header[4] + header[5]]
    raise LookupError(name)


_INTEGERS = st.one_of(
    st.sampled_from(("0", "1", "WARP_SZ", "63", "64", "017", "0b101U", "0X1F", "1U", "2U")),
    st.sampled_from((2**63 - 1, 2**63, 2**64 - 1)).map(str),
    st.integers(0, 2**64 - 1).map(hex),
    st.integers(0, 2**32).map(lambda number: f"{number}U"),
)
EXPRESSIONS = st.recursive(
    _INTEGERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(sorted(isa.BINARY)), inner).map(" ".join),
        st.tuples(st.sampled_from(sorted(isa.UNARY)), inner).map(" ".join),
        st.tuples(st.sampled_from(sorted(isa.INTEGER_TYPES)), inner).map(
            lambda parts: f"({parts[0]}) {parts[1]}"
        ),
        st.tuples(inner, inner, inner).map(lambda parts: "{} ? {} : {}".format(*parts)),
        inner.map(lambda text: f"({text})"),
    ),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=part(64), deadline=None)
@given(st.lists(EXPRESSIONS, min_size=_BATCH // 4, max_size=_BATCH))
def test_values_are_those_of_ptxas(expressions: list[str]) -> None:
    known: dict[str, int | float] = {}
    for expression in expressions:
        try:
            known[expression] = evaluate(words(expression))
        except Violation as violation:
            assert "divisor" in str(violation.legal) or "quotient" in str(violation.legal)
    found = dict(zip(known, values(list(known)), strict=True))
    assert found == {text: int(number) % (1 << 64) for text, number in known.items()}


def _random_expression(chance: random.Random, depth: int) -> str:
    def inner() -> str:
        return _random_expression(chance, depth - 1)

    if depth == 0 or chance.random() < 0.15:
        return chance.choice(("0", "1", "5", "3U", "WARP_SZ", "64", hex(chance.getrandbits(64))))
    match chance.randrange(5):
        case 0:
            return f"{chance.choice(sorted(isa.UNARY))} {inner()}"
        case 1:
            return f"({chance.choice(sorted(isa.INTEGER_TYPES))}) {inner()}"
        case 2:
            return f"({inner()})"
        case 3:
            return f"{inner()} ? {inner()} : {inner()}"
        case _:
            return f"{inner()} {chance.choice(sorted(isa.BINARY))} {inner()}"


def test_many_values_are_those_of_ptxas() -> None:
    chance = random.Random(1)
    known: dict[str, int | float] = {}
    while len(known) < 2000:
        expression = _random_expression(chance, chance.randrange(1, 6))
        try:
            known[expression] = evaluate(words(expression))
        except Violation:
            continue
    found = dict(zip(known, values(list(known)), strict=True))
    assert found == {text: int(number) % (1 << 64) for text, number in known.items()}


def test_the_same_value_as_an_operand() -> None:
    """The words are the same in data and in instructions, and come back as they were."""
    for text in ("7 % 3", "- - 1", "1 ? 2 : 3", "(.s64) - 1", "32 | 0", "! 0", "1 << 2 >> 1"):
        assert words(joined(words(text))) == words(text)


REFUSED = (
    *("5/0", "5 % 0", "0 && 1/0", "1 ? 1 : 1/0", "1.0/0.0", "5 ? 6", "1 : 3", "1 ? 2 : 3 : 4"),
    *(
        "1 ? (2 : 3) : 4",
        "()",
        "(1)(2)",
        "1 2",
        "1 +",
        "* 1",
        "(1",
        "1)",
        "089",
        "0b12",
        "0x",
        "1U2",
    ),
    *(
        "1.5 + 1",
        "1.5 % 1.5",
        "1.5 && 1.5",
        "! 1.5",
        "~ 1.5",
        "1.5 << 1",
        "(.s64) 1.5",
        "1.5 ? 1 : 2",
    ),
    *(
        "1 ? 1.5 : 2.5",
        "(.u32) 1",
        "(.f64) 1.5",
        "(.s64)",
        "- 0f3F800000",
        "0f3F800000 + 0f3F800000",
    ),
    *(
        "0f3F80000",
        "0o17",
        "1e400",
        "1e-400",
        "1e-310",
        "x + 1",
        "%r0 + %r0",
        "1u",
        "0x1u",
        "1 | | 2",
    ),
)


@pytest.mark.slow
def test_what_ptxas_refuses_is_refused() -> None:
    for text in REFUSED:
        type_, register = ("f64", "%d0") if "." in text else ("b64", "%rd0")
        before = ".visible .entry k()\n{\n.reg .b64 %rd0; .reg .f64 %d0; .reg .b32 %r0;"
        assert refused(before, [f"mov.{type_} {register}, {text};"], "ret;\n}\n") == {0}, text
        with pytest.raises(Violation) as raised:
            evaluate(words(text))
        assert raised.value.rule.id == "T5-PTX-095"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5*2.0", 3.0),
        ("-(1.5)", -1.5),
        ("1.5 - 0d3FF0000000000000", 0.5),
        ("0f3F800000", 1.0),
        ("(0F3f800000)", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1.e5", 1e5),
        ("08.5", 8.5),
        ("1.5E-3", 1.5e-3),
        ("1.5 < 2.5 ? 4 : 5", 4),
        ("1.5 == 1.5", 1),
    ],
)
def test_floats(text: str, value: float) -> None:
    """Floats are computed with floats only; ptxas takes all of these."""
    type_, register = ("b64", "%rd0") if isinstance(value, int) else ("f64", "%d0")
    before = ".visible .entry k()\n{\n.reg .b64 %rd0; .reg .f64 %d0;"
    assert refused(before, [f"mov.{type_} {register}, {text};"], "ret;\n}\n") == set()
    assert evaluate(words(text)) == value


def test_integers_have_64_bits() -> None:
    """ptxas takes some that are longer, without their upper bits, and refuses others."""
    for text in (str(1 << 64), hex(1 << 64), "9" * 5000, f"0x{'f' * 5000}"):
        with pytest.raises(Violation, match="64 bits"):
            evaluate(words(text))
    assert evaluate(words(f"0x{'0' * 5000}1")) == 1
    assert evaluate(words("0" * 5000)) == 0


def test_the_least_quotient_is_refused() -> None:
    """-2^63 / -1 does not fit; ptxas crashes on it."""
    with pytest.raises(Violation, match="quotient"):
        evaluate(words("(-9223372036854775807 - 1) / -1"))
    assert evaluate(words("-9223372036854775808 / -1")) == 0


@given(st.integers(), st.sampled_from((32, 64)))
def test_conversion_keeps_the_lower_bits(number: int, bits: int) -> None:
    converted = in_bits(number, bits)
    assert -(1 << bits - 1) <= converted < 1 << bits - 1
    assert (converted - number) % (1 << bits) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("", "(", "1"),
        ("", "- ", "1"),
        ("1", " + 1", ""),
        ("1", " ? 1 : 1", ""),
        ("", "1 ? ", "1"),
        ("", "(.s64) ", "1"),
        ("1", "0", ""),
    ],
)
def test_long_expressions_take_linear_time(before: str, piece: str, after: str) -> None:
    def seconds(count: int) -> float:
        tokens = words(before + piece * count + after)

        def run() -> None:
            try:
                evaluate(tokens)
            except Violation as violation:
                assert len(str(violation)) < 200_000

        return seconds_of(run)

    assert seconds(20_000) < 0.05 + 40 * seconds(2_000)


def test_an_expression_without_tokens() -> None:
    """As in the address [%rd1+]."""
    with pytest.raises(Violation, match="must be a constant; found nothing"):
        evaluate(())
