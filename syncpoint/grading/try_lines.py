"""Writes a submitted notebook as differences from a released one, because most of its lines are the release's."""

import json

# With it, any bytes are text.
ENCODING = "latin-1"


def differences(content: bytes, released: bytes) -> bytes:
    """Return a file's differences from a released one as JSON, for :func:`restored`.

    They are the student's lines and, for released lines, the number of the first one and how many follow it.
    """
    lines, others = _lines(content), _lines(released)
    first = {line: number for number, line in reversed(list(enumerate(others)))}
    parts: list[str | list[int]] = []
    here = 0
    while here < len(lines):
        there, count = first.get(lines[here], len(others)), 0
        while lines[here + count : here + count + 1] == others[there + count : there + count + 1] != []:
            count += 1
        parts.append([there, count] if count else lines[here])
        here += count or 1
    return json.dumps(parts, separators=(",", ":")).encode()


def restored(found: bytes, released: bytes) -> bytes:
    """Return the file with these differences from a released one."""
    others = _lines(released)
    lines: list[str] = []
    for part in json.loads(found):
        lines += [part] if isinstance(part, str) else others[part[0] : sum(part)]
    return "\n".join(lines).encode(ENCODING)


def _lines(content: bytes) -> list[str]:
    return content.decode(ENCODING).split("\n")
