"""The first cell of a notebook in Colab, as in the student guide: PyTorch is there, and the release as a zip file."""

import shutil
from pathlib import Path

import nbformat
import pytest
from classroom import ROOT, SmallCourse, released
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from student_kernel import add_kernel, install

FIRST = """\
!python -m zipfile -e torch_async.zip .
%cd torch_async
%pip install --quiet --no-deps *.whl
%load_ext syncpoint_check
"""
(RIGHT,) = (ROOT / "grader_tests" / "torch_async" / "bank" / "loops").glob("01_ok*.py")


def test_the_guide_has_this_cell():
    assert f"```\n{FIRST}```" in (ROOT / "docs" / "students" / "guide.md").read_text()


@pytest.mark.slow
def test_the_first_cell_installs_what_the_notebook_and_its_checks_need(tmp_path: Path):
    shutil.make_archive(
        str(tmp_path / "torch_async"), "zip", released("torch_async", tmp_path / "torch_async").parent, "torch_async"
    )
    shutil.rmtree(tmp_path / "torch_async")
    add_kernel(install("torch", None, tmp_path / "environment"), tmp_path / "kernels", "student")
    specs = KernelSpecManager(kernel_dirs=[str(tmp_path / "kernels")], ensure_native_kernel=False)
    imports = next(
        cell.source
        for cell in nbformat.read(ROOT / "release" / "torch_async" / "asynchronous.ipynb", 4).cells
        if cell.get("id") == "imports"
    )
    cells = [FIRST, imports, RIGHT.read_text(), "%syncpoint check loops"]
    book = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(
        book,
        km=KernelManager(kernel_name="student", kernel_spec_manager=specs),
        timeout=120,
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    (said,) = (output.data["text/plain"] for output in book.cells[-1].outputs)
    assert said.startswith("loops: 3 of 3 properties")


@pytest.mark.slow
def test_the_first_cell_may_stay_in_the_notebook(tmp_path: Path):
    course = SmallCourse.make(tmp_path)
    course.must_run("nbgrader", "generate_assignment", "async")
    notebook = course.solved()
    course.submit("ada", notebook)
    cell = nbformat.v4.new_code_cell(FIRST)
    course.submit("bob", notebook | {"cells": [cell, *notebook["cells"]]})
    course.must_run("syncpoint", "grade", "async")
    assert course.scores()["bob"] == course.scores()["ada"] and all(course.scores()["bob"])
