"""Files that exist only in memory: content for a sandbox leaves no trace on the machine's disks."""

import os
from typing import BinaryIO


def opened(content: bytes) -> BinaryIO:
    """Yield an open unnamed file with this content, positioned at its beginning."""
    file = os.fdopen(os.memfd_create("syncpoint"), "w+b")
    file.write(content)
    file.seek(0)
    return file
