"""The commands of the docs: each block says which test runs it or why none does, and is typed as programs take it."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
import typer
from classroom import ROOT, SmallCourse
from markdown_it import MarkdownIt
from nbgrader.apps.nbgraderapp import NbGraderApp
from traitlets.config import Application
from typer._click.exceptions import ClickException, MissingParameter  # typer has a click of its own
from typer.core import TyperCommand, TyperGroup

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.nbgrader_hooks.preprocessor import GradeSubmission

PLACES = ("*.md", "*/README.md", "docs/**/*.md", "simgpu/**/*.md", "scripts/**/*.md", "deploy/**/*.md")
MARK = re.compile(r"^ *<!-- (?P<how>run by|not run:) (?P<what>.+?) -->$")
BLOCK = re.compile(
    r"^(?: *<!-- (?P<how>run by|not run:) (?P<what>[^\n]+?) -->\n)?(?P<indent> *)```(?:bash|sh|shell|console)\n"
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
# In a sentence, where options and names may be left out: `syncpoint grade --force`, `nbgrader autograde`.
IN_A_SENTENCE = re.compile(r"(?<!`)`((?:syncpoint|nbgrader) [^`]+)`(?!`)")
TRANSLATION = re.compile(r"\.[a-z]{2}_[A-Z]{2}\.md$")
SYNCPOINT = typer.main.get_command(app)
OURS = ("syncpoint", "nbgrader")
# What commands name that must be there.
FILES = ("roster.csv", "submissions.zip", "FILE.zip", "memory.ipynb")
FOLDERS = ("build/demo", "FOLDER")
OF_THE_SHELL = re.compile(r"^(\d?>>?(&\d)?|\||;)$")
WHEN = re.compile(r"^([\d*/,-]+ ){5}(cd \S+ && )?")  # of cron


class WrongCommand(Exception):
    """A page contains a command that the program does not accept."""


def _pages() -> list[Path]:
    return sorted({path for place in PLACES for path in ROOT.glob(place) if "node_modules" not in path.parts})


def _blocks(translated: bool) -> dict[str, re.Match[str]]:
    return {
        f"{path.relative_to(ROOT)}:{match['text'].strip().splitlines()[0][:40]}": match
        for path in _pages()
        if bool(TRANSLATION.search(path.name)) == translated
        for match in BLOCK.finditer(path.read_text(encoding="utf-8"))
    }


TUTORIALS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "tutorials").glob("*.md")}
BLOCKS = _blocks(translated=False)
ALL_BLOCKS = BLOCKS | _blocks(translated=True)
SENTENCES = [
    (f"{path.relative_to(ROOT)}", match[1])
    for path in _pages()
    if path.name != "CHANGELOG.md"
    for match in IN_A_SENTENCE.finditer(BLOCK.sub("", path.read_text(encoding="utf-8")))
]


def words(block: re.Match[str]) -> list[list[str]]:
    """The commands of a block, each as its words."""
    lines = [line for line in block["text"].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    typed = [part for line in lines for part in re.split(r" && ", line)]
    return [_to_the_shell(shlex.split(line, comments=True)) for line in typed]


def _to_the_shell(command: list[str]) -> list[str]:
    ends = [number for number, word in enumerate(command) if OF_THE_SHELL.match(word)]
    return command[: ends[0]] if ends else command


def asked_of(command: list[str]) -> list[str]:
    """The words that name what is run: the program, and what it is asked to do."""
    if command[0] == "syncpoint":
        return command[: 1 + len(_syncpoint(command[1:])[0])]
    if command[0] == "nbgrader":
        return command[: 1 + len(_nbgrader(command[1:])[0])]
    return command[: 2 if command[0] == "dask" else 1]


def text_of(path: Path) -> str:
    """The text of a file of tests, and of the helpers that it imports."""
    text, helpers = path.read_text(encoding="utf-8"), ROOT / "tests" / "helpers"
    names = re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)
    return "\n".join([text, *(text_of(helpers / f"{name}.py") for name in names if (helpers / f"{name}.py").is_file())])


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
def test_a_block_names_the_test_that_runs_it_or_the_reason_why_none_does(block: re.Match[str]):
    assert block["how"], "write <!-- run by tests/... --> or <!-- not run: reason --> above it"
    if block["how"] == "not run:":
        assert len(block["what"].split()) >= 3
        return
    files = [ROOT / name for name in block["what"].split(", ")]
    if Path(__file__) in files:  # it types the tutorials' blocks as they are
        assert block.string in TUTORIALS.values() or block["text"].startswith("export PATH")
        return
    typed = set(re.findall(r"[\w-]+", "".join(map(text_of, files))))
    for command in words(block):
        if command[0] in (*OURS, "pytest", "dask"):
            asked = asked_of(command)
            options = [word.partition("=")[0] for word in command[len(asked) :] if word.startswith("-")]
            wanted = asked + (options if command[0] in OURS else [])
            assert set(wanted) <= typed, f"{block['what']} does not run `{' '.join(wanted)}`"


def test_a_mark_is_that_of_the_block_right_below_it():
    cron, unmarked = "<!-- not run: it needs cron -->\n```\n* * * * * a\n```\n", "```bash\nb\n```\n"
    page = f"{cron}{unmarked}<!-- run by it.py -->\n```bash\nc\n```\n"
    found = [(block["how"], block["what"], block["text"]) for block in BLOCK.finditer(page)]
    assert found == [(None, None, "b\n"), ("run by", "it.py", "c\n")]


@pytest.mark.parametrize("page", [page for page in _pages() if TRANSLATION.search(page.name)], ids=str)
def test_a_translated_page_has_the_commands_of_the_english_one(page: Path):
    name = TRANSLATION.sub(".md", page.name)
    pages = (page, ROOT / name if name == "README.md" else page.with_name(name))
    own, english = ([*map(words, BLOCK.finditer(path.read_text(encoding="utf-8")))] for path in pages)
    assert own and own == english


def _of_no_language(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page that name no language, or are set in by spaces, each with the line above it."""
    text = page.read_text(encoding="utf-8")
    tokens = [token for token in MarkdownIt().parse(text) if token.type in ("fence", "code_block") and not token.info]
    return [(text.splitlines()[token.map[0] - 1], token.content) for token in tokens if token.map]


