"""add_str, fancy_func_str, evoke_str, compile_program and evoke: a program as text, compiled once, run often."""

from itertools import combinations

import numpy as np
import pytest

from syncpoint.graders import core, hint, joined, kind_of, misconception, saw, value, weight


@pytest.fixture
def inputs(rng):
    """Four numbers for each of five runs."""
    return [tuple(float(n) / 8 for n in rng.integers(-8000, 8000, size=4)) for _ in range(5)]


def check_count(seen, inputs):
    """Fail unless there is one number for each of the inputs."""
    with saw("There were {count} calls. The results: {kind}.", kind=kind_of(seen), count=len(inputs)):
        assert len(seen) == len(inputs), seen
    for one in seen:
        with saw("One of the results is {kind}.", kind=kind_of(one)):
            assert isinstance(one, (int, float, np.number)), seen


def check_numbers(seen, right):
    """Fail unless these are the right numbers."""
    check_count(seen, right)
    fitting = sum(value == expected for value, expected in zip(seen, right, strict=True))
    with saw("Right results: {fitting} of {total}.", fitting=fitting, total=len(right)):
        assert list(seen) == right


@pytest.fixture
def ours(rng):
    """What a function of our own makes of its numbers: factor times their sum, plus offset."""
    return {"factor": int(rng.integers(3, 100)), "offset": int(rng.integers(1000, 10_000))}


def nestings(numbers, ours):
    """All results of adding these numbers up, two at a time in any order, if adding means ours."""
    if len(numbers) == 1:
        return set(numbers)
    results = set()
    for i, j in combinations(range(len(numbers)), 2):
        rest = [number for k, number in enumerate(numbers) if k not in (i, j)]
        results |= nestings([ours["factor"] * (numbers[i] + numbers[j]) + ours["offset"], *rest], ours)
    return results


def check_nestings(seen, inputs, ours):
    """Fail unless each number comes from adding up its inputs by ours."""
    check_count(seen, inputs)
    for one, numbers in zip(seen, inputs, strict=True):
        assert one in nestings(numbers, ours), (one, numbers, ours)


def compiled(student, inputs, evoked=True, shift=0):
    """compile_program() once, then evoke for each of the inputs; shift is added to the program's results."""
    return student.observe("compiled", inputs=inputs, evoked=evoked, shift=shift)


def sums(inputs):
    """The right results."""
    return [sum(numbers) for numbers in inputs]


@hint("add_str returns a text (str), not a function. The text defines add(a, b), which returns a + b.")
@misconception("reads-the-task")
def test_add_str(student, inputs):
    """add_str returns the text of add."""
    pairs = [numbers[:2] for numbers in inputs]
    seen = student.observe("text_functions", texts=["add_str"], function="add", inputs=pairs)
    with saw("add_str returned an object of type {type}.", type=seen["types"][0]):
        assert seen["types"] == ["str"]
    check_numbers(seen["returned"], sums(pairs))


def fancy_func(student, inputs, **replaced):
    """Run the first two texts and call fancy_func."""
    texts = ["add_str", "fancy_func_str"]
    return student.observe("text_functions", texts=texts, function="fancy_func", inputs=inputs, **replaced)


@hint("fancy_func_str returns a text (str). After the text of add, it defines fancy_func(a, b, c, d).")
@misconception("reads-the-task")
def test_fancy_func_str(student, inputs):
    """fancy_func_str returns the text of fancy_func, which adds up four numbers."""
    seen = fancy_func(student, inputs)
    with saw("add_str and fancy_func_str returned objects of type {types}.", types=joined(seen["types"])):
        assert seen["types"] == ["str", "str"]
    check_numbers(seen["returned"], sums(inputs))


@weight(2)
@hint("fancy_func does not add by itself: it calls add, three times, and returns what add makes of the four numbers.")
@misconception("reads-the-task")
def test_fancy_func_calls_add(student, inputs, ours):
    """fancy_func calls add three times, and adds only with add."""
    seen = fancy_func(student, inputs, replaced="add", **ours)
    with saw("Calls of add in one call of fancy_func: {most}.", most=max(seen["called"], default=0)):
        assert seen["called"] == [3] * len(inputs)
    check_nestings(seen["returned"], inputs, ours)


