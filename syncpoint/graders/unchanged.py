"""Arguments belong to the caller: lists and dicts must hold the same things after the call."""

from ..observe.vocabulary import saw


def check_containers_stay(changed: int) -> None:
    """Fail if student code has changed lists or dicts that it was given; changed: how many of them."""
    with saw("Lists or dicts that your function was given and has changed: {changed}.", changed=changed):
        assert not changed
