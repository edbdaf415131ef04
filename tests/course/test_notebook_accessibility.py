"""Every notebook that students get, in JupyterLab with jupyterlab-a11y-checker."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from classroom import ROOT
from lab_checker import issues, lab_with_checker
from playwright.sync_api import Browser, Page

RELEASE = ROOT / "release"
NOTEBOOKS = ["__".join(path.relative_to(RELEASE).parts) for path in sorted(RELEASE.rglob("*.ipynb"))]
pytestmark = [pytest.mark.exhaustive, pytest.mark.site]


@pytest.fixture(scope="module")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """JupyterLab over copies of all notebooks, in one folder."""
    folder: Path = tmp_path_factory.mktemp("lab")
    for path in RELEASE.rglob("*.ipynb"):
        shutil.copy(path, folder / "__".join(path.relative_to(RELEASE).parts))
    with lab_with_checker(folder, browser) as page:
        yield page


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_checker_finds_nothing(lab: Page, name: str):
    found = json.loads(issues(lab, name))
    assert (found["summary"]["totalIssues"], found["issues"]) == (0, [])
