"""The `tcgen05` dialect: types, attributes, and one module of operations for each family."""
