"""What the judge's own code does, as a digest that is kept: to work it out takes half a second of each start.

It is kept where Python keeps what it has made of a module, under a digest of all that it was made of: the bytes of
the code, that of ``deciding_part`` among it, and the version of Python, whose syntax trees these are.  So it needs no
look at times, and a file that is torn, old or not there is made anew.
"""

import contextlib
import functools
import hashlib
import importlib.util
import re
import sys
from pathlib import Path

from ..core.atomic_write import write_whole
from ..judge import fingerprint

KEPT = re.compile(rb"([0-9a-f]{64}) ([0-9a-f]{64})\n")


@functools.cache
def judge_deciding(engine: str) -> str:
    """The same as :func:`syncpoint.judge.fingerprint.judge_deciding`, at once if nothing has changed.

    Raises:
        EngineError: If there is no such engine, or its engine.toml cannot be used.
    """
    made_of = hashlib.sha256(f"{sys.version}\0{fingerprint.judge_digest(engine)}".encode()).hexdigest()
    path = kept_in(engine)
    with contextlib.suppress(OSError):
        kept = KEPT.fullmatch(path.read_bytes())
        if kept is not None and kept[1].decode() == made_of:
            return kept[2].decode()
    made = fingerprint.judge_deciding(engine)
    with contextlib.suppress(OSError):  # an installation of somebody else's: it saves time only
        path.parent.mkdir(exist_ok=True)
        write_whole(path, f"{made_of} {made}\n".encode())
    return made


def kept_in(engine: str) -> Path:
    """The file that keeps it."""
    return Path(importlib.util.cache_from_source(__file__)).with_suffix(f".{engine}.digest")
