"""
The `ptx` dialect: PTX instructions one to one, in SSA form.

It stands on `isa` and xDSL alone and knows no operation of the `tcgen05` dialect.
"""
