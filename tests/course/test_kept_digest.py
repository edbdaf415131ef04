"""What is kept of the judge's own code between starts."""

from pathlib import Path

import pytest

from syncpoint.course import kept_digest
from syncpoint.judge import fingerprint


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the digest of the judge's code is kept."""
    path = tmp_path / "cache" / "plain"
    monkeypatch.setattr(kept_digest, "kept_in", lambda engine: path)
    return path


def no_work(engine: str) -> str:
    raise AssertionError("worked out again")


def test_the_digest_of_the_judge_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch):
    digest = kept_digest.judge_deciding.__wrapped__("plain")
    assert digest == fingerprint.judge_deciding("plain")
    monkeypatch.setattr(fingerprint, "judge_deciding", no_work)
    assert kept_digest.judge_deciding.__wrapped__("plain") == digest


@pytest.mark.parametrize("change", ["torn", "judge", "python"])
def test_a_kept_digest_of_anything_else_counts_as_none(kept: Path, monkeypatch: pytest.MonkeyPatch, change: str):
    digest = kept_digest.judge_deciding.__wrapped__("plain")
    match change:
        case "torn":
            kept.write_bytes(kept.read_bytes()[:-2])
        case "judge":
            monkeypatch.setattr(fingerprint, "judge_digest", lambda engine: "of other code")
        case "python":
            monkeypatch.setattr(kept_digest.sys, "version", "4.0")
    with monkeypatch.context() as patched:
        patched.setattr(fingerprint, "judge_deciding", no_work)
        with pytest.raises(AssertionError, match="worked out again"):
            kept_digest.judge_deciding.__wrapped__("plain")
    assert kept_digest.judge_deciding.__wrapped__("plain") == digest


def test_where_nothing_can_be_kept_it_is_worked_out(kept: Path):
    kept.parent.write_text("no folder")
    assert kept_digest.judge_deciding.__wrapped__("plain") == fingerprint.judge_deciding("plain")
