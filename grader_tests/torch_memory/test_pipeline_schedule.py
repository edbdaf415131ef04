"""gpipe(stages, microbatches), one_f_one_b(stages, microbatches): what each stage of a pipeline does, in its order."""

import numpy as np
import pytest
from schedules import is_whole, outcome, read, shortest

from syncpoint.graders import core, hint, kind_of, misconception, saw, value, weight

FUNCTIONS = "gpipe", "one_f_one_b"


@pytest.fixture(scope="module")
def plan(student):
    """``plan(function, stages, microbatches)``: what it returned, read; fails if that is no schedule.

    ``again``: what the same call returned again, after the first answer was emptied.
    """
    saved = {}

    def ask(function, stages, microbatches, again=False):
        key = function, stages, microbatches
        if key not in saved:
            more = {"arguments": [stages, microbatches], "others": [stages + 1, microbatches + 1]}
            saved[key] = student.observe("asked", function=function, **more)["answers"]
        answer = saved[key][again]
        found = read(answer, stages)
        with saw(
            "{function} returned {kind}, which is not a list with a list of actions for each stage.",
            function=function,
            kind=kind_of(answer),
        ):
            assert found is not None
        with saw(
            "In a schedule of {function} some stage does not have each F and each B exactly once.", function=function
        ):
            assert is_whole(found, microbatches)
        return found

    return ask


@pytest.fixture(scope="module")
def sizes():
    """Some drawn pairs of stages and more micro-batches; once their numbers have two digits."""
    rng = np.random.default_rng()
    few, one = (int(stages) for stages in rng.permutation(np.arange(2, 5))[:2])
    many = int(rng.integers(6, 9))
    return [(few, few), (few, few + int(rng.integers(1, 5))), (many, 10 + int(rng.integers(1, 5))), (one, one + 1)]


def check_runs(function, outcomes):
    """Fail unless every schedule can be run to its end."""
    stuck = sum(not one.finished for one in outcomes)
    with saw(
        "Schedules of {function} that stop, because each stage waits for another one: {stuck} of {total}.",
        function=function,
        stuck=stuck,
        total=len(outcomes),
    ):
        assert not stuck


@core
@weight(2)
@hint(
    "A stage can begin F of a micro-batch when the previous stage has ended F, and B when it has ended F "
    "itself and the next stage has ended B. Play it on paper with three stages."
)
@misconception("pipeline-bubble")
def test_runs(plan, sizes):
    """Every schedule can be run to its end."""
    for function in FUNCTIONS:
        check_runs(function, [outcome(plan(function, *size)) for size in sizes])


@core
@weight(2)
@hint(
    "The pipeline must fill and drain, which takes some time; apart from that, no stage should be idle. While a"
    " stage waits for B of a micro-batch, for which other micro-batch could it run F?"
)
@misconception("pipeline-bubble")
def test_bubbles(plan, sizes):
    """The bubbles are no larger than filling and draining the pipeline requires."""
    for function in FUNCTIONS:
        outcomes = [outcome(plan(function, *size)) for size in sizes]
        check_runs(function, outcomes)
        longest = max(one.time / shortest(*size) for one, size in zip(outcomes, sizes, strict=True))
        with saw(
            "The slowest schedule of {function} takes {longest:.2f} times as long as it must.",
            function=function,
            longest=longest,
        ):
            assert longest == 1


@core
@weight(2)
@hint(
    "Stage number rank first makes the forward passes of stages - rank micro-batches. After these, each F comes"
    " after a B. So the first stage keeps the most, and the last stage begins its backward passes at once."
)
@misconception("pipeline-memory")
def test_memory(plan, sizes):
    """In one_f_one_b a stage keeps no more micro-batches than there are stages from this stage to the last one."""
    outcomes = [outcome(plan("one_f_one_b", *size)) for size in sizes]
    check_runs("one_f_one_b", outcomes)
    over = 0
    for (stages, _), found in zip(sizes, outcomes, strict=True):
        over = max([over, *(most - (stages - rank) for rank, most in enumerate(found.alive))])
    with saw("Micro-batches that a stage of one_f_one_b keeps beyond its limit: {over}.", over=over):
        assert not over


@weight(2)
@hint("In gpipe each stage makes the forward passes of all micro-batches before its first backward pass.")
@misconception("reads-the-task")
def test_gpipe_order(plan, sizes):
    """In gpipe all forward passes of a stage come before its backward passes."""
    late = 0
    for size in (*sizes, (1, 3)):
        late += sum("F" in [kind for kind, _ in actions[size[1] :]] for actions in plan("gpipe", *size))
    with saw("Stages of gpipe with a forward pass after a backward pass: {late}.", late=late):
        assert not late


@value
@hint("With few micro-batches, a stage first makes the forward passes of all of them: there are no others.")
@misconception("pipeline-bubble")
def test_few_microbatches(plan):
    """The schedules are also right with fewer micro-batches than stages."""
    rng = np.random.default_rng()
    stages = int(rng.integers(6, 9))
    for function in FUNCTIONS:
        for microbatches in (1, 2, stages - 1):
            for again in (False, True):
                found = outcome(plan(function, stages, microbatches, again))
                check_runs(function, [found])
                with saw(
                    "A schedule of {function} with few micro-batches takes longer than it must.", function=function
                ):
                    assert found.time == shortest(stages, microbatches)


@hint("A single stage waits for no other.")
@misconception("reads-the-task")
def test_one_stage(plan):
    """The schedules are also right with a single stage."""
    for function in FUNCTIONS:
        check_runs(function, [outcome(plan(function, 1, 3))])
    with saw("The only stage of one_f_one_b keeps more than one micro-batch."):
        assert outcome(plan("one_f_one_b", 1, 3)).alive == (1,)
