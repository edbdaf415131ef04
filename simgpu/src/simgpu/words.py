"""What pictures of the log and sentences on races say, by names: whoever shows one may hand over another language.

`timeline(words={"host": "anfitrião"})`, `race.describe(words)`.  Places in braces stay; what is not handed over is
said in English.
"""

from collections.abc import Mapping

WORDS = {
    "host": "host",
    "default stream": "simgpu:{device} default stream",
    "stream": "simgpu:{device} stream {number}",
    "communicator": "simgpu:{device} communicator {number}",
    # --- kinds of boxes ---
    "launch": "launch",
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
    "boxes": "{count} times {called}, commands {number} to {last}, from {start:.3f} to {end:.3f} ms, together "
    "{ms:.3f} ms",
    "of a kind": "{called} ({kind})",
    "opened": "{said}, gates opened: {count}",
    "row": "{row}: {boxes}",
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
    "race for memory": "command {number} ({operation}, stream {stream}) was given memory that command {other} on "
    "stream {other_stream} may still be using: let the stream wait (wait_stream, wait_event), or call record_stream",
    "an allocation": "an allocation",
    # --- where CUDA differs ---
    "cuda pageable": "Copies from pageable memory always wait here; on CUDA a small one may return as soon as it is "
    "staged.",
    "cuda error": "A kernel has failed; on CUDA the process could not use the device any more, here the error is told "
    "once.",
    "cuda query": "A program that asks query() a hundred times is taken for a wait here; on CUDA it keeps the "
    "processor busy.",
    "cuda idle": "Some waits had nothing left to wait for; on CUDA they cost some microseconds each all the same.",
}


def say(words: Mapping[str, str], name: str, **values: object) -> str:
    """A sentence with its places filled, in the words that were handed over, or in English."""
    try:
        return str(words.get(name, WORDS[name])).format(**values)
    except (LookupError, ValueError, TypeError, AttributeError):  # their places are not those of the English
        return WORDS[name].format(**values)
