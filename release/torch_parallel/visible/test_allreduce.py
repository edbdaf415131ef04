"""What allreduce and ring_allreduce wait for."""

from order import check_no_race, check_no_wait
from syncpoint_check import array, core, hint, saw

RING = 3
COPIES = 2 * (RING - 1)  # of each device


@core
@hint("Copies go from device to device, and the streams order them. item, cpu and synchronize hold up the host.")
def test_waits_for_nothing(student, rng):
    """Both enqueue their work, have no race, and wait for nothing."""
    for name in ("allreduce", "ring_allreduce"):
        data = [array(rng.normal(size=(5, 3)), device=device) for device in (1, 2, 3)]
        seen = student.results_gated.call(name, data)
        check_no_wait(name, seen.events)
        check_no_race(seen.events)


@core
@hint("t.to(other.device) and other.copy_(t) go from device to device. cpu() and pinned memory go through the host.")
def test_not_through_the_host(student, rng):
    """The numbers go from device to device."""
    for name in ("allreduce", "ring_allreduce"):
        data = [array(rng.normal(size=(5, 3)), device=device) for device in (1, 2, 3)]
        events = student.results_gated.call(name, data).events
        count = sum(event.label in ("copy from the host", "copy to the host") for event in events)
        with saw("Copies of {name} from or to the host: {count}.", events, name=name, count=count):
            assert not count


@core
@hint("In a ring each device copies one piece at a time, and always to the same neighbor.")
def test_ring(student, rng):
    """In ring_allreduce each device makes 2 (k - 1) copies, all to one other device."""
    data = [array(rng.normal(size=(2 * RING, 3)), device=device + 1) for device in range(RING)]
    events = student.results_gated.call("ring_allreduce", data).events
    sent = {}
    for event in events:
        if event.kind == "enqueue" and event.label == "peer copy":
            sent.setdefault(event.reads[0], []).append(event.writes[0])
    for targets in sent.values():
        with saw(
            "A device copied {count} times, to {others} other devices.",
            events,
            count=len(targets),
            others=len({*targets}),
        ):
            assert len(targets) == COPIES and len({*targets}) == 1
    with saw("Devices that sent something: {count} of {total}.", events, count=len(sent), total=RING):
        assert len(sent) == RING
