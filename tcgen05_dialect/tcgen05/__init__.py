"""The `tcgen05` dialect: types, attributes, and one file of operations per family."""
