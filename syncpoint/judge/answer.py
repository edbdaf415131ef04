"""What a judging process says to one job."""

from dataclasses import dataclass

from .job import Result


@dataclass(frozen=True)
class Answer:
    """One job's result, or why there is none.

    result: None if it could not be judged; then ``fault`` is a sentence that says why.  unfit: whether this machine
    would say the same of every job of this spec.  died: whether its judge died, alone as well: nobody else need try.
    host: the name of the machine.  worker: the address of the worker; "" outside a cluster.  seconds: how long it
    judged.
    """

    result: Result | None
    fault: str = ""
    unfit: bool = False
    died: bool = False
    host: str = ""
    worker: str = ""
    seconds: float = 0.0
