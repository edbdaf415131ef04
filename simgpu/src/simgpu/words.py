"""The texts of timelines and race reports, by name; a caller may pass translations.

`timeline(words={"host": "anfitrião"})`, `race.describe(words)`.  Placeholders in braces stay; a text without a
translation is in English.
"""

from collections.abc import Mapping

WORDS = {
    "host": "host",
    "default stream": "simgpu:{device} default stream",
    "stream": "simgpu:{device} stream {number}",
    "communicator": "simgpu:{device} communicator {number}",
    # --- kinds of boxes ---
    "launch": "launch",
    "kernel": "kernel",
    "copy": "copy",
    "copy of pageable memory": "copy of pageable memory",
    "copy between devices": "copy between devices",
    "collective": "collective",
    "order between streams": "order between streams",
    "wait of the host": "wait of the host",
    # --- boxes ---
    "caption": "Commands and waits in this timeline: {count}, over {ms:.2f} ms",
    "tip": "{called}, command {number}: {ms:.3f} ms",
    "box": "{called}, command {number}, from {start:.3f} to {end:.3f} ms",
    "boxes": "{called}, {count} times, commands {number} to {last}, from {start:.3f} to {end:.3f} ms, {ms:.3f} ms in "
    "total",
    "sent": "launch of {called}, command {number}, at {ms:.3f} ms",
    "launches": "{called}, {count} times, commands {number} to {last}, from {start:.3f} to {end:.3f} ms",
    "of a kind": "{called} ({kind})",
    "opened": "{said}, gates opened: {count}",
    "row": "{row}: {boxes}",
    "next row": "{rows}. {row}",
    "next box": "{boxes}; {box}",
    "numbered": "{number}: {said}",
    "nothing": "nothing",
    # --- gates ---
    "everything": "everything",
    "gate closed": "gate closed: {what}",
    "gate closed until": "gate closed: {what} until it is waited for",
    "gate opened": "gate opened: {what}",
    "gate at": "at {ms:.3f} ms {said}",
    # --- races ---
    "race": "command {number} ({operation}, stream {stream}) uses memory that command {other} on stream {other_stream} "
    "may still be using: let the stream wait (wait_stream, wait_event), or call record_stream",
    "race for memory": "command {number} ({operation}, stream {stream}) allocates memory that command {other} on "
    "stream {other_stream} may still be using: let the stream wait (wait_stream, wait_event), or call record_stream",
    "an allocation": "an allocation",
    "host overwrites": "the host writes to pinned memory before command {number} ({operation}), while command "
    "{other} may still be copying from it: wait for that copy first (event.synchronize), or use another buffer",
    "in line": "{what} in line {line}",
    "in line of": "{what} in line {line} of {file}",
    # --- differences from CUDA, and failed commands ---
    "failed": "Command {number} ({called}) has failed; the next wait raises the error.",
    "cuda pageable": "Copies from pageable memory always wait here; on CUDA a small one may return as soon as it is "
    "staged.",
    "cuda error": "A kernel has failed. On CUDA the process could no longer use the device; here the error is reported "
    "once.",
    "cuda query": "Calling query() a hundred times counts as a wait here; on CUDA it keeps the processor busy.",
    "cuda idle": "Some waits had nothing left to wait for; on CUDA each of them still costs some microseconds.",
}


def say(words: Mapping[str, str], name: str, **values: object) -> str:
    """Return a text with its placeholders filled, translated if ``words`` has it, else in English."""
    try:
        return str(words.get(name, WORDS[name])).format(**values)
    except (
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
    ):  # the translation's placeholders differ from the English ones
        return WORDS[name].format(**values)
