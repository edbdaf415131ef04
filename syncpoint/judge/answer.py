"""A judging process's answer to one job."""

from dataclasses import dataclass

from .job import Result


@dataclass(frozen=True)
class Answer:
    """A job's result, or the reason why there is none.

    Attributes:
        result: None if it could not be judged; then ``fault`` is a sentence that says why.
        unusable: Whether this machine would answer the same for every job of this spec.
        died: Whether its judge died twice, the second time alone: no other worker need try.
        host: The name of the machine.
        worker: The address of the worker; "" outside a cluster.
        seconds: How long judging took, in wall-clock seconds.
        warning: A sentence on how it was judged, for the person who grades; added by the code that started the judge.
    """

    result: Result | None
    fault: str = ""
    unusable: bool = False
    died: bool = False
    host: str = ""
    worker: str = ""
    seconds: float = 0.0
    warning: str = ""