@value
@weight(2)
@hint("The text must be complete: both functions, then a line that gives result a value. Which numbers go into it?")
@misconception("reads-the-task")
def test_program_text(student, inputs):
    """The text of evoke_str is a whole program: it computes result for every a, b, c and d."""
    seen = student.observe("text_program", text="evoke_str", inputs=inputs)
    with saw("evoke_str returned an object of type {type}.", type=seen["type"]):
        assert seen["type"] == "str"
    check_numbers(seen["results"], sums(inputs))


@weight(5)
@hint("result is the value of fancy_func(a, b, c, d), and fancy_func in this text calls add, as in fancy_func_str.")
@misconception("reads-the-task")
def test_program_calls_its_functions(student, inputs, ours):
    """In the text of evoke_str, result comes from fancy_func, and fancy_func adds with add."""
    seen = student.observe("rewired", program="evoke_str", replaced="fancy_func", **ours, inputs=inputs)
    check_numbers(seen["results"], [ours["factor"] * sum(numbers) + ours["offset"] for numbers in inputs])
    seen = student.observe("rewired", program="evoke_str", replaced="add", **ours, inputs=inputs)
    check_nestings(seen["results"], inputs, ours)


def check_code(seen):
    """Fail unless compile_program returned a compiled program."""
    with saw("compile_program returned an object of type {type}.", type=seen["type"]):
        assert seen["type"] == "code"


@hint("compile_program returns what compile(text, name, 'exec') returns, for the whole text of evoke_str.")
@misconception("compiled-once")
def test_compile_program(student, inputs, ours):
    """compile_program returns the whole program, compiled."""
    seen = compiled(student, inputs, evoked=False)
    check_code(seen)
    check_numbers(seen["alone"], sums(inputs))
    seen = student.observe("rewired", program="compile_program", replaced="fancy_func", **ours, inputs=inputs)
    check_numbers(seen["results"], [ours["factor"] * sum(numbers) + ours["offset"] for numbers in inputs])
    seen = student.observe("rewired", program="compile_program", replaced="add", **ours, inputs=inputs)
    check_nestings(seen["results"], inputs, ours)


@core
@weight(4)
@hint(
    "Compile in compile_program, once. evoke gets the compiled program: no text goes into compile, exec or eval there."
)
@misconception("compiled-once")
def test_compiled_once(student, inputs):
    """The program is compiled once, however often it is evoked."""
    seen = compiled(student, inputs)
    # A single name, to read the result, is hardly a program.
    counted = [text for text in seen["compilations"] if not text.strip().isidentifier()]
    check_code(seen)
    with saw(
        "Number of compilations in {inputs} calls of evoke: {counted}.",
        inputs=len(inputs),
        counted=len(counted),
    ):
        assert len(counted) <= 1, seen["compilations"]


@core
@weight(2)
@hint("evoke returns the value of result. Do a, b, c and d of this very call reach the program?")
@misconception("reads-the-task")
def test_evoke(student, rng, inputs):
    """evoke returns the result of the program for its a, b, c and d."""
    inputs = [*inputs, (2**54 + 1, 2, 4, 8)]  # a float has no room for all the digits
    seen = compiled(student, inputs)
    check_numbers(seen["returned"], sums(inputs))
    with saw("The program ran {runs} times in {inputs} calls of evoke.", runs=seen["runs"], inputs=len(inputs)):
        assert seen["runs"] >= len(inputs) or seen["type"] != "code"  # for another type there is another test
    if seen["type"] == "code":
        shift = int(rng.integers(1000, 10_000))
        returned = compiled(student, inputs, shift=shift)["returned"]
        with saw("After the program ran, the test changed its result, but evoke returned another number."):
            assert list(returned) == [right + shift for right in sums(inputs)]


@core
@weight(4)
@hint(
    "evoke must run the program it is given, whatever functions that defines. Give exec one dictionary for all names."
)
@misconception("compiled-once")
def test_evoke_runs_the_given_program(student, rng, inputs):
    """evoke runs any compiled program that makes result from a, b, c and d."""
    unknown = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), size=10)) for _ in range(2)]
    for one, other in (unknown, ("add", "fancy_func")):  # what they compute counts, and not how they are called
        factor = int(rng.integers(3, 100))
        text = (
            f"def {one}(x, y):\n    return x * {factor} - y\n\n"
            f"def {other}(x, y):\n    return {one}(y, x)\n\n"
            f"result = sum([{other}({one}(a, b), {one}(c, d))])\n"
        )
        seen = student.observe("evoke_another", text=text, inputs=inputs)
        check_numbers(seen["returned"], [(c * factor - d) * factor - (a * factor - b) for a, b, c, d in inputs])
