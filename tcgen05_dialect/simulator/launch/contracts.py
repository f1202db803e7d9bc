"""Check of the arguments of a launch against the contracts of the parameters."""

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy.typing as npt

from ...ptx.contract import Contract
from ..machine.errors import blaming, refused

GLOBAL_ALIGNMENT = 256
"""Alignment in bytes of arrays in global memory, as cudaMalloc aligns them."""
_LARGEST = 1 << 32
"""Limit on the alignments to which arrays are placed."""


def array_alignment(
    contracts: Sequence[Contract], arrays: Sequence[npt.NDArray[Any] | None]
) -> int:
    """The alignment in bytes at which each array of a launch keeps its contract."""
    factors = (
        contract.multiple_of
        for contract, array in zip(contracts, arrays, strict=True)
        if array is not None
    )
    found = lcm(GLOBAL_ALIGNMENT, *factors)
    return found if found <= _LARGEST else GLOBAL_ALIGNMENT


def check_contracts(
    contracts: Sequence[Contract],
    names: Sequence[str],
    numbers: Sequence[int | None],
    arrays: Sequence[npt.NDArray[Any] | None],
    place: str,
) -> None:
    """
    Raise LaunchError for an argument that breaks the contract of its parameter.

    `names` are the arguments in messages; `numbers` are the integers and addresses among them, and
    `arrays` the arrays. `place` is the place of the kernel.
    """
    says = f"as its contract at {place} says"
    labelled: dict[str, int] = {}
    for at, (contract, name, number) in enumerate(zip(contracts, names, numbers, strict=True)):
        with blaming(f"args.{at}"):
            least, factor, label, most = contract
            if number is not None and least is not None and number < least:
                raise refused(number, f"at least {least}, {says}", name)
            if number is not None and most is not None and number > most:
                raise refused(number, f"at most {most}, {says}", name)
            if number is not None and number % factor:
                raise refused(number, f"a multiple of {factor}, {says}", name)
            if label is not None:
                first = labelled.setdefault(label, at)
                if not is_same(arrays[first], arrays[at]):
                    legal = f"of the array of {names[first]}, {says}"
                    raise refused("another array", legal, name)


def is_same(array: npt.NDArray[Any] | None, other: npt.NDArray[Any] | None) -> bool:
    """Whether two arrays are the same memory."""
    if array is None or other is None:
        return False
    if array is other:
        return True
    starts = {each.__array_interface__["data"][0] for each in (array, other)}
    return len(starts) == 1 and 0 < array.nbytes == other.nbytes
