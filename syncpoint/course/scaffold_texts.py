"""Templates of `syncpoint new`: an exercise that doubles an array, for authors to replace."""

from string import Template

TITLE_CELL = Template("""\
# $title

**How to work.** Write your code where you see `raise NotImplementedError()`, and delete that line. \
Below each of your cells there is a *check*. Run it to find common mistakes at once.
A passed check is a good sign, but it does not mean full points yet: \
hidden tests look more closely when your work is graded.""")

ASK_CELL = Template("""\
## Exercise: `$exercise`

Write `$exercise(x)`. It returns twice `x`: an array of the same shape with each number of `x` doubled.""")

SOLUTION_CELL = Template('''\
def $exercise(x):
    """Return twice x, an array of the same shape."""
    ### BEGIN SOLUTION
    return x * 2
    ### END SOLUTION''')

# No global names except the function's, so the exercise may have any name.
CHECK_CELL = Template("""\
def check_$exercise():
    assert $exercise($example) is not None, "$exercise returned None: did you forget the return?"
    assert $exercise($example)$numbers == [2.0, 4.0], "twice 1 and 2 is 2 and 4"


check_$exercise()
print("$exercise: looks good so far")""")

GRADE_CELL = Template("""\
# The hidden tests of this exercise run here when your work is graded. There is nothing to write.
### BEGIN HIDDEN TESTS
raise RuntimeError("test_$exercise was not judged: \
Syncpoint's judge is not in nbgrader's pipeline, see nbgrader_config.py")
### END HIDDEN TESTS""")

ASSIGNMENT_FILE = Template("""\
title = $title
language = "en"  # default: the course's language; remove once there are translations (docs/how-to/translate.md)
engine = "$engine"
# minutes = 90  # your estimate of the time that students need; the release shows it next to the points
""")

GRADER = Template('''\
"""$exercise(x): twice x."""

import numpy as np

from syncpoint.graders import EngineArray, array, core, hint, kind_of, saw


def is_twice(value, x):
    """Whether value is an array of numbers with the shape of x and twice its values."""
    values = np.asarray(value) if isinstance(value, (EngineArray, np.ndarray)) else np.empty(0, dtype=object)
    return values.dtype.kind in "iuf" and values.shape == x.shape and np.allclose(values, 2 * x)


@core
@hint("Look at one number: what does your function return for it, and what is twice that number?")
def test_vector(student, rng):
    """$exercise returns twice a vector."""
    x = rng.normal(size=4)
    returned = student.call("$exercise", $argument).returned
    with saw("$exercise returned {kind}.", kind=kind_of(returned)):
        assert is_twice(returned, x), returned


@hint("x may have more than one dimension, and the result has as many.")
def test_matrix(student, rng):
    """$exercise returns twice a matrix, with the same shape."""
    x = rng.normal(size=(2, 3))
    returned = student.call("$exercise", $argument).returned
    with saw("$exercise returned {kind}.", kind=kind_of(returned)):
        assert is_twice(returned, x), returned
''')

BANK = {
    "01_ok_book": Template("""\
# The notebook's solution.
def $exercise(x):
    return x * 2
"""),
    "11_bad_adds_two": Template("""\
# Adds two instead of multiplying by two.
# breaks: twice the number
# kills: test_vector, test_matrix
def $exercise(x):
    return x + 2
"""),
    "12_bad_flattens": Template("""\
# Always returns one long row, whatever the shape of x.
# breaks: the shape of x
# kills: test_matrix
def $exercise(x):
    return (x * 2).reshape((-1,))
"""),
}
MISTAKE = "11_bad_adds_two"  # the sample class's student submits this file

CLASS_FILE = """\
# The sample class of `make demo` and the budget of `make bench`; for the keys, see docs/how-to/write-an-exercise.md.

[budget]
seconds = 25
memory_mib = 1536

[[students]]
name = "perfect_as_taught"
"""

STUDENT = Template("""\

[[students]]
name = "$student"
${did}answers.$exercise = "$mistake"
""")
DID = Template('did = "adds two in $exercise"\n')
