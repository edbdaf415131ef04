"""Running one grader module: nothing that a student returned or printed holds the judge for ever."""

import pytest

from syncpoint.judge import examination
from syncpoint.judge.student import Deadline, Student

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
    monkeypatch.setattr(examination, "LOOKING_SECONDS", 0.5)
    module = tmp_path / "test_endless.py"
    module.write_text(MODULE)
    endless, after, failing = examination.examine(module, Student(kernel=None, deadline=Deadline(0.5)))
    assert not endless.passed
    assert endless.message == "The judge took too long to look at what your code returned or printed."
    assert after.passed and not failing.passed


def test_a_judge_that_is_asked_to_end_gives_no_verdict(tmp_path):
    module = tmp_path / "test_interrupted.py"
    module.write_text("import signal\n\n\ndef test_cut_short(student):\n    signal.raise_signal(signal.SIGINT)\n")
    with pytest.raises(KeyboardInterrupt):
        examination.examine(module, Student(kernel=None, deadline=Deadline(0.5)))
