"""Test of the number of source files that verifying a matrix product visits."""

import pytest

from ..support.files_visited import files_visited

PRODUCT_LIMIT = 19
"""Files for the mma alone, with its descriptor, its form, and the types of its operands."""
KERNEL_LIMIT = 41
"""Files for the kernel: its directives, names and dominance, an allocation, two descriptors, the
mma."""


@pytest.mark.slow
@pytest.mark.parametrize(("what", "limit"), [("product", PRODUCT_LIMIT), ("kernel", KERNEL_LIMIT)])
def test_verification_visits_few_files(what: str, limit: int) -> None:
    files = files_visited(what)
    assert 0 < len(files) <= limit, files
