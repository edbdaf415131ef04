"""What a worker says to one paper."""

from dataclasses import dataclass

from ..judge.paper import Result


@dataclass(frozen=True)
class Answer:
    """One paper's result, or why there is none.

    worker: its address at the scheduler.  host: the name of its machine.  seconds: how long it judged.  result: None
    if it could not; then ``fault`` is a sentence that says why, and ``unfit`` is whether this worker would say the
    same of every paper of this kit.
    """

    worker: str
    host: str
    seconds: float
    result: Result | None
    fault: str = ""
    unfit: bool = False
