"""The xDSL target `ptx`, which prints a module."""

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from .printer import print_module
from .target import choose_target


@dataclass(frozen=True)
class PTXTarget(Target):
    """Prints a module as PTX text: `-t 'ptx{target="sm_100a" version="8.8"}'`."""

    name = "ptx"
    target: str | None = None
    version: str | float | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        version = None if self.version is None else str(self.version)
        output.write(print_module(module, choose_target(module, self.target, version)))
