"""The row that a volunteer sends."""

import re

from simgpu import report


def test_each_check_passes_here_and_the_row_fits_the_table(capsys):
    found, passed = report.row()
    assert passed, capsys.readouterr().err
    assert re.fullmatch(r"\| 3\.\S+ \| 2\.\S+ \| \w+ \S+ \| (Unix sockets|TCP) \| `simgpu.report`: 9 passed \|", found)
    assert found.count("|") == report.HEAD.splitlines()[0].count("|")


def test_what_fails_is_named_and_the_rest_goes_on(capsys):
    def breaks() -> None:
        raise RuntimeError("as it happens")

    found, passed = report.row((breaks, report.computes))
    assert not passed
    assert found.endswith("`simgpu.report`: 1 passed, 1 failed: `breaks` |")
    assert "as it happens" in capsys.readouterr().err


def test_a_service_is_named(monkeypatch):
    monkeypatch.setenv("COLAB_RELEASE_TAG", "release-colab")
    assert "| Colab, " in report.row(())[0]
