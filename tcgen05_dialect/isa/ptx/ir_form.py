"""Rules on the form of IR programs: blocks, values, attributes and operations that PTX can
express."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

DOMINANCE_RULE = rule(
    "T5-PTX-100",
    "5.2",
    subject="definition of a value",
    statement="A value is defined on every path to its use.",
    why="The register would hold whatever was there before; ptxas does not warn.",
    fix="define the value at a point that every path to the use passes",
)
TERMINATOR_RULE = rule(
    "T5-PTX-101",
    "9.7.12",
    subject="end of a block of a kernel",
    statement="Every block of a kernel ends with ptx.ret or a branch.",
    why="Control would run on into the next block, or out of the kernel.",
    fix="end the kernel with ptx.ret, and every other block with ptx.ret or a branch",
)
BRANCH_RULE = rule(
    "T5-PTX-102",
    "9.7.12",
    subject="branch to a block",
    statement=(
        "A branch passes the arguments that its block takes, and never leads to the first block "
        "of a kernel."
    ),
    why="The registers of the block would keep old values.",
    fix="branch with the arguments that the block takes, and not to the first block of a kernel",
)
GUARD_RULE = rule(
    "T5-PTX-103",
    "9.3",
    subject="guarded body",
    statement="A guard covers one instruction without results.",
    why=(
        "If the predicate is false, the register of a result keeps its old value; a value of the "
        "IR has none."
    ),
    fix="guard single instructions without results; choose between values with ptx.selp",
)
OPERATION_RULE = rule(
    "T5-PTX-104",
    "9.7",
    subject="lowering of an operation",
    statement="A kernel consists of operations that have a lowering to PTX.",
    why="There is no PTX to print for other operations.",
    fix=(
        "use operations of tcgen05, ptx, arith, scf and cf inside a kernel, and lower them before "
        "printing PTX"
    ),
)
ATTRIBUTE_RULE = rule(
    "T5-PTX-105",
    "11",
    subject="attribute of an operation",
    statement="An operation has the attributes that it declares, with values that they can have.",
    why="An attribute that nothing reads is usually a misspelt one.",
    fix="drop the attribute, or spell it and its value as the message says",
)
PARAMETER_RULE = rule(
    "T5-PTX-106",
    "5.1.6.1",
    subject="type of a parameter of a kernel",
    statement=(
        "A parameter of a kernel is a tensor map, an array of bytes, or a value of a register "
        "type other than a predicate."
    ),
    why="PTX has no parameter of other types.",
    fix=(
        "pass a tensor map, an array of bytes, or a value of a register type other than a predicate"
    ),
)
CONSTANT_TYPE_RULE = rule(
    "T5-PTX-107",
    "4.5",
    subject="type of a constant",
    statement="A constant and its result have the same type.",
    why="The bits of the value would be read as another type.",
    fix="give the value and the result of the constant the same type",
)
SYMBOL_RULE = rule(
    "T5-PTX-108",
    "4.4, 5.1.7",
    subject="name of a shared variable",
    statement="A symbol names a shared variable of the module.",
    why="There is no address to take.",
    fix="declare the variable with ptx.shared_memory, or use the name of one that is declared",
)
REGION_RULE = rule(
    "T5-PTX-109",
    "9.7.12",
    subject="region of structured control flow",
    statement="A region of structured control flow is one block that ends with its terminator.",
    why="There is no branch to lower it to.",
    fix=(
        "give each region one block that ends with its terminator, such as scf.yield; give an "
        "scf.if with results an else region"
    ),
)
PASSED_RULE = rule(
    "T5-PTX-110",
    "9.7.12",
    subject="types of the values passed by structured control flow",
    statement=(
        "The values that structured control flow passes on have the types of its regions and "
        "results."
    ),
    why="The registers would have other types.",
    fix="pass on values of the types that the regions and results have",
)
STEP_RULE = rule(
    "T5-PTX-111",
    "9.7.12",
    subject="step of a loop",
    statement="A loop counts upwards by a positive step.",
    why="With another step the lowered loop would never end, or never start.",
    fix="count upwards, or write the loop with scf.while",
)
