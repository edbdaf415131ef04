"""simgpu's pictures speak the student's language: its catalogue, what a release hands over, and what is drawn."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from syncpoint.course.folder import Course
from syncpoint.translations import catalogue
from syncpoint.translations.localize import about_in, source_in
from syncpoint.translations.source_messages import messages, packages

ROOT = Path(__file__).resolve().parents[2]
COURSE = Course(ROOT)
DRAW = """
import torch, simgpu
from drawing import words_of_simgpu
simgpu.install()
x = torch.ones(3, device="simgpu")
before = simgpu.timeline()
x.to("simgpu:1"), (x + 1).sum().item(), x.cpu()
print(simgpu.timeline(before, words_of_simgpu()).describe())
"""
RACE = """
import torch, simgpu
from streams_view import find_races
simgpu.install()
gpu, x = torch.get_device_module("simgpu"), torch.ones(3, device="simgpu")
def forgets_to_wait():
    with gpu.stream(gpu.Stream()):
        one = x + 1
    return one + x
find_races(forgets_to_wait)
"""


def released(folder: Path, language: str, assignment: str) -> Path:
    """What a release holds of a language, but for what nbgrader makes of it."""
    source_in(COURSE, language, assignment, folder)
    (folder / "visible").mkdir()
    (folder / "visible" / "check.json").write_text("{}")
    about_in(COURSE, language, assignment, folder)
    return folder


@pytest.mark.parametrize("language", ["pt_BR", "zh_CN"])
def test_a_release_hands_over_all_words_of_simgpu(language: str, tmp_path: Path):
    released(tmp_path, language, "torch_streams")
    reported = json.loads((tmp_path / "visible" / "check.json").read_text())["simgpu"]
    assert set(reported) == {message.context for message in messages(COURSE, "simgpu")} and all(reported.values())


def test_only_releases_that_hold_simgpu_need_its_words():
    assert (packages(COURSE, "torch_memory"), packages(COURSE, "async")) == (["simgpu"], [])


def test_a_language_without_a_word_of_simgpu_is_not_shipped(tmp_path: Path):
    for name in ("locale", "source", "grader_tests", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "locale").unlink()
    shutil.copytree(ROOT / "locale", tmp_path / "locale")
    course = Course(tmp_path)
    assert catalogue.lacking(course, "pt_BR", "torch_streams") == []
    path = tmp_path / "locale" / "pt_BR" / "simgpu.po"
    text = path.read_text()
    path.write_text(re.sub(r'(msgctxt "nothing"\nmsgid "nothing"\n)', r"#, fuzzy\n\1", text))
    assert catalogue.lacking(course, "pt_BR", "torch_streams") == ["simgpu: 'nothing'"]
    assert catalogue.lacking(course, "pt_BR", "async") == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("assignment", "language", "output"),
    [
        ("torch_async", "pt_BR", ("host: lançamento, 8 vezes", "item, instrução", "simgpu:0 stream padrão")),
        ("torch_streams", "zh_CN", ("主机：启动，8次", "item，指令", "simgpu:0 默认流", "设备之间的复制")),
        ("torch_parallel", "pt_BR", ("simgpu:0 stream padrão", "cópia entre dispositivos", "instrução")),
    ],
)
def test_the_notebooks_have_the_picture_in_their_language(
    assignment: str, language: str, output: tuple[str, ...], tmp_path: Path, torch_engine: Path
):
    printed = run(DRAW, released(tmp_path / "work", language, assignment), torch_engine)
    assert all(words in printed for words in output), printed
    assert not re.search(r"\b(default stream|commands?|from|nothing|timeline|of the)\b", printed)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("language", "output"), [("pt_BR", "faça o stream esperar (wait_stream"), ("zh_CN", "请让这个流等待（wait_stream")]
)
def test_a_race_is_reported_in_the_notebooks_language(language: str, output: str, tmp_path: Path, torch_engine: Path):
    printed = run(RACE, released(tmp_path / "work", language, "torch_streams"), torch_engine)
    assert output in printed and "aten.add.Tensor" in printed
    assert not re.search(r"\b(command|memory|stream wait|races)\b", printed)


def run(program: str, folder: Path, engine: Path) -> str:
    """What a program prints in a release's folder."""
    python = engine / "bin" / "python"
    done = subprocess.run([python, "-c", program], cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": "."})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("assignment", ["torch_async", "torch_streams", "torch_parallel"])
def test_what_is_shown_is_given_the_words(assignment: str):
    folder = COURSE.source(assignment).folder
    texts = [path.read_text(encoding="utf-8") for path in (*folder.glob("*.ipynb"), *folder.glob("*_view.py"))]
    shown = re.findall(r"(?:return|timeline =) simgpu\.timeline\(([^\n]*)\)", "\n".join(texts))
    assert shown and [given for given in shown if not given.startswith("before, words_of_simgpu()")] == []
