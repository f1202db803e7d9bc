"""The `tcgen05` dialect: types, attributes, and the operations, one file per family."""
