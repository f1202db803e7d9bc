"""
Names of values in printed IR.

xDSL prints each name by itself. To look names up and to print a whole line takes two thirds of the
time. Uses the private name `Printer._ssa_values`. It can be deleted when xDSL gives the name of a
value without printing it.
"""

from xdsl.ir import SSAValue
from xdsl.printer import Printer


def printed_name(printer: Printer, value: SSAValue) -> str | None:
    """The name, without `%`, that a value has been printed with; None if it has not been."""
    names: dict[SSAValue, str] = vars(printer)["_ssa_values"]
    return names.get(value)
