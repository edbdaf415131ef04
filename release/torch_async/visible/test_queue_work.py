"""What queue_work waits for."""

from syncpoint_check import DeviceLog, EngineArray, array, core, hint, kind_of, saw


@core
@hint(
    "item, cpu, tolist, print, synchronize, a tensor in an if, a copy from ordinary memory: each of them waits. Which "
    "one is in there?"
)
def test_waits_for_nothing(student, rng):
    """queue_work waits for nothing."""
    seen = student.results_gated.call("queue_work", array(rng.normal(size=(2, 2)), device=1))
    log = DeviceLog.of(seen)
    with saw("queue_work waited. The first wait: {first_wait}.", seen.events, first_wait=log.first_wait):
        assert not log.waits
    with saw("queue_work returned {kind}.", kind=kind_of(seen.returned)):
        assert isinstance(seen.returned, EngineArray)
