"""A course's keys for signing requests to a learning platform: the current and the next one.

Both are published (RFC 7517), the next one long before it signs, so a platform that keeps a copy knows it in time.
"""

import json
from pathlib import Path
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from ..core.atomic_write import write_whole
from ..core.errors import SyncpointError
from ..course.folder import Course

BITS = 2048
ALGORITHM = "RS256"  # the only algorithm that LTI requires of every platform


def folder(course: Course) -> Path:
    """Return the course's folder for LTI; only its account may read it."""
    place = course.state / "lti"
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    return place


def read_keys(course: Course) -> tuple[RSAKey, RSAKey]:
    """Return the current key and the next one, made by the first call, or raise SyncpointError."""
    path = folder(course) / "keys.json"
    try:
        if not path.exists():
            _write(path, _new(), _new())
        text, mode = path.read_text(encoding="utf-8"), path.stat().st_mode
    except OSError as problem:
        raise SyncpointError(f"cannot use {path}, the course's keys for LTI ({problem.strerror}).") from None
    if mode & 0o077:
        raise SyncpointError(f"others can read {path}, so they can send marks: run `chmod 600 {path}`.")
    try:
        signs, following = (RSAKey.import_key(key) for key in json.loads(text)["keys"])
    except (ValueError, LookupError, TypeError, JoseError):
        raise SyncpointError(f"{path} does not hold two keys: restore it, or remove it to get new ones.") from None
    return signs, following


def rotate(course: Course) -> tuple[RSAKey, RSAKey]:
    """Make the next key the current one, create the one after it, and forget the old one, or raise SyncpointError."""
    _, signs = read_keys(course)
    following = _new()
    _write(folder(course) / "keys.json", signs, following)
    return signs, following


def published(keys: tuple[RSAKey, ...]) -> dict[str, Any]:
    """Return the public halves as a JSON Web Key Set."""
    return {"keys": [{**key.as_dict(private=False), "alg": ALGORITHM, "use": "sig"} for key in keys]}


def _new() -> RSAKey:
    return RSAKey.generate_key(BITS, private=True, auto_kid=True)


def _write(path: Path, *keys: RSAKey) -> None:
    write_whole(path, json.dumps({"keys": [key.as_dict(private=True) for key in keys]}).encode())
