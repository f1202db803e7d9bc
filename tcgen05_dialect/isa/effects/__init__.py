"""
Effects of the instructions of `ptx` as data: one row for each instruction that does more than
compute a register.

`table.EFFECTS` has the rows by name. A row says what the instruction reads and writes, who makes
these accesses and through which proxy (`reads`, `writes`, `actor`), which step makes each known to
be complete (`completion` of an area), what the instruction orders (`orders`), and which threads
execute it (`executed_by`). `table.steps_to(completion)` gives the instructions that a program
executes for a completion. `ptx/effects.py` answers the same questions about an operation:
`completions_of(op)`, `orders_of(op)`, `participants_of(op)`.
"""
