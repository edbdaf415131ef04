"""The store of earlier results, each under a digest of all it depends on: unchanged work is not run again."""

import contextlib
import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.atomic_write import write_whole
from .errors import Malformed
from .job import Result, from_json, to_json

ENDING = ".json.gz"
SHARD_FOLDER = re.compile(r"[0-9a-f]{2}")


@dataclass(frozen=True)
class StoredResult:
    """A file of the store, as listed on the disk."""

    key: str
    judged: float  # when; seconds since 1970
    size: int  # bytes


@dataclass(frozen=True)
class Entry:
    """The content of a file of the store: a result and its key."""

    key: str
    result: Result


@dataclass(frozen=True)
class Store:
    """Results in files <folder>/<two digits>/<rest of the key>.json.gz.

    Many processes may read and write it at once, on one disk or a shared one: a file is whole or it is not there.
    """

    folder: Path

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}{ENDING}"

    def get(self, key: str, since: int = 0) -> Result | None:
        """Return the result stored under a key; None if it is torn, foreign, unreadable or older than ``since``.

        ``since`` is in nanoseconds of the file system's clock.
        """
        try:
            if self.path(key).stat().st_mtime_ns < since:
                return None
            entry = from_json(Entry, gzip.decompress(self.path(key).read_bytes()))
        except (OSError, EOFError, zlib.error, Malformed):
            return None
        return entry.result if entry.key == key else None

    def put(self, key: str, result: Result) -> None:
        """Store a result, replacing an existing one; a result that is not cacheable is not stored."""
        if not result.cacheable:
            return
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        # The fastest compression level, because reports are small and this runs for each notebook.
        write_whole(path, gzip.compress(to_json(Entry(key, result)), compresslevel=1, mtime=0))

    def __iter__(self) -> Iterator[StoredResult]:
        """List the stored results in any order, without those that disappear meanwhile."""
        for path in self.folder.glob(f"??/*{ENDING}"):
            if SHARD_FOLDER.fullmatch(path.parent.name):
                with contextlib.suppress(OSError):
                    state = path.stat()
                    key = path.parent.name + path.name.removesuffix(ENDING)
                    yield StoredResult(key, state.st_mtime, state.st_size)

    def remove(self, key: str) -> None:
        """Remove a result; if needed, it is judged again."""
        self.path(key).unlink(missing_ok=True)
