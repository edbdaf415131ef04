"""A judging process's answer to one job."""

from dataclasses import dataclass

from .job import Result


@dataclass(frozen=True)
class Answer:
    """A job's result, or the reason why there is none.

    Attributes:
        result: None if it could not be judged; then ``fault`` is a sentence that says why.
        unusable: Whether this machine would say the same of every job of this spec.
        died: Whether its judge died, alone as well: nobody else need try.
        host: The name of the machine.
        worker: The address of the worker; "" outside a cluster.
        seconds: How long it judged, by the clock.
        warning: For whoever grades, of how it was judged; whoever started the judge adds it.
    """

    result: Result | None
    fault: str = ""
    unusable: bool = False
    died: bool = False
    host: str = ""
    worker: str = ""
    seconds: float = 0.0
    warning: str = ""
