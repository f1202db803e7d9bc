"""Tests of the expressions of launch files, against numpy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.simulator.launch.expression import Expression
from tcgen05_dialect.simulator.machine.errors import LaunchError

from ..support.effort import part

RANDOM = np.random.default_rng(1)
VALUES: dict[str, Any] = {
    "m": 6,
    "n": 4,
    "scale": 0.125,
    "a": RANDOM.integers(-4, 5, (6, 4)).astype(np.float64),
    "b": RANDOM.integers(-4, 5, (6, 4)).astype(np.float64),
    "row": RANDOM.integers(1, 5, (1, 4)).astype(np.float64),
    "cube": RANDOM.integers(-4, 5, (2, 6, 4)).astype(np.float64),
}


def value(text: str) -> Any:
    expression = Expression(text, "it")
    expression.check_names(VALUES)
    return expression.value(VALUES)


def of_numpy(text: str) -> Any:
    """The value of an expression to Python, with the functions of numpy."""

    def extremum(of_two: Any, of_all: Any) -> Any:
        def function(first: Any, *others: Any, **named: Any) -> Any:
            result = first
            for other in others:
                result = of_two(result, other)
            return result if others else of_all(first, **named)

        return function

    def reshape(array: Any, *shape: int) -> Any:
        return np.reshape(array, shape)

    def transpose(array: Any, *axes: int) -> Any:
        return np.transpose(array, axes or None)

    def wide(array: Any) -> Any:
        return np.asarray(array, np.float64)

    def ceildiv(a: int, b: int) -> int:
        return -(-a // b)

    names: dict[str, Any] = {
        **{name: getattr(np, name) for name in ("abs", "exp", "exp2", "tanh", "sqrt", "sum")},
        "wide": wide,
        "repeat": np.repeat,
        "where": np.where,
        "reshape": reshape,
        "transpose": transpose,
        "ceildiv": ceildiv,
        "max": extremum(np.maximum, np.max),
        "min": extremum(np.minimum, np.min),
    }
    with np.errstate(all="ignore"):
        return eval(text, {"__builtins__": {}, **names}, VALUES)


@pytest.mark.parametrize(
    "text",
    [
        *("m + 1", "m / n", "m // n", "-m % n", "m ** 2", "2 ** -1", "+m - -n", "ceildiv(m, n)"),
        *("max(m, n, 5)", "min(m, n)", "max(3)", "sum(3)", "abs(-m)", "scale ** 0.5", "7 // 2.0"),
        *("1 < 2", "m == n", "where(m > n, 1, 2)", "sqrt(m)", "exp(1)", "exp2(-3)", "2 ** 100"),
        *(
            "a + b",
            "a * scale",
            "row / a",
            "a // row",
            "a % row",
            "a ** 2",
            "-a",
            "a.T @ b",
            "a.T.T",
        ),
        *("a @ transpose(b)", "cube @ a.T", "transpose(cube, 1, 0, 2)", "transpose(cube)"),
        *("sum(a)", "sum(a, axis=0)", "sum(cube, axis=-1)", "sum(a, axis=1, keepdims=True)"),
        *("max(a, b)", "max(a)", "max(a, axis=1)", "min(a, 0)", "min(cube, axis=1, keepdims=1)"),
        *("reshape(a, 4, 6)", "reshape(a, -1)", "reshape(cube, 12, n)", "repeat(a, 2)"),
        *("repeat(a, 3, axis=1)", "repeat(row, m, axis=0)", "abs(a)", "exp(a)", "tanh(a - b)"),
        *("where(a > 0, a, 0)", "where(a == b, 1, row)", "(a >= b) * 2 + (a != b)", "sqrt(abs(a))"),
        "exp(a - max(a, axis=1, keepdims=True)) / sum(exp(a), axis=1, keepdims=True)",
        "\n  a @\n\tb.T\n",
    ],
)
def test_values_are_those_of_numpy(text: str) -> None:
    found, expected = value(text), of_numpy(" ".join(text.split()))
    assert isinstance(found, (int, float)) == (np.ndim(expected) == 0)
    np.testing.assert_array_equal(found, expected)
    assert np.asarray(found).dtype in (np.float64, np.int64, object)


NAMES = ["m", "n", "scale", "a", "b", "row", "cube", "0", "1", "2.5", "-3"]
FORMS = [
    *(f"({{}} {operator} {{}})" for operator in ("+", "-", "*", "/", "%", "@", "<", "==")),
    *("abs({})", "exp2({})", "tanh({})", "sum({})", "max({})", "min({})", "max({}, {})"),
    *("sum({}, axis=0)", "min({}, axis=-2)", "max({}, axis=1, keepdims=True)"),
    *("where({}, {}, {})", "transpose({})", "({}).T"),
]


@st.composite
def joined(draw: st.DrawFn, inner: st.SearchStrategy[tuple[str, str]]) -> tuple[str, str]:
    form = draw(st.sampled_from(FORMS))
    parts = [draw(inner) for _ in range(form.count("{}"))]
    ours, theirs = zip(*parts, strict=True)
    return form.format(*ours), f"wide({form.format(*theirs)})"


TREES = st.recursive(
    st.sampled_from(NAMES).map(lambda name: (name, f"wide({name})")), joined, max_leaves=6
)
"""Expressions, and the same for numpy with arrays of float64 only."""


@pytest.mark.slow
@settings(deadline=None, max_examples=part(300))
@given(TREES)
def test_expressions_have_the_value_of_numpy_or_none(texts: tuple[str, str]) -> None:
    text, of_arrays = texts
    try:
        expected = of_numpy(of_arrays)
    except Exception:
        expected = None
    try:
        found = value(text)
    except LaunchError as error:
        assert "\n" not in error.message
        # numpy lets a number have an axis, and divides its numbers by zero.
        legal = expected is None or "axis" in error.message or "by zero" in error.message
        assert legal, (text, error.message)
        return
    if expected is not None:
        np.testing.assert_allclose(found, np.asarray(expected, np.float64), equal_nan=True)


@pytest.mark.parametrize(
    ("text", "column", "message", "marked"),
    [
        ("a +", 4, "syntax error", ""),
        ("(a + b", 1, "syntax error: '(' was never closed", "("),
        ("a +* b", 4, "syntax error", "*"),
        ("a + x", 5, "unknown name x; the names are m, n, scale, a, b, row, cube", "x"),
        ("  a + cub", 7, "unknown name cub", "cub"),
        ("m\n+ y", 5, "unknown name y", "y"),
        ("1 + sine(a)", 5, "unknown function sine; the functions are abs, ceildiv, ", "sine"),
        ("a.real + 1", 1, "an expression consists of numbers, names, the operators ", "a.real"),
        ("1 + [a]", 5, "an expression consists of ", "[a]"),
        ("m < n < 7", 1, "an expression consists of ", "m < n < 7"),
        ("2 * 'é' + x", 5, "an expression consists of ", "'é'"),
        ("m + exp(a, b)", 5, "exp takes 1 argument; found 2", "exp(a, b)"),
        ("where(a)", 1, "where takes 3 arguments; found 1", "where(a)"),
        ("reshape(a)", 1, "reshape takes 2 or more arguments; found 1", "reshape(a)"),
        (
            "sum(a, axes=1)",
            8,
            "the named arguments of sum are axis, keepdims; found axes",
            "axes=1",
        ),
        ("exp(a, axis=1)", 8, "exp has no named arguments; found axis", "axis=1"),
        (
            "sum(a, axis=0, axis=1)",
            16,
            "sum has more than one argument axis",
            "axis=1",
        ),
        ("max(a, b, axis=1)", 1, "axis and keepdims need a single array", "max(a, b, axis=1)"),
        ("1 + a @ b", 5, "the shapes 6 x 4 and 6 x 4 do not fit", "a @ b"),
        ("a @ m", 1, "@ needs two arrays", "a @ m"),
        ("a + cube.T", 1, "the shapes 6 x 4 and 4 x 6 x 2 do not fit", "a + cube.T"),
        ("sum(a, axis=2)", 1, "an array of 2 dimensions has no axis 2", "sum(a, axis=2)"),
        ("reshape(a, 5, 5)", 1, "6 x 4 cannot become 5 x 5", "reshape(a, 5, 5)"),
        ("reshape(a, 2.5)", 1, "extents must be integers; found 2.5", "reshape(a, 2.5)"),
        ("reshape(a, b)", 1, "extents must be integers; found an array of shape 6 x 4", "reshape"),
        ("repeat(a, -1)", 1, "the number of repetitions must be 0 or more; found -1", "repeat"),
        ("transpose(a, 0, 2)", 1, "the axes of an array of 2 dimensions are not 0, 2", "transpose"),
        ("1 + m // 0", 5, "division by zero", "m // 0"),
        ("9 ** 9 ** 9", 1, "the number is too large", "9 ** 9 ** 9"),
        ("9" * 400, 1, "the number is too large", "9"),
        ("repeat(a, 10 ** 9)", 1, "the result of shape 6 x 4 x 1000000000 is too large", "repeat"),
    ],
)
def test_errors_name_the_column(text: str, column: int, message: str, marked: str) -> None:
    with pytest.raises(LaunchError) as caught:
        value(text)
    assert caught.value.message.startswith(f"it: {message}")
    line, carets = caught.value.findings[0].excerpt.split("\n")
    start = carets.index("^")
    assert line[start : start + carets.count("^")].startswith(marked)
    assert line[:start] == " ".join(text.split("\n"))[: column - 1]


def test_expressions_that_are_empty_or_long() -> None:
    with pytest.raises(LaunchError, match="it is an empty expression"):
        Expression(" \n", "it")
    with pytest.raises(LaunchError, match="it must have at most 1000 characters; found 1001"):
        Expression("1" * 1001, "it")


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os')", "a.__class__", "().__class__", "(lambda: 0)()", "[x for x in a]"),
        *("m if m else n", "m and n", "not m", "a[0]", "f'{m}'", "exp(*a)", "exp(**a)", "(m := 1)"),
        *("True or m", "m, n", "{}", "1j", "...", "None", "~m", "m << 9", "m & n", "await m"),
        *("sum.T(a)", "exp(a)(b)", "'a' * 9", "b'a'", "\0", "m;n", "a.T.sum()", "exp"),
        *("(" * 900, "-" * 900 + "1", "a" + ".T" * 400, "((((" * 200 + "m", "max(" * 200),
    ],
)
def test_python_that_is_no_expression_is_refused(text: str) -> None:
    try:
        found = value(text)
    except LaunchError as error:
        assert error.message.startswith("it: ")
    else:
        assert set(text) <= set("-1a.T"), found


def test_keywords_of_python_are_names() -> None:
    expression = Expression("in * 2 + lambda.T - ceildiv(is, 3)", "x")
    assert expression.names == ("in", "lambda", "is")
    assert expression.value({"in": 3, "lambda": np.ones((1, 1)), "is": 5}) == 5
    with pytest.raises(LaunchError) as error:
        Expression("in + for + missing", "x").check_names({"in": 1, "for": 2})
    assert str(error.value).splitlines()[1:] == ["  in + for + missing", "             ^^^^^^^"]
