"""The matrix product: operands, arithmetic, accumulator and collector buffers."""
