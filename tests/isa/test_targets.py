"""Tests of targets, versions and features."""

import pytest

from tcgen05_dialect.isa import targets
from tcgen05_dialect.isa.element import ELEMENTS, element
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.targets import Version


def test_versions() -> None:
    assert targets.parse_version("8.8") == (8, 8)
    assert str(targets.NEWEST) == "9.5"
    known = ["8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3", "9.4", "9.5"]
    assert [str(version) for version in targets.VERSIONS] == known
    for text in ("8.5", "9.6", "8", "8.8.1", "", "v8.8", "8.08"):
        with pytest.raises(Violation, match=r"8\.6, 8\.7, .*9\.5; found .* \[T5-TARGET-002\]"):
            targets.parse_version(text)


def test_targets() -> None:
    assert targets.parse_target("sm_103f").first == (8, 8)
    assert targets.parse_target("sm_101a").renamed == "sm_110a"
    for name in ("sm_100", "sm_90a", "sm_120a", "SM_100A", ""):
        with pytest.raises(Violation, match=r"must be sm_100a, sm_100f, .*\[T5-TARGET-001\]"):
            targets.parse_target(name)


@pytest.mark.parametrize(
    ("feature", "target", "first"),
    [
        ("base", "sm_100a", (8, 6)),
        ("base", "sm_100f", (8, 8)),
        ("base", "sm_110f", (9, 0)),
        ("kind_i8", "sm_110a", (9, 0)),
        ("kind_i8", "sm_103a", None),
        ("kind_i8", "sm_100f", None),
        ("kind_mxf4nvf4", "sm_101a", (8, 7)),
        ("scale_input_d", "sm_103f", (8, 8)),
        ("scale_input_d", "sm_110a", None),
        ("shift", "sm_103a", (8, 8)),
        ("shift", "sm_103f", None),
        ("ld_red", "sm_101a", (8, 8)),
        ("ld_red", "sm_100a", None),
        ("block16_block32", "sm_100a", (8, 8)),
        ("k96", "sm_103a", (8, 8)),
        ("k96", "sm_103f", None),
        ("lbo_absolute", "sm_100a", None),
        ("lbo_absolute", "sm_103a", (8, 8)),
    ],
)
def test_first_versions(feature: str, target: str, first: tuple[int, int] | None) -> None:
    assert targets.first_version(feature, target) == first
    assert (target in targets.supported_targets(feature)) == (first is not None)
    for version in targets.VERSIONS:
        if first is not None and version >= first:
            targets.check_feature(feature, target, version)
        else:
            with pytest.raises(Violation):
                targets.check_feature(feature, target, version)


def test_feature_messages() -> None:
    with pytest.raises(Violation) as caught:
        targets.check_feature("shift", "sm_100f", targets.NEWEST)
    assert str(caught.value) == (
        "target for tcgen05.shift must be "
        "sm_100a, sm_101a, sm_103a or sm_110a; found sm_100f [T5-TARGET-012] (PTX ISA 9.7.16.9.3)"
    )
    with pytest.raises(Violation, match=r" on sm_103a must be .*; found 8\.7"):
        targets.check_feature("ld_red", "sm_103a", Version(8, 7))
    with pytest.raises(Violation, match="T5-TARGET-001"):
        targets.check_feature("base", "sm_90a", targets.NEWEST)


def test_elements() -> None:
    assert {bits: sum(e.bits == bits for e in ELEMENTS.values()) for bits in (4, 6, 8, 16, 32)} == {
        4: 1,
        6: 2,
        8: 6,
        16: 2,
        32: 3,
    }
    with pytest.raises(Violation, match=r"e2m1, .*; found f64 \[T5-TYPE-001\]"):
        element("f64")
