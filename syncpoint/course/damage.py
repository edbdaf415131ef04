"""Diagnoses files that are not notebooks and cells that are not Python.

Nothing here decides points: an unreadable file is refused whatever this reports, and a cell runs unchanged.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..core.messages import Message
from ..core.strip import strip_control

CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
OPEN_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?', re.DOTALL)
COMMA = re.compile(r",\s*[\]}]")
STARTS = {b"PK\x03\x04": "refused_zip", b"%PDF": "refused_pdf", b"version https://git-lfs": "refused_pointer"}
MAGIC = re.compile(r"\s*%%(\w+)")
PYTHON_MAGICS = {"time", "capture", "prun"}  # these keep the code's definitions
RESET = re.compile(
    r"""^[ \t]*%reset\b(?!_)|^[ \t]*get_ipython\(\)\.(?:reset\(|(?:run_line_)?magic\(["']%?reset\b)""", re.MULTILINE
)
LEFT_ON = re.compile(
    r"^((?:torch\.(?:autograd\.|cuda\.)?(?:set_default_device|set_default_dtype|set_default_tensor_type|set_grad_enabled"
    r"|use_deterministic_algorithms|set_device)|torch\.autograd\.set_detect_anomaly"
    r"|(?:mx\.)?(?:autograd\.set_(?:recording|training)|npx\.set_np|npx\.reset_np|util\.set_np)"
    r"|os\.chdir|sys\.setrecursionlimit|warnings\.simplefilter|warnings\.filterwarnings"
    r"|(?:np|numpy)\.seterr))\(",
    re.MULTILINE,
)
HARMLESS = re.compile(r"^warnings\.(?:simplefilter|filterwarnings)\([\"'](?!error)", re.MULTILINE)


def _number(digits: str) -> int:
    """Parse a whole number; Python rejects thousands of digits, which no cell needs."""
    return int(digits) if len(digits) < 20 else 0


DECODER = json.JSONDecoder(parse_int=_number)


def is_utf8(content: bytes) -> bool:
    """Whether a file seems to be in UTF-8, not in UTF-16 or UTF-32."""
    return json.detect_encoding(content).startswith("utf-8")


def decoded(content: bytes) -> tuple[str, bool]:
    """Return a file's text from UTF-8, UTF-16 or UTF-32, and whether every character could be read."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding), True
    except UnicodeDecodeError:
        return content.decode(encoding, "replace"), False


def why_no_json(content: bytes, text: str) -> Message:
    """Return why a file is not JSON, for the student; the file's name is filled in later."""
    begins = text.lstrip("\ufeff \t\r\n")
    known = next((code for start, code in STARTS.items() if content.startswith(start)), "")
    if known:
        return Message(known)
    if not content.strip(b"\0 \t\r\n"):
        return Message("refused_zeros" if b"\0" in content else "refused_empty")
    if re.match(r"<!doctype html|<html|<\?xml|<head|<body", begins, re.IGNORECASE):
        return Message("refused_web_page")
    if conflict := CONFLICT.search(text):
        return Message.of("refused_conflict", line=_line(text, conflict.start()))
    if begins[:1] not in ("{", "["):
        return Message.of("refused_text", begins=strip_control(begins[:40]))
    try:
        DECODER.decode(text)
    except RecursionError:
        pass
    except json.JSONDecodeError as problem:
        line = _line(text, problem.pos)
        if problem.msg == "Extra data":
            return Message("refused_several")
        if problem.pos >= len(text.rstrip()) or OPEN_STRING.fullmatch(text, problem.pos):
            return Message.of("refused_cut_off", line=_line(text, len(text.rstrip())))
        if COMMA.match(text, max(text.rfind(",", 0, problem.pos), 0)):
            return Message.of("refused_comma", line=line)
        return Message.of("refused_broken", line=line, why=problem.msg)
    return Message("refused_no_json")


def why_no_cells(data: Any) -> Message:
    if isinstance(data, dict) and {"url", "doc_id"} & data.keys():
        return Message("refused_shortcut")
    return Message("refused_no_cells")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def other_files(missing: Path, others: Collection[str] = (), alike: bool = False) -> list[str]:
    """Return at most five files that a student may have meant with a missing or unusable one.

    The ``others``, the release's other notebooks, are not meant. With ``alike``, only files that begin like it are;
    else, if there is none, all notebooks.
    """
    folder = missing.parent
    names = (
        [path.name for path in folder.iterdir() if path != missing and path.name not in others]
        if folder.is_dir()
        else []
    )
    notebooks = sorted(name for name in names if ".ipynb" in _usual(name))
    like = [name for name in notebooks if _usual(name).startswith(_usual(missing.stem))]
    return [repr(strip_control(name)[:80]) for name in (like if alike else like or notebooks)[:5]]


def _usual(name: str) -> str:
    """Return a file's name as usually typed: a full-width dot is a dot."""
    return unicodedata.normalize("NFKC", name).casefold()


def odd_cell(source: str) -> Message | None:
    """Return why a code answer is not Python; None if its beginning looks normal."""
    if source.lstrip().startswith("```"):
        return Message("fenced_cell")
    magic = MAGIC.match(source)
    if magic and magic[1] not in PYTHON_MAGICS:
        return Message.of("magic_cell", magic=f"%%{magic[1]}")
    return None


def lasting_calls(source: str, released: Iterable[str]) -> Iterator[Message]:
    """Yield a message for each call in a student's cell, but not the release's, that affects all later cells."""
    if RESET.search(source):
        yield Message("resets")
    for call in LEFT_ON.finditer(source):
        undone = source.count(call[0]) > 1 or "resetwarnings" in source
        own = undone or HARMLESS.match(source, call.start()) or any(call[0] in text for text in released)
        if not own:
            yield Message.of("left_on", call=call[1])
