"""When run_both first waits."""

from syncpoint_check import array, core, first_wait, hint, saw


@core
@hint("First enqueue all work for both devices; waits come after that.")
def test_both_devices_have_work(student, rng):
    """Both devices have their products before run_both waits for any of them."""
    a, b = (array(rng.normal(size=(2, 2)), device=device) for device in (1, 2))
    seen = student.results_gated.call("run_both", a, b)
    counts = {1: 0, 2: 0}
    for event in seen.events:
        if event.opened:
            break
        for device in event.writes if event.kind == "enqueue" else ():
            counts[device] = counts.get(device, 0) + 1
    with saw(
        "Operations at the first wait ({first_wait}): on device 1 {first}, on device 2 {second}.",
        seen.events,
        first_wait=first_wait(seen.events),
        first=counts[1],
        second=counts[2],
    ):
        assert counts[1] >= 10 and counts[2] >= 10
