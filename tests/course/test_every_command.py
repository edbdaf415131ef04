"""Every command of `syncpoint` in a course without submissions: it uses --course and prints a message."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from classroom import SmallCourse
from typer.core import TyperCommand, TyperGroup
from typer.testing import CliRunner, Result

from syncpoint.cli import app


def leaves(command: TyperCommand | TyperGroup, name: str = "") -> Iterator[tuple[str, TyperCommand]]:
    """Return the commands of a group, by command line."""
    if isinstance(command, TyperGroup):
        for word, inner in command.commands.items():
            yield from leaves(inner, f"{name} {word}".strip())
    else:
        yield name, command


COMMANDS = dict(leaves(typer.main.get_command(app)))
# What is typed, and what is said: of each command but those that stay, or that measure the machine.
TEXTS = {
    "init ../winter": "new      ",
    "new steps": "new      source/steps/steps.ipynb",
    "grade async": "nobody has submitted async: there is no folder submitted/<student>/async.",
    "watch --once": "Checked once; new feedback: 0.",
    "demo --clean": "demo: there was nothing to remove.",
    "scores async": "async: 0 students",
    "tries ada async": "the gradebook has no student 'ada': ",
    "why ada async": "there is no folder submitted/ada/async: ada has submitted nothing.",
    "feedback ada async": "there is no folder submitted/ada/async: ada has submitted nothing.",
    "roster {roster}": "roster: 0 added, 0 changed, 0 unchanged.",
    "variants async": "async has no variants: grader_tests/async/assignment.toml has no values below [variants].",
    "collect {archive} async": "work.zip is empty: there is nothing to collect.",
    "send-marks async": "no launch from the learning platform has reached the hub yet",
    "lti-keys": '"kty": "RSA"',
    "extend ada async --hours 2": "the gradebook has no student 'ada': enroll students with `syncpoint roster FILE`.",
    "excuse ada async --because ill": "the gradebook has no student 'ada': ",
    "time-factor ada 1.5": "the gradebook has no student 'ada': ",
    "late async": "No late penalty has changed: nbgrader_config.py has no rule, so lateness costs nothing",
    "similarity async": "nobody has submitted a readable notebook of async.",
    "viva async": "async does not say how its exercises are called: ",
    "log": "No mark was changed.",
    "ask ada async double Why?": "the gradebook has no student 'ada': ",
    "questions": "There are no questions.",
    "answer 1 So.": "there is no question 1: list the questions with `syncpoint questions`.",
    "prune --older-than 30": "Nothing was removed: no result without a mark is older or",
    "forget ada --yes": "there is no data of 'ada'.",
    "restart async": "async has no marks, so you can change its cells: run `nbgrader generate_assign",
    "move-gradebook sqlite:///nowhere.db": "The old gradebook is unchanged.",
    "who bkdfg-hjklm": "the course has no pseudonyms yet: run `syncpoint dashboard --anonymous` to create them.",
    "vet solutions": "nothing to vet: ",
    "vet checks": "nothing to vet: ",
    "vet cheats": "nothing to vet: ",
    "vet viva": "nothing to vet: ",
    "translations extract": "Nothing has changed: each catalogue is up to date.",
    "translations reword old new": "no catalogue has this text",
    "translations check": "The course is only in English. Start a language with `syncpoint translations extract",
}
# A name that is misspelt, where Bob and Bobby are enrolled: never as if there were nothing to say of it.
MISSPELT = {
    **dict.fromkeys(
        (
            *("scores asnyc", "late asnyc", "log asnyc", "questions asnyc", "demo --assignment asnyc"),
            *("restart asnyc", "send-marks asnyc", "why bob asnyc", "excuse bob asnyc --because ill"),
            *("ask bob asnyc double Why?", "extend bob asnyc --hours 1"),
        ),
        "the course has no assignment 'asnyc': it has async.",
    ),
    "why bbo async": "submitted/bbo/async: bbo has submitted nothing; did you mean 'bob'?",
    "feedback bob async": "submitted/bob/async: bob has submitted nothing.",
    "log --student bbo": "the gradebook has no student 'bbo'; did you mean 'bob'?",
    "extend bbo async --hours 1": "the gradebook has no student 'bbo'; did you mean 'bob'?",
    "excuse bbo async --because ill": "the gradebook has no student 'bbo'; did you mean 'bob'?",
    "ask bbo async double Why?": "the gradebook has no student 'bbo'; did you mean 'bob'?",
    "ask bob async double Why?": "nothing of bob in async is graded yet: run `syncpoint grade async`",
}
# tests/dashboard, tests/grading/test_release.py, tests/course/test_install.py, tests/records/test_owner.py
OTHER_PLACES = {"dashboard", "doctor", "engine install", "adopt-gradebook"}


def type_in(course: SmallCourse, *words: str) -> Result:
    """Return the output of a command; a traceback fails the test."""
    done = CliRunner().invoke(app, [*words, "--course", str(course.root)])
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done


def test_every_command_accepts_the_course_and_has_a_test():
    without = [name for name, command in COMMANDS.items() if not any("--course" in p.opts for p in command.params)]
    assert without == []
    tried = {name for name in COMMANDS for typed in TEXTS if f"{typed} ".startswith(f"{name} ")}
    assert tried | OTHER_PLACES == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_shows_its_help(name: str):
    shown = CliRunner().invoke(app, [*name.split(), "--help"])
    assert (shown.exit_code, shown.exception) == (0, None)


@pytest.mark.parametrize("typed", TEXTS)
def test_where_nobody_has_handed_in_it_says_what_there_is(
    typed: str, course: SmallCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")
    (tmp_path / "roster.csv").write_text("id\n")
    (tmp_path / "work.zip").write_bytes(b"PK\5\6" + bytes(18))
    words = typed.format(roster=tmp_path / "roster.csv", archive=tmp_path / "work.zip").split()
    assert TEXTS[typed] in type_in(course, *words).output


@pytest.fixture(scope="module")
def enrolled(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The course with bob and bobby in its gradebook.  Read only."""
    course = released.copy(tmp_path_factory.mktemp("enrolled") / "course")
    (course.root / "roster.csv").write_text("id\nbob\nbobby\n")
    type_in(course, "roster", str(course.root / "roster.csv"))
    return course


@pytest.mark.parametrize("typed", MISSPELT)
def test_an_unknown_name_is_reported(typed: str, enrolled: SmallCourse):
    done = type_in(enrolled, *typed.split())
    assert (done.exit_code, MISSPELT[typed] in done.output) == (1, True), done.output
