"""The limit of a visible test's time, where the system has an alarm and where it has none."""

import signal
import subprocess
import sys
import threading

import pytest

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


# In a process of its own, which an interrupt in a wrong place ends.
AGAIN = """
import contextlib, signal, sys
if sys.argv[1] == "no alarm":
    del signal.SIGALRM
from syncpoint.check import student

student.AGAIN_SECONDS = 0.001
interrupts = 0
for _ in range(50):
    with contextlib.suppress(KeyboardInterrupt), student.interrupted_after(0.002):
        while True:
            try:
                while True:
                    pass
            except KeyboardInterrupt:
                interrupts += 1
                if interrupts % 3 == 0:
                    break
for _ in range(10**6):  # an alarm that went on would ring here
    pass
print("interrupts:", interrupts)
"""


@pytest.mark.parametrize("system", ["an alarm", "no alarm"])
def test_code_that_catches_the_first_interrupt_is_interrupted_again_until_the_block_ends(system: str):
    done = subprocess.run([sys.executable, "-c", AGAIN, system], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.removeprefix("interrupts: ")) >= 50


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
