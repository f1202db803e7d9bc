"""Facts of the tcgen05 instructions: tables, bit layouts and maps. Standard library only.

Every number, spelling and section of the PTX ISA that the project knows stands here once. The
modules are imported one by one; importing this package imports none of them.
"""
