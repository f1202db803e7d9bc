"""Checks of arguments that are known when Python builds a kernel."""

from collections.abc import Collection, Sequence

from xdsl.ir import Attribute, SSAValue

from ..isa.model.rule import alternatives, did_you_mean


def check_word(name: str, found: object, legal: Collection[str]) -> None:
    """Raise ValueError for an argument that is none of some words."""
    if found not in legal:
        help_ = did_you_mean(found, legal) if isinstance(found, str) else ""
        end = f": {help_}" if help_ else ""
        raise ValueError(f"{name} must be {alternatives(tuple(legal))}; found {found!r}{end}")


def check_int(name: str, *found: object) -> None:
    """Raise TypeError for an argument that is not an `int`."""
    for each in found:
        if not isinstance(each, int):
            kind = f"an int, which is known when Python builds the kernel; found {each!r}"
            raise TypeError(f"{name} must be {kind}")


def check_type(name: str, found: object) -> None:
    """Raise TypeError for an argument that is not a type of xDSL."""
    if not isinstance(found, Attribute):
        raise TypeError(f"{name} must be a type of xDSL, such as bf16; found {found!r}")


def check_name(found: object) -> None:
    """Raise ValueError for what cannot be the name of a value in the text of IR."""
    if not isinstance(found, str) or not SSAValue.is_valid_name(found):
        raise ValueError(
            "a name must be letters, digits, _, $, . and -, and not begin with a digit; found "
            f"{found!r}"
        )


def check_sequence(name: str, found: object, example: str) -> None:
    """Raise TypeError for an argument that is not a sequence."""
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise TypeError(f"{name} must be a sequence, such as {example}; found {found!r}")
