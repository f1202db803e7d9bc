"""Kernels and shared variables (PTX ISA 5.1, 5.4.5, 11.3)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    I32,
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FileLineColLoc,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation
from xdsl.irdl import (
    AttrConstraint,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRLexer

from ..isa.model.rule import Violation, blamed, raise_any
from ..isa.ptx import kernel
from ..isa.ptx import kernel as isa
from ..reporting.diagnostics import OperationError, TextError, located
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .analysis.symbols import definitions
from .contract import Contract, contract_of, contract_violations
from .register_types import INTEGER_32, REGISTER_CLASSES, Written, register_bits
from .types import NAME, ParamArrayType, TensorMapType, check_own_name

_DECLARATION = re.compile(rf"(?:\.\w+\s+|[0-9]+\s+)*(?P<name>{isa.IDENTIFIER})(?:\[[0-9]*\])?")
_DIRECTIVE = re.compile(r'\.\w+(?:[ ,]|[0-9]+|"[^"\n]*")*+;?')
_NUMBERS = {"minnctapersm": isa.MINNCTAPERSM, "maxnreg": isa.MAXNREG}


def _declared_name(declaration: str) -> str:
    """The name in the declaration of a parameter."""
    match = _DECLARATION.fullmatch(declaration)
    return declaration if match is None else match["name"]


def _check_terminator(block: Block) -> Operation:
    """The last operation of a block. Raises Violation unless it is a terminator."""
    last = block.last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        found = "nothing" if last is None else last.name
        raise kernel.TERMINATOR_RULE.violation(found, "a terminator such as ptx.ret")
    return last


def _last_token(parser: Parser, start: int) -> Span[str]:
    """The last token before the parser's position, in the text from `start` on."""
    lexer = MLIRLexer(parser.lexer.input)
    lexer.pos = start
    last = token = lexer.lex()
    while token.span.start < parser.pos:
        last, token = token, lexer.lex()
    return last.span


def memory_of(type_: Attribute) -> tuple[int, int] | None:
    """Size and alignment in bytes of a parameter of this type; None if no parameter can have it."""
    match type_:
        case TensorMapType():
            return isa.TENSOR_MAP_BYTES, isa.TENSOR_MAP_ALIGNMENT
        case ParamArrayType():
            return type_.size.data, type_.alignment.data
        case _ if type_ in REGISTER_CLASSES and (bits := register_bits(type_)) is not None:
            return bits // 8, bits // 8
        case _:
            return None


def check_parameter(type_: Attribute, index: int, name: str | None) -> tuple[int, int]:
    """The size and alignment in bytes of a parameter. Raises Violation if it has a wrong type."""
    memory = memory_of(type_)
    if memory is None:
        expected = ", ".join(str(t) for t in REGISTER_CLASSES if t != i1)
        legal = f"{expected}, !ptx.tensor_map, !ptx.param_array"
        raise kernel.PARAMETER_RULE.violation(type_, legal, f"type of parameter {index}")
    if isinstance(type_, TensorMapType) and type_.box is not None:
        raise_any(blamed(type_.box.violations(), f"%{name}"))
    return memory


@formatted_op_definition
class SharedMemoryOp(ConstructedOperation):
    """
    A variable in shared memory of `size` bytes, aligned to `alignment` bytes.

        ptx.shared_memory @<name> (size <size>)? (needs <needs>)? alignment <alignment> attr-dict

    Without a size, it is the dynamic shared memory. The launch sets its size, which must be at
    least `needs` bytes. The attribute `at_least` means that `alignment` is only the alignment of
    the element type; the assembler may align the variable to more.
    """

    name = "ptx.shared_memory"
    sym_name = prop_def(SymbolNameConstraint())
    size = opt_prop_def(IntegerAttr[I64])
    needs = opt_prop_def(IntegerAttr[I64])
    alignment = prop_def(IntegerAttr[I64])
    at_least = opt_prop_def(UnitAttr)
    traits = traits_def(SymbolOpInterface())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$sym_name (`size` $size^)? (`needs` $needs^)? `alignment` $alignment attr-dict"
    )

    def verify_(self) -> None:
        try:
            check_own_name(self.sym_name.data)
            isa.ALIGNMENT.check(self.alignment.value.data)
            for size in (self.size, self.needs):
                if size is not None:
                    isa.SIZE.check(size.value.data)
            if self.size is not None and self.needs is not None:
                help_ = "leave out size for dynamic shared memory"
                raise isa.SIZE.rule.violation("both", "size or needs", "bytes", help=help_)
        except Violation as violation:
            raise VerifyException(str(violation)) from violation


