"""
The operations of each dialect, with constructors whose arguments type checkers check.

The modules `ptx`, `tcgen05` and `ws` have the classes of the operations, types and attributes of a
dialect. The constructors follow from the definitions, and so do their stubs.
"""
