"""Cheats against an assignment on the engine `torch`: none gets more than the same code without the trick."""

from pathlib import Path

import pytest
from gpu_cheats import CHEATS, WRONG, parts
from results import points
from toy_gpu import Bench

from syncpoint.core.results import Status

ALONE = {"called_when", "kept_for_ever", "kernels", "log_read", "staged"}  # kinds that PyTorch alone has
HONEST = [0, 0.6667, 1, 1]  # of WRONG


@pytest.fixture(scope="module")
def bench(torch_engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The assignment."""
    return Bench(tmp_path_factory.mktemp("cheats") / "course")


def test_the_bank_has_the_kinds_that_an_engine_can_change():
    kinds = {name.partition("/")[0] for name in CHEATS}
    bank = {path.name for path in Path(__file__).parents[2].glob("grader_tests/*/bank/cheats/*") if path.is_dir()}
    assert kinds - bank == set()
    # What reads notebooks, shows them or limits a sandbox knows no engine.
    assert bank - kinds == {*ALONE, "control", "exhausting", "feedback", "metadata"}
    assert len(CHEATS) >= 40


@pytest.mark.exhaustive
def test_what_is_right_has_all_points_and_what_is_wrong_what_it_deserves(bench: Bench):
    assert points(bench.judge({})) == [4, 4, 4, 4]
    result = bench.judge(WRONG)
    assert (points(result), result.cacheable, result.warnings) == (HONEST, True, ())


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_gains(bench: Bench, name: str):
    result = bench.judge(**parts(CHEATS[name]))
    assert [got for got, honest in zip(points(result), HONEST, strict=True) if got > honest] == []
    tests = [test for exercise in result.notebook_result.exercises for test in exercise.tests]
    assert len(tests) == 9
    # Nobody but who takes the probe itself apart makes a test break: that would be told as a fault of the grader's.
    broken = {test.name for test in tests if test.status is Status.ERROR}
    assert broken == set() or name.startswith("searches/every object")


def test_after_all_of_them_an_honest_notebook_has_all_points(bench: Bench):
    assert points(bench.judge({})) == [4, 4, 4, 4]