def _extents(name: str) -> AttrConstraint[DenseArrayBase[I32]]:
    legal = f"{isa.ONE_TO_THREE} numbers of 32 bits"
    return Written(DenseArrayBase.constr(i32), name, legal, "array<i32: {}>", 128)


def _number(name: str) -> AttrConstraint[IntegerAttr[I32]]:
    return Written(INTEGER_32, name, "a number", "{} : i32", 2)


class _Isolated(IsolatedFromAbove):
    """Checked with the dominance of values, because xDSL's own check takes as long."""

    def verify(self, op: Operation) -> None:
        pass


@irdl_op_definition
class KernelOp(ConstructedOperation):
    """
    A kernel: `.visible .entry`.

        ptx.kernel @<name>(%argument : <type> attr-dict, ...) (attributes attr-dict)? { ... }

    The arguments of the entry block are the parameters. An argument of a register type is the value
    of a scalar parameter; the types `!ptx.tensor_map` and `!ptx.param_array` describe the others.
    `maxntid`, `reqntid` and `cluster_dims` are one to three extents; `minnctapersm` and `maxnreg`
    are numbers.

    The attributes of an argument are its contract. An integer, taken as a signed number, may have
    `ptx.at_least = 1` and `ptx.multiple_of = 8`; a pointer may have `ptx.multiple_of = 8`. Pointers
    and tensor maps with the same label, such as `ptx.same_array = "c"`, refer to one array.

    `declarations` holds the PTX text of each parameter, such as `".u64 .ptr .global .align 16 a"`,
    and `directives` holds the text of further directives, such as `".maxclusterrank 4"`. A kernel
    with `declarations` was read from PTX: it keeps the names of its parameters, loads a parameter
    only where an operation loads it, and is printed with as few registers and moves as possible.
    """

    name = "ptx.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    maxntid = opt_prop_def(_extents("maxntid"))
    reqntid = opt_prop_def(_extents("reqntid"))
    cluster_dims = opt_prop_def(_extents("cluster_dims"))
    minnctapersm = opt_prop_def(_number("minnctapersm"))
    maxnreg = opt_prop_def(_number("maxnreg"))
    arg_attrs = opt_prop_def(ArrayAttr[Attribute])
    declarations = opt_prop_def(ArrayAttr[StringAttr])
    directives = opt_prop_def(ArrayAttr[StringAttr])
    body = region_def()
    traits = traits_def(_Isolated(), SymbolOpInterface())

    def parameter_name(self, index: int) -> str:
        """The PTX name of a parameter."""
        if self.declarations is not None and index < len(self.declarations):
            return _declared_name(self.declarations.data[index].data)
        given = self._parameter_attributes(index + 1)[index].get(NAME)
        if isinstance(given, StringAttr):
            return given.data
        return f"{self.sym_name.data}{isa.BY_POSITION}{index}"

    @property
    def is_read(self) -> bool:
        """Whether the kernel was read from PTX text."""
        return self.declarations is not None

    @property
    def has_boxes(self) -> bool:
        """Whether the type of a parameter gives the box of a tensor map."""
        types = (argument.type for argument in self.body.blocks[0].args)
        return any(isinstance(type_, TensorMapType) and type_.box is not None for type_ in types)

    def contracts(self) -> list[Contract]:
        """The contract of each parameter."""
        count = len(self.body.blocks[0].args)
        return [contract_of(each) for each in self._parameter_attributes(count)]

    def _parameter_attributes(self, count: int) -> list[Mapping[str, Attribute]]:
        """The attributes of each of `count` parameters."""
        found: list[Mapping[str, Attribute]] = [{} for _ in range(count)]
        given = () if self.arg_attrs is None else self.arg_attrs.data
        for index, each in enumerate(given[:count]):
            if isinstance(each, DictionaryAttr):
                found[index] = each.data
        return found

    def verify_(self) -> None:
        try:
            check_own_name(self.sym_name.data)
            raise_any(self.directive_violations())
            self._check_blocks()
            self._check_parameters()
            self._check_declarations()
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def directive_violations(self) -> Iterator[Violation]:
        """The violations by the directives of the kernel."""
        for name in isa.EXTENTS:
            if (extents := self.extents(name)) is not None:
                yield from isa.extents_violations(name, extents)
        for name, number in self.numbers():
            yield from blamed(_NUMBERS[name].violations(number), name)
        yield from isa.directive_violations(frozenset(self.properties))

    def _check_blocks(self) -> None:
        """Raises Violation."""
        blocks = self.body.blocks
        if not blocks:
            raise kernel.TERMINATOR_RULE.violation("a kernel without body", "one block or more")
        for block in blocks:
            last = _check_terminator(block)
            if blocks[0] in last.successors:
                raise kernel.BRANCH_RULE.violation(
                    f"{last.name} to the first block of the kernel",
                    "a block of its own, since the first one is where the kernel's parameters "
                    "arrive",
                )

    def _check_parameters(self) -> None:
        """Raises Violation."""
        end = 0
        for index, argument in enumerate(self.body.blocks[0].args):
            size, alignment = check_parameter(argument.type, index, argument.name_hint)
            isa.SIZE.check(size)
            isa.ALIGNMENT.check(alignment)
            end = -(-end // alignment) * alignment + size
        isa.PARAMETER_BYTES.check(end)
        if self.arg_attrs is not None:
            types = [argument.type for argument in self.body.blocks[0].args]
            raise_any(contract_violations(types, self.arg_attrs.data))
        self._check_parameter_names()

    def _check_parameter_names(self) -> None:
        """Raises Violation."""
        count = len(self.body.blocks[0].args)
        given = [each.get(NAME) for each in self._parameter_attributes(count)]
        names = [self.parameter_name(index) for index in range(count)]
        for index, name in enumerate(given):
            if not isinstance(name, StringAttr):
                continue
            check_own_name(name.data)
            if names[index] != name.data:
                legal = f"{names[index]}, as the declaration says, or left out"
                raise isa.IDENTIFIER_RULE.violation(name.data, legal, culprit=NAME)
            if names.count(name.data) > 1:
                legal = "a name that no other parameter has"
                raise isa.IDENTIFIER_RULE.violation(name.data, legal, culprit=NAME)

    def _check_declarations(self) -> None:
        """Raises Violation."""
        for each in self.directives or ():
            if _DIRECTIVE.fullmatch(each.data) is None:
                legal, what = 'a directive such as ".maxclusterrank 4"', "directive of a kernel"
                raise isa.DECLARATION_RULE.violation(each.data, legal, what, culprit="directives")
        if self.declarations is None:
            return
        found, legal = len(self.declarations), len(self.body.blocks[0].args)
        if found != legal:
            what = "number of declarations of parameters"
            raise isa.DECLARATION_RULE.violation(found, legal, what, culprit="declarations")
        for each in self.declarations:
            if _DECLARATION.fullmatch(each.data) is None:
                legal = 'the PTX text of one parameter, such as ".u32 n"'
                raise isa.DECLARATION_RULE.violation(each.data, legal, culprit="declarations")

    def extents(self, name: str) -> tuple[int, ...] | None:
        """The extents of `maxntid`, `reqntid` or `cluster_dims`; None if absent."""
        value = self.properties.get(name)
        if not isinstance(value, DenseArrayBase):
            return self._cluster() if name == "cluster_dims" else None
        return cast("DenseArrayBase[IntegerType]", value).get_values()

    def assume(self, block: Sequence[int] | None, cluster: Sequence[int] | None) -> None:
        """Give the extents of a launch to a kernel that has none of its own. Raises
        OperationError for a larger block than the kernel allows."""
        if block is not None and self.extents("reqntid") is None:
            most = self.extents("maxntid") or block
            if prod(block) > prod(most):
                found, legal = isa.extents_text(block), f"at most {prod(most)} threads"
                rule = isa.EXTENTS["maxntid"].rule
                help_ = "give a block that the kernel allows"
                raise located(self, rule.violation(found, legal, "the given block", help=help_))
            self.properties.pop("maxntid", None)
            self.properties["reqntid"] = DenseArrayBase.from_list(i32, block)
        if cluster is not None and self.extents("cluster_dims") is None:
            self.properties["cluster_dims"] = DenseArrayBase.from_list(i32, cluster)

    def _cluster(self) -> tuple[int, ...] | None:
        """The extents of a cluster that launches may give again, in a kernel that was read."""
        for each in self.directives or ():
            name, *numbers = each.data.replace(",", " ").split()
            if name == isa.CLUSTER and all(number.isdecimal() for number in numbers):
                return tuple(map(int, numbers))
        return None

    def numbers(self) -> Iterator[tuple[str, int]]:
        """The names and values of the directives that take one number."""
        for name in _NUMBERS:
            if isinstance(number := self.properties.get(name), IntegerAttr):
                yield name, cast(IntegerAttr, number).value.data

    @classmethod
    def parse(cls, parser: Parser) -> "KernelOp":
        name = parser.parse_symbol_name()
        parameters = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN,
            lambda: (
                parser.parse_argument(),
                parser.parse_optional_location(),
                parser.parse_optional_attr_dict(),
            ),
        )
        arguments = [argument for argument, _, _ in parameters]
        properties: dict[str, Attribute] = {"sym_name": name}
        if any(contract for _, _, contract in parameters):
            dictionaries = (DictionaryAttr(contract) for _, _, contract in parameters)
            properties["arg_attrs"] = ArrayAttr(dictionaries)
        attributes: dict[str, Attribute] = {}
        given = parser.parse_optional_attr_dict_with_keyword(("sym_name", "arg_attrs"))
        defined = cls.get_irdl_definition().properties
        if given is not None:
            for key, value in given.data.items():
                (properties if key in defined else attributes)[key] = value
        start = parser.pos
        body = parser.parse_region(arguments)
        found = body.first_block.args if body.first_block is not None else ()
        for argument, (_, location, _) in zip(found, parameters, strict=False):
            argument.location = location or argument.location
        try:
            for block in body.blocks:
                _check_terminator(block)
        except Violation as violation:
            # Reported here, because xDSL's own error at the end of the block gives no reason.
            raise TextError(_last_token(parser, start), str(violation)) from violation
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            if (first := self.body.first_block) is not None:
                attributes = self._parameter_attributes(len(first.args))
                printer.print_list(
                    zip(first.args, attributes, strict=True),
                    lambda each: _print_parameter(printer, *each),
                )
        printer.print_op_attributes(
            {**self.properties, **self.attributes},
            reserved_attr_names=("sym_name", "arg_attrs"),
            print_keyword=True,
        )
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


