"""The form of programs: blocks, values, attributes and operations, as PTX needs them."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

DOMINANCE_RULE = rule(
    "T5-PTX-100",
    "5.2",
    subject="value that is defined before it is used",
    fix="move the operation that defines the value to where every path to the use passes",
)
TERMINATOR_RULE = rule(
    "T5-PTX-101",
    "9.7.12",
    subject="end of a block of a kernel",
    fix="end the kernel with ptx.ret, and every other block with ptx.ret or a branch",
)
BRANCH_RULE = rule(
    "T5-PTX-102",
    "9.7.12",
    subject="branch to a block",
    fix="branch with the arguments that the block takes, and not to the first block of a kernel",
)
GUARD_RULE = rule(
    "T5-PTX-103",
    "9.3",
    subject="what a guard guards",
    fix="guard single instructions without results, and choose between values with ptx.selp",
)
OPERATION_RULE = rule(
    "T5-PTX-104",
    "9.7",
    subject="lowering of an operation",
    fix=(
        "write it in a kernel, with operations of tcgen05, ptx, arith, scf and cf, and lower these "
        "to print PTX"
    ),
)
ATTRIBUTE_RULE = rule(
    "T5-PTX-105",
    "11",
    subject="attribute of an operation",
    fix="drop the attribute, or spell it and its value as the message says",
)
PARAMETER_RULE = rule(
    "T5-PTX-106",
    "5.1.6.1",
    subject="type of a parameter of a kernel",
    fix="pass a value of a register type other than a predicate, a tensor map or an array of bytes",
)
CONSTANT_TYPE_RULE = rule(
    "T5-PTX-107",
    "4.5",
    subject="type of a constant",
    fix="give the value and the result of the constant the same type",
)
SYMBOL_RULE = rule(
    "T5-PTX-108",
    "4.4, 5.1.7",
    subject="name of a shared variable",
    fix="declare the variable with ptx.shared_memory, or use the name of one",
)
REGION_RULE = rule(
    "T5-PTX-109",
    "9.7.12",
    subject="region of structured control flow",
    fix=(
        "write each region as one block that ends as the message says, also the one for the other "
        "case if there are results"
    ),
)
PASSED_RULE = rule(
    "T5-PTX-110",
    "9.7.12",
    subject="types of the values that structured control flow passes on",
    fix="pass on values of the types that the region, or the results, take",
)
STEP_RULE = rule(
    "T5-PTX-111",
    "9.7.12",
    subject="step of a loop",
    fix="count upwards, or write the loop with scf.while",
)
