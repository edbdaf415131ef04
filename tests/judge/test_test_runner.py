"""Running one grader module: nothing that a student returned or printed holds the judge for ever."""

import gc
import sys
import weakref
from types import SimpleNamespace

import pytest

from syncpoint.core.messages import Message
from syncpoint.core.results import Status
from syncpoint.judge import test_runner
from syncpoint.judge.student import Deadline, Student
from syncpoint.observe.errors import ProbeError

MODULE = '''
import re


def test_that_looks_at_a_line_for_ever(student):
    """It never ends by itself."""
    re.fullmatch(r"(a+)+b", "a" * 60)


def test_that_comes_after_it(student):
    """It passes."""


def test_that_fails(student):
    """It fails."""
    assert False
'''


def test_a_test_that_never_ends_fails_with_a_sentence_and_the_others_are_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(test_runner, "LOOKING_SECONDS", 0.5)
    module = tmp_path / "test_endless.py"
    module.write_text(MODULE)
    endless, after, failing = test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(0.5)))
    assert not endless.passed
    assert str(endless.message) == "The grader spent too long reading what your code returned or printed."
    assert after.passed and not failing.passed


BROKEN = "def test_broken(student):\n    given = 7\n    student.observe('scenario', value=given)\n"


class BrokenProbe(Student):
    """A student whose every request ends in an error of ours."""

    def _ask(self, request, buffers, who):
        raise ProbeError("the scenario broke")


def test_a_detail_shows_the_grader_and_none_of_the_judges_source(tmp_path):
    module = tmp_path / "test_broken.py"
    module.write_text(BROKEN)
    (broken,) = test_runner.run_tests(module, BrokenProbe(kernel=None, deadline=Deadline(60)))
    assert "student.observe('scenario', value=given)" in broken.detail
    assert "def observe" not in broken.detail


def test_a_detail_holds_nothing_that_commands_a_terminal(tmp_path):
    module = tmp_path / "test_odd.py"
    module.write_text("def test_odd(student):\n    raise ValueError('\\x1b[2J' + chr(0x202E))\n")
    (odd,) = test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))
    assert "ValueError" in odd.detail
    assert not {"\x1b", "\u202e"} & set(odd.detail)


def test_a_judge_that_is_asked_to_end_gives_no_verdict(tmp_path):
    module = tmp_path / "test_interrupted.py"
    module.write_text("import signal\n\n\ndef test_cut_short(student):\n    signal.raise_signal(signal.SIGINT)\n")
    with pytest.raises(KeyboardInterrupt):
        test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(0.5)))


def test_a_grader_is_read_from_its_file_each_time_whatever_else_has_its_name(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "test_name", sys)
    student = Student(kernel=None, deadline=Deadline(60))
    module = tmp_path / "test_name.py"
    module.write_text("def test_first(student):\n    pass\n")
    first = test_runner.run_tests(module, student)
    module.write_text("def test_second_time(student):\n    pass\n")
    second = test_runner.run_tests(module, student)
    assert [o.name for o in first + second] == ["test_first", "test_second_time"]
    assert sys.modules["test_name"] is sys


GRADER = """
from words import right


def test_helped(student, helper):
    assert helper is right
    right(student)
"""
CONFTEST = "import pytest\nimport words\n\n\n@pytest.fixture\ndef helper():\n    return words.right\n"


@pytest.fixture
def helped(tmp_path):
    """A grader whose helper, of any text, lies beside it or in the folder that all assignments share."""

    def write(assignment, text, shared=False):
        folder = tmp_path / "grader_tests" / assignment
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "test_helped.py").write_text(GRADER)
        (folder / "conftest.py").write_text(CONFTEST)
        ((folder.parent if shared else folder) / "words.py").write_text(text)
        return folder / "test_helped.py"

    return write


@pytest.mark.parametrize("shared", [False, True])
def test_graders_and_their_conftest_import_helpers_as_if_they_were_installed(helped, shared):
    passing = helped("a", "def right(student):\n    pass\n", shared)
    (outcome,) = test_runner.run_tests(passing, Student(kernel=None, deadline=Deadline(60)))
    assert outcome.passed, outcome.detail
    assert "words" not in sys.modules and str(passing.parent) not in sys.path


