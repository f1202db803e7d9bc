"""The form of programs: blocks, values, attributes and operations, as PTX needs them."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Rule

DOMINANCE_RULE = Rule(
    "T5-PTX-100",
    "value that is defined before it is used",
    "5.2",
    "move the operation that defines the value to where every path to the use passes",
)
TERMINATOR_RULE = Rule(
    "T5-PTX-101",
    "end of a block of a kernel",
    "9.7.12",
    "end the kernel with ptx.ret, and every other block with ptx.ret or a branch",
)
BRANCH_RULE = Rule(
    "T5-PTX-102",
    "branch to a block",
    "9.7.12",
    "branch with the arguments that the block takes, and not to the first block of a kernel",
)
GUARD_RULE = Rule(
    "T5-PTX-103",
    "what a guard guards",
    "9.3",
    "guard single instructions without results, and choose between values with ptx.selp",
)
OPERATION_RULE = Rule(
    "T5-PTX-104",
    "lowering of an operation",
    "9.7",
    "write it in a kernel, with operations of tcgen05, ptx, arith, scf and cf, and lower these to "
    "print PTX",
)
ATTRIBUTE_RULE = Rule(
    "T5-PTX-105",
    "attribute of an operation",
    "11",
    "drop the attribute, or spell it and its value as the message says",
)
PARAMETER_RULE = Rule(
    "T5-PTX-106",
    "type of a parameter of a kernel",
    "5.1.6.1",
    "pass a value of a register type other than a predicate, a tensor map or an array of bytes",
)
CONSTANT_TYPE_RULE = Rule(
    "T5-PTX-107",
    "type of a constant",
    "4.5",
    "give the value and the result of the constant the same type",
)
SYMBOL_RULE = Rule(
    "T5-PTX-108",
    "name of a shared variable",
    "4.4, 5.1.7",
    "declare the variable with ptx.shared_memory, or use the name of one",
)
REGION_RULE = Rule(
    "T5-PTX-109",
    "region of structured control flow",
    "9.7.12",
    "write each region as one block that ends as the message says, also the one for the other "
    "case if there are results",
)
PASSED_RULE = Rule(
    "T5-PTX-110",
    "types of the values that structured control flow passes on",
    "9.7.12",
    "pass on values of the types that the region, or the results, take",
)
STEP_RULE = Rule(
    "T5-PTX-111",
    "step of a loop",
    "9.7.12",
    "count upwards, or write the loop with scf.while",
)