def _typed(text: str) -> list[str]:
    """The lines of a text that are commands: of a shell, of cron, or of a notebook's cell."""
    programs = {Path(command[0]).name for block in BLOCKS.values() for command in words(block)}
    lines = [WHEN.sub("", line.strip()) for line in text.splitlines() if line.strip()]
    return [line for line in lines if line.startswith("%") or Path(line.split()[0]).name in programs]


@pytest.mark.usefixtures("with_its_files")
@pytest.mark.parametrize("page", _pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_of_commands_without_a_language_also_has_a_mark(page: Path):
    for above, text in _of_no_language(page):
        if commands := _typed(text):
            mark = MARK.match(above)
            assert mark, f"write <!-- run by tests/... --> or <!-- not run: reason --> above {commands[0]}"
            if mark["how"] == "run by":
                run = "".join((ROOT / name).read_text(encoding="utf-8") for name in mark["what"].split(", "))
                assert [command for command in commands if " ".join(command.split()[:2]) not in run] == []
            for command in commands:
                if command.split()[0] in OURS:
                    take(_to_the_shell(shlex.split(command)))


def _syncpoint(typed: list[str]) -> tuple[list[str], TyperCommand | TyperGroup]:
    """The words that name a command of Syncpoint's, or a group of them where no more is said, and the command."""
    asked, command = [], SYNCPOINT
    while isinstance(command, TyperGroup) and len(asked) < len(typed):
        word = typed[len(asked)]
        if word not in command.commands:
            raise WrongCommand(f"{word!r} is none of {', '.join(command.commands)}")
        asked, command = [*asked, word], command.commands[word]
    return asked, command


def _nbgrader(typed: list[str]) -> tuple[list[str], type[Application]]:
    """The same of nbgrader's."""
    asked, program = [], NbGraderApp
    while len(asked) < len(typed) and (commands := dict(program().subcommands)):
        word = typed[len(asked)]
        if word not in commands:
            raise WrongCommand(f"{word!r} is none of {', '.join(commands)}")
        asked, program = [*asked, word], commands[word][0]
    return asked, program


def take(typed: list[str], in_a_sentence: bool = False) -> None:
    """Let the program's own parser read a command line.

    Args:
        typed: Its words.
        in_a_sentence: Whether names may be left out.

    Raises:
        WrongCommand: If the program would not take it.
    """
    with contextlib.redirect_stderr(io.StringIO()) as output:
        try:
            (_take_syncpoint if typed[0] == "syncpoint" else _take_nbgrader)(typed[1:], in_a_sentence)
        except (ClickException, SystemExit, WrongCommand) as problem:
            raise WrongCommand(f"{' '.join(typed)}: {problem} {output.getvalue()}") from problem


def _take_syncpoint(typed: list[str], in_a_sentence: bool) -> None:
    asked, command = _syncpoint(typed)
    if not isinstance(command, TyperGroup):
        with contextlib.suppress(MissingParameter) if in_a_sentence else contextlib.nullcontext():
            command.make_context("syncpoint", typed[len(asked) :])
    elif not in_a_sentence:
        raise WrongCommand("this is a group of commands")


def _take_nbgrader(typed: list[str], in_a_sentence: bool) -> None:
    asked, program = _nbgrader(typed)
    application = program()
    if application.subcommands:
        if not in_a_sentence:
            raise WrongCommand("this is a group of commands")
        return
    application.parse_command_line(typed[len(asked) :])
    kinds = {kind.__name__: kind for kind in [*application._classes_inc_parents(), GradeSubmission]}
    for name, given in application.cli_config.items():
        if given and name not in kinds:
            raise WrongCommand(f"it knows no {name}")
        if strange := set(given) - set(kinds[name].class_trait_names() if given else ()):
            raise WrongCommand(f"{name} has no {', '.join(strange)}")
    if len(application.extra_args) > 1:
        raise WrongCommand("it takes one name")


@pytest.fixture
def with_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that has what commands name, as an operator's has."""
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for folder in FOLDERS:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)


