"""Records which waits the front end has provably waited for.

The answer to each contains a random number, which the front end sends back. Everything that it sends afterwards, it
sends after reading the answer.
"""

import secrets
from collections.abc import Hashable

from simgpu.device.log import Log
from simgpu.frames import BadMessage

MOST = 8192
"""How many waits may be unacknowledged; for older ones it stays unknown whether they were acknowledged."""
MOST_ANSWERS = 1 << 20
"""How many answers may be unacknowledged; each one is acknowledged as soon as it is read."""


class Acknowledgements:
    """Waits whose answers the front end has not yet acknowledged."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._last = 0
        self._asked: dict[Hashable, int] = {}
        self._sent: dict[int, int] = {}
        self._targets: dict[int, dict[int, int]] = {}

    def asked(self, question: Hashable, targets: dict[int, int]) -> int:
        """Add a wait: its answer's request, and its targets by stream. Returns its number in the log."""
        self._last += 1
        self._asked[question] = self._last
        self._targets[self._last] = targets
        if len(self._targets) > MOST:
            del self._targets[next(iter(self._targets))]
        return self._last

    def token(self, question: Hashable) -> int:
        """Return the token for the answer to a request; 0 if it was no wait."""
        wait = self._asked.pop(question, None)
        if wait is None:
            return 0
        token = secrets.randbits(63) + 1
        self._sent[token] = wait
        if len(self._sent) > MOST_ANSWERS:
            del self._sent[next(iter(self._sent))]
        return token

    def came(self, token: int, number: int) -> None:
        """Note that the front end has read the answer to a wait: ``acknowledged`` in the log, after this command.

        A wait for something also covers earlier waits for parts of it.

        Raises:
            BadMessage: no answer had this number.
        """
        wait = self._sent.pop(token, None)
        if wait is None:
            raise BadMessage("acknowledgement of an answer that was never given")
        reached = self._targets.pop(wait, None)
        if reached is None:
            return
        within = [
            other
            for other, targets in self._targets.items()
            if other < wait and all(reached.get(stream, -1) >= upto for stream, upto in targets.items())
        ]
        for other in within:
            del self._targets[other]
        self.log.add("acknowledged", number, waits=[*within, wait])
