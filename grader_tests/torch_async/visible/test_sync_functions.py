"""What wait_for_one and wait_for_all wait for."""

from syncpoint_check import array, core, first_wait, hint, saw


def matrix(rng):
    """Some matrix."""
    return array(rng.normal(size=(2, 2)), device=1)


@core
@hint("Is there a wait after the product, and does it wait for y?")
def test_wait_for_one_is_computed(student, rng):
    """wait_for_one returns when y is computed."""
    seen = student.results_gated.call("wait_for_one", matrix(rng))
    with saw("y was still pending when wait_for_one returned it.", seen.events, missing_wait=True):
        assert seen.ready


@core
@hint("One way waits for a stream or an event, and leaves other streams alone.")
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
@hint("item and cpu wait for everything that was enqueued before them. Which way waits for a place between y and z?")
def test_wait_for_first_waits_for_y_alone(student, rng):
    """wait_for_first returns when y is computed, and z is not."""
    seen = student.results_gated.call("wait_for_first", matrix(rng))
    with saw("y was still pending when wait_for_first returned.", seen.events, missing_wait=True):
        assert any(event.opened for event in seen.events)
    with saw(
        "wait_for_first also waited for z. The first wait: {first_wait}.",
        seen.events,
        first_wait=first_wait(seen.events),
    ):
        assert seen.pending


@core
@hint("Wait for everything on the device, in all streams, including work from before the call. Which call does that?")
def test_wait_for_all_waits_for_other_work(student, rng):
    """wait_for_all also waits for other work."""
    seen = student.beside_unrelated_work.call("wait_for_all", matrix(rng))
    with saw("wait_for_all returned while other work was pending.", seen.events, missing_wait=True):
        assert "unrelated" not in seen.pending
