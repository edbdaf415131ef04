"""Calling student code: errors, values and prints come back as plain data, whatever the code does."""

from collections.abc import Callable

import numpy as np
import pytest

from syncpoint.engines.find import find
from syncpoint.engines.terms import use_terms
from syncpoint.graders import EngineArray, Opaque, array
from syncpoint.judge.student import Student
from syncpoint.observe.errors import StudentError

StudentOf = Callable[..., Student]
ONES = np.ones((4, 4), dtype=np.float32)


# --- errors -------------------------------------------------------------------------------------------------------


def test_an_undefined_name_is_reported_as_undefined(student_of: StudentOf):
    with pytest.raises(StudentError, match=r"^`nowhere_to_be_found` is not defined\.$"):
        student_of("").call("nowhere_to_be_found")


def test_an_undefined_name_inside_is_an_error_of_that_line(solve):
    with pytest.raises(StudentError, match=r"raised NameError: name 'unknown' is not defined \(line 4 of a cell\)"):
        solve("unknown").call("f", array(ONES))


BROKEN_ERROR = """
class Named(type):
    __name__ = property(lambda self: 1 / 0)

class Broken(TypeError, metaclass=Named):
    def __str__(self):
        raise KeyError

def f(x):
    raise Broken
"""


def test_an_error_that_cannot_be_described_is_the_students_and_harms_no_later_call(student_of: StudentOf):
    student = student_of(BROKEN_ERROR + "def g(x):\n    return x + 1\n")
    with pytest.raises(StudentError, match="raised TypeError"):
        student.call("f", array(ONES, gated=True))
    assert np.array_equal(student.call("g", array(ONES)).returned, ONES + 1)


def test_an_error_that_surfaces_at_the_wait_is_the_students(solve):
    use_terms(find("mxnet").words)
    seen = solve("nd.random.normal(0, -1, shape=(2,))").attempt("f", array(ONES))
    assert seen.error.type == "MXNetError"


def test_after_an_error_in_the_engine_the_next_call_is_unharmed(solve):
    student = solve("nd.random.normal(0, -1, shape=(2,)) if x.shape[0] == 4 else x + 1")
    student.attempt("f", array(ONES))
    assert np.array_equal(student.call("f", array(np.ones(2))).returned, [2, 2])


@pytest.mark.parametrize("raising", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration"])
def test_whatever_is_raised_is_reported(student_of: StudentOf, raising: str):
    assert student_of(f"def g(): raise {raising}").attempt("g").error.type == raising


@pytest.mark.parametrize("kind", ["def g(x): pass", "g = 5", "g = None"])
def test_what_cannot_be_called_so_is_a_type_error(student_of: StudentOf, kind: str):
    assert student_of(kind).attempt("g").error.type == "TypeError"


# --- what comes back ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("None", None),
        ("3", 3),
        ("'text'", "text"),
        ("(1, [2.5, {'a': True}])", (1, [2.5, {"a": True}])),
        ("np.float32(2)", 2),
    ],
)
def test_plain_values_come_back(solve, expression: str, value):
    assert solve(expression).call("f", 0).returned == value


@pytest.mark.parametrize("expression", ["object()", "f", "iter([])", "nd"])
def test_odd_values_come_back_as_the_name_of_their_type(solve, expression: str):
    assert isinstance(solve(expression).call("f", 0).returned, Opaque)


@pytest.mark.parametrize("expression", ["np.array([object()])", "np.zeros((0, 3))", "[[[[[[x]]]]]]", "nd.array(5)"])
def test_odd_arrays_do_no_harm(solve, expression: str):
    assert solve(expression).call("f", array(ONES)).error is None


def test_a_value_that_contains_itself_comes_back_cut(student_of: StudentOf):
    seen = student_of("def g():\n    a = []\n    a.append(a)\n    return a").call("g")
    assert "nested too deep" in str(seen.returned)


def test_an_engine_array_comes_back_as_one(solve):
    assert isinstance(solve("x + 1").call("f", array(ONES)).returned, EngineArray)


def test_an_object_that_answers_everything_does_no_harm(student_of: StudentOf):
    source = "class Yes:\n    def __getattr__(self, name): return self\n    __call__ = __eq__ = lambda *a, **k: Yes()"
    assert isinstance(student_of(f"{source}\ndef g(): return Yes()").call("g").returned, Opaque)


# --- what is printed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "def g(): print('here')",
        "import sys\ndef g(file=sys.stdout): print('here', file=file)",
        "import sys\ndef g(): sys.stdout.write('here\\n')",
        "from functools import partial\nimport sys\nsay = partial(print, file=sys.stdout)\ndef g(): say('here')",
    ],
)
def test_what_the_code_prints_is_captured(student_of: StudentOf, body: str):
    assert student_of(body).call("g").stdout == "here\n"


def test_what_a_cell_printed_before_is_not(student_of: StudentOf):
    assert student_of("print('before')\ndef g(): print('here')").call("g").stdout == "here\n"


def test_stderr_is_not_taken_for_stdout(student_of: StudentOf):
    assert student_of("import sys\ndef g(): print('here', file=sys.stderr)").call("g").stdout == ""
