"""`tcgen05 calc list` and `detail`: what a target has, and everything about one MMA."""

from __future__ import annotations

import argparse

from ...calculator.answer import FORMATS
from ...calculator.catalogue import catalogue
from .arguments import Commands, add_format


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    list_ = commands.add(
        "list",
        _list,
        "list the instructions and kinds of MMA of a target",
        ("--target sm_100a", "--format markdown"),
    )
    list_.add_argument("--target", metavar="T", help="such as sm_100a (default: all targets)")
    add_format(list_, FORMATS)


def _list(options: argparse.Namespace) -> str:
    return catalogue(options.target).render(options.format)
