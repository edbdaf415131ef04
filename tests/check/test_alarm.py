"""The limit of a visible test's time, where the system has an alarm and where it has none."""

import contextlib
import signal
import threading

import pytest

from syncpoint.check import student
from syncpoint.check.student import interrupted_after


@pytest.fixture(params=["an alarm", "no alarm"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no alarm."""
    if request.param == "no alarm":
        monkeypatch.delattr(signal, "SIGALRM", raising=False)


def endless() -> None:
    """Ends by an interrupt alone."""
    while True:
        pass


@pytest.mark.usefixtures("system")
def test_a_loop_without_end_is_interrupted():
    with interrupted_after(0.01) as rang, pytest.raises(KeyboardInterrupt):
        endless()
    assert rang()


@pytest.mark.usefixtures("system")
def test_code_that_catches_the_first_interrupt_is_interrupted_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(student, "AGAIN_SECONDS", 0.01)
    interrupts = 0
    with contextlib.suppress(KeyboardInterrupt), interrupted_after(0.01):  # one may come in any line of this block
        while interrupts < 3:
            try:
                endless()
            except KeyboardInterrupt:
                interrupts += 1
    assert interrupts


@pytest.mark.usefixtures("system")
def test_code_that_ends_in_time_is_not_interrupted():
    with interrupted_after(60.0) as rang:
        pass
    assert not rang()
    for thread in threading.enumerate():
        if thread.name == "alarm":
            thread.join()


@pytest.mark.usefixtures("system")
def test_the_stop_button_is_no_alarm():
    with pytest.raises(KeyboardInterrupt), interrupted_after(60.0) as rang:
        raise KeyboardInterrupt
    assert not rang()
