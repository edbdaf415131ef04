"""Messages to students on failures: about their own code, and never an input of a hidden test."""

from contextvars import copy_context

import pytest
from classroom import sandbox_spec
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.core.messages import Message
from syncpoint.core.results import Status
from syncpoint.engines.find import find
from syncpoint.engines.terms import use_terms
from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.faults import Fault
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.judge.test_runner import message_for_student, status_of
from syncpoint.observe.errors import BadReply, StudentError
from syncpoint.observe.observation import RaisedError, parse_error
from syncpoint.observe.student import _failed
from syncpoint.probe.handlers import describe_error

INPUT = "input-of-a-hidden-test"


def _raised(source: str) -> BaseException:
    """The exception that a cell with this source raises."""
    try:
        exec(compile(source, "/tmp/ipykernel_1/1.py", "exec"), {"given": INPUT})
    except BaseException as error:
        return error
    raise AssertionError("the source raised nothing")


def _reported(description: dict) -> tuple[RaisedError, str]:
    """An error of a notebook with PyTorch, as the judge takes it, and in words."""

    def read() -> tuple[RaisedError, str]:
        use_terms(find("torch").words)
        error = parse_error(description)
        return error, str(error.message)

    return copy_context().run(read)


@pytest.mark.parametrize(
    "source",
    [
        "raise ValueError(given)",
        "raise RuntimeError(given)",
        "raise Exception(given)",
        "raise KeyError(given)",
        "raise SystemExit(given)",
        "raise AssertionError(given)",
        "assert False, given",
        "{}[given]",
        "int(given)",
        "class Mine(ValueError): pass\nraise Mine(given)",
        "raise RecursionError(given)",
        "class Mine(RuntimeError): pass\nraise Mine(given)",
    ],
)
def test_text_that_may_repeat_an_input_is_not_shown(source: str):
    error, message = _reported(describe_error(_raised(source)))
    assert error.text == ""
    assert INPUT not in message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", "mat1 and mat2 shapes cannot be multiplied"),
        (
            "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
            "The size of tensor a ... must match the size of tensor b",
        ),
        (
            "Data-dependent branching\n  Explanation: Detected data-dependent branching (e.g. `if x.sum() > 0:`).",
            "Detected data-dependent branching",
        ),
        ("The size of tensor a is 2", "PyTorch could not run an operation"),
        (INPUT, "PyTorch could not run an operation"),
    ],
)
def test_what_pytorch_is_known_to_say_is_shown_without_what_differs(text: str, shown: str):
    _, message = _reported({"types": ["RuntimeError"], "text": text, "line": 3})
    assert message.startswith(f"RuntimeError: {shown}")
    assert "mostly" not in message and "(2" not in message


def test_an_assertion_that_no_line_of_the_students_raised_is_not_said_to_be_theirs():
    assert RaisedError("AssertionError", "", None).outside
    assert not RaisedError("AssertionError", "", 3).outside and not RaisedError("ValueError", "", None).outside
    failed = _failed(Message("your_code"), RaisedError("AssertionError", "", None))
    assert str(failed.message) == "Running your code ended with AssertionError. No line of your code raised it."


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nothing", "name 'nothing' is not defined"),
        ("(5).wait()", "'int' object has no attribute 'wait'"),
        ("(lambda: 0)(1)", "takes 0 positional arguments but 1 was given"),
        ("import nowhere", "No module named 'nowhere'"),
        ("compile('def f(:', '', 'exec')", "invalid syntax"),
        ("raise NotImplementedError('Write this.')", "Write this."),
    ],
)
def test_text_that_python_wrote_is_shown(source: str, words: str):
    assert words in describe_error(_raised(source))["text"]


def test_the_line_is_the_one_in_the_students_cell():
    assert describe_error(_raised("x = 1\n\nint('x')"))["line"] == 3


def test_an_error_outside_the_students_cells_has_no_line():
    with pytest.raises(ValueError, match="invalid literal") as raised:
        int("x")
    assert describe_error(raised.value)["line"] is None


def test_a_message_has_type_text_and_line():
    error = parse_error(describe_error(_raised("\nnothing")))
    assert str(error.message) == "NameError: name 'nothing' is not defined (line 2 of a cell)"