def test_a_helper_is_that_of_its_assignment_and_read_each_time(helped):
    student, seen = Student(kernel=None, deadline=Deadline(60)), []
    for assignment, output in (("a", "FIRST"), ("b", "OTHER"), ("a", "CHANGED")):
        module = helped(assignment, f"def right(student):\n    assert not '{output}'\n")
        (outcome,) = test_runner.run_tests(module, student)
        seen.append(output in outcome.detail)
    assert seen == [True] * 3


def test_a_failed_assert_of_a_helper_shows_what_it_saw(helped):
    module = helped("a", "def right(student):\n    left = 2 * 21\n    assert left == 43\n")
    (outcome,) = test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))
    assert "assert 42 == 43" in outcome.detail


SEEN = """from syncpoint.graders import message, saw

def right(student):
    with saw({sentence}):
        assert {holds}
"""


@pytest.mark.parametrize("sentence", ["'Waits: {count}.', count=2", "message('Waits: {count}.', count=2)"])
def test_what_a_helper_saw_is_kept_as_its_template_and_its_values(helped, sentence):
    module = helped("a", SEEN.format(sentence=sentence, holds=False))
    (outcome,) = test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))
    assert outcome.message == Message("Waits: {count}.", {"count": "2"})
    assert "Waits: 2." in outcome.detail


@pytest.mark.parametrize("sentence", ["'Waits: {count}.'", "'Waits.', count=2", "'Waits: {x.y}.', x=2"])
@pytest.mark.parametrize("holds", [False, True])
def test_a_sentence_that_its_values_do_not_fit_gives_no_points(helped, sentence, holds):
    module = helped("a", SEEN.format(sentence=sentence, holds=holds))
    (outcome,) = test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))
    assert (outcome.status, outcome.message) == (Status.ERROR, Message("grader_broke"))


@pytest.mark.parametrize("sentence", ["'Waits: {count}.'", "f'Waits: {student}.'"])
def test_it_is_refused_when_the_grader_is_checked(helped, sentence):
    module = helped("a", SEEN.format(sentence=sentence, holds=True))
    with pytest.raises(test_runner.GraderError, match=r"words\.py.*line 4: .*(no value for count|one literal)"):
        test_runner.collect(module)


def test_a_conftest_that_cannot_be_imported_is_reported_with_its_reason(tmp_path):
    module = tmp_path / "grader_tests" / "a" / "test_x.py"
    module.parent.mkdir(parents=True)
    module.write_text("def test_x(student):\n    pass\n")
    (module.parent.parent / "conftest.py").write_text("import nowhere_to_be_found\n")
    with pytest.raises(test_runner.GraderError, match=r"USAGE_ERROR(.|\n)*nowhere_to_be_found"):
        test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))


@pytest.mark.exhaustive
def test_a_grader_is_compiled_once_whatever_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = tmp_path / "test_again.py"
    module.write_text("def test_again(student):\n    pass\n")
    for _ in range(2):
        test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))
    (compiled,) = (tmp_path / "__pycache__").iterdir()
    assert compiled.name.startswith("test_again.") and sys.dont_write_bytecode


def test_what_a_failed_test_looked_at_is_not_kept(tmp_path):
    module = tmp_path / "test_large.py"
    module.write_text(
        "import weakref\nimport numpy as np\nfrom test_kept import kept\n\ndef test_large(student):\n"
        "    large = np.ones(10**6)\n    kept.append(weakref.ref(large))\n    assert large.sum() == 0\n"
    )
    kept: list[weakref.ref] = []
    sys.modules["test_kept"] = SimpleNamespace(kept=kept)  # type: ignore[assignment]
    gc.disable()
    try:
        test_runner.run_tests(module, Student(kernel=None, deadline=Deadline(60)))
    finally:
        gc.enable()
        del sys.modules["test_kept"]
    assert [reference() for reference in kept] == [None]
