"""Names in a zip file: many programs do not declare their encoding."""

import struct
import unicodedata
import zipfile
import zlib

UTF8_FLAG = 0x800
UNICODE_PATH = 0x7075  # Info-ZIP's extra field: the name in UTF-8, and a checksum of the name that it belongs to
# UTF-8 of Linux and macOS first, then what Windows writes in Europe, China, Japan, Taiwan, Korea and Russia.
ENCODINGS = ("utf-8", "cp437", "cp850", "gbk", "cp932", "big5", "cp949", "cp866", "cp1252", "cp1251")
FALLBACK = "cp437"  # the zip format's own encoding; it can read any bytes


def name_of(info: zipfile.ZipInfo) -> str | bytes:
    """Return an entry's name; its bytes if the encoding is unknown."""
    if info.flag_bits & UTF8_FLAG:
        return info.orig_filename
    raw = info.orig_filename.encode(FALLBACK)
    return _unicode_path(info.extra, raw) or (info.orig_filename if raw.isascii() else raw)


def decoded(name: str | bytes, encoding: str) -> str:
    """Return the name in this encoding, with letters and accents combined."""
    return unicodedata.normalize("NFC", name if isinstance(name, str) else _text(name, encoding))


def _text(raw: bytes, encoding: str) -> str:
    for one in (encoding, "utf-8"):
        try:
            return raw.decode(one)
        except UnicodeDecodeError:
            continue
    return raw.decode(FALLBACK)


def _unicode_path(extra: bytes, raw: bytes) -> str:
    """Return the name in the extra field; "" if there is none, or if it belongs to another name."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == UNICODE_PATH and len(field) == size > 5 and field[0] == 1:
            if struct.unpack_from("<L", field, 1)[0] != zlib.crc32(raw):
                return ""
            try:
                return field[5:].decode()
            except UnicodeDecodeError:
                return ""
    return ""
