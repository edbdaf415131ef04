"""The access token of a platform's own API: from the environment or a closed file, never from a command line."""

import os
from pathlib import Path

from ..core.errors import SyncpointError

VARIABLE = "SYNCPOINT_LMS_TOKEN"


def read_token(file: str) -> str:
    """Return the token, or raise SyncpointError if there is none or others can read the file."""
    token = os.environ.get(VARIABLE, "")
    if not token and file:
        path = Path(file).expanduser()
        try:
            token, mode = path.read_text(encoding="utf-8"), path.stat().st_mode
        except (OSError, UnicodeDecodeError) as problem:
            raise SyncpointError(f"cannot read the access token in {path} ({problem}).") from None
        if mode & 0o077:
            raise SyncpointError(f"others can read the access token in {path}: run `chmod 600 {path}`.")
    if not token.strip():
        raise SyncpointError(
            f"there is no access token: put it into a file that only you can read, and name the file in "
            f"c.SendMarks.token_file, or into the environment variable {VARIABLE}."
        )
    return token.strip()
