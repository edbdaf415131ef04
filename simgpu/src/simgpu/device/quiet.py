"""Whether the front end continues while one of its waits has no answer yet.

A program that waits sends nothing more. Student code could falsify what a thread reports about itself, so a wait that
needs a gate opens it only after the device has looked several times and received nothing more. A program with one
thread does not notice these looks: it is quiet while it waits, and no result depends on how long the looks take.
"""

import time
from collections.abc import Callable

from simgpu.device.commands import Wait
from simgpu.device.gates import Gates
from simgpu.frames import Kind, parse_json

LOOK_SECONDS = 0.001
LOOKS, AFTER_MORE = 5, 50
"""How many looks in a row must find no message before a wait counts; and how many if more was sent since it began."""
MOST_SECONDS = 0.3
"""After this many seconds a wait counts anyway, because another thread of the program may never stop."""
SILENT = frozenset({Kind.FREE, Kind.ACKNOWLEDGED})
ASKING = frozenset(
    {"query", "memory", "stands still", "launch queue", "elapsed", "address", "log", "hello", "all wait"}
)
"""Calls that give the device no work: a waiting thread also makes them."""


class Quiet:
    """The waits that count once the front end is quiet.

    Args:
        gates: Say whether waits open them.
        then: Called once it is quiet.

    Attributes:
        waits: Waits of its main thread, by request.
        claims: Other threads for which it reports that it does not continue, and the function that gets the answer.
    """

    def __init__(self, gates: Gates, then: Callable[[], None]) -> None:
        self._gates, self._then = gates, then
        self.waits: dict[int, Wait] = {}
        self.claims: dict[int, Callable[[bool], None]] = {}
        self._looks, self._needed, self._began = 0, LOOKS, 0.0

    def __bool__(self) -> bool:
        return bool(self.waits or self.claims)

    def begin(self) -> None:
        """Add a wait."""
        self._looks = 0
        if len(self.waits) + len(self.claims) == 1:
            self._needed, self._began = LOOKS, time.monotonic()

    def end(self) -> tuple[list[Wait], dict[int, Callable[[bool], None]]]:
        """Return the waits that count now."""
        found = list(self.waits.values()), self.claims
        self.waits, self.claims = {}, {}
        return found

    def look(self, silent: bool) -> None:
        """Note that a moment has passed; ``silent``: without a message."""
        self._looks += silent
        late = time.monotonic() > self._began + MOST_SECONDS
        if self._looks >= self._needed or late or not self._gates.lazy:
            self._then()

    def go_on(self) -> list[Callable[[bool], None]]:
        """Note another message.

        Returns:
            Claims that the front end does not continue.
        """
        self._looks, self._needed = 0, AFTER_MORE if self.waits else LOOKS
        claims = list(self.claims.values())
        self.claims = {}
        return claims


def goes_on(kind: int, body: bytes) -> bool:
    """Whether a message shows that a program continues: it is more than a request or an answer."""
    return kind not in SILENT and (kind != Kind.CALL or parse_json(body)[0].get("do") not in ASKING)
