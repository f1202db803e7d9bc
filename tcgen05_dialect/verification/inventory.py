"""The operations of a kernel by their classes."""

from typing import TypeVar, cast

from xdsl.ir import Operation

_Op = TypeVar("_Op", bound=Operation)


class Inventory:
    """
    The operations of a kernel, also those in guards, in the order of the text.

    To walk through a kernel, and to compare each operation with the abstract classes of xDSL, is a
    seventh of all calls of its verification if each question does it.
    """

    def __init__(self, kernel: Operation):
        self.ops = [*kernel.walk()]
        self.types = frozenset(map(type, self.ops))

    def of(self, *classes: type[_Op]) -> list[_Op]:
        """The operations of some classes."""
        types = {each for each in self.types if issubclass(each, classes)}
        return cast(list[_Op], [op for op in self.ops if type(op) in types])