def _print_parameter(
    printer: Printer, parameter: BlockArgument, attributes: Mapping[str, Attribute]
) -> None:
    printer.print_block_argument(parameter)
    printer.print_op_attributes(attributes)


def has_roles(op: Operation) -> bool:
    """Whether an operation is a kernel with operations of `ws`; some are directly in its body."""
    return isinstance(op, KernelOp) and any(
        each.name.startswith("ws.") for block in op.body.blocks for each in block.ops
    )


def kernel_around(op: Operation) -> KernelOp | None:
    """The kernel that an operation is, or is in; None if there is none."""
    above: Operation | None = op
    while above is not None and not isinstance(above, KernelOp):
        above = above.parent_op()
    return above


def is_read(op: Operation) -> bool:
    """Whether an operation is in a kernel that was read from PTX."""
    kernel = kernel_around(op)
    return kernel is not None and kernel.declarations is not None


def check_names(table: Operation) -> None:
    """
    Check that the names in a module and the names of kernel parameters are all different.

    Raises OperationError.
    """
    symbols = definitions(table)
    kernels = {
        kernel.parameter_name(index): kernel
        for _, kernel in symbols
        # Declared names of parameters may hide those of the module.
        if isinstance(kernel, KernelOp) and kernel.body.blocks and kernel.declarations is None
        for index in range(len(kernel.body.blocks[0].args))
    }
    seen: dict[str, Operation] = {}
    for name, op in symbols:
        if name in seen:
            found = f"@{name} defined twice, first by {seen[name].name}{_place(seen[name])}"
            legal = "a name that nothing else in the module has"
        elif name in kernels:
            found = f"@{name}, the name of a parameter of @{kernels[name].sym_name.data}"
            legal = "a name that no parameter of a kernel has"
        else:
            seen[name] = op
            continue
        violation = isa.IDENTIFIER_RULE.violation(found, legal)
        raise OperationError(op, str(violation)) from violation


def _place(op: Operation) -> str:
    """The location of an operation, for a message; empty if it is not known."""
    match op.location:
        case FileLineColLoc(line=line, column=column):
            return f" at line {line.data}, column {column.data}"
        case _:
            return ""
