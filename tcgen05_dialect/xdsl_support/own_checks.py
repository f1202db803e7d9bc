"""
Verifier of an operation without the checks of its declaration.

A run in the emulator verifies instructions again, with the values of registers. The checks of the
declaration do not depend on these values, and take more than half of the time. xDSL joins them with
the checks of the class in one method; `custom_verify` is the name of the latter in its closure.
Without that name, the whole verifier is used. It can be deleted when xDSL calls the two separately.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.ir import Operation


@cache
def own_checks(op_type: type[Operation]) -> Callable[[Any], None]:
    """The verifier of an operation whose declaration holds. It raises VerifyException."""
    whole = op_type.verify_
    names = dict(zip(whole.__code__.co_freevars, whole.__closure__ or (), strict=True))
    own = names.get("custom_verify")
    return whole if own is None else own.cell_contents
