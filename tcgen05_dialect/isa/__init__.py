"""Facts of the PTX ISA: tables, bit layouts, address maps and rules. Standard library only.

Each number, spelling and section of the ISA that the project uses is declared here, once. Importing
this package imports none of its modules.
"""
