"""
Effects of the instructions of `ptx` as data: one row for each instruction that does more than
compute a register.

`table.effects_of(name)` gives the row of an instruction. It says what the instruction reads and
writes, who makes these accesses and through which proxy (`reads`, `writes`, `actor`), which step
makes each known to be complete (`completion` of an area), what the instruction orders (`orders`),
and which threads execute it (`executed_by`). `table.steps_to(completion)` gives the instructions
that a program executes for a completion. `ptx.effects` asks the same of an operation.
"""
