"""Facts of the PTX ISA: tables, bit layouts, address maps and rules. Standard library only.

Every number, spelling and section of the ISA that the project uses is declared here, once. Import
the modules one by one; importing this package imports none of them.
"""
