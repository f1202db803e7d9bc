"""Tests of dataclass methods that share their code."""

import dataclasses

import pytest

from tcgen05_dialect.xdsl_support.dataclass_code import share_dataclass_code


def _point(unit: str) -> type:
    """A dataclass with two fields and a default value."""
    fields = [("x", int), ("y", str, dataclasses.field(default=unit))]
    return dataclasses.make_dataclass("Point", fields, frozen=True, order=True)


def test_equal_methods_share_their_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataclasses, "exec", exec, raising=False)  # undone after the test
    alone = _point("m").__eq__.__code__
    assert _point("m").__eq__.__code__ is not alone
    share_dataclass_code()
    first, second = _point("m"), _point("km")
    for name in ("__init__", "__eq__", "__lt__", "__hash__", "__setattr__"):
        assert getattr(first, name).__code__ is getattr(second, name).__code__
        assert getattr(first, name) is not getattr(second, name)
    assert first(1) == first(1, "m") != second(1)
    assert (first(1).y, second(1).y) == ("m", "km")
    with pytest.raises(dataclasses.FrozenInstanceError):
        second(1).x = 2