@pytest.mark.usefixtures("with_its_files")
@pytest.mark.parametrize("block", ALL_BLOCKS.values(), ids=ALL_BLOCKS.keys())
def test_a_command_is_typed_as_the_program_takes_it(block: re.Match[str]):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for command in words(block):
        if command[0] == "make" and len(command) > 1 and command[1] != "-C":
            assert command[1] in targets, command
        if command[0] in OURS:
            take(command)


@pytest.mark.usefixtures("with_its_files")
def test_a_command_in_a_sentence_is_one_of_the_program():
    assert len(SENTENCES) > 50
    for page, command in SENTENCES:
        try:
            take(shlex.split(command.removesuffix(" --help")), in_a_sentence=True)
        except WrongCommand as problem:
            pytest.fail(f"{page}: {problem}")


@pytest.mark.usefixtures("with_its_files")
@pytest.mark.parametrize(
    "wrong",
    [
        "syncpoint nonsense --foo",
        "syncpoint grade --foo",
        "syncpoint grade async --workers many",
        "syncpoint why ada",
        "syncpoint scores --course nowhere",
        "syncpoint translations",
        "syncpoint translations extrakt",
        "nbgrader nonsense",
        "nbgrader db assignment",
        "nbgrader db assignment remov steps",
        "nbgrader autograde steps --foo",
        "nbgrader autograde steps --foo=1",
        "nbgrader autograde steps --Foo.bar=1",
        "nbgrader autograde steps --GradeSubmission.foo=1",
        "nbgrader autograde steps more",
        "nbgrader export --exporter=syncpoint.exports.NoExport",
    ],
)
def test_what_no_program_takes_is_seen(wrong: str):
    with pytest.raises(WrongCommand):
        take(shlex.split(wrong))


def steps_of(tutorial: str) -> list[str]:
    """The blocks of commands that a tutorial has its reader type."""
    blocks = [match["text"] for match in BLOCK.finditer(TUTORIALS[tutorial]) if match["how"] == "run by"]
    return [text for text in blocks if "export PATH" not in text and "syncpoint dashboard" not in text]


@pytest.mark.exhaustive  # two notebooks with their tests: a minute
def test_the_first_class_is_graded_as_the_page_says(tmp_path: Path, torch_engine: Path):
    course = Course(ROOT).copy_to(tmp_path / "course")
    done = SmallCourse(course.root).run("bash", "-euc", "".join(steps_of("first-class")))
    assert done.returncode == 0, done.stdout + done.stderr
    (ben,) = re.findall(r"^ ben (.*)$", done.stdout, re.MULTILINE)
    assert re.search(r"^ ada .* 28 \+", done.stdout, re.MULTILINE)
    assert ben.split()[1] == "0.43" and ben.split()[-2:] == ["16.43", "+"]
    page = (course.root / "feedback" / "ben" / "torch_async" / "asynchronous.html").read_text(encoding="utf-8")
    box = page[page.index("queue_work") :]
    assert [word for word in ("Hint:", "<svg", "A common belief") if word not in box] == []
    assert (course.root / "grades.csv").read_text().count("torch_async") == 2


@pytest.mark.exhaustive  # a few solutions, a release and a small demo: two minutes
def test_the_first_exercise_is_written_as_the_page_says(tmp_path: Path, torch_engine: Path):
    clone = SmallCourse(Course(ROOT).copy_to(tmp_path / "clone").root)
    course = SmallCourse(tmp_path / "autumn-2026")
    begin, vet, vet_again, show = steps_of("first-exercise")
    wrong, names, test = re.findall(r"^```python\n(.*?)^```$", TUTORIALS["first-exercise"], re.MULTILINE | re.DOTALL)
    (student,) = re.findall(r"^```toml\n(.*?)^```$", TUTORIALS["first-exercise"], re.MULTILINE | re.DOTALL)
    graders = course.root / "grader_tests" / "steps"

    clone.must_run("bash", "-euc", begin)
    course.must_run("bash", "-euc", vet)

    (graders / "bank" / "double" / "13_bad_prints.py").write_text(wrong)
    done = course.run("bash", "-euc", vet)
    assert (done.returncode, "13_bad_prints is wrong and lost no points" in done.stdout) == (1, True), done.stdout

    module = graders / "test_double.py"
    imports, found = re.subn(r"^from syncpoint\.graders import .*\n", names, module.read_text(), flags=re.MULTILINE)
    assert found == 1
    module.write_text(f"{imports}\n\n{test}")
    done = course.run("bash", "-euc", vet_again)
    assert done.returncode == 0 and re.search(r"13_bad_prints +1\.33/4 ", done.stdout), done.stdout

    with (graders / "bank" / "class.toml").open("a") as file:
        file.write(f"\n{student}")
    course.must_run("bash", "-euc", show)
    page = course.root / "build" / "demo" / "feedback" / "demo_double_prints" / "steps" / "steps.html"
    assert "double waited. The first wait:" in page.read_text(encoding="utf-8")
