"""The classes of the instructions: `AddOp` is that of `ptx.add`. `definition` makes them at their
first use, and the stub declares them."""

from .definition import operation_of_class


def __getattr__(name: str) -> object:
    found = operation_of_class(name)
    if found is None:
        raise AttributeError(f"no instruction has the class {name}", name=name)
    globals()[name] = found
    return found
