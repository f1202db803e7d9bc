"""The fault of a file that is not text, such as a compiled program."""

import re

from ..isa.ptx import ptx_text
from .fault import Fault, described
from .tokens import Token

_NO_TEXT = re.compile(r"[\0-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""A character that text does not contain: a control character, or the surrogate of a byte that is
not UTF-8."""
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1f\x7f]")
_BEGINNING = 4096
"""The number of characters that are inspected to recognise a file that is not text."""
_FEW = 8
"""The number of control characters that the beginning of a text may always contain."""


def no_text_fault(text: str, start: int, is_first: bool) -> Fault | None:
    """
    The fault of a file that is not text, and the only one to report; None for text.

    `start` is the place of the first other fault; `is_first` tells that no statement precedes it.
    """
    place = start
    if not is_first or not _NO_TEXT.match(text, start):
        length = min(len(text), _BEGINNING)
        controls = [match.start() for match in _CONTROL.finditer(text, 0, length)]
        if len(controls) <= max(_FEW, length // 20):
            return None
        place = controls[0]
    character = described(Token("bad", text[place], place, place + 1))
    help_ = "give the PTX text of the kernel; cuobjdump -ptx prints that of a compiled program"
    violation = ptx_text.SYNTAX_RULE.violation(character, "PTX", "the text", help=help_)
    return Fault(violation, place, place + 1)