def test_an_error_of_the_engine_is_explained_in_place_of_its_text():
    def output(name: str) -> str:
        use_terms(find("mxnet").words)
        return str(RaisedError(name, "", 3).message)

    assert "shapes, types or devices" in copy_context().run(output, "MXNetError")
    assert copy_context().run(output, "MXNetError").endswith("(line 3 of a cell)")
    assert copy_context().run(output, "ValueError") == "ValueError (line 3 of a cell)"


def test_long_texts_are_cut():
    error = parse_error({"types": ["T" * 1000], "text": "x" * 10_000, "line": None})
    assert len(str(error.message)) < 400


def test_what_an_error_says_commands_no_terminal():
    error = parse_error({"types": ["\x1b[2J\u202eMine", "TypeError"], "text": "\x9b\0", "line": None})
    assert str(error.message).isprintable()


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("class Of1_2_3(ValueError): pass\nraise Of1_2_3", "ValueError"),
        ("class Of1_2_3(Exception): pass\nclass More(Of1_2_3, KeyError): pass\nraise More", "KeyError"),
        ("class Of1_2_3(KeyboardInterrupt): pass\nraise Of1_2_3", "KeyboardInterrupt"),
        ("raise type('V' * 59, (ValueError,), {'__mro__': ('Of1_2_3',)})", "ValueError"),
        ("import json\njson.loads('')", "ValueError"),
        ("class MXNetError(RuntimeError): pass\nclass Of1_2_3(MXNetError): pass\nraise Of1_2_3", "MXNetError"),
    ],
)
def test_of_a_class_of_errors_only_a_name_that_everybody_knows_is_shown(source: str, shown: str):
    def kind() -> str:
        use_terms(find("mxnet").words)
        return parse_error(describe_error(_raised(source))).type

    assert copy_context().run(kind) == shown


@pytest.mark.parametrize("types", [[], ["Of1_2_3"], [["ValueError"]], "ValueError"])
def test_unknown_names_come_from_an_exception(types):
    assert parse_error({"types": types, "text": "", "line": None}).type == "Exception"


@pytest.mark.parametrize("line", [123_456_789, 0, -5, True, "3", None])
def test_what_is_no_line_of_a_cell_is_not_shown(line):
    assert parse_error({"types": ["ValueError"], "text": "", "line": line}).line is None


def test_what_stopped_a_cell_commands_no_terminal():
    source = "raise type('\\x1b[2J\\u202eMine', (Exception,), {})"
    with NotebookRun(new_notebook(cells=[new_code_cell(source)]), sandbox_spec()) as run:
        run.advance_to(1)
    (incident,) = run.incidents
    assert "Mine" in str(incident.message)
    assert str(incident.message).isprintable()


def test_a_library_that_lacks_something_is_no_stub():
    assert parse_error(describe_error(_raised("raise NotImplementedError()"))).from_stub
    assert not parse_error(describe_error(_raised("raise NotImplementedError('of this type')"))).from_stub


@pytest.mark.parametrize(
    "error", [AssertionError(INPUT), ValueError(INPUT), KeyError(INPUT), BadReply(INPUT), RuntimeError(INPUT)]
)
def test_a_graders_own_words_stay_with_the_instructor(error: BaseException):
    assert INPUT not in str(message_for_student(error))


def test_a_failed_assertion_leaves_the_words_to_the_hint():
    assert message_for_student(AssertionError("detail")) is None


def test_what_is_about_the_students_code_is_shown():
    assert str(message_for_student(StudentError("`f` is not defined."))) == "`f` is not defined."


def test_a_grader_that_breaks_says_that_it_is_not_the_students_fault():
    assert status_of(ZeroDivisionError()) is Status.ERROR
    assert "failed to run" in str(message_for_student(ZeroDivisionError()))


def test_the_end_of_the_kernel_is_explained():
    gone = DeadKernelError(Fault("memory", Message.of("memory", mib=4096)))
    assert str(message_for_student(gone)) == "Could not run: the kernel ran out of memory (limit 4096 MiB)."


def test_a_missing_function_differs_from_a_name_that_its_code_does_not_know():
    assert RaisedError("NameError", "name 'f' is not defined", None).undefined
    assert not parse_error(describe_error(_raised("nothing"))).undefined
