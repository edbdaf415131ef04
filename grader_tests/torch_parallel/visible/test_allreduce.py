"""What allreduce and ring_allreduce wait for."""

from order import check_no_race, check_no_wait
from syncpoint_check import array, core, hint


@core
@hint("Copies go from device to device, and the streams order them. item, cpu and synchronize hold up the host.")
def test_waits_for_nothing(student, rng):
    """Both enqueue their work, have no race, and wait for nothing."""
    for name in ("allreduce", "ring_allreduce"):
        data = [array(rng.normal(size=(5, 3)), device=device) for device in (1, 2, 3)]
        seen = student.results_gated.call(name, data)
        check_no_wait(name, seen.events)
        check_no_race(seen.events)
