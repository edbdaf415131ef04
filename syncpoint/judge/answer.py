"""A judging process's answer to one job."""

from dataclasses import dataclass

from .job import Result


@dataclass(frozen=True)
class Answer:
    """A job's result, or the reason why there is none."""

    result: Result | None  # None if it could not be judged; then ``fault`` is a sentence that says why
    fault: str = ""
    unusable: bool = False  # whether this machine would answer the same for every job of this spec
    died: bool = False  # whether its judge died twice, the second time alone: no other worker need try
    host: str = ""  # the name of the machine
    worker: str = ""  # the address of the worker; "" outside a cluster
    seconds: float = 0.0  # how long judging took, in wall-clock seconds
    # a sentence on how it was judged, for the person who grades; added by the code that started the judge
    warning: str = ""
