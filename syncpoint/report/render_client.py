"""The client of the rendering program (:mod:`.render_program`), which is started when first needed."""

import functools
import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

from ..core.messages import Message, from_data

MAX_CACHED = 10_000  # characters of a cached piece: a class shares most of its cells
GONE = "the program that tests how text is displayed has stopped: run `make doctor`, then this command again."


@dataclass(frozen=True)
class Rendered:
    """The way to show a piece."""

    text: str | None  # its replacement, or None if it cannot be shown in this way
    reason: Message  # why not, as the end of a sentence; empty if it can
    seconds: float  # processor seconds that it took, and will take again
    page: int  # characters of its page


class Renderer:
    """One rendering program, shared by any number of threads.

    A piece that takes more than ``seconds`` of processor time cannot be shown.
    """

    def __init__(self, seconds: float = 1.0) -> None:
        self._seconds = seconds
        self._program: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._remembered = functools.lru_cache(2000)(self._ask)

    def show(self, kind: str, *arguments: Any) -> Rendered:
        """Try to show a piece; ``SHOW`` in render_program.py lists the kinds.

        Never raises for what it holds.

        Raises:
            RuntimeError: If the program does not run.
        """
        request = json.dumps([kind, *arguments])
        return self._remembered(request) if len(request) <= MAX_CACHED else self._ask(request)

    def start(self) -> None:
        """Start the program if it does not run, so that it loads its libraries in parallel."""
        with self._lock:
            self._program = self._program or self._start()

    def _ask(self, request: str) -> Rendered:
        with self._lock:
            program = self._program = self._program or self._start()
            assert program.stdin is not None and program.stdout is not None
            try:
                print(request, file=program.stdin, flush=True)
                answer = json.loads(program.stdout.readline())
                return Rendered(**answer | {"reason": from_data(answer["reason"])})
            except (BrokenPipeError, ValueError):
                self._program = None
                program.kill()
                program.wait()
                raise RuntimeError(GONE) from None

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.render_program", str(self._seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )


@functools.cache
def renderer() -> Renderer:
    """Return this process's renderer. Its program ends soon after this process."""
    return Renderer()
