"""Child processes: each is started fresh, and ends with this one."""

import multiprocessing
import os
import threading

# Not forked: a judging process has threads and pytest, and a progress display is live.
SPAWN = multiprocessing.get_context("spawn")


def end_with_parent() -> None:
    """End this process when the one that started it ends, even if it was killed."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
