"""When train_batch first waits."""

from syncpoint_check import Device, array, core, first_wait, hint, saw

SHAPES = [(20, 1, 3, 3), (20,), (50, 20, 5, 5), (50,), (800, 128), (128,), (128, 10), (10,)]
DEVICES = (1, 2)


@core
@hint("A wait in the loop over the devices holds up all later ones. Look also into the functions that you call.")
def test_all_devices_have_work(student, rng):
    """All devices have their forward and backward pass before train_batch waits."""
    X = array(rng.normal(size=(2, 1, 28, 28)))
    y = array(rng.integers(0, 10, size=2).astype("float32"))
    params = [rng.normal(size=shape) * 0.01 for shape in SHAPES]
    replicas = [[array(values, device=device, gradient=values * 0) for values in params] for device in DEVICES]
    seen = student.results_gated.call("train_batch", X, y, replicas, [Device(device) for device in DEVICES], 0.1)
    events = list(seen.events)
    first = next((place for place, event in enumerate(events) if event.opened), len(events))
    passes = sum(event.label == "backward" for event in events[:first])
    wanted = sum(event.label == "backward" for event in events)
    with saw(
        "Backward passes in the queue at the first wait ({first_wait}): {passes} of {wanted}.",
        events,
        first_wait=first_wait(events),
        passes=passes,
        wanted=wanted,
    ):
        assert wanted and passes == wanted
