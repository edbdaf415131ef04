"""What the log of a call says about order."""

from syncpoint_check import DeviceLog, race, saw


def check_no_wait(name, events):
    """Fail if the host waited."""
    log = DeviceLog(tuple(events), ())
    with saw("{name} made the host wait. The first wait: {first_wait}.", events, name=name, first_wait=log.first_wait):
        assert not log.waits


def check_no_race(events):
    """Fail if two streams use the same memory and nothing orders them."""
    races = [event for event in events if event.kind == "race"]
    first = race(races[0]) if races else ""
    with saw(
        "Uses of the same memory without a fixed order: {count}. The first: {first}.",
        events,
        count=len(races),
        first=first,
    ):
        assert not races
