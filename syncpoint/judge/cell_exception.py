"""What a report says about an exception of a student's cell."""

import re
import unicodedata
from typing import Any

from ..core.limits import Limits
from ..core.messages import Message
from ..core.results import Incident

ODD = re.compile(r"U\+([0-9A-F]{4,6})")  # how Python names an invalid character
# Python 3.11.2 does not name one after a digit, as in `f(1\uff0c 2)`.
NOT_NAMED, AFTER_DIGIT = "invalid decimal literal", re.compile(r"[0-9]([^\x00-\x7f])")


def incident_of(who: Message, source: str, content: dict[str, Any], limits: Limits) -> Incident:
    """Return the message on a cell's exception, with the limit or the character that probably caused it."""
    name, text = str(content.get("ename"))[:60], str(content.get("evalue"))
    if name == "SyntaxError" and (odd := _odd_character(source, text)):
        line, code, character = odd
        message = Message.of("raised_character", who=who, error=name, line=line, character=code, name=character)
        return Incident("raised", message)
    if name == "MemoryError":
        return Incident("memory", Message.of("raised_memory", who=who, error=name, mib=limits.memory_mib))
    if "[Errno 27]" in text or "[Errno 28]" in text:
        return Incident("disk", Message.of("raised_disk", who=who, error=name, mib=limits.disk_mib))
    if "[Errno 11]" in text or text == "can't start new thread":
        message = Message.of("raised_processes", who=who, error=name, processes=limits.processes)
        return Incident("processes", message)
    return Incident("raised", Message.of("raised", who=who, error=name))


def _odd_character(source: str, message: str) -> tuple[int, str, str] | None:
    """Return the line, code and Unicode name of the character that a SyntaxError is about; None for another error.

    The error's text is not believed: the character must be in the cell.
    """
    if found := ODD.search(message[:1000]):
        character = chr(min(int(found[1], 16), 0x10FFFF))
    else:
        after_digit = AFTER_DIGIT.search(source) if message.startswith(NOT_NAMED) else None
        character = after_digit[1] if after_digit else ""
    if not character or character not in source:
        return None
    code, name = f"U+{ord(character):04X}", unicodedata.name(character, "").lower()
    return source.count("\n", 0, source.index(character)) + 1, code, name
