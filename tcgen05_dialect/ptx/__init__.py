"""
The `ptx` dialect: one operation for each PTX instruction, in SSA form.

It does not depend on the `tcgen05` dialect.
"""
