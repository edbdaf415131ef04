"""The graders of `async`, held against code that uses mxnet.np: the arguments are np arrays."""

import pytest


@pytest.fixture(scope="module")
def student(student):
    """The student whose code is judged, with arguments of the np interface."""
    return student.using("np")
