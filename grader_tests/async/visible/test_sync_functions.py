"""What wait_for_one and wait_for_all wait for."""

from syncpoint_check import array, core, first_wait, hint, saw


def matrix(rng):
    """Some matrix."""
    return array(rng.normal(size=(2, 2)))


@core
@hint("Is there a wait after the product, and does it wait for y?")
def test_wait_for_one_is_computed(student, rng):
    """wait_for_one returns when y is computed."""
    seen = student.results_gated.call("wait_for_one", matrix(rng))
    with saw("y was still pending when wait_for_one returned it.", seen.events, missing_wait=True):
        assert seen.ready


@core
@hint("One of the four ways waits for one array and leaves the others alone.")
def test_wait_for_one_leaves_other_work_alone(student, rng):
    """wait_for_one does not wait for other work."""
    seen = student.beside_unrelated_work.call("wait_for_one", matrix(rng))
    with saw(
        "Work that y does not need was waited for. The first wait: {first_wait}.",
        seen.events,
        first_wait=first_wait(seen.events),
    ):
        assert "unrelated" in seen.pending


@core
@hint(
    "wait_for_all must also wait for work that was enqueued before the call. Which call waits for everything "
    "in the queue?"
)
def test_wait_for_all_waits_for_other_work(student, rng):
    """wait_for_all also waits for other work."""
    seen = student.beside_unrelated_work.call("wait_for_all", matrix(rng))
    with saw("wait_for_all returned while other work was pending.", seen.events, missing_wait=True):
        assert "unrelated" not in seen.pending
