"""Tests of many small things as one test."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def looped(
    things: Iterable[T], name: Callable[[T], str] = str
) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """
    Make one test of all things from a test of one thing.

    A failure says the name of the thing. For tests that take less time than pytest needs for each
    parameter of `parametrize`, some milliseconds.
    """

    cases = list(things)

    def decorated(test: Callable[[T], None]) -> Callable[[], None]:
        def test_of_all() -> None:
            for thing in cases:
                try:
                    test(thing)
                except Exception as error:
                    error.add_note(f"It is the test of {name(thing)}.")
                    raise

        test_of_all.__doc__ = test.__doc__
        return test_of_all

    return decorated
