"""Cheats against an assignment on the engine `torch`: none gets more than the same code without the trick."""

from pathlib import Path

import pytest
from gpu_cheats import CHEATS, WRONG, parts
from toy_gpu import Bench, points

from syncpoint.core.results import Status

pytestmark = [pytest.mark.torch, pytest.mark.sandbox]
HONEST = [0, 0.6667, 1, 1]  # of WRONG
# In each `make test`; the others in `make test-all`.
IN_EVERY_RUN = {
    "printing/a score",
    "names_replaced/the wait itself",
    "lying_objects/a tensor that names another storage",
    "lying_objects/a storage whose number is code",
    "lying_objects/one number as a huge tensor",
    "probe_patched/values in the place of handles",
    "probe_patched/a log of their own",
    "searches/the judge's words on the student's socket",
    "cached/the result of the last call",
    "past_the_gates/a storage swapped after the return",
    "past_the_gates/a thread that goes on",
    "past_the_gates/a full queue",
    "past_the_gates/waits that nobody waits for",
    "past_the_gates/waits whose answers are read at the end",
    "past_the_gates/answers with numbers made up",
    "past_the_gates/values whose arrival is not admitted",
    "past_the_gates/on the host",
    "past_the_gates/on the host and up in numbers",
    "past_the_gates/the peak forgotten",
    "past_the_gates/a ballast that is thrown off",
    "for_show/products beside those of the host",
    "engine_settings/a device of their own",
    "processes/the socket closed",
    "flooding/the wire",
}
NAMES = [pytest.param(name, marks=() if name in IN_EVERY_RUN else pytest.mark.exhaustive) for name in CHEATS]


@pytest.fixture(scope="module")
def bench(torch_engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The assignment."""
    return Bench(tmp_path_factory.mktemp("cheats") / "course")


def test_the_bank_has_the_kinds_that_an_engine_can_change():
    kinds = {name.partition("/")[0] for name in CHEATS}
    bank = {path.name for path in Path(__file__).parents[2].glob("grader_tests/*/bank/cheats/*") if path.is_dir()}
    assert kinds - bank == set()
    # What reads notebooks, shows them or limits a sandbox knows no engine; what is staged is PyTorch's alone.
    assert bank - kinds == {"control", "exhausting", "feedback", "metadata", "staged"}
    assert len(CHEATS) >= 40 and set(CHEATS) >= IN_EVERY_RUN


def test_what_is_right_has_all_points_and_what_is_wrong_what_it_deserves(bench: Bench):
    assert points(bench.judge({})) == [4, 4, 4, 4]
    result = bench.judge(WRONG)
    assert (points(result), result.cacheable, result.warnings) == (HONEST, True, ())


@pytest.mark.parametrize("name", NAMES)
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
