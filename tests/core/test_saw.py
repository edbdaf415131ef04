"""A result keeps which sentence of `saw` it was and what filled its places; the words are those of today's graders."""

from pathlib import Path

import pytest

from syncpoint.core.messages import Message, words
from syncpoint.core.saw import _blocks, _values, in_data, in_words

GRADERS = Path(__file__).parents[2] / "grader_tests"
FILE = "grader_tests/a/test_x.py"
SOURCE = b"""
def test_x(student):
    with saw("It came back."):
        with saw(f"It waited after {seen.before} of {len(steps)} steps: {first_wait(seen.events)}."):
            assert student
        assert student.late
    text = "early" if student else f"late by {steps}"
    with saw(text):
        assert student
    with saw(mixed(seen)):
        assert student
"""


@pytest.mark.parametrize(
    ("line", "sentence", "number", "parameters"),
    [
        (6, "It came back.", 0, {}),
        (5, "It waited after 1 of 12 steps: asnumpy.", 3, {"before": "1", "len": "12", "first_wait": "asnumpy"}),
        (5, "It waited after  of . of steps: {x}.", 3, {"before": "", "len": ". of", "first_wait": "{x}"}),
        (5, "It came back.", 0, {}),  # it cannot be the inner one
        (9, "late by 3", 2, {"steps": "3"}),
        (9, "early", 1, {}),
    ],
)
def test_a_sentence_is_its_place_and_what_filled_it(line: int, sentence: str, number: int, parameters: dict[str, str]):
    said = in_data(sentence, FILE, SOURCE, line)
    assert said == Message(f"{FILE}#{number}", {**parameters})
    assert in_words(said, {FILE: SOURCE}) == words(sentence)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [(11, "Operations that mixed devices: 2"), (5, "It waited."), (2, "It came back."), (9, "It came back.")],
)
def test_a_sentence_that_does_not_stand_there_has_no_place(line: int, sentence: str):
    assert in_data(sentence, FILE, SOURCE, line) is None


def test_the_words_are_those_of_today():
    said = in_data("It waited after 1 of 12 steps: asnumpy.", FILE, SOURCE, 5)
    better = SOURCE.replace(b"It waited after", b"Your loop waited behind")
    assert said is not None
    assert str(in_words(said, {FILE: better})) == "Your loop waited behind 1 of 12 steps: asnumpy."


@pytest.mark.parametrize("said", [words("An older one."), Message("raised", {"who": "f", "error": "E"})])
def test_other_messages_stay_as_they_are(said: Message):
    assert in_words(said, {FILE: SOURCE}) is said


@pytest.mark.parametrize("code", ["elsewhere.py#0", f"{FILE}#99", f"{FILE}#x", f"{FILE}#3"])
def test_a_place_that_these_graders_have_not_stops_nobody(code: str):
    said = Message(code, {"steps": "3"})
    assert in_words(said, {FILE: SOURCE}) is said
    assert str(said) == f"{code} 3"


def test_what_a_student_chose_is_looked_through_once():
    hostile = "of " * 10**6
    assert _values("{a} of {b} of {c} of {d}: {e}!", hostile) is None


@pytest.mark.parametrize("value", ["3", "", "a list of 3, of 2.5: {x}. ", "None and a NumPy array."])
def test_every_sentence_of_this_courses_graders_comes_back_whatever_fills_it(value: str):
    """Where a value holds words of the sentence, its parts may be others; the sentence never is."""
    files = {path.relative_to(GRADERS.parent).as_posix(): path.read_bytes() for path in GRADERS.rglob("*.py")}
    places = [(file, block, text) for file in files for block in _blocks(files[file]) for text in block.texts]
    assert len(places) > 400
    for file, block, text in places:
        sentence = text.format_map(Filled(value))
        said = in_data(sentence, file, files[file], block.last)
        assert said is not None and in_words(said, files) == words(sentence), (file, text)


class Filled(dict[str, str]):
    """Every place holds the same."""

    def __init__(self, value: str) -> None:
        super().__init__()
        self._value = value

    def __missing__(self, name: str) -> str:
        return self._value
