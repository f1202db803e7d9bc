"""
Parser of IR text that continues after an error, to report all errors of a text.

xDSL's parser stops at the first error. This parser skips to the next line that begins an operation
at the same depth of braces. A false error is worse than a missed one. The parser therefore
suppresses errors that skipped text may have caused, and stops at the first error if the braces of
the text do not match.

Uses these private names of xDSL: `_parse_block_body`, `_parse_alias_def`, `_current_token`,
`_resume_from`, `_parser_state`, `_parse_file_metadata_dictionary`. It can be deleted when xDSL's
parser recovers from errors.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, UnrealizedConversionCastOp
from xdsl.ir import Attribute, AttributeInvT, Block, Operation, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..reporting.diagnostics import Source
from .parser import LocatedParser, undefined_error
from .syntax_errors import RESULTS

_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*+|[{}\n]')
"""A string, a comment, a brace or a line break."""
_NAME = re.compile(r"%([\w$.-]+)")
_ALIAS = re.compile(r"[!#][a-zA-Z_][\w$]*+(?!\.)")
_SYMBOL = re.compile(r'@([\w$.-]+|"[^"\n]*")')
_STATEMENT = re.compile(rf'(?:{RESULTS}\s*)?(?:[a-zA-Z_]\w*\.[a-zA-Z_]|"[a-zA-Z_]\w*\.)')
"""The beginning of an operation whose results and name are readable."""
_NEXT = re.compile(rf"[ \t\r]*+(?={_STATEMENT.pattern}|{RESULTS}|[}}^]|[!#]\w+ *=)")
"""The beginning of a line at which parsing can continue."""
_SIDES = frozenset((MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT))
_ENDS = frozenset((MLIRTokenKind.R_BRACE, MLIRTokenKind.CARET_IDENT, MLIRTokenKind.EOF))


class RecoveringParser(LocatedParser):
    """Collects the errors of a text in `errors`; its `parse_module` raises no ParseError."""

    def __init__(self, context: Context, source: Source):
        super().__init__(context, source)
        self.errors: list[ParseError] = []
        self._block: Block | None = None
        self._broken: list[Block | None] = []
        """The blocks with a skipped operation; None is the top level of the text."""
        self._lost: set[str] = set()
        """The names of values that occur in skipped text."""
        self._lost_symbols: set[str] = set()
        self._any_symbol_lost = False
        """Whether skipped text may have declared symbols whose names are unreadable."""
        self._doubtful: set[Operation | Block] = set()
        """Operations whose results may differ from the intended ones."""
        self._any_lost = False
        """Whether skipped text may have defined values whose names are unreadable."""

    @cached_property
    def _braces_match(self) -> bool:
        depth = 0
        for piece in _PIECE.finditer(self.lexer.input.content):
            depth += (piece[0] == "{") - (piece[0] == "}")
            if depth < 0:
                return False
        return depth == 0

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the text. The module does not contain the operations that could not be parsed."""
        try:
            operations = self._parse_operations()
        except ParseError as error:
            # Parsing cannot continue after this error.
            if not self.errors or error.span.start > self.errors[-1].span.start:
                self.errors.append(error)
            return ModuleOp([])
        self._report_undefined()
        match operations:
            case [ModuleOp() as module]:
                return module
            case _:
                return ModuleOp(operations)

    def _refuse_empty(self) -> None:
        if not self.errors:
            super()._refuse_empty()

    def _report_undefined(self) -> None:
        if self._any_lost:
            return
        names = self.forward_ssa_references.keys() - self._lost
        if self.errors:
            # If braces were misread, a definition may appear to be in another region. A misspelt
            # name may be longer than the intended one: %v8 for %v:8.
            names = {
                name
                for name in names
                if not self._is_defined_somewhere(name)
                and not any(lost.startswith(name) for lost in self._lost)
            }
        spans = sorted((self.first_use(name) for name in names), key=lambda span: span.start)
        self.errors += map(undefined_error, spans)

    def _is_defined_somewhere(self, name: str) -> bool:
        pattern = rf"%{re.escape(name)}\s*(?::\s*[0-9]+\s*)?=|%{re.escape(name)}\s*:"
        return re.search(pattern, self.lexer.input.content) is not None

    def uncertain(self, module: ModuleOp) -> set[Operation | Block]:
        """The operations and blocks whose verification may fail only because text was skipped."""
        if not self.errors:
            return set()
        found: set[Operation | Block] = {module}
        for block in self._broken:
            if block is not None:
                found.update(_with_ancestors(block.parent_op()))
                # The skipped operation may have been the terminator.
                found.update(() if block.last_op is None else (block.last_op,))
        for operation in module.walk():
            for index, value in enumerate(operation.operands):
                if isinstance(value, ForwardDeclaredValue):
                    operation.operands[index] = self._placeholder(value.type)
        unknown = set(self._doubtful)
        for operation in module.walk():
            if any(value.owner in self._doubtful for value in operation.operands):
                found.update(_with_ancestors(operation))
            if any(value.owner in unknown for value in operation.operands) or any(
                isinstance(value, SymbolRefAttr)
                and (self._any_symbol_lost or value.string_value() in self._lost_symbols)
                for value in operation.properties.values()
            ):
                unknown.add(operation)
        return found | unknown

    def _parse_block_body(self, block: Block) -> None:
        outer, self._block = self._block, block
        super()._parse_block_body(block)
        self._block = outer

    def _parse_alias_def(self) -> None:
        start = self._current_token.span.start
        try:
            super()._parse_alias_def()
        except ParseError as error:
            self._recover(start, error, is_new=True)

    def parse_optional_operation(self) -> Operation | None:
        while True:
            kind, start = self._current_token.kind, self._current_token.span.start
            if kind in _ENDS or (self._block is None and kind in _SIDES):
                return None
            block, values, regions = self._block, len(self.ssa_values), len(self.open_regions)
            blocks, references = self.blocks, self.forward_block_references
            dialects, errors = len(self._parser_state.dialect_stack), len(self.errors)
            try:
                operation = super().parse_optional_operation()
                if operation is not None:
                    return operation
                self.raise_error("expected an operation")
            except ParseError as error:
                self._block, self.blocks, self.forward_block_references = block, blocks, references
                del self._parser_state.dialect_stack[dialects:]
                del self.open_regions[regions:]
                while len(self.ssa_values) > values:
                    self.ssa_values.popitem()
                self._broken.append(block)
                self._recover(start, error, is_new=len(self.errors) == errors)

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        name = operand.operand_name
        if name in self._lost and name not in self.ssa_values:
            return cast("SSAValue[AttributeInvT]", self._placeholder(type))
        return super().resolve_operand(operand, type)

    def _placeholder(self, type_: Attribute) -> SSAValue:
        """A placeholder, outside the module, for a value that skipped text defined."""
        operation = UnrealizedConversionCastOp.create(result_types=[type_])
        self._doubtful.add(operation)
        return operation.results[0]

    def _recover(self, start: int, error: ParseError, is_new: bool) -> None:
        """Record the error of the statement at `start`, and skip to the next one."""
        if not self._braces_match:
            raise error
        text = self.lexer.input.content
        end = self._end(start)
        skipped = text[start:end]
        if is_new and not self._follows(skipped):
            self.errors.append(error)
        if _STATEMENT.match(skipped) is None:
            self._any_lost = True
            self._forget_last_operation()
        self._lost.update(_NAME.findall(skipped))
        symbols = _SYMBOL.findall(skipped)
        self._lost_symbols.update(name.strip('"') for name in symbols)
        self._any_symbol_lost |= not symbols and len(self.open_regions) <= 1
        self._resume_from(end)

    def _forget_last_operation(self) -> None:
        """Mark the last operation as doubtful, because the skipped text may belong to it."""
        operation = None if self._block is None else self._block.last_op
        if operation is None:
            return
        self._doubtful.add(operation)
        for name in reversed(list(self.ssa_values)):
            if self.ssa_values[name][0].owner is not operation:
                break
            del self.ssa_values[name]
            self._lost.add(name)

    def _follows(self, text: str) -> bool:
        """Whether an earlier error may have caused this one: the text uses unknown names."""
        if not self.errors:
            return False
        unknown = set(_NAME.findall(text)) - self.ssa_values.keys()
        if unknown & self._lost or (unknown and self._any_lost):
            return True
        return any(alias not in self.attribute_aliases for alias in _ALIAS.findall(text))

    def _end(self, start: int) -> int:
        """The position after the statement at `start` where parsing can continue."""
        text, depth = self.lexer.input.content, 0
        for piece in _PIECE.finditer(text, start):
            if piece[0] == "}" and depth == 0:
                return piece.start()
            depth += (piece[0] == "{") - (piece[0] == "}")
            if depth == 0 and piece[0] == "\n" and (found := _NEXT.match(text, piece.end())):
                return found.end()
        return len(text)


def _with_ancestors(operation: Operation | None) -> Iterator[Operation]:
    while operation is not None:
        yield operation
        operation = operation.parent_op()
