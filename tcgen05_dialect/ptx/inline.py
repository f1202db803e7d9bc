"""Inline PTX: an instruction given by its text, and directives among the instructions."""

import re
from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx.kernel import FOLLOWING, INLINE_RULE
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .register_types import ANY_REGISTER

_PLACEHOLDER = re.compile(rf"(?<!{FOLLOWING})\$(?:(?P<number>[0-9]+)(?!{FOLLOWING})|\$)")
"""A placeholder, or `$$` for a dollar sign that begins a name."""
_DECLARATION = re.compile(r"(?:[\w$]+: )?\.")
_BEGINNING = re.compile(r"[a-z]\w*(?:\.\w+|::\w+)*(?=[\s;])")
_BRACKETS = {")": "(", "]": "[", "}": "{"}


@formatted_op_definition
class InlineOp(ConstructedOperation):
    """
    An instruction given by its PTX text.

        ptx.inline "bfe.u32 $0, $1, 4, 15;" (%a : i32) -> i32 attr-dict

    In the text, `$0`, `$1` and so on stand for the results and then for the operands; `$$` stands
    for a dollar sign at the beginning of a name. If the instruction may read or keep the old
    contents of its result registers, name them after the operands: `keeps (%old : i32)`. The
    instruction may read and write all memory. It synchronises nothing.
    """

    name = "ptx.inline"
    text = prop_def(StringAttr)
    inputs = var_operand_def(ANY_REGISTER)
    kept = var_operand_def(ANY_REGISTER)
    outputs = var_result_def(ANY_REGISTER)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$text (`(` $inputs^ `:` type($inputs) `)`)? (`keeps` `(` $kept^ `:` type($kept) `)`)? "
        "(`->` type($outputs)^)? attr-dict"
    )

    def ptx(self, name: Callable[[SSAValue], str]) -> str:
        """The text without its semicolon; `name` gives the text of a value."""
        values = (*self.outputs, *self.inputs)

        def replaced(match: re.Match[str]) -> str:
            number = match["number"]
            return "$" if number is None else name(values[int(number)])

        return _PLACEHOLDER.sub(replaced, self.text.data).removesuffix(";")

    def verify_(self) -> None:
        for violation in self._violations():
            raise VerifyException(str(violation)) from violation

    def _violations(self) -> Iterator[Violation]:
        text = self.text.data
        if (found := _fault(text)) is not None:
            yield INLINE_RULE.violation(*found)
        count = len(self.outputs) + len(self.inputs)
        numbers = {int(each) for match in _PLACEHOLDER.finditer(text) if (each := match["number"])}
        if numbers != set(range(count)):
            shown = ", ".join(f"${number}" for number in sorted(numbers)) or "none"
            legal = ", ".join(f"${number}" for number in range(count)) or "none"
            yield INLINE_RULE.violation(shown, legal, "placeholders of the inline instruction")
        kept, written = ([value.type for value in values] for values in (self.kept, self.outputs))
        if kept and kept != written:
            found, legal = (", ".join(map(str, types)) or "none" for types in (kept, written))
            what = "types after keeps"
            yield INLINE_RULE.violation(found, legal, what)


def _fault(text: str) -> tuple[str, str] | None:
    """What is found in a text that is not one instruction, and what is needed; else None."""
    if not text.endswith(";"):
        return "no semicolon at the end", "one instruction that ends with a semicolon"
    if ";" in text[:-1] or "\n" in text:
        return "several statements or lines", "one instruction"
    if _BEGINNING.match(text) is None:
        return text.split()[0], "an instruction, without a guard, a label or a block"
    if "//" in text or "/*" in text:
        return "a comment", "an instruction without comments"
    if not _is_balanced(text):
        return "brackets that do not match", "one instruction"
    return None


def _is_balanced(text: Sequence[str]) -> bool:
    open_: list[str] = []
    for character in text:
        if character in _BRACKETS.values():
            open_.append(character)
        elif character in _BRACKETS and (not open_ or open_.pop() != _BRACKETS[character]):
            return False
    return not open_


@formatted_op_definition
class DeclarationOp(ConstructedOperation):
    """
    A declaration in PTX that the dialect has no operation for: of a variable, or of a function.

        ptx.declaration ".global .align 4 .b8 table[16];" attr-dict

    It is in a module or, for a local variable, in a kernel.
    """

    name = "ptx.declaration"
    text = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$text attr-dict"

    def verify_(self) -> None:
        text = self.text.data.rstrip()
        if _DECLARATION.match(text) is None or not text.endswith((";", "}", ")")):
            violation = INLINE_RULE.violation(
                repr(text), 'a directive such as ".global .b32 x;"', "declaration"
            )
            raise VerifyException(str(violation)) from violation


@formatted_op_definition
class PragmaOp(ConstructedOperation):
    """
    A hint to the assembler for the code that follows, such as `ptx.pragma "nounroll"`.

        ptx.pragma <text> attr-dict
    """

    name = "ptx.pragma"
    text = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$text attr-dict"

    def verify_(self) -> None:
        if set(self.text.data) & set('"\\\n'):
            violation = INLINE_RULE.violation(
                repr(self.text.data), "text without quotes, backslashes and line ends", "pragma"
            )
            raise VerifyException(str(violation)) from violation
