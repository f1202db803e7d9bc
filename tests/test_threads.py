"""Tests of several threads: each gets the result that it would get alone."""

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest
from xdsl.irdl import declarative_assembly_format
from xdsl.irdl.declarative_assembly_format import FormatProgram

from tcgen05_dialect.compiler import without_garbage_collection
from tcgen05_dialect.xdsl_support.operation_format import formats_parsed_at_first_use

from .support.repository import ROOT


@pytest.mark.slow
def test_threads_get_the_results_of_one() -> None:
    """In a process in which each import and each definition of an operation comes from a thread."""
    command = [sys.executable, "-m", "tests.support.many_threads"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def _overlapping(context: Callable[[], AbstractContextManager[object]]) -> Iterator[None]:
    """Two threads enter a context before the first one leaves it; the second result is later."""
    threads = [(ThreadPoolExecutor(1), context()) for _ in range(2)]
    for pool, each in threads:
        pool.submit(each.__enter__).result()
    yield
    for pool, each in threads:
        pool.submit(each.__exit__, None, None, None).result()
        pool.shutdown()
    yield


def test_garbage_is_collected_while_several_threads_work() -> None:
    """A thread might always be inside; nested contexts of one thread count once."""
    assert gc.isenabled()
    with without_garbage_collection(), without_garbage_collection():
        assert not gc.isenabled()
    for _ in _overlapping(without_garbage_collection):
        assert gc.isenabled()


def test_formats_are_postponed_until_the_last_thread_has_imported_operations() -> None:
    before = FormatProgram.from_str
    states = [FormatProgram.from_str is before for _ in _overlapping(formats_parsed_at_first_use)]
    assert states == [False, True]


def test_the_class_of_formats_stays_while_formats_are_postponed() -> None:
    """xDSL's parser of formats takes the class when it is imported, perhaps by another thread."""
    with formats_parsed_at_first_use():
        assert declarative_assembly_format.FormatProgram is FormatProgram
