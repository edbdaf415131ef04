"""The catalogues: of these sources, complete where a release has the language, and right in what no word is."""

import json
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.engines.find import EngineTerms, find, folders
from syncpoint.translations import catalogue, code
from syncpoint.translations import source_messages as sources
from syncpoint.translations.check import differences
from syncpoint.translations.localize import misconceptions_in, notebook_in, students_page_in
from syncpoint.translations.pictures import drawn_by, modules
from syncpoint.translations.source_messages import (
    MISCONCEPTIONS,
    STUDENTS,
    for_visible_tests,
    messages,
    sections,
    students_page,
)

ROOT = Path(__file__).resolve().parents[2]
COURSE = Course(ROOT)
LANGUAGES = ["pt_BR", "zh_CN"]
BEGUN = [(spoken, path.stem) for spoken in LANGUAGES for path in sorted((ROOT / "locale" / spoken).glob("*.po"))]
SHIPPED = [(spoken, name) for spoken in LANGUAGES for name in COURSE.assignments()]
WITH_MARKDOWN = (MISCONCEPTIONS, STUDENTS)


def test_all_catalogues_are_of_the_sources_right_and_complete():
    done = CliRunner().invoke(app, ["translations", "check", "--course", str(ROOT)])
    assert done.exit_code == 0, done.output
    assert sorted(done.stdout.splitlines()) == sorted(f"{spoken}  {name}: complete" for spoken, name in SHIPPED)


@pytest.mark.parametrize("assignment", COURSE.assignments())
def test_all_that_graders_say_of_what_was_seen_is_a_message_wherever_it_stands(assignment: str):
    """In tests, in what they import, in fixtures."""
    known = {message.text for message in messages(COURSE, assignment)}
    folder = ROOT / "grader_tests" / assignment
    for path in (*folder.glob("*.py"), *folder.glob("visible/*.py")):
        assert set(sources._sentences(path.read_text())) <= known, path


def test_a_new_engine_takes_no_language_from_the_assignments_of_others(monkeypatch: pytest.MonkeyPatch):
    toy = replace(find("plain"), words=EngineTerms(array="a list of rows of a toy"))
    known = {**folders(), "toy": find("plain").folder.with_name("toy")}
    for module in (sources, catalogue):
        monkeypatch.setattr(module, "folders", lambda: known)
    monkeypatch.setattr(sources, "find", lambda name: toy if name == "toy" else find(name))
    monkeypatch.setattr(sources, "_messages", sources._messages.__wrapped__)
    missing = "report: 'a list of rows of a toy'"
    assert catalogue.lacking(COURSE, "pt_BR", "torch_memory") == []
    chosen = replace(COURSE.settings_of("torch_memory"), engine="toy")
    monkeypatch.setattr(Course, "settings_of", lambda course, assignment: chosen)
    assert missing in catalogue.lacking(COURSE, "pt_BR", "torch_memory")


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_page_for_students_is_what_its_catalogue_makes(spoken: str):
    text = students_page_in(COURSE, spoken)
    assert text and text == students_page(COURSE, spoken).read_text(), "run `syncpoint translations extract`"


@pytest.mark.parametrize(("spoken", "name"), SHIPPED)
def test_every_word_of_a_notebook_is_put_in_place(spoken: str, name: str):
    """What `code.same` refuses would stay English without a word."""
    found = catalogue.translated(COURSE, spoken, name)
    for path in sorted(COURSE.source(name).folder.glob("*.ipynb")):
        for cell in notebook_in(found, path.stem, nbformat.read(path, as_version=4)).cells:
            if cell.cell_type == "code":
                output = found.translator(f"{path.stem}/{cell.id}")
                left = [words.text for words in code.words_of(cell.source) if output(words.text) != words.text]
                assert left == []


@pytest.mark.parametrize(("spoken", "name"), [(spoken, name) for spoken, name in BEGUN if name not in WITH_MARKDOWN])
def test_sentences_of_graders_and_reports_are_plain_text(spoken: str, name: str):
    """Only what stands in a cell may be Markdown; elsewhere the signs would be read as they are."""
    for entry in catalogue.read(catalogue.path_of(COURSE, spoken, name), spoken):
        if entry.id and "/" not in (entry.context or ""):
            english, output = ("".join([text] if isinstance(text, str) else text) for text in (entry.id, entry.string))
            assert not [output for sign in "*`" if output.count(sign) > english.count(sign)]


@pytest.mark.parametrize(("spoken", "name"), SHIPPED)
def test_a_release_says_nothing_of_hidden_tests(spoken: str, name: str):
    about = ROOT / "release" / name / "languages" / spoken / "visible" / "check.json"
    if about.is_file():
        assert set(json.loads(about.read_text())["language"]["sentences"]) <= for_visible_tests(COURSE, name)


@pytest.mark.parametrize(("spoken", "name"), SHIPPED)
def test_modules_that_draw_run_in_each_language_and_hatch_their_waits(spoken: str, name: str):
    found = catalogue.translated(COURSE, spoken, name)
    for module in modules(COURSE, name):
        text = code.translate(module.read_text(), found.translator(module.name), drawn_by(COURSE, module))
        compile(text, module.name, "exec")
    here = [(english, output) for (context, english), output in found.by_context.items() if context.endswith(".py")]
    # What Matplotlib sets as a formula has one font, without Chinese.
    assert [output for _, output in here if "$" in str(output) and not str(output).isascii()] == []
    (hatched,) = {output for english, output in here if english == "wait"}
    labels = [output for english, output in here if english.startswith("wait ") and ":" not in english]
    assert [output for output in labels if not str(output).startswith(str(hatched))] == []


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_sections_that_a_shipped_assignment_shows_are_translated(spoken: str):
    english, other = misconceptions_in(COURSE, "en"), misconceptions_in(COURSE, spoken)
    shown = {slug for _, name in SHIPPED for slug in sections(COURSE, name)}
    assert [slug for slug in sorted(shown) if other[slug].title == english[slug].title] == []
    assert all(len(other[slug].parts) == len(english[slug].parts) for slug in shown)


@pytest.mark.parametrize(
    ("english", "output", "what"),
    [
        ("{loop} returned nothing.", "{laço} não retornou nada.", "placeholders"),
        ("Use `nd.dot`.", "Use `nd.sum`.", "code"),
        ("It is 54.", "É 45.", "numbers"),
        ("It is **not** there.", "Não está lá.", "emphasis"),
        ("**Note:** here", "**注意：**这里", "emphasis"),  # no Markdown shows this in bold
        ("| a | b |", "| a |", "table"),
    ],
)
def test_a_translation_that_changes_what_is_no_word_is_seen(english: str, output: str, what: str):
    assert [what in why for why in differences(english, output)] == [True]


@pytest.mark.parametrize(
    ("english", "output"),
    [("Over 4,096 rows.", "Mais de 4.096 linhas."), ("The front end waits.", "O *front-end* espera.")],
)
def test_a_thousand_and_a_foreign_word_may_be_written_as_the_language_does(english: str, output: str):
    assert list(differences(english, output)) == []
