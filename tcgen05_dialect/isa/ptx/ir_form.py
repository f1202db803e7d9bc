"""Rules on the form of IR programs: blocks, values, attributes and operations that PTX can
express."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Violation, rule

DOMINANCE_RULE = rule(
    "T5-PTX-100",
    "5.2",
    subject="definition of a value",
    statement="A value is defined on every path to its use.",
    why="The register would have an undefined value; ptxas does not report it.",
    fix="define the value before the use on every path",
)
TERMINATOR_RULE = rule(
    "T5-PTX-101",
    "9.7.12",
    subject="end of a block of a kernel",
    statement="Every block of a kernel ends with ptx.ret or a branch.",
    why="Execution would continue in the next block, or after the end of the kernel.",
    fix="end the kernel with ptx.ret, and every other block with ptx.ret or a branch",
)
BRANCH_RULE = rule(
    "T5-PTX-102",
    "9.7.12",
    subject="branch to a block",
    statement=(
        "A branch is at the end of a block, stays in its region, passes the arguments that its "
        "target block takes, and does not lead to the first block of a kernel."
    ),
    why="The arguments of the target block would have undefined values.",
    fix=(
        "end the block with a branch to another block of the region, with the arguments that this "
        "block takes"
    ),
)
GUARD_RULE = rule(
    "T5-PTX-103",
    "9.3",
    subject="guarded body",
    statement=(
        "A guard covers instructions without results, or one instruction together with the values "
        "that its results keep where it is not executed."
    ),
    why=(
        "If the predicate is false, the result keeps the old value of its register; an SSA value "
        "has no old value of its own."
    ),
    fix=(
        "guard single instructions without results; give an instruction with results `else` and "
        "the values to keep, or choose between values with ptx.selp"
    ),
)
INLINE_RULE = rule(
    "T5-PTX-112",
    "4.3",
    subject="text of the inline instruction",
    statement=(
        "Inline PTX is one instruction that ends with a semicolon. It names each result and each "
        "operand with a placeholder: $0, $1 and so on, the results first."
    ),
    why="Other text would change the registers, labels or blocks around it.",
    fix="write one instruction with a placeholder for each result and operand",
)
OPERATION_RULE = rule(
    "T5-PTX-104",
    "9.7",
    subject="lowering of an operation",
    statement="A kernel consists of operations that have a lowering to PTX.",
    why="Other operations cannot be printed as PTX.",
    fix=(
        "use operations of tcgen05, ptx, arith, math, scf and cf inside a kernel, and lower them "
        "before printing PTX"
    ),
)
ATTRIBUTE_RULE = rule(
    "T5-PTX-105",
    "11",
    subject="attribute of an operation",
    statement="An operation has only attributes that it declares, with legal values.",
    why="An unknown attribute would have no effect; it is usually misspelt.",
    fix="remove the attribute, or use a name and a value that the message lists",
)


def wrong_value(found: object, legal: str, example: object, name: str) -> Violation:
    """The violation to raise for the wrong value of an attribute: `legal` describes legal values,
    and `example` is one, or None."""
    shown, help = legal, ""
    if example is not None:
        shown, help = f"{legal}, such as {example}", f"write {name} = {example}"
    return ATTRIBUTE_RULE.violation(found, shown, name, culprit=name, help=help)


PARAMETER_RULE = rule(
    "T5-PTX-106",
    "5.1.6.1",
    subject="type of a parameter of a kernel",
    statement=(
        "A parameter of a kernel is a tensor map, an array of bytes, or a value of a register "
        "type other than a predicate."
    ),
    why="PTX has no parameters of other types.",
    fix=(
        "pass a tensor map, an array of bytes, or a value of a register type other than a predicate"
    ),
)
PARAMETER_USE_RULE = rule(
    "T5-PTX-113",
    "5.1.6.1",
    subject="use of a parameter",
    statement=(
        "An operation that accesses parameter memory names a parameter of its kernel, and loads "
        "the parameter with its type."
    ),
    why="Only a parameter is in parameter memory.",
    fix="use an argument of the kernel, with its own type",
)
CONSTANT_TYPE_RULE = rule(
    "T5-PTX-107",
    "4.5",
    subject="type of a constant",
    statement="A constant and its result have the same type.",
    why="The bits of the value would be interpreted as another type.",
    fix="give the value and the result of the constant the same type",
)
SYMBOL_RULE = rule(
    "T5-PTX-108",
    "4.4, 5.1.7",
    subject="name of a shared variable",
    statement=(
        "The symbol of ptx.address_of names a shared variable of the module; that of "
        "ptx.variable_address may name any variable."
    ),
    why="Only declared variables have addresses.",
    fix=(
        "declare the variable with ptx.shared_memory or ptx.variable, or use the name of one that "
        "is declared"
    ),
)
VARIABLE_RULE = rule(
    "T5-PTX-130",
    "5.1, 5.4",
    subject="variable in memory",
    statement=(
        "Only a variable in global or constant memory may have initial bytes. A variable in local "
        "memory is declared in a kernel. A variable has a size, unless it is external."
    ),
    why="ptxas refuses other declarations.",
    fix="declare the variable with a size; declare a variable in local memory in a kernel",
)
CALL_RULE = rule(
    "T5-PTX-131",
    "7.1, 9.7.12.4",
    subject="call of a function",
    statement=(
        "A call declares its parameters, and stores each argument and loads each result at a place "
        "in one of them."
    ),
    why="ptxas refuses the call, or an argument would have no place.",
    fix="give each register of the call a place in a declared parameter",
)
FUNCTION_RULE = rule(
    "T5-PTX-115",
    "7.1",
    subject="function of func",
    statement=(
        "A func.call names a func.func of the module that has a body. Its arguments and results "
        "have the types that the function declares. The function is not recursive, and each of its "
        "blocks ends with func.return, a branch or ptx.exit. A function that a role calls is one "
        "block. Inlining adds a limited number of operations to a kernel."
    ),
    why="The compiler inlines every call.",
    fix=(
        "call a func.func of the module that has a body and is not recursive, with arguments of "
        "the types that it declares"
    ),
)
REGION_RULE = rule(
    "T5-PTX-109",
    "9.7.12",
    subject="region of structured control flow",
    statement="A region of structured control flow is one block that ends with its terminator.",
    why="Other regions cannot be lowered to branches.",
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
        "Values passed by structured control flow have the types of the block arguments and "
        "results that receive them."
    ),
    why="The register of the receiver would have another type.",
    fix="pass values of the types of the receiving block arguments and results",
)
STEP_RULE = rule(
    "T5-PTX-111",
    "9.7.12",
    subject="step of a loop",
    statement="A loop counts upwards by a positive step.",
    why="With another step the lowered loop would not end, or not start.",
    fix="count upwards, or write the loop with scf.while",
)
