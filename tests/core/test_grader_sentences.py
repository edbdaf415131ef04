"""Sentences of graders: a literal template and its values by name, in any language."""

from pathlib import Path

import numpy as np
import pytest

from syncpoint.core.errors import TemplateError
from syncpoint.core.grader_sentences import problems, templates
from syncpoint.core.language import ENGLISH, Language, speaking
from syncpoint.core.messages import Message, from_data, listed, message, to_data

GRADERS = Path(__file__).parents[2] / "grader_tests"
WAITS = "Waits: {count} of {steps}."
OTHER = Language("pt_BR", sentences={WAITS: "De {steps} esperas: {count}.", "nowhere": "em lugar nenhum"})


def test_a_sentence_is_its_template_and_its_values():
    said = message(WAITS, count=3, steps=12)
    assert said == Message(WAITS, {"count": "3", "steps": "12"})
    assert from_data(to_data(said)) == said
    assert str(said) == "Waits: 3 of 12."
    with speaking(OTHER):
        assert str(said) == "De 12 esperas: 3."


@pytest.mark.parametrize(
    ("template", "value", "shown"),
    [
        ("{x:.2f} times", 1 / 3, "0.33 times"),
        ("{x:.2f} times", np.float32(1 / 3), "0.33 times"),
        ("{x:.1f} times", float("nan"), "nan times"),
        ("{x:+.0f} MiB", 12, "+12 MiB"),
        ("sizes {x}", [1, 2], "sizes [1, 2]"),
        ("{x} and {{x}}", np.int64(3), "3 and {x}"),
    ],
)
def test_a_value_has_the_format_of_its_place(template: str, value: object, shown: str):
    assert str(message(template, x=value)) == shown


def test_a_part_of_a_sentence_has_its_language():
    said = message("It waited: {where}, {again}.", where=message("nowhere"), again="nowhere")
    with speaking(OTHER):
        assert str(said) == "It waited: em lugar nenhum, em lugar nenhum."


@pytest.mark.parametrize("value", ["{count}", "{x.__class__}", "{0}", "}", "{", "{x!r:>{count}}", "\\{steps\\}"])
@pytest.mark.parametrize("language", [ENGLISH, OTHER])
def test_braces_that_a_student_chose_stay_as_they_are(value: str, language: Language):
    with speaking(language):
        assert value in str(message(WAITS, count=value, steps=2))
        assert value in str(message("{said}", said=message("It raised {what}.", what=value)))


def test_what_a_student_chose_commands_no_terminal():
    assert "\x1b" not in str(message("It raised {what}.", what="\x1b[2J"))


@pytest.mark.parametrize(
    ("template", "values", "why"),
    [
        (WAITS, {"count": 1}, "no value for steps"),
        (WAITS, {"count": 1, "steps": 2, "more": 3}, "no place for more"),
        ("Waits: 3.", {"count": 1}, "no place for count"),
        ("Waits: {count", {"count": 1}, "not a template"),
        ("Waits: {}.", {}, "plain name"),
        ("Waits: {0}.", {}, "plain name"),
        ("Waits: {x.real}.", {"x": 1}, "plain name"),
        ("Waits: {x[0]}.", {"x": 1}, "plain name"),
        ("Waits: {x!r}.", {"x": 1}, "plain name"),
        ("Waits: {x:{width}}.", {"x": 1}, "plain name"),
    ],
)
def test_a_template_that_its_values_do_not_fit_is_refused(template: str, values: dict[str, int], why: str):
    with pytest.raises(TemplateError, match=why):
        message(template, **values)


@pytest.mark.parametrize("translation", ["{x.__class__}", "{y}", "{", "{x[0]}"])
def test_a_translation_reaches_into_no_value(translation: str):
    with speaking(Language("zh_CN", sentences={"Kind: {x}.": translation})):
        assert str(message("Kind: {x}.", x="a list")) == "Kind: {x}. a list"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('saw("Waits: {count}.", seen.events, missing_wait=True, count=3)', ""),
        ('saw("Waits: {count}." if some else "Waits of {name}: {count}.", count=3)', "no value for name"),
        ('saw("Waits: {count}.")', "no value for count"),
        ('saw("Waits: 3.", count=3)', "no place for count"),
        ('message("Waits.", log=3)', "no place for log"),
        ('saw("Waits: {x.y}.", x=3)', "plain name"),
        ('saw(f"Waits: {count}.")', "as one literal"),
        ('saw("Waits: " + str(count))', "as one literal"),
        ("message(text)", "as one literal"),
        ("saw(epoch.pace, epoch.events)", ""),
        ('saw("Waits: {count}.", **values)', ""),
    ],
)
def test_a_sentence_is_checked_in_the_source(line: str, why: str):
    found = list(problems(f"def test_x(student):\n    {line}\n"))
    assert (len(found) == 1 and found[0].startswith("line 2: ") and why in found[0]) if why else not found


def test_the_templates_are_the_literals():
    source = 'saw("One." if some else "Two: {count}.", count=1)\nsaw(text)\nmessage("three")\nother("Four.")\n'
    assert list(templates(source)) == ["One.", "Two: {count}.", "three"]


def test_every_sentence_of_this_courses_graders_is_in_order():
    paths = [path for path in GRADERS.rglob("*.py") if "bank" not in path.parts]
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    assert [(path.name, why) for path, source in sources.items() for why in problems(source)] == []
    assert sum(len(list(templates(source))) for source in sources.values()) > 500


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 2000])
def test_a_list_may_be_long(count: int):
    parts = [str(number) for number in range(count)]
    assert str(from_data(to_data(listed(parts)))) == ", ".join(parts)
