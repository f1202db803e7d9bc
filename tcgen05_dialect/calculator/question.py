"""Errors of questions that have no answer."""

from collections.abc import Iterable

from tcgen05_dialect.isa.model.rule import alternatives, describe, did_you_mean

_CLOSE = 0.8
"""Minimum similarity of an unknown name to a suggestion, from 0 to 1."""


class QuestionError(ValueError):
    """
    An error in a question that breaks no rule of the ISA. `str()` names the value found and the
    legal values.
    """

    def __init__(self, what: str, found: object, legal: object):
        super().__init__(what, found, legal)
        self.what = what
        self.found = found
        self.legal = legal

    def __str__(self) -> str:
        return f"{self.what} must be {alternatives(self.legal)}; found {describe(self.found)}"


class UsageError(QuestionError):
    """An error in the form of a question; other questions only have no answer."""


def unknown_name(what: str, name: str, names: Iterable[str]) -> QuestionError:
    """The error for an unknown name, with the most similar known names."""
    names = tuple(names)
    return QuestionError(
        what, f"{name}; {did_you_mean(name, names, 3, _CLOSE)}".removesuffix("; "), names
    )
