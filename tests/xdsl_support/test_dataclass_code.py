"""Tests of dataclass methods that are compiled by need and share their code."""

import dataclasses
import inspect
import sys
from typing import Any

import pytest

from tcgen05_dialect.xdsl_support.dataclass_code import share_dataclass_code


@pytest.fixture(autouse=True)
def sharing(monkeypatch: pytest.MonkeyPatch) -> None:
    # These are undone after the test.
    monkeypatch.setattr(dataclasses, "exec", exec, raising=False)
    monkeypatch.setattr(dataclasses, "inspect", inspect)
    share_dataclass_code()


def _point(unit: str, slots: bool = False) -> Any:
    """A dataclass with two fields and a default value."""
    fields = [("x", int), ("y", str, dataclasses.field(default=unit))]
    return dataclasses.make_dataclass("Point", fields, frozen=True, order=True, slots=slots)


def _use(point: Any) -> None:
    """Call each method."""
    one, other = point(1), point(2, "cm")
    assert one == point(1) != other
    assert one < other
    assert {one: 1}[point(1)] == 1
    assert repr(other) == "Point(x=2, y='cm')"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'y'"):
        del one.y


@pytest.mark.parametrize("slots", [False, True])
def test_methods_do_what_they_are_for(slots: bool) -> None:
    point = _point("m", slots=slots)
    for _ in range(2):  # The first calls replace methods.
        _use(point)
    assert (point(1).y, _point("km")(1).y) == ("m", "km")


def test_methods_are_inherited() -> None:
    base = _point("m")
    named = type("Named", (base,), {})
    for _ in range(2):
        assert named(1) == named(1) != base(1)
        assert hash(named(1)) == hash(base(1))


def test_equal_methods_share_their_code(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = _point("m"), _point("km")
    _use(first)
    _use(second)
    for name in ("__init__", "__eq__", "__lt__", "__hash__", "__setattr__"):
        assert getattr(first, name).__code__.co_filename == "<string>"
        assert getattr(first, name).__code__ is getattr(second, name).__code__
        assert getattr(first, name) is not getattr(second, name)
        assert getattr(first, name).__qualname__ == f"Point.{name}"
    monkeypatch.setattr(dataclasses, "exec", exec)
    assert _point("m").__eq__.__code__ is not first.__eq__.__code__


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="compiles all methods of a class at once")
def test_methods_are_compiled_at_the_first_call() -> None:
    point = _point("m")
    for name in ("__init__", "__eq__"):
        assert getattr(point, name).__code__.co_filename != "<string>"
    assert point(1) == point(x=1)
    for name in ("__init__", "__eq__"):
        assert getattr(point, name).__code__.co_filename == "<string>"
