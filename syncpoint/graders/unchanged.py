"""Checks that student code has not changed the lists and dicts that it was given."""

from ..observe.vocabulary import saw


def check_containers_stay(changed: int) -> None:
    """Fail if student code has changed lists or dicts that it was given; changed: their number."""
    with saw("Lists or dicts that your function was given and has changed: {changed}.", changed=changed):
        assert not changed
