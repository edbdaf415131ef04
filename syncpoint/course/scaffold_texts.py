"""What `syncpoint new` writes, before names are put in: an exercise that doubles an array, for authors to replace."""

from string import Template

TITLE_CELL = Template("""\
# $title

**How to work.** Write your code where you see `raise NotImplementedError()`, and delete that line. \
Below each of your cells there is a *check*. Run it to find common mistakes at once.
A passed check is a good sign, but it does not mean full points yet: \
hidden tests look more closely when your work is graded.""")

ASK_CELL = Template("""\
## Exercise: `$exercise`

Write `$exercise(x)`. It returns twice `x`: an array of the same shape, in which each number is twice that of `x`.""")

SOLUTION_CELL = Template('''\
def $exercise(x):
    """Return twice x, an array of the same shape."""
    ### BEGIN SOLUTION
    return x * 2
    ### END SOLUTION''')

# Without a name of its own but the function's: whatever the exercise is called, it hides nothing here.
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
language = "en"  # without this line, the course's: once there are translations (docs/how-to/translate.md)
engine = "$engine"
# minutes = 90  # how long students need for it, your estimate: the release tells them, beside the points
""")

GRADER = Template('''\
"""$exercise(x): twice x."""

import numpy as np

from syncpoint.graders import EngineArray, array, core, hint, kind_of, saw


def is_twice(value, x):
    """Whether value is an array of numbers, of the shape of x, that is twice x."""
    values = np.asarray(value) if isinstance(value, (EngineArray, np.ndarray)) else np.empty(0, dtype=object)
    return values.dtype.kind in "iuf" and values.shape == x.shape and np.allclose(values, 2 * x)


@core
@hint("Look at one number: what comes out for it, and what is twice as much?")
def test_vector(student, rng):
    """$exercise returns twice a vector."""
    x = rng.normal(size=4)
    returned = student.call("$exercise", $argument).returned
    with saw("$exercise returned {kind}.", kind=kind_of(returned)):
        assert is_twice(returned, x), returned


@hint("x may have more than one dimension, and the result has as many.")
def test_matrix(student, rng):
    """$exercise returns twice a matrix, in its shape."""
    x = rng.normal(size=(2, 3))
    returned = student.call("$exercise", $argument).returned
    with saw("$exercise returned {kind}.", kind=kind_of(returned)):
        assert is_twice(returned, x), returned
''')

BANK = {
    "01_ok_book": Template("""\
# The solution of the notebook.
def $exercise(x):
    return x * 2
"""),
    "11_bad_adds_two": Template("""\
# Two is added, and not multiplied by.
# breaks: twice the number
# kills: test_vector, test_matrix
def $exercise(x):
    return x + 2
"""),
    "12_bad_flattens": Template("""\
# The result is one long row, whatever x was.
# breaks: the shape of x
# kills: test_matrix
def $exercise(x):
    return (x * 2).reshape((-1,))
"""),
}
MISTAKE = "11_bad_adds_two"  # of the student in the sample class

CLASS_FILE = """\
# The sample class of `make demo`, and what `make bench` allows; docs/how-to/write-an-exercise.md explains the keys.

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
